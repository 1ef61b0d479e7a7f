"""What comes in as JSON, numbers with a fraction, and names in messages: the same on every SQLite.

    /usr/bin/python3 tests/suites/strict.py BUILDDIR [SEED]

Newer versions of SQLite read JSON5, and write the last digits of a REAL in another way than older ones.
Here every way in is given what only some of them take, and what was stored is compared with digests
that hold for all versions.
"""

import hashlib
import json
import os
import random
import sqlite3
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from harness import Suite, connect, door, error_of, library, one  # noqa: E402

BUILD = sys.argv[1] if len(sys.argv) > 1 else "build"
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 1
LIB = library(BUILD)
suite = Suite("strict")
NOW = 1800000000000
DOOR = "INSERT INTO turnstile(command, args) VALUES(?, ?) RETURNING turnstile_result()"


def fresh():
    db = connect(":memory:", LIB)
    one(db, "SELECT turnstile_install('{\"uuid\":\"00000000-0000-4000-8000-000000000000\"}')")
    one(db, f"SELECT turnstile_clock({NOW})")
    return db


def send(db, command, args):
    return one(db, DOOR, command, args)


def dump(db):
    """All rows but those of the rules, as one text."""
    lines = []
    for (table,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT "
                               "LIKE 'sqlite%' AND name NOT IN ('message_rules', 'turnstile_meta') ORDER BY name").fetchall():
        lines += [f"{table} {row!r}" for row in db.execute(f'SELECT * FROM "{table}"').fetchall()]
    return "\n".join(lines)


# No JSON, though some versions read it; each a whole value.
OTHER = [
    "NaN", "nan", "Infinity", "-Infinity", "inf", "QNaN", "0x10", "-0xA", "+1", ".5", "5.", "-.5", "01",
    "-01", "00", "1e", "1e+", "-", "--1", "1_0", "[1,]", "[,1]", "[,]", "[1,,2]", "[1 2]", '{"a":1,}',
    "{,}", "{a:1}", "{'a':1}", "{true:1}", "{null:1}", "{1:1}", "{$a:1}", '{"a" 1}', '{"a":}', '{"a"}',
    "'a'", "['a']", '"a\nb"', '"a\tb"', '"a\\\nb"', '"\\v"', '"\\x41"', "\"\\'\"", '"\\0"', '"\\u12"',
    '"\\u{41}"', '"\\ug000"', '"\\', '"a', "// x\n1", "/* x */1", "[1/**/]", "1//", "[1]//x", "\ufeff1",
    "\ufeff[]", "\u00a01", "[\u20281]", "\x0b1", "[\x0c]", "True", "TRUE", "NULL", "nul", "tru", "truex",
    "nullx", "[true false]", "undefined", "", " ", "[", "]", "{", "}", "[1]]", "[[1]", "1 2", "[1]x",
    '{"a":1}{"b":2}', "1,2", ":", ",", '"a":1', "\x00", "[1]\x00", "\x00[1]", '"a\x00"',
]
# JSON, and what is kept of it.
GOOD = [
    (' { "a" : [ 1 , -0 , 0.10 , 1E+2 , 1e999 , -1.5e-7 ] } ', '{"a":[1,-0,0.10,1E+2,1e999,-1.5e-7]}'),
    ('"\\u0041\\/\\b\\f\\n\\r\\t\\"\\\\"', '"\\u0041\\/\\b\\f\\n\\r\\t\\"\\\\"'),
    ('"\\ud83d\\ude00"', '"\\ud83d\\ude00"'),
    ('"\\uD800"', '"\\ufffd"'),
    ('"\\ude00\\ud83d x \\ud800\\u0041"', '"\\ufffd\\ufffd x \\ufffd\\u0041"'),
    ('"\\u0000\\\\u0000\\\\\\u0000"', '"\\ufffd\\\\u0000\\\\\\ufffd"'),
    ('{"a":1,"a":2,"":null,"\\ud800":3}', '{"a":1,"a":2,"":null,"\\ufffd":3}'),
    ("99999999999999999999", "99999999999999999999"),
    ("-9223372036854775808", "-9223372036854775808"),
    ('"\x7f\u2028"', '"\x7f\u2028"'),
    ("\t[ true,\r\nfalse,null ]", "[true,false,null]"),
    ("[" * 900 + "]" * 900, "[" * 900 + "]" * 900),
    ('{"a":' * 900 + "1" + "}" * 900, '{"a":' * 900 + "1" + "}" * 900),
]


