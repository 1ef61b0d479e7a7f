# Turnstile - build, test, demo.
#
#   make            build/turnstile.so
#   make demo       the shipped conversation, run through a database
#   make test       the test suite
#   make install    into PREFIX (/usr/local)
#
# demo and test install what is missing through the system's package manager first.

PREFIX ?= /usr/local
CC ?= cc
CFLAGS ?= -O2 -g
WARNINGS = -std=c11 -Wall -Wextra -Werror
BUILD ?= build
UNAME := $(shell uname -s)

ifeq ($(UNAME),Darwin)
LIBRARY = $(BUILD)/turnstile.dylib
SHARED = -dynamiclib -undefined dynamic_lookup
LIBS = -lpcre2-8 -lmd -lm
else
LIBRARY = $(BUILD)/turnstile.so
SHARED = -shared -Wl,--exclude-libs,ALL -Wl,-z,defs
# Hosts such as PHP and R carry a PCRE2 of their own; linked in and hidden, ours is never bound to it.
LIBS = -l:libpcre2-8.a -l:libmd.a -lm -lpthread
endif

SOURCES = $(sort $(wildcard ext/*.c))
HEADERS = $(sort $(wildcard ext/*.h include/*.h))
OBJECTS = $(SOURCES:ext/%.c=$(BUILD)/obj/%.o) $(BUILD)/obj/scripts.o
RULES = $(sort $(wildcard sql/rules_*.sql))
MIGRATIONS = $(sort $(wildcard sql/migrate_*.sql))
SCRIPTS = sql/schema.sql sql/guards.sql sql/door.sql $(RULES) $(MIGRATIONS)
INCLUDES = -Iinclude -Iext -I$(BUILD)/gen

all: $(LIBRARY)

$(LIBRARY): $(OBJECTS)
	$(CC) $(CFLAGS) $(LDFLAGS) $(SHARED) -o $@ $^ $(LIBS)

$(BUILD)/obj/%.o: ext/%.c $(HEADERS) $(BUILD)/gen/statements.h
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(WARNINGS) -fPIC -fvisibility=hidden $(INCLUDES) -c -o $@ $<

$(BUILD)/obj/scripts.o: $(BUILD)/gen/scripts.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(WARNINGS) -fPIC -fvisibility=hidden $(INCLUDES) -c -o $@ $<

# The SQL of sql/ as C: the statements as an enum with their texts, the scripts as strings.
$(BUILD)/gen/statements.h: sql/embed.awk $(sort $(wildcard sql/statements/*.sql))
	@mkdir -p $(@D)
	awk -v mode=statements -f sql/embed.awk $(sort $(wildcard sql/statements/*.sql)) > $@.tmp
	mv $@.tmp $@

$(BUILD)/gen/scripts.c: sql/embed.awk $(SCRIPTS)
	@mkdir -p $(@D)
	awk -v mode=script -f sql/embed.awk $(SCRIPTS) > $@.tmp
	mv $@.tmp $@

clean:
	rm -rf $(BUILD)

.PHONY: all clean
