# Turnstile - build, test, demo.
#
#   make            build/turnstile.so
#   make deps       installs what building and the tests need
#   make demo       the shipped conversation, run through a database
#   make test       the test suite; ONLY="turn/fork" some of it: rooms, tests, words
#   make install    library and header into PREFIX (/usr/local)
#   make asan       the C tests under AddressSanitizer and UBSan
#   make faults     fault injection: memory, I/O, interrupts, denials, kill -9
#   make test-versions  the suites on the oldest SQLite that is promised, the newest, and one built with
#                   assertions (VERSIONS="oldest newest debug"; VERSIONS_FULL=1: nothing left out)
#   make limits     the limits of the turn tree, in a library built with low ones
#   make valgrind   closing connections, under valgrind
#   make instructions  what it costs to classify a message, and to run a command, counted by valgrind
#   make fuzz       the fuzz targets, FUZZ_SECONDS each
#   make coverage   which branches of ext/ `make test` takes; COVERAGE=faults: and the fault suites;
#                   COVERAGE=left: every branch that is left. Takes half an hour on two processors, with
#                   the fault suites an hour, so it is no part of .ci/run
#   make mutation   do the tests notice a fault? MUTATION="100 1 only=ext/turn": as tests/suites/mutation.py describes.
#                   Takes hours
#   make bench      speed against hand-written C, as ratios
#   make bench-peers  beside other libraries from npm and PyPI, in one run: PEERS="rounds=5 write=docs" as
#                   tests/suites/bench/peers/run.py describes. Installs them into a scratch directory
#   make bench-peers-smoke  the same with tiny sizes: does each of them still do what it says?
#   make classify-eval FILE=messages.jsonl
#   make classify-train FILE=messages.jsonl:work TUNED=more.jsonl   learns ext/classify/word_weights.c anew
#
# deps, demo, test and what tests install what is missing through the system's package manager first (as root or with
# sudo; otherwise they print the command). make itself, bench and classify-… install nothing: they say what is missing.

PREFIX ?= /usr/local
CC ?= cc
CFLAGS ?= -O2 -g
BUILD ?= build
PYTHON ?= /usr/bin/python3
export PYTHON
WARNINGS = -std=c11 -Wall -Wextra -Werror

# ROOMS, from the ground up.
include ext/rooms.mk
# $(call up_to,ROOM,ROOMS): the rooms up to one; of a file that stands in none all.
up_to = $(if $(2),$(firstword $(2)) $(if $(filter $(1),$(firstword $(2))),,$(call up_to,$(1),$(wordlist 2,99,$(2)))))
# $(call seen_by,core/args): a file sees the headers of its room and of those below it.
seen_by = $(call up_to,$(firstword $(subst /, ,$(1))),$(ROOMS))
OWN_INCLUDES = -Iinclude $(addprefix -Iext/,$(call seen_by,$*)) -I$(BUILD)/gen $(CPPFLAGS)
# Tests and tools see all.
INCLUDES = -Iinclude $(addprefix -Iext/,$(ROOMS)) -Itests/lib -I$(BUILD)/gen $(CPPFLAGS)
UNAME := $(shell uname -s)

ifeq ($(UNAME),Darwin)
LIBRARY = $(BUILD)/turnstile.dylib
MODULE = -dynamiclib -undefined dynamic_lookup
SHARED = $(MODULE)
LIBS = -lpcre2-8 -lmd -lm
else
LIBRARY = $(BUILD)/turnstile.so
MODULE = -shared
# nodelete: a function that SQLite could not give up when loading failed must not vanish from memory.
SHARED = $(MODULE) -Wl,--exclude-libs,ALL -Wl,-z,defs -Wl,-z,nodelete
# Hosts such as PHP and R carry a PCRE2 of their own: linked in and hidden, ours is never bound to
# theirs.
LIBS = -l:libpcre2-8.a -l:libmd.a -lm -lpthread
endif
CORE_LIBS = -lsqlite3 -lpcre2-8 -lmd -lm -lpthread