def bad_calls(db, text):
    """Ways in that take only JSON: a name, and what calls it."""
    yield "args", lambda: send(db, "session_observe", text)
    if "\x00" not in text:
        yield "an argument", lambda: send(db, "session_observe", '["s","Note",%s]' % text)
        yield "a named one", lambda: send(db, "session_note", '{"label":"s","text":"x","now":%s}' % text)
    yield "options", lambda: one(db, "SELECT session_note('s', 'x', ?)", text)
    yield "an object", lambda: one(db, "SELECT session_transition('s', 'AwaitingUser', ?)", text)
    yield "an envelope", lambda: one(db, "SELECT session_route(?)", text)
    yield "messages", lambda: one(db, "SELECT turn_append('s', ?)", text)
    yield "a document", lambda: one(db, "SELECT session_import(?)", text)
    yield "a policy", lambda: db.execute(
        "INSERT INTO session_policies(name, key_template, \"match\") VALUES('p', 'k', ?)", (text,))
    if "\x00" not in text:
        inner = '[{"role":"user","content":"x","metadata":%s}]' % text
        yield "metadata", lambda: one(db, "SELECT turn_append('s', ?)", inner)
    yield "install", lambda: one(db, "SELECT turnstile_install(?)", text)


def check_other():
    db = fresh()
    send(db, "session_start", '["s","x"]')
    before = dump(db)
    for text in OTHER:
        for name, call in bad_calls(db, text):
            error = error_of(call)
            suite.check(f"{name}: {text[:40]!r} is refused", error is not None)
            suite.check(f"{name}: {text[:40]!r}: a message", str(error)[:4] not in ("None", ""))
        suite.check(f"{text[:40]!r} changes nothing", dump(db), before)
    db.close()


def kept(db, text):
    send(db, "session_observe", json.dumps(["s", "Note", text]))
    return one(db, "SELECT data FROM observations ORDER BY id DESC LIMIT 1")


def check_text():
    """Where text is taken as well, what is no JSON is text."""
    db = fresh()
    send(db, "session_start", '["s","x"]')
    deep = "[" * 901 + "]" * 901
    for text in [*OTHER, deep, "[" * 1001 + "]" * 1001, "[" * 5000 + "]" * 5000]:
        if "\x00" in text:
            continue
        suite.check(f"{text[:40]!r} as text", json.loads(kept(db, text)), text)
        one(db, "SELECT session_observe('s', 'Note', ?)", text)
        suite.check(f"{text[:40]!r} as text, by its function",
                    json.loads(one(db, "SELECT data FROM observations ORDER BY id DESC LIMIT 1")), text)
    for text, want in GOOD:
        suite.check(f"{text[:40]!r} is kept", kept(db, text), want)
        send(db, "session_observe", '["s","Note",%s]' % text)
        got = one(db, "SELECT data FROM observations ORDER BY id DESC LIMIT 1")
        if text[0] in " {[\t":
            suite.check(f"{text[:40]!r} is kept, inside of args", got, want)
    db.close()


def check_depth():
    db = fresh()
    send(db, "session_start", '["s","x"]')
    move = '["s","AwaitingUser",{"question":"q","x":%s}]'
    for levels, fits in ((899, 1), (900, 0), (997, 0), (998, 0), (5000, 0)):
        text = "[" * levels + "]" * levels
        error = error_of(send, db, "session_transition", move % text)
        suite.check(f"an object with {levels} levels in it", error is None, bool(fits))
        if error:
            suite.holds(f"{levels} levels", error, "JSON of more than", "levels")
    text = '[{"role":"user","content":%s}]' % ("[" * 996 + "]" * 996)
    suite.check("messages of 998 levels", error_of(send, db, "turn_append", '["s",%s]' % text), None)
    text = '[{"role":"user","content":%s}]' % ("[" * 999 + "]" * 999)
    suite.holds("messages of 1001 levels", error_of(one, db, "SELECT turn_append('s', ?)", text),
                "turn_append: messages is JSON of more than 1000 levels")
    db.close()


