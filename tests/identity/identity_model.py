#!/usr/bin/env python3
"""identity_model.py - who a sender is, and which session that means, against a model of it.

    tests/identity/identity_model.py BUILDDIR [operations [seed]]

The model is a second implementation of keys, policies, links, merges, unlinks and aliases, in plain
Python. What it does not decide itself (how many turns a session has, what became of an input) it
takes from the rows; who is superseded by whom, which alias leads where, in which session an input
waits, and to which session every sender's next message goes, it says itself, after every operation.

Always: no alias leads to an alias or to a superseded session, no input waits in a superseded
session, every message is in one place, a turn holds only inputs of senders whose messages go there,
and the turns of two sessions are strangers unless one was forked from the other. A history is
played once more on a new file, each command through the other door: the same rows.
"""
import json
import os
import random
import sqlite3
import sys
import time

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "..", "lib"))
from harness import INVARIANTS, Suite, connect, library, one  # noqa: E402
from vocabulary import QUEUE_WAITS  # noqa: E402

UUID = "00000000-0000-4000-8000-00000000c0c0"
START, MINUTE, HOUR, DAY = 1_000_000_000_000, 60_000, 3_600_000, 86_400_000
LENGTH = 160  # operations of a history
WAITING = tuple(QUEUE_WAITS)
LATER = ("processing", "cancelled")  # they stay where they are, and may go elsewhere should they wait again

KNOWN = {"principal": {"type": "known"}, "delivery": {"peer_kind": "dm"}}
UNKNOWN = {"principal": {"type": "unknown"}, "delivery": {"peer_kind": "dm"}}
OWN, ENTITY = "dm:{delivery.channel}:{delivery.sender_id}", "dm:{principal.entity_id}"


def at(base, **delivery):
    return {**base, "delivery": {**base.get("delivery", {}), **delivery}}


# (priority, name, match, key_template, persona); the built-in ones come after all others.
BUILTIN = [
    (0, "known-dm", KNOWN, ENTITY, None),
    (0, "unknown-dm", UNKNOWN, OWN, None),
    (
        0,
        "group-session",
        {"delivery": {"peer_kind": "group"}},
        "group:{delivery.channel}:{delivery.peer_id}[:thread:{delivery.thread_id}]",
        None,
    ),
]
WORLDS = {
    "built in": [],
    # Each of two channels speaks with a voice of its own.
    "two personas": [
        (20, "clerk known", at(KNOWN, channel="tg"), ENTITY, "clerk"),
        (20, "clerk unknown", at(UNKNOWN, channel="tg"), OWN, "clerk"),
        (20, "boss known", at(KNOWN, channel=["mail", "sms"]), ENTITY, "boss"),
        (20, "boss unknown", at(UNKNOWN, channel=["mail", "sms"]), OWN, "boss"),
    ],
    # Some keys tell nobody apart.
    "a lobby": [
        (20, "lobby", at(UNKNOWN, channel="tg"), "dm:lobby", None),
        (19, "vip", at(KNOWN, channel="mail"), "dm:vip[:{delivery.thread_id}]", None),
    ],
    # Two entities can come to share a key: e + wa is ew + a.
    "shared keys": [
        (
            20,
            "run together",
            at(KNOWN, channel=["wa", "a"]),
            "{principal.entity_id}{delivery.channel}",
            None,
        )
    ],
    # A persona for all, in the key.
    "by persona": [
        (20, "known", KNOWN, "dm:{persona}:{principal.entity_id}", "p"),
        (20, "unknown", UNKNOWN, "dm:{persona}:{delivery.channel}:{delivery.sender_id}", "p"),
    ],
}
# Where keys of two people can be one, or one person's keys two.
BLURRED = ("a lobby", "shared keys", "two personas")
# May stand in front of all, and come and go within a history.
TOGGLED = (50, "toggled", at(KNOWN, channel="sms"), "dm:sms-{principal.entity_id}", None)
CHANNELS = ["wa", "mail", "tg", "a", "sms"]
# Options that make a command another kind of command.
KINDS = ("force", "keep", "mode", "requeue", "retry_after", "source")
SENDERS = [("wa", "u1"), ("wa", "u2"), ("mail", "u1"), ("tg", "u1"), ("a", "u1"), ("sms", "x:y%")]
ENTITIES = ["e", "ew", "rosa:b"]

# Kinds of commands without which a history says little.
USUAL = {
    *("identity_link", "identity_link force", "identity_unlink", "queue_cancel", "queue_push"),
    *("queue_push source", "queue_retry", "queue_retry of who was unlinked", "session_alias", "session_archive", "session_archive force"),
    *("session_delete", "session_delete force", "session_deliver", "session_fork", "session_report", "session_spawn", "session_stop keep"),
    *("session_import", "session_rewind", "turn_abort", "turn_abort keep", "turn_abort requeue", "turn_append", "turn_begin"),
    *("turn_complete", "turn_fail", "turn_fail retry_after", "turn_message", "turn_steering"),
}


class Refused(Exception):
    """What part of the error says."""


def agree(a, b):
    return not a or not b or a == b


def encode(text):
    return "".join(
        f"%{ord(c):02X}" if c in ":%" or ord(c) < 32 or ord(c) == 127 else c for c in text
    )


