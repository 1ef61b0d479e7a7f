#!/usr/bin/env python3
"""budgets.py - rows that nobody has checked cost no more than the limits say: budgets.py BUILDDIR

A stranger's file can hold any rows of message_rules, session_policies and turnstile_config. Each limit of
reading them is reached here, and says so; what is within it goes on. Nothing is measured in seconds:
what is counted are rows, bytes, and the steps of SQLite's engine (a progress handler that is called at
each). The same handler ends calls while rules are read and run: the call fails, and nothing has changed.
"""
import json
import os
import sqlite3
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from harness import Suite, connect, error_of, library, one  # noqa: E402

# As in ext/classify/rules.h, ext/classify/classifier.c, ext/route/policy.c, ext/session/config.c.
RULE_BYTES, RULES_BYTES, RULES, RULE_ROWS, RULE_TEXTS = 32 << 10, 8 << 20, 5000, 20000, 32 << 20
POLICIES, VALUES, POLICY_TEXTS, MATCH = 10000, 100000, 8 << 20, 16384
BIG = r"(?:[\p{L}\p{N}7]+\s*){1,200}!"  # compiles to some 12 KiB, and more than ten times that by JIT
TOO_BIG = r"(?:[\p{L}\p{N}7]+\s*){1,700}!"
CHECKED = {"message_rules", "session_policies", "turnstile_config"}


