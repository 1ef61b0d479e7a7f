#!/usr/bin/env python3
"""homes.py - what is said to a merged session goes home with it: every combination.

    tests/identity/homes.py BUILDDIR

A session, home, is merged into another one, perhaps that one into a third. Meanwhile somebody who is not of the
entity says something to home, by one of the DOORS; it comes to be in one of the STATES; then the two are parted,
in one of the WAYS. It must be in home then, in a state that says what has become of it, and never in a session
that is another's. One that waits runs there; with a message_id, once.
"""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from harness import Suite, connect, library, one  # noqa: E402
from vocabulary import QUEUE_WAITS  # noqa: E402

NOW = 1_700_000_000_000


class Place:
    """One combination: sessions of its own in a file that all share."""

    def __init__(self, db, number):
        self.db, self.n = db, number
        self.home, self.first, self.second = (f"dm:c:{role}{number}" for role in ("home", "one", "two"))
        self.entity, self.text = f"e{number}", f"said {number}"
        self.at = self.first  # where home is merged into
        self.worker = f"worker:{number}"

    def run(self, command, *args):
        args = [json.dumps(a) if isinstance(a, (dict, list)) else a for a in args]
        got = one(self.db, f"SELECT {command}({', '.join('?' * len(args))})", *args)
        return json.loads(got) if isinstance(got, str) and got[:1] in "{[" else got

    def say(self, label, turns):
        for _ in range(turns):
            self.run("turn_append", label, [{"role": "user", "content": "x"}])

    def link(self, label):
        return self.run("identity_link", "c", label.split(":")[2], self.entity)

    def unlink(self, label):
        return self.run("identity_unlink", "c", label.split(":")[2])

    def row(self):
        got = self.db.execute(
            "SELECT session_label, status FROM session_queue WHERE message = ? ORDER BY id DESC", (self.text,)
        ).fetchone()
        return got or self.held()

    def held(self):
        got = self.db.execute(
            "SELECT label FROM sessions JOIN json_each(json_insert(ifnull(pending_choice -> '$.earlier', '[]'), "
            "'$[#]', pending_choice ->> '$.delivery_id')) AS e JOIN deliveries AS d ON d.id = e.value "
            "WHERE pending_choice IS NOT NULL AND d.message = ?",
            (self.text,),
        ).fetchone()
        return got and (*got, "held")


# ---- By whom, and by which name


def timer(p):
    p.run("queue_push", p.home, p.text, {"source": "timer", "message_id": "m"})


def stranger_pushes(p):
    p.run("queue_push", p.home, p.text, {"channel": "s", "sender": "eve", "message_id": "m"})


def stranger(p):
    return p.run("session_deliver", p.home, p.text, p.options())


def by_alias(p):
    return p.run("session_deliver", f"nick {p.n}", p.text, p.options())


def pushed_by_alias(p):
    p.run("queue_push", f"nick {p.n}", p.text, {"source": "timer", "message_id": "m"})


def routed(p):
    """The policies give two senders one key, and only one of them is linked."""
    options = p.options()
    options["envelope"] = {"channel": "guests", "sender_id": p.home.split(":")[2]}
    del options["channel"], options["sender"]
    return p.run("session_deliver", None, p.text, options)


def report(p):
    p.text = f"found {p.n}"
    p.run("session_report", p.worker, "completed", p.text)
    p.text = one(p.db, "SELECT message FROM session_queue WHERE sender = ?", p.worker)


def question(p):
    p.run("session_transition", p.worker, "AwaitingUser", {"question": f"Which {p.n}?"})
    p.text = one(p.db, "SELECT message FROM session_queue WHERE sender = ?", p.worker)


DOORS = [timer, stranger_pushes, stranger, by_alias, pushed_by_alias, routed, report, question]
DELIVERED = (stranger, by_alias, routed)


# ---- What has become of it


def waits(p):
    pass


def held_by_choice(p):
    """Is what a choice of the primary holds."""


def held_beside(p):
    """Is held beside something of the primary's own."""