class Model:
    def __init__(self, policies):
        self.policies = policies
        self.sessions = {}  # label: [superseded_by, persona, created_at]
        self.aliases = {}  # alias: (session, reason)
        self.links = {}  # (channel, sender): [entity, own key, entity's key, persona]
        self.homes = {}  # alias that a merge took along: the session it was made for
        self.further = {}  # entity: further keys that its messages have had
        self.rows = {}  # input: [session, status, channel, sender, goes_to, came_from]
        self.runs = {}  # label: whether its running turn has recorded something
        self.turns = {}  # label: number of turns
        self.held = {}  # label: what its open choice holds: [(message, (channel, sender), the session it is for)]
        self.over = set()  # inputs that turns have for tasks that have ended: they are called off with these
        self.merged = []

    # -- Routing

    def choose(self, envelope):
        """(name, key, persona, whether the key tells senders apart, and entities)."""
        entity = self.links.get((envelope.get("channel"), envelope.get("sender_id")), [None])[0]
        if "entity" in envelope:
            entity = envelope["entity"]
        principal = {"type": "known" if entity else "unknown", "entity_id": entity}
        facts = {"principal": principal, "delivery": {"peer_kind": "dm", **envelope}}
        for _, name, match, template, persona in sorted(self.policies, key=lambda p: -p[0]):
            if all(
                facts[side].get(field) in (wanted if isinstance(wanted, list) else [wanted])
                for side, fields in match.items()
                for field, wanted in fields.items()
            ):
                return self.fill(name, template, facts, persona)
        raise Refused("no row of session_policies matches")

    @staticmethod
    def fill(name, template, facts, persona):
        key, rest, sender, known = "", template, False, False
        optional, _, behind = "", "", ""
        if "[" in template:
            rest, _, behind = template.partition("[")
            optional, _, behind = behind.partition("]")
        for text, may_lack in ((rest, False), (optional, True), (behind, False)):
            made, lacking = "", False
            for i, piece in enumerate(text.replace("}", "{").split("{")):
                if i % 2 == 0:
                    made += piece
                    continue
                side, _, field = piece.partition(".")
                value = persona if piece == "persona" else facts[side].get(field)
                if not value:
                    lacking = True
                    continue
                made += encode(value)
                if not may_lack:
                    known |= piece == "principal.entity_id"
                    sender |= piece in ("delivery.sender_id", "delivery.peer_id")
            if lacking and not may_lack:
                raise Refused("is not given")
            if not lacking:
                key += made
        return name, key, persona, sender, known

    def find(self, label):
        """The session that a label leads to."""
        if label in self.sessions and not self.sessions[label][0]:
            return label
        return self.aliases.get(label, (None,))[0]

    def via(self, label):
        """The merged session that is meant by a label that leads elsewhere."""
        if label in self.sessions:
            return label if self.sessions[label][0] else None
        return self.homes.get(label)

    def inside(self, session, *others):
        """A session, if it is merged into one of others."""
        return session if session in self.sessions and self.sessions[session][0] in others else None

    def unhold(self, label):
        """What an open choice holds waits. Its rows have no numbers yet."""
        for message, sender, home in self.held.pop(label):
            self.rows[message] = [label, "pending", *sender, None, self.inside(home, label)]

    def route(self, envelope):
        """(session or the label of the new one, key, how, the policy's choice)."""
        choice = self.choose(envelope)
        key = choice[1]
        own = key + ":persona:" + encode(choice[2]) if choice[2] else None
        if own and self.find(own):
            key = own
        elif self.find(key) and not agree(self.sessions[self.find(key)][1], choice[2]):
            key = own
        found = self.find(key)
        how = "session" if found == key else "alias" if found else "new"
        if how == "alias" and key in self.sessions:
            how = "merge"
        return found or key, key, how, choice

    # -- Links

    def keys(self, channel, sender, entity):
        envelope = {"channel": channel, "sender_id": sender, "peer_id": sender}
        _, own, _, unknown = self.route({**envelope, "entity": None})
        _, theirs, _, known = self.route({**envelope, "entity": entity})
        return own if unknown[3] else None, theirs if known[4] else None, known[2]

    def refresh(self, entity):
        """The keys of an entity's senders as the policies make them now. → whether they are others."""
        changed = False
        for (channel, sender), link in sorted(self.links.items()):
            if link[0] != entity:
                continue
            own, theirs, persona = self.keys(channel, sender, entity)
            before = link[1]
            if before and before != own:
                if before in self.sessions:
                    if agree(self.sessions[before][1], persona):
                        own = before
                elif self.aliases.get(before, (0, "manual"))[1] != "manual":
                    del self.aliases[before]
            if link[2] and link[2] != theirs:
                self.further.setdefault(entity, set()).add(link[2])
            changed |= link[1:] != [own, theirs, persona]
            link[1:] = [own, theirs, persona]
        return changed

    def owner(self, label):
        """The link one of whose keys a label is, perhaps with a persona behind it."""
        for name in (label, label.rpartition(":persona:")[0]):
            for place in (1, 2):
                for link in self.links.values():
                    if name and link[place] == name:
                        return link
        return None

    def create(self, label, persona, now):
        self.sessions[label] = [None, persona, now]
        self.turns[label] = 0
        link = self.owner(label)
        if link:
            self.refresh(link[0])
            link = self.owner(label)
        if link:
            self.settle(link[0], link[2], link[3], now, may_merge=False)

    def is_of(self, channel, sender, entity):
        return entity is not None and self.links.get((channel, sender), [None])[0] == entity

    def part(self, label, entity):
        """What was for a session, and is in a turn or was cancelled where that was merged into; and the
        other way round."""
        by = self.sessions[label][0]
        for row in self.rows.values():
            if row[1] not in LATER or row[4] or not row[5] or self.is_of(row[2], row[3], entity):
                continue
            if row[5] == label and by in (row[0], self.sessions[row[0]][0]):
                row[4] = label
            elif row[0] == label != row[5]:
                row[4] = row[5]

    def release(self, label, entity):
        by = self.sessions[label][0]
        for _, sender, home in self.held.get(by, []):
            if home == label and not self.is_of(*sender, entity):
                self.unhold(by)
                break
        self.part(label, entity)
        self.aliases.pop(label, None)
        for row in self.rows.values():
            if (row[0], row[5]) != (self.sessions[label][0], label) or self.is_of(row[2], row[3], entity):
                continue
            if row[1] in WAITING + ("failed",):
                row[0], row[5] = label, None
        by, self.sessions[label][0] = self.sessions[label][0], None
        for alias in [a for a, home in self.homes.items() if home == label]:
            del self.homes[alias]
            if self.aliases.get(alias) == (by, "manual"):
                self.aliases[alias] = label, "manual"

    def shift(self, row, new):
        """It was for the session that it leaves, or for one that is merged into that."""
        home = self.inside(row[5], row[0], new) or row[0]
        row[0], row[5] = new, home if home != new else None

    def move(self, old, new):
        for row in self.rows.values():
            if row[0] == old and row[1] in WAITING + ("failed",):
                self.shift(row, new)

    def merge(self, loser, primary):
        if loser in self.held:
            self.unhold(loser)
        self.move(loser, primary)
        for alias, (session, reason) in self.aliases.items():
            if session == loser:
                self.aliases[alias] = primary, reason
                if reason == "manual":
                    self.homes.setdefault(alias, loser)
        for session in self.sessions.values():
            if session[0] == loser:
                session[0] = primary
        self.sessions[loser][0] = primary
        self.aliases[loser] = primary, "identity_merge"
        self.merged.append(loser)

    def settle(self, entity, key, persona, now, may_merge=True):
        """→ (the entity's session, whether a key now leads elsewhere)."""
        if not key or self.aliases.get(key, (0, ""))[1] == "manual":
            return None, False
        if any(link[2] == key and link[0] != entity for link in self.links.values()):
            return None, False
        own = [
            (link[1], link[3])
            for link in self.links.values()
            if link[0] == entity and link[2] == key and link[1] and agree(link[3], persona)
        ]
        wanted = {label: voice for label, voice in own}
        wanted |= {key: persona, self.aliases.get(key, (key,))[0]: persona}
        candidates = [
            label
            for label, voice in wanted.items()
            if label in self.sessions and agree(self.sessions[label][1], voice)
        ]
        if not candidates or (len(candidates) > 1 and not may_merge):
            return None, False
        live = any(not self.sessions[s][0] for s in candidates)
        candidates.sort(
            key=lambda s: (
                live and self.sessions[s][0] is not None,
                -self.turns[s],
                self.sessions[s][2],
                s.encode(),
            )
        )
        primary, merged = candidates[0], len(self.merged)
        voice = self.sessions[primary][1]
        # One that another had superseded is told of anew, when that one is merged as well.
        before = {label: self.sessions[label][0] for label in candidates}
        if before[primary]:
            self.release(primary, entity)
        for loser in candidates[1:]:
            if before[loser] != primary and agree(self.sessions[loser][1], voice):
                if before[loser]:
                    self.release(loser, entity)
                self.merge(loser, primary)
        promoted = False
        for label in [key] + sorted({label for label, theirs in own if agree(theirs, voice)}):
            if label in self.sessions:
                continue
            session, reason = self.aliases.get(label, (None, ""))
            if session != primary and reason != "manual":
                made = label == key and len(self.merged) > merged
                self.aliases[label] = primary, "identity_merge" if made else "identity_promotion"
                promoted = True
        return primary, promoted

    def settle_all(self, entity, now):
        """→ whether a key now leads elsewhere."""
        promoted = False
        for _ in range(4):
            keys = {link[2] for link in self.links.values() if link[0] == entity and link[2]}
            for key in sorted(keys, key=str.encode):
                promoted |= self.settle(entity, key, None, now)[1]
            if not self.refresh(entity):
                break
        return promoted

    def adopt(self, channel, sender, entity):
        """The sender's own session becomes that of the persona by which the sender is known."""
        own, _, persona = self.keys(channel, sender, entity)
        session = self.sessions.get(own)
        alone = {"channel": channel, "sender_id": sender, "peer_id": sender, "entity": None}
        if persona and session and not session[0] and not session[1] and agree(
            self.choose(alone)[2], persona
        ):
            session[1] = persona

    def places(self, entity, was):
        """The sessions in which messages of an entity's can be."""
        keys = {was} | self.further.get(entity, set())
        for link in self.links.values():
            keys |= set(link[1:3]) if link[0] == entity else set()
        found = {self.aliases.get(k, (k if k in self.sessions else None,))[0] for k in keys if k}
        found -= {None}
        return sorted(found | {s for s, (by, _, _) in self.sessions.items() if by in found})

    def identity_link(self, channel, sender, entity, now, force=0):
        old = self.links.get((channel, sender))
        if old and old[0] != entity:
            if not force:
                raise Refused(f"is linked to '{old[0]}'")
            self.unlink(channel, sender, now)
            self.merged = []
        before = old and old[:]
        self.refresh(entity)
        new = not old or old[0] != entity
        if new:
            self.adopt(channel, sender, entity)
            self.links[channel, sender] = [entity, *self.keys(channel, sender, entity)]
        promoted = self.settle_all(entity, now)
        theirs = self.links[channel, sender][2]
        session = self.find(theirs) if theirs else None
        action = (
            "merged"
            if self.merged
            else "promoted"
            if promoted
            else "linked"
            if new
            else "updated"
            if before != self.links[channel, sender]
            else "unchanged"
        )
        return {"action": action, "entity": entity, "key": theirs, "session": session}

    def move_inputs(self, channel, sender, old, new, persona, now, own=None):
        """own: the sender's key."""
        mine = [
            r
            for r in self.rows.values()
            if r[0] == old and (r[2], r[3]) == (channel, sender)
        ]
        waiting = sum(r[1] in WAITING for r in mine)
        if not (old and new and (self.find(new) or new) != old):
            return 0
        for row in mine:
            if row[1] in LATER:
                row[4] = own or new
        mine = [r for r in mine if r[1] in WAITING + ("failed",)]
        if mine:
            if not self.find(new):
                self.create(new, persona, now)
            for row in mine:
                self.put(row, new)
        return waiting

    def put(self, row, key):
        """It is for the session of this key, wherever that leads."""
        row[0] = self.find(key)
        row[5] = self.inside(key, row[0])

    def bring(self, row, now):
        """An input whose sender was unlinked has failed or was stopped with its turn, or is tried again."""
        _, _, channel, sender, key, _ = row
        persona = None
        if (channel, sender) in self.links:
            entity = self.links[channel, sender][0]
            envelope = {"channel": channel, "sender_id": sender, "peer_id": sender}
            _, there, _, choice = self.route({**envelope, "entity": entity})
            key, persona = there, choice[2]
        if not self.find(key):
            self.create(key, persona, now)
        self.put(row, key)
        row[4] = None

    def end_turn(self, label, now, concerned):
        """A turn that has recorded nothing ends when it holds an input of one who will be
        elsewhere."""
        taken = {i: r for i, r in self.rows.items() if r[0] == label and r[1] == "processing"}
        if self.runs.get(label, True) or not any(concerned(r[2], r[3]) for r in taken.values()):
            return
        for i, row in taken.items():
            row[1] = "cancelled" if i in self.over else "pending"
        if self.sessions[label][0]:
            self.move(label, self.sessions[label][0])
        for row in taken.values():
            if row[4]:
                self.bring(row, now)

    def unlink(self, channel, sender, now):
        entity = self.links[channel, sender][0]
        self.refresh(entity)
        _, own, theirs, persona = self.links[channel, sender]
        alone = {"channel": channel, "sender_id": sender, "peer_id": sender, "entity": None}
        _, key, _, choice = self.route({**alone, "entity": entity})
        was = self.find(key) if choice[4] else None
        others = [s for s in self.places(entity, was) if s != own]
        for place in others:
            self.end_turn(place, now, lambda c, s: (c, s) == (channel, sender))
        self.end_turn(
            own,
            now,
            lambda c, s: (c, s) != (channel, sender)
            and self.links.get((c, s), [None])[0] == entity,
        )
        leaves = own in self.sessions and not self.sessions[own][0]
        if leaves:
            for alias in [
                a for a, (s, reason) in self.aliases.items() if s == own and reason != "manual"
            ]:
                del self.aliases[alias]
            parted = [s for s, session in self.sessions.items() if session[0] == own]
            for label in parted:
                self.part(label, entity)
            for label in parted:
                self.release(label, entity)
        elif own in self.sessions:
            self.release(own, entity)
        elif own and self.aliases.get(own, (0, "manual"))[1] != "manual":
            del self.aliases[own]
        del self.links[channel, sender]
        # To where the sender's next message goes.
        there, made_for = own, persona
        if own:
            _, key, _, choice = self.route(alone)
            if choice[3]:
                there, made_for = key, choice[2]
        for place in others:
            if any(holder == (channel, sender) for _, holder, _ in self.held.get(place, [])):
                self.unhold(place)
        if leaves and any(
            holder == (channel, sender) or self.links.get(holder, [None])[0] == entity
            for _, holder, _ in self.held.get(own, [])
        ):
            self.unhold(own)
        moved = 0
        for place in others:
            moved += self.move_inputs(channel, sender, place, there, made_for, now, there)
        self.settle(entity, theirs, None, now)
        self.settle_all(entity, now)
        session = self.find(theirs) if theirs else None
        if own in self.sessions:
            for c, s in sorted(k for k, link in self.links.items() if link[0] == entity):
                known = {"channel": c, "sender_id": s, "peer_id": s, "entity": entity}
                _, key, _, choice = self.route(known)
                self.move_inputs(c, s, own, key, choice[2], now, self.links[c, s][1])
        if not any(link[0] == entity for link in self.links.values()):
            self.further.pop(entity, None)
        return moved, session, entity, there

    def identity_unlink(self, channel, sender, now):
        if (channel, sender) not in self.links:
            return None
        moved, session, entity, key = self.unlink(channel, sender, now)
        return {
            "action": "unlinked",
            "entity": entity,
            "key": key,
            "session": self.find(key) if key else None,
            "waiting_moved": moved,
            "entity_session": session,
        }

    def gone_to(self, label):
        """What was cancelled in a session that is deleted, or is in a turn of it, and is for another one."""
        for row in [r for r in self.rows.values() if r[0] == label and r[4] and r[1] in LATER]:
            there = self.find(row[4])
            if row[1] == "processing":
                if there != label:
                    self.bring_as(row, row[4], "failed")
            elif row[4] in self.sessions and row[4] != label and there != label:
                self.bring_as(row, row[4], row[1])

    def bring_as(self, row, key, status):
        if not self.find(key):
            self.create(key, None, self.now)
        self.put(row, key)
        row[1], row[4] = status, None

    def session_delete(self, label, now):
        """→ the inputs that went with it."""
        self.now = now
        parted = [s for s in sorted(self.sessions, key=str.encode, reverse=True) if self.sessions[s][0] == label]
        if parted:
            if label in self.held:
                self.unhold(label)
            self.end_turn(label, now, lambda c, s: True)
        for one in parted:
            self.release(one, None)
        link = self.owner(label)
        if parted and link:
            entity = link[0]
            for (c, s), (theirs, own, _, persona) in sorted(self.links.items()):
                if theirs == entity and own and own != label and self.find(own) == own:
                    self.move_inputs(c, s, label, own, persona, now, own)
        self.gone_to(label)
        gone = {i for i, row in self.rows.items() if row[0] == label}
        for i in gone:
            del self.rows[i]
        self.held.pop(label, None)
        del self.sessions[label]
        for alias in [a for a, (s, _) in self.aliases.items() if s == label]:
            del self.aliases[alias]
            self.homes.pop(alias, None)
        self.homes = {a: s for a, s in self.homes.items() if s != label}
        for keys in self.further.values():
            keys.discard(label)
        link = self.owner(label)
        if link:
            self.refresh(link[0])
            if self.owner(label):
                self.settle_all(self.owner(label)[0], now)
        return gone

    def session_alias(self, alias, label, now):
        session, reason = self.aliases.get(alias, (None, "manual"))
        if alias in self.sessions:
            raise Refused("is the label of a session")
        if reason != "manual":
            raise Refused("was made by identity_link")
        if label is None or self.find(label):
            self.homes.pop(alias, None)
        if label is None:
            self.aliases.pop(alias, None)
            return None
        target = self.find(label)
        if not target:
            raise Refused("there is no session")
        if session != target:
            self.aliases[alias] = target, "manual"
        return target