def is_json(text):
    """As Python has it: RFC 8259, when it is told of NaN."""
    def refuse(word):
        raise ValueError(word)

    try:
        json.loads(text, parse_constant=refuse)
    except ValueError:
        return False
    return True


PIECES = ['"a"', '"\\u00e9"', '"\\n"', "1", "-0", "0.5", "1e5", "true", "false", "null", "{", "}", "[",
          "]", ",", ":", " ", "\n", "\t", "'", "+", "-", ".", "0", "x", "N", "NaN", "Infinity", "/*", "*/",
          "//", "e", "E", "0x", "\\", '"', "\u00a0", "\ufeff", "a", "$", "_", "\x0b", "\x1f", "é"]


def random_value(r, depth):
    kind = r.randrange(8 if depth else 6)
    if kind < 6:
        return r.choice(['"a"', '"b\\u0041"', "12", "-1.5e3", "true", "null"])
    items = [random_value(r, depth - 1) for _ in range(r.randrange(4))]
    if kind == 6:
        return "[" + ",".join(items) + "]"
    return "{" + ",".join('"k%d" : %s' % (i, v) for i, v in enumerate(items)) + "}"


def check_random():
    """What is taken as JSON is what Python takes for it."""
    r = random.Random(SEED)
    db = fresh()
    send(db, "session_start", '["s","x"]')
    bad = []
    taken = 0
    for i in range(6000):
        text = random_value(r, 4) if i % 3 else "".join(r.choices(PIECES, k=r.randrange(1, 7)))
        for _ in range(r.randrange(3)):
            at = r.randrange(len(text) + 1)
            text = text[:at] + r.choice(PIECES) + text[at + r.randrange(2):]
        want = is_json(text)
        taken += want
        error = error_of(one, db, "SELECT session_flush('s', ?)", text) if i % 50 == 0 else None
        if isinstance(error, UnicodeDecodeError):
            bad.append(("a message", text))
        one(db, "SELECT session_observe('s', 'Note', ?)", text)
        data = one(db, "SELECT data FROM observations ORDER BY id DESC LIMIT 1")
        if (json.loads(data) == text and not (want and json.loads(text) == text)) == want:
            bad.append((text, data))
        if i % 500 == 0:
            db.execute("DELETE FROM observations")
    suite.check("what is JSON", bad[:5], [])
    suite.check("some is and some is not", 500 < taken < 5500)
    db.close()


WEIGHTS = ["0.1", "0.3333333333333333", "0.7000000000000001", "1e-7", "0.30000000000000004", "1", "0",
           "0.0013056769207341781", "0.5", "0.123456789012345678901234567890", "5e-324", "1.0E-2"]