def held_from_queue(p):
    """Has waited behind a live run, and is held when that one's next turn begins."""
    p.run("turn_complete", p.turn["turn"], p.turn["token"], {"content": "done"})
    p.run("turn_begin", p.at, "w")


def taken(p):
    p.turn = p.run("turn_begin", p.at, "w")


def half_done(p):
    taken(p)
    p.run("turn_message", p.turn["turn"], p.turn["token"], {"role": "assistant", "content": "hm"})


def failed(p):
    half_done(p)
    p.run("turn_fail", p.turn["turn"], p.turn["token"], "boom")


def cancelled(p):
    p.run("queue_cancel", one(p.db, "SELECT id FROM session_queue WHERE message = ?", p.text))


STATES = [waits, held_by_choice, held_beside, held_from_queue, taken, half_done, failed, cancelled]
HELD = (held_by_choice, held_beside, held_from_queue)


def prepare(p, state):
    """Before it is said: what makes it come to be so."""
    if state in HELD:
        p.run("session_start", p.at, f"the primary's task {p.n}")
        p.run("turn_append", p.at, [{"role": "user", "content": "x"}])
    if state is held_beside:
        p.run("session_deliver", p.at, "something else", {"class": "NewTask", "channel": "o", "sender": "own"})
    if state is held_from_queue:
        p.turn = p.run("turn_begin", p.at, "w", {"messages": [{"role": "user", "content": "go"}]})


# ---- How they part


def home_leaves(p):
    p.unlink(p.home)


def primary_leaves(p):
    p.unlink(p.at)


def primary_deleted(p):
    p.run("session_delete", p.at, {"force": 1})


def merged_again(then):
    def way(p):
        p.say(p.second, 5)
        p.link(p.second)
        p.at = p.second
        then(p)
        # The entity goes on with the other two, which are one still.
        if then is not home_leaves:
            p.unlink(p.home)

    way.__name__ = f"merged again, {then.__name__}"
    return way


def relinked(p):
    """Parted, and together again: the next one takes it home as well."""
    p.unlink(p.home)
    p.link(p.home)
    p.unlink(p.home)


WAYS = [home_leaves, primary_leaves, primary_deleted, relinked]
WAYS += [merged_again(way) for way in (home_leaves, primary_leaves, primary_deleted)]


def options_of(state):
    said = {"channel": "s", "sender": "eve", "message_id": "m"}
    if state is held_beside:
        return said  # a class that the caller gives says what it is about
    return {"class": "NewTask" if state in HELD else "Modification", **said}


def build(db, number, door, state):
    p = Place(db, number)
    p.options = lambda: options_of(state)
    p.say(p.home, 1)
    p.say(p.first, 3)
    p.run("session_alias", f"nick {number}", p.home)
    p.run("session_spawn", p.home, f"look {number}", {"label": p.worker})
    p.link(p.first)
    p.link(p.home)
    prepare(p, state)
    door(p)
    state(p)
    return p


def settled(p):
    """What a turn of the primary still has comes to nothing."""
    live = p.db.execute("SELECT turn_id, token FROM session_runs WHERE turn_id IS NOT NULL").fetchall()
    for turn, token in live:
        p.run("turn_fail", turn, token, "boom")


# Where it is, once the two have parted and no turn has it any more.
EXPECTED = {
    waits: "waits",
    held_by_choice: "waits",
    held_beside: "waits",
    held_from_queue: "waits",
    taken: "waits",
    half_done: "failed",
    failed: "failed",
    cancelled: "cancelled",
}