# ---- A history -----------------------------------------------------------------------------------


class Broken(Exception):
    pass


class History:
    def __init__(self, lib, seed):
        self.lib, self.r = lib, random.Random(seed)
        self.db = connect(":memory:", lib)
        self.world = self.r.choice(list(WORLDS))
        self.aliases = self.r.random() < 0.5  # do people make aliases of keys?
        self.now, self.log, self.count, self.done, self.tried = START, [], 0, {}, {}
        self.model = Model(sorted(WORLDS[self.world], key=lambda p: -p[0]) + BUILTIN)
        self.messages = {}  # text: the session that it was delivered to
        self.by_envelope = {}  # text: (channel, sender)
        # (session, message_id, channel, sender), and ((name, session), …): text
        self.remembered = {}
        self.deleted = set()  # (name, message_id, channel, sender)
        self.parents = {}  # worker: its parent
        self.sent = []  # (text, options) of what came by an envelope with a message_id
        self.forks = set()
        self.rewound = set()
        self.texts = {}  # input: message
        self.copied = set()  # texts that are in several sessions
        install(self.db)
        self.sql("SELECT turnstile_config('request_ttl', '36500d')")
        for policy in WORLDS[self.world]:
            self.policy(policy)

    def sql(self, text, *args):
        self.log.append((text, args))
        self.db.execute(text, args).fetchall()

    def policy(self, p):
        self.sql(
            'INSERT INTO session_policies(priority, name, "match", key_template, persona_id) '
            "VALUES (?, ?, ?, ?, ?)",
            p[0],
            p[1],
            json.dumps(p[2]),
            p[3],
            p[4],
        )

    @staticmethod
    def call(db, door, command, args, options):
        if door:
            text = "INSERT INTO turnstile VALUES (?, ?) RETURNING turnstile_result()"
            values = (command, json.dumps(args + [options]))
        else:
            values = [json.dumps(a) if isinstance(a, (dict, list)) else a for a in args]
            values.append(json.dumps(options))
            text = f"SELECT {command}({', '.join('?' * len(values))})"
        try:
            rows = db.execute(text, values).fetchall()
            return rows[0][0], None
        except sqlite3.Error as e:
            return None, str(e)

    def run(self, command, *args, **options):
        options["now"] = self.now
        door = self.r.random() < 0.5
        self.log.append((door, command, list(args), options))
        result = self.call(self.db, door, command, list(args), options)
        kind = " ".join([command] + [name for name in KINDS if name in options])
        self.tried[kind] = self.tried.get(kind, 0) + 1
        self.done[kind] = self.done.get(kind, 0) + (result[1] is None)
        return result

    def may_refuse(self, failure, *reasons):
        """A command may be refused, but for one of these reasons only."""
        if failure and not any(reason in failure for reason in reasons):
            self.fail("refused for another reason", failure, reasons)

    def fail(self, what, got, expected):
        raise Broken(f"{what}\n    got      {got!r}\n    expected {expected!r}")

    def want(self, what, got, expected=True):
        if got != expected:
            self.fail(what, got, expected)

    # -- What the model takes from the rows, and what it says of them

    def read(self, created=None, via=None, copied=False):
        """After a command: its effects on turns and inputs. created: where a new input is; via: the merged session
        that it is for."""
        m, db = self.model, self.db
        m.turns = dict(db.execute("SELECT label, turns FROM sessions"))
        homes = {text: home for held in m.held.values() for text, _, home in held}
        homes |= {self.texts[id]: row[5] for id, row in m.rows.items() if id in self.texts}
        self.read_held(homes, via)
        rows = db.execute(
            "SELECT id, session_label, status, channel, sender, message, came_from "
            "FROM session_queue"
        ).fetchall()
        parents = self.parents
        parents |= dict(
            db.execute("SELECT worker, parent_session_label FROM session_workers WHERE parent_session_label IS NOT NULL")
        )
        for id, label, status, channel, sender, message, came_from in rows:
            self.texts[id] = message
            row = m.rows.get(id)
            if row is None and message in m.rows:
                row = m.rows[id] = m.rows.pop(message)
            elif row is None:
                expected, home = created or label, homes.get(message, via)
                if channel == "worker" and not copied:
                    expected, home = m.find(parents[sender]), m.via(parents[sender])
                home = None if copied else m.inside(home, expected)
                row = m.rows[id] = [expected, status, channel, sender, None, home]
            if row[1] in LATER and status in WAITING + ("failed",):
                if row[4]:
                    m.bring(row, self.now)
            elif (row[1], status) == ("processing", "cancelled") and row[4]:
                m.bring(row, self.now)
            row[1] = status
            if status in WAITING + ("failed",) and m.sessions.get(row[0], [None])[0]:
                m.shift(row, m.sessions[row[0]][0])
        m.over = {
            id
            for (id,) in db.execute(
                "SELECT q.id FROM session_queue AS q JOIN tasks AS t ON t.id = q.task_id WHERE q.status = 'processing' "
                "AND q.source = 'user' AND q.class NOT IN ('Clarification', 'Unclear', 'Abandon') "
                "AND (t.ended_at IS NOT NULL OR t.state IN ('Complete', 'Aborted'))"
            )
        }
        self.want("no message waits that is in no row", [r for r in m.rows if isinstance(r, str)], [])
        m.runs = {
            label: bool(recorded)
            for label, recorded in db.execute(
                "SELECT session_label, EXISTS (SELECT 1 FROM messages AS m WHERE m.turn_id = "
                "r.turn_id AND m.role = 'assistant') FROM session_runs AS r "
                "WHERE turn_id IS NOT NULL"
            )
        }

    def read_held(self, homes, via):
        """What open choices hold, and for which sessions: as the inputs that they were before, or as they came."""
        m, m.held = self.model, {}
        for label, text, home, *sender in self.db.execute(
            "SELECT label, d.message, pending_choice ->> ('$.homes.' || d.id), channel, sender "
            "FROM sessions JOIN json_each(json_insert(ifnull(pending_choice -> '$.earlier', '[]'), '$[#]', "
            "iif(pending_choice -> '$.held' IS NULL, NULL, pending_choice ->> '$.delivery_id'))) AS e "
            "JOIN deliveries AS d ON d.id = e.value WHERE pending_choice IS NOT NULL ORDER BY d.id"
        ).fetchall():
            expected = homes.get(text, via)
            self.want(f"for whom '{text}' is held", m.inside(home, label), m.inside(expected, label))
            m.held.setdefault(label, []).append((text, tuple(sender), expected))

    def compare(self):
        m, db = self.model, self.db
        sessions = {
            label: [by, persona, at]
            for label, by, persona, at in db.execute(
                "SELECT label, superseded_by, persona_id, created_at FROM sessions"
            )
        }
        self.want("sessions (superseded_by, persona, created_at)", sessions, m.sessions)
        found = {
            a: (s, r)
            for a, s, r in db.execute("SELECT alias, session_label, reason FROM session_aliases")
        }
        self.want("aliases", found, m.aliases)
        found = {
            (c, s): rest
            for c, s, *rest in db.execute(
                "SELECT channel, sender_id, entity_id, sender_label, entity_label, persona_id "
                "FROM identities"
            )
        }
        self.want("identities", found, m.links)
        found = db.execute("SELECT alias, session_label FROM alias_homes").fetchall()
        self.want("homes of aliases", dict(found), m.homes)
        found = db.execute("SELECT entity_id, key FROM identity_keys").fetchall()
        expected = sorted((e, k) for e, keys in m.further.items() for k in keys)
        self.want("further keys", sorted(found), expected)
        rows = db.execute("SELECT id, session_label, status, message FROM session_queue").fetchall()
        self.want(
            "where the inputs are", {r[0]: r[1] for r in rows}, {i: r[0] for i, r in m.rows.items()}
        )
        found = db.execute(
            "SELECT id, came_from FROM session_queue WHERE status IN ('pending', 'handed', 'failed')"
        ).fetchall()
        expected = {i: r[5] for i, r in m.rows.items() if r[1] in WAITING + ("failed",)}
        self.want("what inputs were for", dict(found), expected)
        found = db.execute(
            "SELECT id, goes_to FROM session_queue WHERE status IN ('processing', 'cancelled') "
            "AND goes_to IS NOT NULL"
        ).fetchall()
        expected = {i: r[4] for i, r in m.rows.items() if r[4] and r[1] in LATER}
        self.want("where inputs belong that are in turns or were cancelled", dict(found), expected)
        # Flat, and nothing waits where nobody looks.
        for label, (by, _, _) in sessions.items():
            if by and (sessions.get(by, [1])[0] or label == by):
                self.fail("superseded_by is flat", (label, by), None)
        for alias, (session, _) in m.aliases.items():
            if session in m.aliases or session not in sessions or sessions[session][0]:
                self.fail("an alias leads to a session that takes messages", (alias, session), None)
            if alias in sessions and sessions[alias][0] != session:
                self.fail("an alias is no session's label, but a merged one's", alias, None)
        for id, label, status, _ in rows:
            if label not in sessions or (status in WAITING + ("failed",) and sessions[label][0]):
                self.fail("an input waits where it is found", (id, label, status), None)
        # Every message once.
        texts = [r[3] for r in rows if r[3].startswith("message ")]
        texts += [text for held in m.held.values() for text, _, _ in held]
        twice = {t for t in texts if texts.count(t) > 1} - self.copied
        self.want("a message is in one place", twice, set())
        lost = set(self.messages) - set(texts)
        self.want("no message is lost", lost, set())
        # Every sender is led to one session.
        for channel, sender in self.r.sample(SENDERS, 3):
            envelope = {"channel": channel, "sender_id": sender}
            try:
                label, key, how, choice = m.route(envelope)
                expected = {
                    "label": label,
                    "key": key,
                    "via": how,
                    "policy": choice[0],
                    "persona": choice[2],
                }
            except Refused as e:
                self.fail("the model routes every sender", e.args[0], None)
            got = json.loads(one(db, "SELECT session_route(?)", json.dumps(envelope)))
            self.want(f"route of {channel} {sender}", {k: got[k] for k in expected}, expected)
            self.want(
                "resolve_session agrees",
                one(db, "SELECT resolve_session(?)", key),
                None if how == "new" else label,
            )

    # -- Operations

    def labels(self):
        """A label: a session, an alias, a key of somebody, or one never seen."""
        pool = list(self.model.sessions) + list(self.model.aliases) + ["s1", "s2"]
        for channel, sender in SENDERS[:3]:
            pool.append(f"dm:{channel}:{sender}")
        pool += ["dm:e", "ewa", "dm:e:persona:clerk"]
        return self.r.choice(pool)

    def op_link(self):
        channel, sender = self.r.choice(SENDERS)
        entity = self.r.choice(ENTITIES[: self.r.choice([1, 2, 3])])
        options = {"force": 1} if self.r.random() < 0.4 else {}
        self.identity("identity_link", [channel, sender, entity], options)

    def op_unlink(self):
        channel, sender = self.r.choice(SENDERS)
        self.identity("identity_unlink", [channel, sender], {})

    def op_alias(self):
        alias = self.labels() if self.aliases else self.r.choice(["nick", "other", "third"])
        self.identity(
            "session_alias", [alias, self.r.choice([None, self.labels(), self.labels()])], {}
        )

    def identity(self, command, args, options):
        m = self.model
        m.merged = []
        before, over = self.attempts(), m.over
        try:
            expected, error = getattr(m, command)(*args, now=self.now, **options), None
        except Refused as e:
            expected, error = None, e.args[0]
        got, failure = self.run(command, *args, **options)
        if error or failure:
            if not (error and failure and error in failure and failure.startswith(command + ": ")):
                self.fail(f"{command}{args}", failure or got, error or expected)
        elif isinstance(expected, dict):
            got = json.loads(got)
            self.want(f"{command}{args}", {k: got[k] for k in expected}, expected)
            if command == "identity_link" and self.r.random() < 0.3:
                before = dump(self.db)
                again = self.run(command, *args)[0]
                self.want("linked again", json.loads(again)["action"], "unchanged")
                self.want("linked again changes nothing", dump(self.db), before)
            if command == "identity_link":
                self.want("merged", sorted(x["session"] for x in got["merged"]), sorted(m.merged))
        else:
            self.want(f"{command}{args}", got, expected)
        for id, (status, attempts) in self.attempts().items():
            was, tried = before.get(id, (status, attempts))
            if was != status and id in over:
                self.want(f"{command}{args}: input {id}, whose task has ended", (was, status), ("processing", "cancelled"))
            elif was != status:  # what is taken back from a turn or from the host was no attempt
                self.want(
                    f"{command}{args}: input {id}",
                    (was in ("processing", "handed"), status, attempts),
                    (True, "pending", tried - 1),
                )
            else:
                self.want(f"{command}{args}: attempts of input {id}", attempts, tried)
        self.read()

    def attempts(self):
        rows = self.db.execute("SELECT id, status, attempts FROM session_queue")
        return {id: (status, attempts) for id, status, attempts in rows}

    def own_key(self, label, envelope, target, channel, sender):
        """The key that a linked sender's messages have without the link."""
        m = self.model
        link = m.links.get((channel, sender))
        if not link:
            return None
        if label is None:
            return m.route({**{k: v for k, v in envelope.items() if v}, "entity": None})[1]
        leads = m.aliases.get(link[2], (link[2],))[0]
        theirs = label == link[2] or label in m.further.get(link[0], ()) or label == target == leads
        return link[1] if theirs else None

    def op_again(self):
        """What came with an id is sent once more: nothing runs, wherever its key or its label leads by now."""
        if not self.sent:
            return
        command, label, text, options = self.r.choice(self.sent)
        before, rows = self.deliveries(), one(self.db, "SELECT count(*) FROM session_queue")
        got, failure = self.run(command, label, text, **options)
        self.want("again", failure, None)
        self.want("again: nothing is new", self.deliveries(), before)
        self.want("again: nothing waits", one(self.db, "SELECT count(*) FROM session_queue"), rows)
        if command == "session_deliver":
            got = json.loads(got)
            self.want("again: it says so", got["duplicate"], True)
            self.want("again: which runs nothing", got["action"] in ("duplicate", "rejected"))
        self.read()

    def op_deliver(self):
        m = self.model
        how = self.r.random()
        channel, sender = self.r.choice(SENDERS)
        envelope = {"channel": channel, "sender_id": sender}
        self.count += 1
        text = f"message {self.count}"
        options = {"class": self.r.choice(["Modification"] * 6 + ["NewTask", "Unclear"])}
        label = None
        if how < 0.65:
            options["envelope"] = envelope
            if self.r.random() < 0.1:
                envelope |= {
                    "peer_kind": "group",
                    "peer_id": "g",
                    "thread_id": self.r.choice(["", "7"]),
                }
            target, key, _, choice = m.route({k: v for k, v in envelope.items() if v})
            persona = choice[2]
        else:
            label = self.labels()
            target, persona, key = m.find(label) or label, None, label
            options |= (
                {"envelope": envelope} if how < 0.8 else {"channel": channel, "sender": sender}
            )
        message_id = f"m{self.r.randrange(30)}" if self.r.random() < 0.3 else None
        if message_id:
            options["message_id"] = message_id
        seen = [s for s in m.sessions if s == target or m.sessions[s][0] == target]
        own = self.own_key(label, envelope, target, channel, sender)
        seen += [key, own]
        known = any((s, message_id, channel, sender) in self.remembered for s in seen)
        known |= any(
            isinstance(name, tuple) and name[0] in (key, own) and rest == [message_id, channel, sender]
            for (name, *rest) in self.remembered
        )
        known |= any((s, message_id, channel, sender) in self.deleted for s in (key, own, target))
        held, via = m.held.get(target, []), m.via(key)
        further_than = m.links.get((channel, sender), [0, 0, 0])[2]
        before = self.deliveries()
        got, failure = self.run("session_deliver", label, text, **options)
        self.want("deliver", failure, None)
        got = json.loads(got)
        after = self.deliveries()
        if message_id and known:
            self.want(
                "a duplicate is answered from memory", (after, got.get("duplicate")), (before, True)
            )
            self.read()
            return
        if target not in m.sessions:
            m.create(target, persona, self.now)
        link = m.links.get((channel, sender))
        if label is None and link and choice[4] and key != further_than:
            m.further.setdefault(link[0], set()).add(key)
        # Routed once more: making the session has made aliases, none of which leads away from it.
        self.want("deliver: session", got["session"], target)
        self.want("deliver: one more", after, before + 1)
        self.want(
            "deliver: the row",
            one(
                self.db,
                "SELECT session_label FROM deliveries WHERE channel <> 'worker' "
                "ORDER BY id DESC LIMIT 1",
            ),
            target,
        )
        if label is None:
            self.want("deliver: route", got["route"]["key"], key)
        if message_id:
            self.remember(target, (own, key), message_id, channel, sender, text)
            self.sent.append(("session_deliver", label, text, options))
        # its own: the actions that work on a message, now or later
        if got["action"] in (
            "start",
            "continue",
            "queue",
            "interrupt",
            "steer",
            "blocked",
            "prompt",
            "answer",
        ):
            self.messages[text] = target
            if label is None and envelope.get("peer_kind") != "group":
                self.by_envelope[text] = channel, sender
        else:
            self.want("deliver: action", got["action"], "one that works on a message")
        if held:  # the choice is settled, and what it held can have become a note
            for message, _, _ in held:
                self.messages.pop(message, None)
            if got["action"] == "prompt":
                self.messages.pop(text)
        self.read(created=target, via=via)

    def deliveries(self):
        """Without those by which a worker tells its parent that it can't go on."""
        return one(self.db, "SELECT count(*) FROM deliveries WHERE channel <> 'worker'")

    def creates(self, label, persona=None):
        """The session that a command makes for a label that leads nowhere."""
        target = self.model.find(label)
        return None if target else label

    def op_append(self):
        label = self.labels()
        new, target = self.creates(label), self.model.find(label) or label
        before = self.model.turns.get(target, 0)
        said = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "yes"}]
        got, failure = self.run("turn_append", label, said)
        if failure:
            self.may_refuse(failure, "is busy", "is archived", "is in error")
            return self.read()
        if new:
            self.model.create(new, None, self.now)
        self.read()
        self.want("the turn is the session's own", self.model.turns[target], before + 1)

    def op_push(self):
        label = self.labels()
        new, target = self.creates(label), self.model.find(label) or label
        self.count += 1
        text = f"message {self.count}"
        channel, sender = self.r.choice(SENDERS)
        said = {"channel": channel, "sender": sender}
        if self.r.random() < 0.3:
            said = {"source": "timer"}
        if self.r.random() < 0.3:
            said["message_id"] = f"p{self.count}"
            self.sent.append(("queue_push", label, text, said))
        via = self.model.via(label)
        got, failure = self.run("queue_push", label, text, **said)
        self.want("queue_push", failure, None)
        if new:
            self.model.create(new, None, self.now)
        self.messages[text] = target
        self.read(created=target, via=via)
        self.recall()

    def op_begin(self):
        label = self.labels()
        target = self.model.find(label)
        waiting = {i: r[:] for i, r in self.model.rows.items()}
        got, failure = self.run("turn_begin", label, self.r.choice(["A1", "A2"]), lease="5m")
        self.read()
        self.may_refuse(failure, "there is no session", "is busy", "is archived", "is in error")
        if got is not None:
            self.takes(target, json.loads(got)["turn"], waiting)

    def takes(self, target, turn, waiting, steering=False):
        """What a turn has taken of the inputs that waited."""
        taken = self.db.execute(
            "SELECT id, message FROM session_queue WHERE turn_id = ? AND status = 'processing'",
            (turn,),
        ).fetchall()
        for id, message in taken:
            where = waiting[id][0]
            if steering and waiting[id][1] == "processing":
                continue  # the turn began with it
            self.want(
                "an input is taken where it waits",
                (id, where if waiting[id][1] in WAITING else target),
                (id, target),
            )
            who = self.by_envelope.get(message)
            if who and self.told_apart():
                label = self.model.route({"channel": who[0], "sender_id": who[1]})[0]
                self.want(
                    f"a turn of {target} takes an input of {who} whose messages go there",
                    label,
                    target,
                )

    toggled = False

    def told_apart(self):
        """Has everybody one key, which is nobody else's?"""
        return not self.aliases and self.world not in BLURRED and not self.toggled

    def op_end(self):
        live = self.db.execute(
            "SELECT session_label, turn_id, token FROM session_runs WHERE turn_id IS NOT NULL "
            "ORDER BY 1"
        ).fetchall()
        if not live:
            return self.op_begin()
        label, turn, token = self.r.choice(live)
        command, last, options = self.r.choice(
            [
                ("turn_complete", {"content": "done"}, {}),
                ("turn_complete", {"content": "done"}, {}),
                ("turn_fail", "boom", {}),
                ("turn_fail", "slow down", {"retry_after": self.r.choice([0, "10m"])}),
                ("turn_abort", "enough", {}),
                ("turn_abort", "enough", {"keep": 0}),
                ("turn_abort", "later", {"requeue": 1}),
                ("session_stop", "enough", {"keep": self.r.choice([0, 1])}),
                ("turn_message", {"role": "assistant", "content": "I look."}, {}),
                ("turn_message", {"role": "assistant", "content": "I look."}, {}),
                ("turn_steering", None, {}),
            ]
        )
        before = self.model.turns[label]
        waiting = {i: r[:] for i, r in self.model.rows.items()}
        args = [label, turn] if command == "session_stop" else [turn, token]
        got, failure = self.run(command, *args, *([last] if last else []), **options)
        self.read()
        self.want(command, failure, None)
        if command == "turn_steering":
            self.takes(label, turn, waiting, steering=True)
        if command == "turn_complete":
            self.want("the turn lands where it began", self.model.turns[label], before + 1)

    def op_delete(self):
        """A session goes, with all that only it has; what others have in it goes home."""
        m, label = self.model, self.labels()
        exact = label if label in m.sessions else m.find(label)
        held = [text for text, _, _ in m.held.get(exact, [])]
        got, failure = self.run("session_delete", label, **({"force": 1} if self.r.random() < 0.7 else {}))
        if failure:
            self.may_refuse(failure, "there is no session", "is busy", "is at work", "at work;", "merged into session")
            return self.read()
        self.forget(exact)
        m.merged = []
        gone = m.session_delete(exact, now=self.now)
        for text in [self.texts.pop(i) for i in gone if i in self.texts] + held:
            if text not in [self.texts.get(i, i) for i in m.rows]:
                self.messages.pop(text, None)
                self.by_envelope.pop(text, None)
        self.forks -= {exact}
        self.read()
        self.recall()

    def recall(self):
        """The messages that the file has."""
        self.remembered = {}
        for session, came_as, came_by, *rest in self.db.execute(
            "SELECT session_label, came_as, came_by, message_id, channel, sender, message FROM deliveries "
            "WHERE message_id IS NOT NULL AND channel <> 'worker'"
        ):
            self.remember(session, (came_as, came_by), *rest)

    def remember(self, session, names, message_id, channel, sender, text):
        """By its session, by the name by which it came, and by its sender's own."""
        self.remembered[session, message_id, channel, sender] = text
        for name in set(names) - {None, session}:
            self.remembered[(name, session), message_id, channel, sender] = text

    def forget(self, label):
        """What is sent again to a session that is deleted, by whichever of its names, is refused."""
        m = self.model
        names = {label, m.sessions[label][0]} | {a for a, (s, _) in m.aliases.items() if s == label}
        for (name, *rest) in self.remembered:
            if isinstance(name, tuple):
                if name[1] == label:
                    self.deleted.add((name[0], *rest))
            elif name == label or m.sessions[name][0] == label:
                self.deleted |= {(n, *rest) for n in names - {None}}

    def op_status(self):
        command = self.r.choice(
            [
                "session_archive",
                "session_unarchive",
                "session_suspend",
                "session_resume",
                "session_fail",
                "session_reopen",
            ]
        )
        options = {"force": 1} if command == "session_archive" and self.r.random() < 0.5 else {}
        args = [self.labels()] + (["why"] if command == "session_fail" else [])
        got, failure = self.run(command, *args, **options)
        self.read()
        self.may_refuse(
            failure, "there is no session", "has a live run", "can't become", ", not archived", ", not in error", ", not suspended"
        )

    def op_fork(self):
        ids = [
            row[0] for row in self.db.execute("SELECT id FROM turns WHERE on_path = 1 ORDER BY id")
        ]
        if not ids:
            return self.op_append()
        turn, label = self.r.choice(ids), self.r.choice([self.labels(), f"fork {self.count}"])
        got, failure = self.run("session_fork", turn, label)
        taken = label in self.model.sessions or label in self.model.aliases
        self.want("a fork needs a free label", bool(failure), taken)
        if not failure:
            persona = one(self.db, "SELECT persona_id FROM sessions WHERE label = ?", label)
            self.forks.add(label)
            self.model.create(label, persona, self.now)
        self.read()

    def op_copy(self):
        """A session's document becomes another session: what waits in it waits there as well."""
        label = self.r.choice(list(self.model.sessions) or [None])
        if label is None or label in self.model.held:
            return
        self.count += 1
        document = one(self.db, "SELECT session_export(?, json_object('now', ?))", label, self.now)
        copy = f"copy {self.count}"
        got, failure = self.run("session_import", document, **{"as": copy})
        self.may_refuse(failure, "this session can't have come about")
        self.want("session_import", failure, None)
        persona, at = self.db.execute(
            "SELECT persona_id, created_at FROM sessions WHERE label = ?", (copy,)
        ).fetchone()
        self.model.create(copy, persona, at)
        self.forks.add(copy)
        self.copied |= {row["message"] for row in json.loads(document)["content"]["queue"]}
        self.by_envelope = {text: who for text, who in self.by_envelope.items() if text not in self.copied}
        self.read(created=copy, copied=True)
        self.recall()

    def op_rewind(self):
        """The head goes back, or forward again."""
        if not self.model.sessions:
            return
        label = self.r.choice(list(self.model.sessions))
        turns = self.db.execute(
            "SELECT DISTINCT thread_id FROM session_history WHERE session_label = ? ORDER BY 1", (label,)
        ).fetchall()
        target = self.r.choice([None] + [turn or None for (turn,) in turns])
        got, failure = self.run("session_rewind", label, target)
        self.may_refuse(failure, "is busy", "is not on the path", "is archived", "is in error", "there is no turn")
        self.rewound.add(self.model.find(label))
        self.read()

    def op_retry(self):
        """What has failed, was cancelled or waits for its time."""
        rows = self.db.execute(
            "SELECT id, status, message FROM session_queue WHERE status IN ('failed', 'cancelled') "
            "OR status = 'pending' AND due_at IS NOT NULL ORDER BY id"
        ).fetchall()
        if not rows:
            return
        id, status, message = self.r.choice(rows)
        if status == "cancelled" and self.model.rows[id][4]:
            kind = "queue_retry of who was unlinked"
            self.done[kind] = self.tried[kind] = self.tried.get(kind, 0) + 1
        got, failure = self.run("queue_retry", id)
        self.may_refuse(failure, "whose parent is gone")
        self.read()
        if failure:
            return
        self.want("it waits", self.model.rows[id][1], "pending")
        who = self.by_envelope.get(message)
        if status == "cancelled" and who and self.told_apart():
            label = self.model.route({"channel": who[0], "sender_id": who[1]})[0]
            self.want("it waits where its sender's messages go", self.model.rows[id][0], label)

    def op_cancel(self):
        rows = self.db.execute(
            "SELECT id FROM session_queue WHERE status IN ('pending', 'handed', 'failed') ORDER BY id"
        ).fetchall()
        if rows:
            got, failure = self.run("queue_cancel", self.r.choice(rows)[0])
            self.want("queue_cancel", failure, None)
            self.read()

    def op_worker(self):
        """A session spawns a worker, or hears from one: wherever it, or what took it over, is."""
        m = self.model
        open_ones = [
            row
            for row in self.db.execute(
                "SELECT worker, parent_session_label FROM session_workers "
                "WHERE task_status IN ('pending', 'running') ORDER BY 1"
            )
        ]
        self.count += 1
        text = f"message {self.count}"
        if not open_ones or self.r.random() < 0.4:
            label, worker = self.labels(), f"worker {self.count}"
            target = m.find(label)
            got, failure = self.run("session_spawn", label, text, label=worker)
            self.may_refuse(failure, "there is no session", "deep", "has 16", "is archived")
            if not failure:
                persona = one(self.db, "SELECT persona_id FROM sessions WHERE label = ?", target)
                m.create(worker, persona, self.now)
                self.messages[text] = worker
            return self.read(created=worker)
        worker, parent = self.r.choice(open_ones)
        target = m.find(parent)
        got, failure = self.run("session_report", worker, "completed", text)
        self.want("session_report", failure, None)
        if got is not None:
            self.messages[text] = target
            self.want(
                "session_report: where it waits",
                one(self.db, "SELECT session_label FROM session_queue WHERE id = ?", got),
                target,
            )
            again, failure = self.run("session_report", worker, "completed", text)
            self.want("session_report: once more", (again, failure), (got, None))
        self.read(created=target)

    def op_other(self):
        kind = self.r.random()
        if kind < 0.3:
            self.run("session_sweep")
        elif kind < 0.5:
            label = self.labels()
            got, failure = self.run("session_start", label, "a task of its own")
            target = self.model.find(label)
            if not target and not failure:
                self.model.create(label, None, self.now)
        elif kind < 0.7:
            self.run("session_transition", self.labels(), "AwaitingUser", {"question": "Which?"})
        elif kind < 0.85:
            self.run("session_compact", self.labels(), None)
        else:
            self.run("turnstile_startup", None, all=1)
        for held in self.model.held.values():
            for message, _, _ in held:
                self.messages.pop(message, None)
        self.read()

    def op_policy(self):
        m = self.model
        if self.toggled is False:
            self.policy(TOGGLED)
            m.policies = [TOGGLED] + m.policies
            self.toggled = TOGGLED
        elif m.policies[0] is TOGGLED:
            self.sql("UPDATE session_policies SET enabled = 0 WHERE name = 'toggled'")
            m.policies = m.policies[1:]
        else:
            self.sql("UPDATE session_policies SET enabled = 1 WHERE name = 'toggled'")
            m.policies = [TOGGLED] + m.policies

    def op_time(self):
        self.now += self.r.choice(
            [1, 1000, MINUTE, 6 * MINUTE, 6 * MINUTE, HOUR, 26 * HOUR, 9 * DAY]
        )

    OPERATIONS = {
        op_deliver: 30,
        op_again: 5,
        op_link: 14,
        op_unlink: 7,
        op_alias: 4,
        op_append: 8,
        op_push: 4,
        op_begin: 12,
        op_end: 14,
        op_delete: 2,
        op_status: 6,
        op_fork: 2,
        op_copy: 0.4,
        op_rewind: 2,
        op_other: 3,
        op_retry: 6,
        op_cancel: 1,
        op_worker: 2,
        op_policy: 0.5,
        op_time: 6,
    }

    def play(self, length):
        operations, weights = list(self.OPERATIONS), list(self.OPERATIONS.values())
        for _ in range(length):
            self.now += self.r.choice([0, 1, 1000])
            self.r.choices(operations, weights)[0](self)
            self.compare()
        self.finish()

    def finish(self):
        db = self.db
        # What was deleted leaves gaps; and an input that went to its sender's session went with that.
        gaps = ("gapless", "a decision's input") if any("session_delete" in kind for kind in self.done) else ()
        for name, sql in INVARIANTS:
            if not any(gap in name for gap in gaps):
                self.want(name, db.execute(sql).fetchall()[:3], [])
        seen = {}
        for label in sorted(self.model.sessions):
            head = one(db, "SELECT thread_id FROM sessions WHERE label = ?", label)
            path = [row[0] for row in db.execute("SELECT turn_id FROM turn_path(?)", (head,))]
            if label not in self.forks | self.rewound:
                self.want(f"turns of {label}", len(path), self.model.turns[label])
            for turn in path:
                if label not in self.forks:
                    self.want(
                        f"turn {turn} of {label} is its own", seen.setdefault(turn, label), label
                    )
        other = connect(":memory:", self.lib)
        install(other)
        for entry in self.log:
            if len(entry) == 2:
                other.execute(*entry)
            else:
                door, command, args, options = entry
                self.call(other, not door, command, args, options)
        mine, again = dump(db), dump(other)
        for table in mine:
            odd = sorted(set(mine[table]) ^ set(again[table]))
            self.want(f"played once more: {table}", odd[:4], [])
        other.close()