SOURCES = $(sort $(wildcard ext/*.c ext/*/*.c))
HEADERS = $(sort $(wildcard ext/*.h ext/*/*.h include/*.h))
STATEMENTS = $(sort $(wildcard sql/statements/*/*.sql))
SCRIPTS = $(addprefix sql/schema/,schema.sql turn.sql identity.sql views.sql guards.sql door.sql retired.sql) \
          $(sort $(wildcard sql/rules/*.sql)) $(sort $(wildcard sql/migrate/[0-9]*.sql))
GENERATED_HEADERS = $(addprefix $(BUILD)/gen/,statements.h word_lists.h cue_names.h)
GENERATED = $(addprefix $(BUILD)/gen/,scripts.c choice_patterns.c cue_lists.c)
OBJECTS = $(SOURCES:ext/%.c=$(BUILD)/obj/%.o) $(GENERATED:$(BUILD)/gen/%.c=$(BUILD)/obj/%.o)
CORE = $(SOURCES:ext/%.c=$(BUILD)/core/%.o) $(GENERATED:$(BUILD)/gen/%.c=$(BUILD)/core/%.o)
UNIT_TESTS = $(patsubst tests/%.c,$(BUILD)/tests/%,$(sort $(wildcard tests/*/test_*.c)))

.PHONY: all demo test test-versions unit install uninstall clean asan faults faults-asan limits valgrind instructions bench \
        bench-peers bench-peers-smoke fuzz coverage mutation classify-eval classify-train deps deps-build deps-demo deps-test deps-full format-check tidy

all: deps-build
	@$(MAKE) --no-print-directory $(LIBRARY)

deps: deps-test

deps-build:
	@sh .ci/deps --check build

deps-demo deps-test deps-full:
	@sh .ci/deps $(@:deps-%=%)

# ---- The library -----------------------------------------------------------------------------

$(LIBRARY): $(OBJECTS)
	$(CC) $(CFLAGS) $(LDFLAGS) $(SHARED) -o $@ $^ $(LIBS)

$(BUILD)/obj/%.o: ext/%.c $(HEADERS) $(GENERATED_HEADERS) ext/rooms.mk
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(WARNINGS) -fPIC -fvisibility=hidden $(OWN_INCLUDES) -c -o $@ $<