def check(suite, db, number, door, state, way):
    what = f"{door.__name__}, {state.__name__}, {way.__name__}"
    p = build(db, number, door, state)
    if state in HELD:
        suite.check(f"{what}: it is held", p.held(), (p.at, "held"))
    way(p)
    settled(p)
    got = p.row() or ("nowhere", "lost")
    wanted = EXPECTED[state]
    if state is cancelled:
        # It stays where it was, and is worked on at home if somebody wants it.
        if got[0] != "nowhere":
            id = one(db, "SELECT id FROM session_queue WHERE message = ?", p.text)
            suite.check(f"{what}: it is cancelled", got[1], "cancelled")
            p.run("queue_retry", id)
            got, wanted = p.row(), "waits"
    status = "waits" if got[1] in QUEUE_WAITS else got[1]
    suite.check(what, (got[0], status), (p.home, wanted))
    if door in DELIVERED or door in (timer, pushed_by_alias):
        before = one(db, "SELECT count(*) FROM deliveries")
        door(p)
        suite.check(f"{what}: said again, it is known", one(db, "SELECT count(*) FROM deliveries"), before)
    if wanted == "waits" and state is not cancelled:
        turn = p.run("turn_begin", p.home, "w")
        said = turn and [m["content"] for m in turn["messages"]]
        suite.check(f"{what}: a turn at home has it", said and sum(p.text in text for text in said), 1)
        if turn:
            p.run("turn_complete", turn["turn"], turn["token"], {"content": "done"})


def exported(suite, db, number):
    """For which sessions of this file a choice holds what it holds is no business of another file."""
    p = build(db, number, stranger, held_by_choice)
    choice = one(db, "SELECT pending_choice FROM sessions WHERE label = ?", p.at)
    suite.check("the choice says it", p.home in choice)
    document = p.run("session_export", p.at)
    suite.check("its document does not", '"homes"' in json.dumps(document), False)
    p.run("session_import", document, {"as": f"copy {number}"})
    suite.check("the copy holds the same", p.run("session_state", f"copy {number}")["pending_choice"]["held"], p.text)
    p.run("session_choose", f"copy {number}", "start_fresh")
    said = p.run("turn_begin", f"copy {number}", "w")["messages"]
    suite.check("and has it worked on", [m["content"] for m in said][-1:], [p.text])


def both_held(suite, db, number, way):
    """A choice that expires, and the one that takes its place, each hold something that was said to home."""
    p = build(db, number, stranger, held_by_choice)
    first, p.text = p.text, f"said later {number}"
    said = {"class": "Response", "channel": "s", "sender": "eve", "message_id": "later", "now": NOW + 8 * 86_400_000}
    decision = p.run("session_deliver", p.home, p.text, said)
    suite.check(f"{way.__name__}: after a week the task was saved", decision["kind"], "SavedTaskChoice")
    choice = json.loads(one(db, "SELECT pending_choice FROM sessions WHERE label = ?", p.at))
    suite.check(f"{way.__name__}: it holds both", (choice["held"], len(choice["earlier"])), (p.text, 1))
    suite.check(f"{way.__name__}: for home", sorted(choice["homes"].values()), [p.home, p.home])
    way(p)
    waits = "SELECT group_concat(message, ' + ') FROM (SELECT message FROM session_queue WHERE session_label = ? ORDER BY id)"
    suite.check(f"{way.__name__}: both wait at home", one(db, waits, p.home), f"{first} + {p.text}")


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: tests/identity/homes.py BUILDDIR")
    suite = Suite("homes")
    db = connect(":memory:", library(sys.argv[1]))
    one(db, "SELECT turnstile_install()")
    one(db, f"SELECT turnstile_clock({NOW})")
    db.execute(
        'INSERT INTO session_policies(priority, name, "match", key_template) VALUES '
        "(50, 'guests', '{\"delivery\":{\"channel\":\"guests\"}}', 'dm:c:{delivery.sender_id}')"
    )
    number = 0
    for door in DOORS:
        for state in STATES:
            if state in HELD and door not in DELIVERED:
                continue  # only what people say is held
            for way in WAYS:
                number += 1
                check(suite, db, number, door, state, way)
    for way in WAYS:
        number += 1
        both_held(suite, db, number, way)
    exported(suite, db, number + 1)
    suite.sound("after all", db, deleted=True)
    suite.done()


if __name__ == "__main__":
    main()