def install(db):
    one(db, "SELECT turnstile_install(?)", json.dumps({"uuid": UUID}))


def dump(db):
    names = db.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' "
        "ORDER BY 1"
    )
    return {
        name: sorted(map(repr, db.execute(f'SELECT * FROM "{name}"')))
        for (name,) in names.fetchall()
        if name not in ("message_rules", "turnstile_meta")
    }


def two_connections(lib, suite):
    """Policies and links that another connection changes, or takes back."""
    path = suite.path("two.db")
    mine, other = connect(path, lib), connect(path, lib)
    mine.execute("PRAGMA journal_mode = WAL").fetchall()
    one(mine, "SELECT turnstile_install()")
    envelope = json.dumps({"channel": "wa", "sender_id": "u"})

    def keys(what, first, second):
        got = [
            json.loads(one(db, "SELECT session_route(?)", envelope))["key"] for db in (mine, other)
        ]
        suite.check(f"two connections: {what}", got, [first, second])

    def change(db, template):
        db.execute(
            "UPDATE session_policies SET key_template = ? WHERE name = 'unknown-dm'", (template,)
        )

    keys("as installed", "dm:wa:u", "dm:wa:u")
    change(other, "one")
    keys("one has changed them", "one", "one")
    other.execute("BEGIN")
    change(other, "two")
    keys("not committed", "one", "two")
    other.execute("ROLLBACK")
    keys("taken back", "one", "one")
    # The version that this connection has seen in a transaction comes to mean something else.
    mine.execute("BEGIN")
    change(mine, "three")
    keys("in a transaction", "three", "one")
    mine.execute("ROLLBACK")
    change(other, "four")
    keys("the same version with other rows", "four", "four")
    mine.execute("BEGIN")
    keys("in a snapshot", "four", "four")
    change(other, "five")
    keys("which stays", "four", "five")
    mine.execute("COMMIT")
    keys("and ends", "five", "five")
    other.execute("BEGIN")
    change(other, "six")
    keys("before the commit", "five", "six")
    other.execute("COMMIT")
    keys("after it", "six", "six")
    change(mine, "dm:{delivery.channel}:{delivery.sender_id}")
    # A session found by one is merged by the other.
    one(mine, "SELECT session_start('dm:wa:u', 'x')")
    one(mine, "SELECT turn_append('dm:rosa', ?)", json.dumps([{"role": "user", "content": "a"}]))
    keys("unknown", "dm:wa:u", "dm:wa:u")
    one(other, "SELECT identity_link('wa', 'u', 'rosa')")
    keys("linked by the other", "dm:rosa", "dm:rosa")
    got = json.loads(one(mine, "SELECT session_deliver('dm:wa:u', 'hello')"))
    suite.check("two connections: a message finds the primary", got["session"], "dm:rosa")
    one(mine, "SELECT identity_unlink('wa', 'u')")
    keys("and back", "dm:wa:u", "dm:wa:u")
    suite.sound("two connections", mine)
    mine.close()
    other.close()