def strange():
    """A file whose rows nobody checks."""
    db = connect(":memory:", lib)
    one(db, "SELECT turnstile_install()")
    for name, table in db.execute("SELECT name, tbl_name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        if table in CHECKED and not name.endswith(("_version", "_touch")):
            db.execute(f'DROP TRIGGER "{name}"')
    return db


def changed(db, which):
    """What the triggers would have done."""
    db.execute("UPDATE turnstile_meta SET value = value + 1 WHERE key = ?", (which,))


def rules(*patterns, keep=True, enabled=1):
    db = strange()
    if not keep:
        db.execute("DELETE FROM message_rules")
    db.executemany("INSERT INTO message_rules(class, pattern, weight, enabled) VALUES('Abandon', ?, 1, ?)", [(p, enabled) for p in patterns])
    changed(db, "rules_version")
    return db


def dump(db):
    names = db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1").fetchall()
    return {n: db.execute(f'SELECT * FROM "{n}"').fetchall() for (n,) in names}


def steps(db, sql, *args):
    """How many steps of the engine a statement takes, the second time."""
    n = 0

    def count():
        nonlocal n
        n += 1
        return 0

    one(db, sql, *args)
    db.set_progress_handler(count, 1)
    one(db, sql, *args)
    db.set_progress_handler(None, 1)
    return n


# ---- Rules ----------------------------------------------------------------------------------


def left_out(what, db, row, says, check=True):
    """A delivery goes on without the row, who only classifies gets an error, the check names it."""
    text = f"message_rules row {row}: {says}; correct it or set enabled = 0"
    decision = json.loads(one(db, "SELECT session_deliver('s', 'add retries to the client')"))
    suite.check(f"{what}: delivered", decision["action"], "start")
    suite.check(f"{what}: note", decision["notes"], [f"classified without {text}"])
    error = error_of(one, db, "SELECT classify_message('add retries', 'None')")
    suite.check(f"{what}: classify_message", str(error), f"classify_message: {text}")
    error = error_of(one, db, "SELECT count(*) FROM classify('add retries', 'None')")
    suite.check(f"{what}: classify", str(error), f"classify: {text}")
    if check:
        found = one(db, "SELECT group_concat(problem, '|') FROM turnstile_check WHERE rule = 'rule_value' AND ref = ?", str(row))
        suite.holds(f"{what}: turnstile_check", found, says)


def test_one_rule():
    db = connect(":memory:", lib)
    one(db, "SELECT turnstile_install()")
    for pattern in (TOO_BIG, r"(?:(?:(?:[a-z]b){1,9}){1,9}){1,12}", r"(a(b(c(d){0,10}){0,10}){0,10}){0,3}"):
        error = error_of(db.execute, "INSERT INTO message_rules(class, pattern, weight) VALUES('Abandon', ?, 1)", (pattern,))
        suite.holds(f"refused: {pattern}", error, "message_rules: pattern: compiled it takes ", f"bytes, at most {RULE_BYTES} are allowed")
    suite.check("nothing was kept", one(db, "SELECT count(*) FROM message_rules WHERE origin = 'user'"), 0)
    db = rules(TOO_BIG)
    row = one(db, "SELECT max(id) FROM message_rules")
    says = one(db, "SELECT problem FROM turnstile_check WHERE rule = 'rule_value'")
    suite.holds("unchecked", says, "compiled it takes ")
    left_out("one rule", db, row, says)


def test_all_rules():
    db = rules(*[BIG] * 1000, keep=False)
    says = f"compiled, the rules before it take all of {RULES_BYTES} bytes"
    row = int(str(error_of(one, db, "SELECT classify_message('x', 'None')")).split()[3][:-1])
    suite.check("as many as there is room for", 600 < row < 1000)
    left_out("all rules", db, row, says, check=False)
    # Without a text of its own that is hard, a rule is named for the room alone.
    db = rules(*[r"\bx" + "(?:ab|cd)" * 160] * 3000, keep=False)
    error = str(error_of(one, db, "SELECT classify_message('x', 'None')"))
    if suite.holds("the sum of normal rules", error, says):
        left_out("all rules, harmless ones", db, int(error.split()[3][:-1]), says)
    # What is too big counts too: it was compiled.
    db = rules(*[TOO_BIG] * 1000, keep=False)
    suite.holds("too big ones: the first is named", error_of(one, db, "SELECT classify_message('x', 'None')"), "row 1: pattern: compiled it")


def test_counts():
    db = rules(*["x"] * (RULES + 1), keep=False)
    left_out("many rules", db, RULES + 1, f"more than {RULES} rules")
    db = rules(*["x"] * RULES, keep=False)
    suite.check("the last one allowed", one(db, "SELECT classify_message('x', 'Running')"), "Abandon")
    db = rules(*["("] * (RULE_ROWS + 1), keep=False, enabled=0)
    left_out("many rows", db, RULE_ROWS + 1, f"only the first {RULE_ROWS} rows are looked at", check=False)
    texts = ["y" * (1 << 20)] * (RULE_TEXTS >> 20)
    db = rules(*texts, "y", "y", keep=False)
    error = str(error_of(one, db, "SELECT classify_message('x', 'None')"))
    suite.holds("long texts: the first is named", error, "row 1: pattern has 1048576 bytes, at most 1500 are allowed")
    db.execute("UPDATE message_rules SET class = 'Abandon', pattern = 'y', state = printf('%.*c', 1 << 20, ' ')")
    changed(db, "rules_version")
    left_out("long texts", db, len(texts) + 1, f"the rows before it hold more than {RULE_TEXTS} bytes, no further ones are looked at", check=False)
    db.execute("UPDATE message_rules SET enabled = 0")
    changed(db, "rules_version")
    suite.check("what is switched off is not read", error_of(one, db, "SELECT classify_message('x', 'None')"), None)


# ---- Ending ---------------------------------------------------------------------------------


def ends(what, db, sql, *args, every=1, last=100000):
    """Whatever step it is ended at, it fails, and nothing has changed."""
    before, ended = dump(db), 0
    for stop in range(1, last, every):
        left = stop

        def count():
            nonlocal left
            left -= 1
            return left <= 0

        db.set_progress_handler(count, 1)
        error = error_of(one, db, sql, *args)
        db.set_progress_handler(None, 1)
        if error is None:
            break
        ended += 1
        if "interrupted" not in str(error) or dump(db) != before or db.in_transaction:
            suite.check(f"{what}, ended at step {stop}", str(error), "interrupted, and nothing changed")
    suite.check(f"{what}: it was ended", ended > 5)
    return ended


def test_ending():
    db = rules(*[rf"(?:\w+\s?){{1,20}}{i}!" for i in range(300)], keep=False)
    changed(db, "rules_version")
    args = json.dumps(["s", "add retries to the client"])
    ends("a delivery that reads the rules", db, "INSERT INTO turnstile(command, args) VALUES('session_deliver', ?)", args, every=97, last=3000)
    ends("while rules are read", db, "SELECT classify_message('add retries', 'None')", every=97)
    loose = [rf"\d{{{i % 30}}}[!?]" for i in range(RULES - 1)]  # without a literal: run on every text
    few, many = rules("a", keep=False), rules(*loose, keep=False)
    sql = "SELECT classify_message('add retries', 'None')"
    # Asked every 64 tries; in between is no step of the engine.
    asked = steps(many, sql) - steps(few, sql)
    suite.check("whether to end is asked while rules run", asked >= (RULES - 2) // 64)
    ends("while rules run", many, sql)


# ---- Policies -------------------------------------------------------------------------------


def policies(*rows):
    """(priority, name, match, key_template) beside the built-in ones, of priority 0."""
    db = strange()
    db.executemany('INSERT INTO session_policies(priority, name, "match", key_template) VALUES(?, ?, ?, ?)', rows)
    changed(db, "policies_version")
    return db


def key(db, **envelope):
    return one(db, "SELECT session_route(?) ->> '$.key'", json.dumps(envelope))


WRONG = {
    "not JSON": "{",
    "an array": "[]",
    "a number": "5",
    "null": "null",
    "a text": '"x"',
    "a side that is none": '{"delivery":{"channel":"a"},"sender":{"x":1}}',
    "a list as a side": '{"delivery":["channel"]}',
    "a number as a side": '{"delivery":1}',
    "an object as a value": '{"delivery":{"channel":"never","z":{"a":1}}}',
    "a list in a list": '{"delivery":{"channel":["never",["b"]]}}',
    "no value at all": '{"delivery":{"channel":[]}}',
    "a field that a principal has not": '{"principal":{"name":"x"}}',
    "too long": json.dumps({"delivery": {"channel": "x" * MATCH}}),
}


def test_wrong_match():
    for what, match in WRONG.items():
        db = policies((20, "first", '{"delivery":{"channel":"a"}}', "first:{delivery.sender_id}"), (10, "wrong", match, "wrong:{delivery.sender_id}"))
        row = one(db, "SELECT id FROM session_policies WHERE name = 'wrong'")
        says = f"is longer than {MATCH} bytes" if what == "too long" else "is not a JSON object of conditions"
        text = f"policy 'wrong' (row {row}): its match {says}; correct it or set enabled = 0"
        suite.check(f"{what}: what matches before it", key(db, channel="a", sender_id="1"), "first:1")
        for call in ("session_route(?)", "session_deliver(NULL, 'x', json_object('envelope', json(?)))"):
            before = dump(db)
            error = error_of(one, db, f"SELECT {call}", '{"channel":"b","sender_id":"1"}')
            suite.check(f"{what}: {call}", str(error), f"{call.split('(')[0]}: {text}")
            suite.check(f"{what}: nothing changed", dump(db) == before)
        suite.check(f"{what}: with a label", one(db, "SELECT session_deliver('s', 'write a report') ->> '$.action'"), "start")
        named = one(db, "SELECT ref FROM turnstile_check WHERE rule = 'policy_value'")
        suite.check(f"{what}: turnstile_check", named, str(row))
        db.execute("UPDATE session_policies SET priority = -1 WHERE name = 'wrong'")
        changed(db, "policies_version")
        suite.check(f"{what}: behind the others", key(db, channel="b", sender_id="1"), "dm:b:1")
        db.execute("UPDATE session_policies SET enabled = 0, priority = 10 WHERE name = 'wrong'")
        changed(db, "policies_version")
        suite.check(f"{what}: switched off", key(db, channel="b", sender_id="1"), "dm:b:1")


def test_wrong_template():
    for template in ("x[", "x{nobody}", "", "x" * 4097, "a[" * 2000):
        db = policies((10, "wrong", '{"delivery":{"channel":"a"}}', template))
        error = error_of(lambda: key(db, channel="a", sender_id="1"))
        suite.holds(f"{template[:9]}: what it matches", error, "session_route: policy 'wrong' (row 4): key_template ", "correct it or set enabled = 0")
        suite.check(f"{template[:9]}: what it doesn't match", key(db, channel="b", sender_id="1"), "dm:b:1")
        named = one(db, "SELECT ref FROM turnstile_check WHERE rule = 'policy_value'")
        suite.check(f"{template[:9]}: turnstile_check", named, "4")


def cut(what, db):
    suite.check(f"{what}: what matches before", key(db, channel="first", sender_id="1"), "first:1")
    error = error_of(lambda: key(db, channel="b", sender_id="1"))
    suite.holds(f"{what}: what comes to the end", error, "there are more: more than", str(POLICIES), str(VALUES), str(POLICY_TEXTS))
    suite.check(f"{what}: code", error and error.sqlite_errorcode, sqlite3.SQLITE_TOOBIG)


def test_policy_limits():
    first = (90, "first", '{"delivery":{"channel":"first"}}', "first:{delivery.sender_id}")
    never = '{"delivery":{"channel":"never"}}'
    room = POLICIES - 4  # three built-in ones and the first
    fits = policies(first, *[(10, f"p{i}", never, "x") for i in range(room)])
    suite.check("as many as allowed", key(fits, channel="b", sender_id="1"), "dm:b:1")
    cut("more", policies(first, *[(10, f"p{i}", never, "x") for i in range(room + 3)]))
    values = json.dumps({"delivery": {"channel": [str(i) for i in range(2000)]}}, separators=(",", ":"))
    fits = policies(first, *[(10, f"v{i}", values, "x") for i in range(VALUES // 2000 - 1)])
    suite.check("many values", key(fits, channel="b", sender_id="1"), "dm:b:1")
    cut("values", policies(first, *[(10, f"v{i}", values, "x") for i in range(VALUES // 2000)]))
    texts = policies(first, *[(10, f"t{i}", never, "x" * 4000) for i in range(POLICY_TEXTS // 4000 + 1)])
    cut("bytes", texts)


# ---- Settings -------------------------------------------------------------------------------


def test_settings():
    db = strange()
    one(db, "SELECT turnstile_config('ask_threshold', '2h')")
    db.executemany("INSERT INTO turnstile_config(session_label, key, value) VALUES('', ?, 1)", [(f"a{i}",) for i in range(300)])
    suite.check("more rows than are kept: each is looked up", one(db, "SELECT turnstile_config('ask_threshold')"), 7200000)
    db.execute("INSERT INTO turnstile_config(session_label, key, value) VALUES('', ?, 1)", ("k" * (1 << 20),))
    suite.check("a key that is none", one(db, "SELECT turnstile_config('ask_threshold')"), 7200000)
    error = error_of(one, db, "SELECT turnstile_config('text.abandon', ?)", "x" * 4097)
    suite.holds("a text that is too long", error, "turnstile_config: ", "4096")


# ---- Twice as much takes at most twice the steps -------------------------------------------------


def test_growth():
    def route(n):
        match = json.dumps({"delivery": {"channel": [str(i) for i in range(n)]}}, separators=(",", ":"))
        db = policies((10, "p", match, "x"))
        n = 0

        def count():
            nonlocal n
            n += 1
            return 0

        db.set_progress_handler(count, 1)
        key(db, channel="b", sender_id="1")  # reads the policies
        db.set_progress_handler(None, 1)
        return n

    small, large = route(1000), route(2000)
    suite.check(f"match: {small} steps, {large} for twice as many values", large <= 2.1 * small)
    db = rules(*[rf"\d{{{i % 30}}}[!?]" for i in range(500)])
    for unit in ("a b ", "ok. ", "?\n", "1) x 2) y ", "é好 "):
        n = [steps(db, "SELECT classify_message(?, 'AwaitingUser')", unit * k) for k in (5000, 10000, 20000)]
        suite.check(f"classify {unit!r}: steps {n}", n[1] <= 2 * n[0] and n[2] <= 2 * n[1])
    # What a prompt quotes is bounded, so its length is.
    sizes = [one(db, "SELECT length(classification_prompt(?, 'AwaitingUser', ?, ?))", *["word " * n] * 3) for n in (20000, 40000)]
    suite.check("a prompt does not grow with long texts", sizes[0], sizes[1])
    suite.holds("key_template", error_of(with_template, "x" * 4097), "key_template is 4097 bytes long; at most 4096 are allowed")
    suite.holds("match", error_of(with_template, "x", WRONG["too long"]), f"session_policies.match: it is {len(WRONG['too long'])} bytes long; at most {MATCH} are allowed")
    suite.check("key_template at its limit", error_of(with_template, "x" * 4096), None)


def with_template(template, match="{}"):
    db = connect(":memory:", lib)
    one(db, "SELECT turnstile_install()")
    db.execute("INSERT INTO session_policies(name, key_template, \"match\") VALUES('p', ?, ?)", (template, match))


lib = library(sys.argv[1])
suite = Suite("budgets")
for test in (test_one_rule, test_all_rules, test_counts, test_ending, test_wrong_match, test_wrong_template, test_policy_limits, test_settings, test_growth):
    test()
suite.done()
