# rooms.mk - the rooms of ext/, from the ground up. The Makefile compiles each file with the headers of its own room and
# of those before it, and no others; tests/suites/rooms.py holds calls to the same order. docs/source.md says what is
# in each.
ROOMS = core classify session route turn identity deliver care handoff