def shown(log):
    """The last commands as SQL."""

    def literal(v):
        if isinstance(v, (dict, list)):
            v = json.dumps(v)
        return (
            "NULL"
            if v is None
            else str(v)
            if isinstance(v, int)
            else "'" + v.replace("'", "''") + "'"
        )

    for entry in log:
        if len(entry) == 2:
            text, args = entry
            for a in args:
                text = text.replace("?", literal(a), 1)
            yield text + ";"
        else:
            _, command, args, options = entry
            yield f"SELECT {command}({', '.join(map(literal, args + [options]))});"


def main():
    if len(sys.argv) not in (2, 3, 4):
        sys.exit("usage: tests/identity/identity_model.py BUILDDIR [operations [seed]]")
    lib = library(sys.argv[1])
    wanted = int(sys.argv[2]) if len(sys.argv) > 2 else 20_000
    only = int(sys.argv[3]) if len(sys.argv) > 3 else None
    began, done, passed, failed, commands, worlds = time.time(), 0, 0, 0, {}, {}
    seed = 1 if only is None else only
    while done < wanted:
        history = History(lib, seed)
        worlds[history.world] = worlds.get(history.world, 0) + 1
        try:
            history.play(LENGTH)
            passed += 1
        except Broken as e:
            failed += 1
            print(f"  history {seed} ({history.world}), after {len(history.log)} commands: {e}")
            if failed == 1:
                print("\n".join("    " + line for line in shown(history.log)))
        for command, n in history.tried.items():
            worked, tried = commands.get(command, (0, 0))
            commands[command] = worked + history.done[command], tried + n
        history.db.close()
        done += LENGTH
        seed += 1
        if failed >= 5:
            break
    suite = Suite("identity")
    two_connections(lib, suite)
    passed, failed = passed + suite.passed, failed + suite.failed
    suite.folder.cleanup()
    # What is refused each time says nothing of what it does.
    odd = [kind for kind, (worked, tried) in commands.items() if tried >= 10 and not worked]
    few = [kind for kind in sorted(USUAL) if commands.get(kind, (0,))[0] < wanted // 1000]
    for what, kinds in (("always refused", odd), ("hardly ever done", few)):
        passed, failed = passed + (not kinds), failed + bool(kinds)
        if kinds:
            print(f"  {what}: {kinds}")
    print(f"  {done} operations, {time.time() - began:.1f} s, {worlds}")
    print(f"model/identity: {passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