def check_numbers():
    db = fresh()
    send(db, "session_start", '["s","x"]')
    for i, weight in enumerate(WEIGHTS):
        send(db, "session_relate", f'["s","file:{i}","by","task:1",{{"weight":{weight}}}]')
        send(db, "session_relate", f'{{"label":"s","from":"a:{i}","edge":"by","to":"t:1","weight":{weight}}}')
    got = [row[0] for row in db.execute("SELECT weight FROM edges ORDER BY id").fetchall()]
    suite.check("weights are the nearest numbers", got, [float(w) for w in WEIGHTS for _ in range(2)])
    document = json.loads(send(db, "session_export", '["s"]'))
    texts = [e["weight"] for e in document["content"]["edges"]]
    suite.check("and stand in the document with 17 digits", [float(t) for t in texts], got)
    suite.check("in one form", texts[:10:2], ["0.10000000000000001", "0.33333333333333331",
                                              "0.70000000000000007", "9.9999999999999995e-08",
                                              "0.30000000000000004"])
    suite.check("its digest", document["hash"], DIGESTS["numbers"])
    copy = fresh()
    one(copy, "SELECT session_import(?)", json.dumps(document))
    back = [row[0] for row in copy.execute("SELECT weight FROM edges ORDER BY id").fetchall()]
    suite.check("and come back", back, got)
    suite.check("its digest there", json.loads(send(copy, "session_export", '["s"]'))["hash"],
                document["hash"])
    copy.close()
    for value, want in ((0.1, "0.1"), (1.5, "1.5"), (1e-7, "1.0e-07"), (2.0**60, "1.15292150460685e+18"),
                        (0.1 + 0.2, "0.3"), (-2.25, "-2.25"), (1e300, "1.0e+300")):
        one(db, "SELECT session_observe('s', 'Note', ?)", value)
        suite.check(f"{value} as text", one(db, "SELECT data FROM observations ORDER BY id DESC LIMIT 1"),
                    want)
    db.execute("INSERT INTO session_policies(name, key_template, \"match\", priority) "
               "VALUES('p', 'x:{delivery.thread_id}', '{\"delivery\":{\"n\":[1.5,2.0,1e3]}}', 9)")
    for n, key in (("1.5", "x:0.1"), ("1.50", "x:0.1"), ("2", "x:0.1"), ("1000", "x:0.1"),
                   ("3", "dm:web:u"), ("1.25", "dm:web:u")):
        envelope = '{"channel":"web","sender_id":"u","n":%s,"thread_id":0.1}' % n
        route = json.loads(send(db, "session_route", f"[{envelope}]"))
        suite.check(f"a policy about {n}", route["key"], key)
    suite.check("all rows", hashlib.sha256(dump(db).encode()).hexdigest(), DIGESTS["rows"])
    db.close()


# What holds for every version of SQLite.
DIGESTS = {
    "numbers": "738cfbfeacbb80532ade1a71c258d4323dfc936d22f3f1313bf4d6c2aadd0450",
    "rows": "5969f52edf095711c8494285bcc18a2b6803630a313b75907e07603dfb1df265",
}


def check_messages():
    """Whatever a name is, the message that tells of it is UTF-8 and cuts no character."""
    db = fresh()
    send(db, "session_start", '["s","x"]')
    for unit in ("é", "語", "🐈", "\u0301", "\ufffd"):
        for pad in range(5):
            name = "x" * pad + unit * 100
            calls = [
                ("session_note", ["s", "x", {name: 1}]),
                ("session_note", {name: 1}),
                ("session_transition", ["s", name]),
                ("turnstile_config", [name]),
                ("turnstile_config", ["lease", name]),
                ("session_relate", ["s", name[:80], "by", "task:1"]),
                ("turn_append", ["s", [{"role": name, "content": "x"}]]),
                ("turn_append", ["s", [{"role": "user", "content": "x", name: 1}]]),
                ("session_import", [{name: 1}]),
                (name, []),
                ("session_deliver", ["s", "x", {"source": name}]),
                ("session_compact", [name]),
                ("session_fork", [name]),
            ]
            for command, args in calls:
                error = error_of(send, db, command, json.dumps(args))
                suite.check(f"{command[:20]} {pad} {unit!r}: a message", isinstance(error, sqlite3.Error))
                suite.check(f"{command[:20]} {pad} {unit!r}: whole characters",
                            "\ufffd" in str(error) and unit != "\ufffd", False)
            for sql in ("SELECT turnstile_install(json_object('prefix', ?))",
                        "SELECT count(*) FROM classify('x', ?)",
                        "SELECT count(*) FROM session_context('s', ?)",
                        "INSERT INTO message_rules(class, pattern, weight) VALUES(?, 'x', 1)",
                        "INSERT INTO message_rules(class, state, pattern, weight) VALUES('NewTask', ?, 'x', 1)",
                        "INSERT INTO message_rules(class, pattern, weight) VALUES('NewTask', ? || '(', 1)",
                        "INSERT INTO session_policies(name, key_template) VALUES('x', '{' || ? || '}')"):
                error = error_of(one, db, sql, name)
                suite.check(f"{sql[:50]} {pad} {unit!r}: a message", isinstance(error, sqlite3.Error))
                suite.check(f"{sql[:50]} {pad} {unit!r}: whole characters",
                            "\ufffd" in str(error) and unit != "\ufffd", False)
    # Bytes that are no UTF-8, in every place that takes a text.
    for raw in ("ff", "c3", "e282", "f09f90", "eda080", "80" * 70, "c3a9" * 30 + "c3"):
        text = f"CAST(x'78{raw}' AS TEXT)"
        for sql in (f"SELECT session_note({text}, 'x')", f"SELECT session_note('s', 'x', {text})",
                    f"SELECT session_transition('s', {text})", f"SELECT turnstile_config({text})",
                    f"INSERT INTO turnstile(command) VALUES({text})",
                    f"SELECT * FROM classify('x', {text})", f"SELECT session_fork({text})",
                    f"INSERT INTO message_rules(class, pattern, weight) VALUES({text}, 'x', 1)",
                    f"INSERT INTO message_rules(class, pattern, weight) VALUES('NewTask', {text} || '(', 1)",
                    f"INSERT INTO session_policies(name, key_template) VALUES('x', '{{' || {text} || '}}')",
                    f"SELECT turnstile_use('main', {text})"):
            error = error_of(one, db, sql)
            suite.check(f"{sql[:60]}: a message", isinstance(error, sqlite3.Error))
    db.close()