$(BUILD)/obj/%.o: $(BUILD)/gen/%.c $(HEADERS) $(GENERATED_HEADERS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(WARNINGS) -fPIC -fvisibility=hidden $(OWN_INCLUDES) -c -o $@ $<

# The SQL of sql/ as C: the statements as an enum with their texts, the scripts as strings. GIVEN: what they are written with.
GIVEN = include/turnstile.h sql/word_lists.txt

# A header that comes out as it was makes nothing anew.
EMBEDDED = @if cmp -s $@.tmp $@; then rm $@.tmp; else mv $@.tmp $@; fi

$(BUILD)/gen/word_lists.h: sql/embed.awk sql/word_lists.txt
	@mkdir -p $(@D)
	awk -v mode=words -f sql/embed.awk sql/word_lists.txt > $@.tmp
	$(EMBEDDED)

$(BUILD)/gen/statements.h: sql/embed.awk $(GIVEN) $(STATEMENTS)
	@mkdir -p $(@D)
	awk -v mode=statements -f sql/embed.awk $(GIVEN) $(STATEMENTS) > $@.tmp
	$(EMBEDDED)

$(BUILD)/gen/statement_texts.h: sql/embed.awk $(GIVEN) $(STATEMENTS)
	@mkdir -p $(@D)
	awk -v mode=texts -f sql/embed.awk $(GIVEN) $(STATEMENTS) > $@.tmp
	mv $@.tmp $@

$(addsuffix /core/statement.o,$(addprefix $(BUILD)/,obj core fuzz/obj)): $(BUILD)/gen/statement_texts.h

$(BUILD)/gen/scripts.c: sql/embed.awk $(GIVEN) $(SCRIPTS)
	@mkdir -p $(@D)
	awk -v mode=script -f sql/embed.awk $(GIVEN) $(SCRIPTS) > $@.tmp
	mv $@.tmp $@

# The lists of words by which is known what is said. The headings come first.
CUES = sql/cues/headings.txt $(filter-out %/headings.txt,$(sort $(wildcard sql/cues/*.txt)))

$(BUILD)/gen/cue_names.h: sql/cues.awk sql/cues/headings.txt
	@mkdir -p $(@D)
	awk -v mode=names -f sql/cues.awk sql/cues/headings.txt > $@.tmp
	$(EMBEDDED)

$(BUILD)/gen/cue_lists.c: sql/cues.awk $(CUES)
	@mkdir -p $(@D)
	awk -v mode=lists -f sql/cues.awk $(CUES) > $@.tmp
	mv $@.tmp $@

# The phrases of answers to a choice as tables. The program that makes them (ext/classify/words/) runs here: where CC makes
# programs for another machine, CC_FOR_BUILD names a compiler for this one.
CC_FOR_BUILD ?= $(CC)

WORDS = $(addprefix ext/classify/,words/compile.c words/read.c words.c) ext/core/utf8.c
$(BUILD)/gen/compile_words: $(WORDS) $(addprefix ext/classify/,words/read.h patterns.h answer_words.h words.h) ext/core/utf8.h
	@mkdir -p $(@D)
	$(CC_FOR_BUILD) -O1 $(WARNINGS) -Iext/core -Iext/classify -o $@ $(WORDS)

# The headings first; then the languages, in the order in which words get their numbers. One that is not listed here comes
# last.
ANSWERS_IN_ORDER = $(patsubst %,sql/answers/%.txt,headings en de es fr pt it ru uk pl cs nl tr signs zh ja ko ar hi sv vi id several)
ANSWERS = $(ANSWERS_IN_ORDER) $(filter-out $(ANSWERS_IN_ORDER),$(sort $(wildcard sql/answers/*.txt)))

$(BUILD)/gen/choice_patterns.c: $(BUILD)/gen/compile_words $(ANSWERS)
	$< tables $(ANSWERS) > $@.tmp
	mv $@.tmp $@

$(BUILD)/gen/choice_phrases.h: $(BUILD)/gen/compile_words $(ANSWERS)
	$< rows $(ANSWERS) > $@.tmp
	mv $@.tmp $@

$(BUILD)/tests/classify/test_patterns: $(BUILD)/gen/choice_phrases.h

# ---- Linked into a program: the library with SQLITE_CORE, as the C tests use it ----------------

$(BUILD)/core/%.o: ext/%.c $(HEADERS) $(GENERATED_HEADERS) ext/rooms.mk
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(WARNINGS) -DSQLITE_CORE $(OWN_INCLUDES) -c -o $@ $<

$(BUILD)/core/%.o: $(BUILD)/gen/%.c $(HEADERS) $(GENERATED_HEADERS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(WARNINGS) -DSQLITE_CORE $(OWN_INCLUDES) -c -o $@ $<

$(BUILD)/libturnstile.a: $(CORE)
	rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/tests/%: tests/%.c $(BUILD)/libturnstile.a $(wildcard tests/lib/*.h)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(WARNINGS) -DSQLITE_CORE $(INCLUDES) -o $@ $< $(BUILD)/libturnstile.a $(CORE_LIBS)

$(BUILD)/tests/error_of.so: tests/lib/error_of.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(WARNINGS) -fPIC $(MODULE) -o $@ $<

# ---- For people ----------------------------------------------------------------------------------

demo: deps-demo
	@$(MAKE) --no-print-directory -s $(LIBRARY)
	@$(PYTHON) examples/demo.py $(BUILD)

test: deps-test
	@$(MAKE) --no-print-directory -s -j2 $(LIBRARY) $(UNIT_TESTS) $(BUILD)/tests/error_of.so
	@ONLY="$(ONLY)" sh tests/lib/all.sh $(BUILD)

unit: $(UNIT_TESTS)
	@for t in $(UNIT_TESTS); do $$t || exit 1; done

install: deps-build $(LIBRARY)
	install -d $(DESTDIR)$(PREFIX)/lib $(DESTDIR)$(PREFIX)/include
	install -m 755 $(LIBRARY) $(DESTDIR)$(PREFIX)/lib/
	install -m 644 include/turnstile.h $(DESTDIR)$(PREFIX)/include/
	@if [ -z "$(DESTDIR)" ] && command -v ldconfig >/dev/null 2>&1; then ldconfig || true; fi

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/lib/$(notdir $(LIBRARY)) $(DESTDIR)$(PREFIX)/include/turnstile.h

clean:
	rm -rf $(BUILD)

# ---- For developers --------------------------------------------------------------------------------

SANITIZE = -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all

asan: deps-build
	@$(MAKE) --no-print-directory -s -j2 BUILD=$(BUILD)/asan unit CFLAGS="$(SANITIZE)"

# Every fault at (nearly) every place: see tests/suites/faults/faults.c. FAULTS="oom case=install" narrows it.
$(BUILD)/faults: $(wildcard tests/suites/faults/*.[ch]) $(BUILD)/libturnstile.a
	$(CC) $(CFLAGS) $(WARNINGS) -D_GNU_SOURCE -DSQLITE_CORE $(INCLUDES) -o $@ tests/suites/faults/*.c $(BUILD)/libturnstile.a $(CORE_LIBS)

$(BUILD)/close: tests/suites/close.c $(BUILD)/libturnstile.a
	$(CC) $(CFLAGS) $(WARNINGS) -DSQLITE_CORE $(INCLUDES) -o $@ tests/suites/close.c $(BUILD)/libturnstile.a $(CORE_LIBS)

# POINTS: faults of each series; FAULTS=thorough takes all.
POINTS ?= 8
faults: deps-test
	@$(MAKE) --no-print-directory -s -j2 $(BUILD)/faults $(LIBRARY)
	@$(BUILD)/faults old=tests/data/schema_v1.db points=$(POINTS) $(FAULTS)
	@$(PYTHON) tests/suites/faults/kill.py $(BUILD)

# Other versions of SQLite than the system's: .ci/sqlite builds them, tests/suites/versions.sh says what runs.
VERSIONS ?= oldest newest debug

test-versions: deps-full
	@$(MAKE) --no-print-directory -s -j2 $(BUILD)/faults $(LIBRARY) $(BUILD)/tests/error_of.so
	@sh tests/suites/versions.sh $(BUILD) $(VERSIONS)

# The limits of the turn tree, in a library that was built with low ones.
limits:
	@$(MAKE) --no-print-directory -s -j2 BUILD=$(BUILD)/limits $(BUILD)/limits/turnstile.so \
	  CFLAGS="$(CFLAGS) -DTURNSTILE_MAX_DEPTH=5 -DTURNSTILE_MAX_BRANCH=3 -DTURNSTILE_MAX_SEQUENCE=7"
	@$(PYTHON) tests/suites/limits.py $(BUILD)/limits

faults-asan:
	@$(MAKE) --no-print-directory -s -j2 BUILD=$(BUILD)/asan CFLAGS="$(SANITIZE)" $(BUILD)/asan/faults $(BUILD)/asan/close
	@$(BUILD)/asan/close
	@$(BUILD)/asan/faults old=tests/data/schema_v1.db points=2 every=4

valgrind:
	@$(MAKE) --no-print-directory -s -j2 $(BUILD)/close
	@valgrind -q --leak-check=full --errors-for-leak-kinds=definite,possible \
	  --suppressions=tests/suites/close.supp --error-exitcode=9 $(BUILD)/close

instructions:
	@$(MAKE) --no-print-directory -s -j2 $(BUILD)/tests/classify/count_classify $(BUILD)/bench/count_commands $(LIBRARY)
	@$(PYTHON) tests/classify/instructions.py $(BUILD)
	@$(PYTHON) tests/suites/written.py $(BUILD) instructions

# What gcov counts (tests/suites/coverage.py). The numbers of failures do not matter here: a suite may mind
# that it is slow.
coverage: deps-test
	@rm -rf $(BUILD)/coverage
	@$(MAKE) --no-print-directory -s -j2 BUILD=$(BUILD)/coverage CFLAGS="-O0 -g --coverage" \
	  $(UNIT_TESTS:$(BUILD)/%=$(BUILD)/coverage/%) $(LIBRARY:$(BUILD)/%=$(BUILD)/coverage/%) $(BUILD)/coverage/tests/error_of.so
	@PATIENCE=7200 sh tests/lib/all.sh $(BUILD)/coverage || true
	@case "$(COVERAGE)" in *faults*) \
	  $(MAKE) --no-print-directory -s BUILD=$(BUILD)/coverage CFLAGS="-O0 -g --coverage" $(BUILD)/coverage/faults && \
	  $(BUILD)/coverage/faults old=tests/data/schema_v1.db points=10 || true ;; esac
	@$(PYTHON) tests/suites/coverage.py $(BUILD)/coverage $(COVERAGE)

mutation: deps-test
	@$(PYTHON) tests/suites/mutation.py $(BUILD) $(MUTATION)

# FILE: the messages to learn from, beside those of tests/messages; TUNED: those that the rules were written
# from (may be empty).
classify-train: deps-build
	@$(MAKE) --no-print-directory -s $(BUILD)/tests/classify/classify_train
	@$(BUILD)/tests/classify/classify_train $(TUNED:%=-t %) $(FILE) $(sort $(wildcard tests/messages/*.txt)) > $(BUILD)/word_weights.c
	mv $(BUILD)/word_weights.c ext/classify/word_weights.c

classify-eval: deps-build
	@$(MAKE) --no-print-directory -s $(BUILD)/tests/classify/classify_eval
	@$(BUILD)/tests/classify/classify_eval $(FILE) $(sort $(wildcard sql/rules/*.sql))

# (word_weights.c is written by a program, and takes gigabytes to look at.)
format-check:
	clang-format --dry-run --Werror $(filter-out ext/classify/word_weights.c,$(SOURCES)) $(HEADERS) $(sort $(wildcard ext/classify/words/*.[ch] tests/*/*.[ch] tests/suites/bench/*.[ch] tests/suites/faults/*.[ch] tests/suites/fuzz/*.[ch]))

# TIDY_NODES: how far the analyzer follows the paths of a function. Nearly all of the time is its: with 225000, its own
# default, four times as much.
TIDY_NODES ?= 50000
tidy: $(GENERATED_HEADERS) $(BUILD)/gen/statement_texts.h
	clang-tidy --quiet $(SOURCES) $(sort $(wildcard ext/classify/words/*.c)) -- -std=c11 $(INCLUDES) \
	  -Xclang -analyzer-config -Xclang max-nodes=$(TIDY_NODES)

$(BUILD)/bench/%: tests/suites/bench/%.c tests/suites/bench/bench.h $(BUILD)/libturnstile.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(WARNINGS) -D_GNU_SOURCE -DSQLITE_CORE $(INCLUDES) -o $@ $< $(BUILD)/libturnstile.a $(CORE_LIBS)

# BENCH: of the commands, BENCH_TURNS: of the turn tree, BENCH_QUEUE: of the queue, BENCH_ROUTE: of
# finding sessions; each as its program describes it.
bench: deps-build
	@$(MAKE) --no-print-directory -s $(BUILD)/bench/bench $(BUILD)/bench/bench_turns \
	  $(BUILD)/bench/bench_queue $(BUILD)/bench/bench_route
	@$(BUILD)/bench/bench $(BENCH)
	@$(BUILD)/bench/bench_turns $(BENCH_TURNS)
	@$(BUILD)/bench/bench_queue $(BENCH_QUEUE)
	@$(BUILD)/bench/bench_route $(BENCH_ROUTE)

# PEERS: options of the run, such as "rounds=3 stale=100000 only=plainjob,xstate".
bench-peers: deps-build
	@$(MAKE) --no-print-directory -s $(LIBRARY)
	@$(PYTHON) tests/suites/bench/peers/run.py $(BUILD) $(PEERS)

bench-peers-smoke:
	@$(MAKE) --no-print-directory -s bench-peers PEERS="smoke=1 $(PEERS)"

# ---- Fuzzing (needs clang) ---------------------------------------------------------------------------

FUZZ_SECONDS ?= 20
FUZZERS = fuzz_door fuzz_classify fuzz_rows fuzz_files

FUZZED = -O1 -g $(WARNINGS) -DSQLITE_CORE -fsanitize=address,undefined $(INCLUDES)

# What all targets are linked with is compiled once.
$(BUILD)/fuzz/obj/%.o: ext/%.c $(HEADERS) $(GENERATED_HEADERS) ext/rooms.mk
	@mkdir -p $(@D)
	clang $(FUZZED) -fsanitize=fuzzer-no-link -c -o $@ $<

$(BUILD)/fuzz/obj/%.o: $(BUILD)/gen/%.c $(HEADERS) $(GENERATED_HEADERS)
	@mkdir -p $(@D)
	clang $(FUZZED) -fsanitize=fuzzer-no-link -c -o $@ $<

$(BUILD)/fuzz/%: tests/suites/fuzz/%.c tests/suites/fuzz/fuzz.h $(CORE:$(BUILD)/core/%=$(BUILD)/fuzz/obj/%)
	clang $(FUZZED) -fsanitize=fuzzer -o $@ $(filter %.c %.o,$^) $(CORE_LIBS)

fuzz:
	@$(MAKE) --no-print-directory -s -j2 $(FUZZERS:%=$(BUILD)/fuzz/%)
	@for f in $(FUZZERS); do \
	  mkdir -p $(BUILD)/fuzz/corpus/$$f; \
	  $(BUILD)/fuzz/$$f -max_total_time=$(FUZZ_SECONDS) -timeout=300 -max_len=2000 -print_final_stats=1 \
	    -artifact_prefix=$(BUILD)/fuzz/ $(BUILD)/fuzz/corpus/$$f tests/suites/fuzz/corpus 2>$(BUILD)/fuzz/$$f.log \
	    && echo "$$f: 1 passed, 0 failed" || { tail -40 $(BUILD)/fuzz/$$f.log; echo "$$f: 0 passed, 1 failed"; exit 1; }; \
	done