def check_door():
    """Only a text names a command, and args are a text."""
    db = fresh()
    send(db, "session_start", '["s","x"]')
    before = dump(db)
    args = '["s","hello"]'
    jsonb = None
    try:
        jsonb = one(db, "SELECT jsonb(?)", args)
    except sqlite3.Error:
        pass
    for command, part in ((b"session_note", "turnstile: command must be text, not a BLOB"),
                          ("session_note\0", "turnstile: command 'session_note\ufffd' is unknown"),
                          ("session_note\0x", "turnstile: command 'session_note\ufffdx' is unknown"),
                          ("\0session_note", "turnstile: command '\ufffdsession_note' is unknown"),
                          ("SESSION_NOTE", "turnstile: command 'SESSION_NOTE' is unknown"),
                          (" session_note", "turnstile: command ' session_note' is unknown"),
                          ("", "turnstile: command '' is unknown"), (0, "turnstile: command 0 is unknown"),
                          (1, "turnstile: command '1' is unknown"), (1.5, "turnstile: command '1.5' is"),
                          (None, "turnstile: command 'NULL' is unknown"), (b"", "not a BLOB")):
        suite.holds(f"command {command!r}", error_of(send, db, command, args), part)
    for bad in (args.encode(), jsonb, 5, 1.5, args + "\0", "\0" + args, args[:-1] + "\0]"):
        if bad is None:
            continue
        suite.holds(f"args {bad!r}", error_of(send, db, "session_note", bad), "session_note: args ")
    for sql in ("SELECT session_note('s', 'x', ?)", "SELECT session_transition('s', 'Running', ?)",
                "SELECT turn_append('s', ?)", "SELECT session_import(?)", "SELECT session_route(?)",
                "SELECT session_observe('s', 'Note', ?)", "SELECT session_note('s', ?)",
                "SELECT session_note(?, 'x')", "SELECT turnstile_install(?)"):
        for bad in (b"{}", b"[]", jsonb, b""):
            if bad is not None:
                suite.holds(f"{sql} {bad!r}", error_of(one, db, sql, bad), "not a BLOB")
    suite.check("nothing is changed", dump(db), before)
    db.close()


check_other()
check_text()
check_depth()
check_random()
check_numbers()
check_messages()
check_door()
suite.done()
