## make                 build/pbm
## make check           what a commit must pass, in some minutes
## make check-all       that, and everything that takes longer: sanitizers, valgrind, fuzzing,
##                      faults, real mail servers, a browser, the analyzers
## make unit            all tests of C and all talks; ROOM=store: those of a room, T=test_seek:
##                      one program
## make talk T=cmd-seek one talk
## make asan, valgrind, fuzz, faults, postgres, e2e, browser, lint: each part of check-all by itself
## make tests-of FILES=store/store.c  names the tests and talks that run that file
## make soak, cover, bench, bench-club: a year of a thousand players; coverage; figures; a million games
## make bench-engine: how fast and how strong the computer plays
## make demo            a site with two games played from real mails
## make golden, men     write anew: the demo's expected mails; the pictures of mails
## make install         DESTDIR=, prefix=; also manual, dist, deb, packages-check, clean
## V=release|asan|cover is the flavour, CC=gcc|clang the compiler; WERROR=1 is set in check;
## FULL=1 lets faults and fuzz take hours.
# As many jobs as there are processors, unless the command line says otherwise.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc)
endif
V       ?= release
B       ?= build/$(V)
ifeq ($(origin CC),default)
CC      := $(if $(filter asan,$(V)),clang,gcc)
endif
# One duty, one program: people start pbm, which starts the others.  The libraries of each; the .pc
# file of libetpan is of no use.
DUTIES  := backup doctor net parse talk
# Those that open a site's store know PostgreSQL.  pbm-postgres is pbm with that library.
KNOWING := backup doctor talk postgres
PKGS_pbm := jansson sqlite3 libsodium libseccomp md4c-html md4c libpng libgif
PKGS_backup := $(PKGS_pbm) libpq libarchive
PKGS_doctor := $(PKGS_pbm) libpq libcares libcurl
PKGS_postgres := $(PKGS_pbm) libpq
PKGS_net := libcurl libseccomp -letpan
# Of libetpan the parser wants MIME alone, which needs no other library.  Shared, it loads a dozen
# for talking to servers: half of what a single mail's parser costs.
PKGS_parse := libxml-2.0 libseccomp $(if $(wildcard $(shell $(CC) -print-file-name=libetpan.a)),-l:libetpan.a,-letpan)
PKGS_talk := $(PKGS_pbm) libpq libedit libxml-2.0 -letpan
ALL_PKGS := $(sort $(foreach p,pbm postgres $(DUTIES),$(PKGS_$(p))))
PKGS    := $(filter-out -l%,$(ALL_PKGS))
WARN    := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes \
           -Wmissing-prototypes -Wold-style-definition -Wpointer-arith \
           -Wcast-qual -Wwrite-strings -Wformat=2 -Wundef -Wvla -Wimplicit-fallthrough
HARD    := -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fPIE
SANE    := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
# -g1 has the lines, for a backtrace.  Where variables are is mostly lost by optimizing, and
# takes a sixth of the time to compile.
CFLAGS_release := -O2 -g1 $(HARD)
CFLAGS_asan    := -O1 -g1 -fsanitize=fuzzer-no-link $(SANE)
CFLAGS_cover   := -O0 -g --coverage
LDFLAGS_release := -pie -Wl,-z,relro,-z,now -Wl,--as-needed
CPPFLAGS := $(CPPFLAGS) -I. -D_GNU_SOURCE $(shell pkg-config --cflags $(PKGS) 2>/dev/null)
ALLCFLAGS = -std=c2x $(WARN) $(if $(WERROR),-Werror) $(CFLAGS_$(V)) $(CFLAGS)
# The tests start the program thousands of times, and a position-independent one with
# sanitizers relocates for half of its start.
LDFLAGS_asan := -no-pie -Wl,--as-needed
ALLLDFLAGS = $(CFLAGS_$(V)) $(LDFLAGS_$(V)) $(LDFLAGS)
# For the many test programs.
LLD     := $(if $(shell command -v ld.lld),-fuse-ld=lld)
libs     = $(shell pkg-config --libs $(filter-out -l%,$(1)) 2>/dev/null) $(filter -l%,$(1)) -lm
# Tests talk to servers, too: they take the shared libetpan.
LDLIBS  := $(LDLIBS) $(call libs,$(filter-out -l:%,$(ALL_PKGS)))
ifeq ($(MAKECMDGOALS)$(shell command -v $(firstword $(CC)) >/dev/null && pkg-config --exists $(PKGS) && echo there),)
$(error a compiler or libraries are missing; on Debian: sudo tests/packages.sh build)
endif
prefix  ?= /usr/local
VERSION := $(shell sed -n 's/^.define LIBEXEC_VERSION "\(.*\)"/\1/p' pbm/base/libexec.h)

files    = $(shell find $(1) -name '$(2)' | LC_ALL=C sort)
MAIN_C  := pbm/program/main.c $(DUTIES:%=pbm/program/main_%.c)
LIB_C   := $(filter-out $(MAIN_C),$(call files,pbm games mail store,*.c))
HEADERS := $(call files,pbm games mail store,*.h)
WORDS   := $(call files,pbm games mail,*.words)
SQL     := $(call files,store,*.sql)
TEST_C  := $(call files,tests,test_*.c)
FUZZ_C  := $(call files,tests/fuzz,fuzz_*.c)
C_FILES := $(call files,pbm games mail store tests,*.[ch])
TESTS   := $(patsubst %.c,$(B)/%,$(TEST_C))
# The program as the tests run it most of the time: loaded once.
WARM    := $(B)/tests/util/warm
FUZZERS := $(patsubst %.c,$(B)/%,$(FUZZ_C))
TEMPLATES := $(shell find templates -type f ! -name '.*' 2>/dev/null | LC_ALL=C sort)
LIBS    := $(foreach l,pbm store games mail base,$(B)/lib$(l).a)
obj      = $(patsubst %.sql,$(B)/%.sql.o,$(patsubst %.words,$(B)/%.words.o,$(patsubst %.c,$(B)/%.o,$(1))))
say      = $(if $(QUIET),,@echo "  $(1) $(if $(filter CC,$(1)),$<,$@)")

.PHONY: all packages unit postgres talk help check-all e2e browser asan valgrind check demo lint layers headers complexity tidy cppcheck \
        format compare fuzz fuzzed fuzzers faults soak cover mutants tests-of bench bench-club bench-engine golden men manual install dist deb packages-check clean
.SECONDARY:
all: build/pbm manual
help:
	@sed -n 's/^## //p' Makefile
# A link, because the program finds the others from where its file is.
build/pbm: $(B)/bin/pbm
	@ln -sf $(B:build/%=%)/bin/pbm $@
LIBEXEC := $(addprefix $(B)/libexec/pbm/pbm-,$(DUTIES) postgres)
$(B)/bin/pbm: $(B)/pbm/program/main.o $(LIBS) | $(LIBEXEC)
	@mkdir -p $(@D)
	$(call say,LD)
	@$(CC) $(ALLLDFLAGS) -o $@ $^ $(call libs,$(PKGS_pbm))
# Those that read strangers' bytes, for tests of mail/, too.
READERS := $(addprefix $(B)/libexec/pbm/pbm-,net parse)
$(READERS): $(B)/libmail.a $(B)/libbase.a
$(B)/libexec/pbm/pbm-net: $(call obj,$(filter pbm/bucket/bucket_%,$(LIB_C)))
$(filter-out $(READERS),$(LIBEXEC)): $(LIBS)
POSTGRES := $(call obj,$(filter store/postgres/%,$(LIB_C) $(SQL)))
$(KNOWING:%=$(B)/libexec/pbm/pbm-%): $(POSTGRES)
$(B)/libexec/pbm/pbm-postgres: $(B)/pbm/program/main.o
$(DUTIES:%=$(B)/libexec/pbm/pbm-%): $(B)/libexec/pbm/pbm-%: $(B)/pbm/program/main_%.o
$(LIBEXEC): $(B)/libexec/pbm/pbm-%:
	@mkdir -p $(@D)
	$(call say,LD)
	@$(CC) $(ALLLDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(call libs,$(PKGS_$*))
# An archive for each top folder and for the ground they stand on, so that a test of mail/ needs
# nothing of pbm/ to be compiled.
$(B)/libbase.a: $(call obj,$(filter pbm/base/%,$(LIB_C)))
$(B)/libpbm.a: $(call obj,$(filter-out pbm/base/%,$(filter pbm/%,$(LIB_C) $(WORDS)))) $(B)/embedded.o
$(foreach d,games mail store,$(eval $(B)/lib$(d).a: $(filter-out $(POSTGRES),$(call obj,$(filter $(d)/%,$(LIB_C) $(WORDS) $(SQL))))))
$(LIBS):
	@rm -f $@
	@ar rcs $@ $^
# Sanitized, these files alone take minutes to compile.  They do arithmetic and read no strangers'
# bytes; other flavours take the plain ones.
ifeq ($(V),asan)
-include $(wildcard build/release/games/fast/*.d)
$(B)/games/fast/%.o: build/release/games/fast/%.o
	@mkdir -p $(@D)
	@cp $< $@
build/release/%.o: %.c Makefile
	@$(MAKE) --no-print-directory V=release $@
endif
# Optimizing the tests themselves would take longer than they win by it.
$(B)/tests/%.o: CFLAGS_release := -O0 -g1
# clang wants each member of a table's row, and of libseccomp's macros.
$(B)/tests/%.o: CFLAGS_asan := -O0 -g1 -Wno-missing-field-initializers $(SANE)
$(B)/tests/bench/%.o: CFLAGS_release := -O2 -g $(HARD)
$(B)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(call say,CC)
	@$(CC) $(CPPFLAGS) $(ALLCFLAGS) -MMD -MP -c -o $@ $<
# Lists of words in many languages, compiled as tables of C.
$(B)/%.words.c: %.words share/words.sh
	@mkdir -p $(@D)
	@share/words.sh $< >$@.new && mv $@.new $@
# The queries and the schemas of databases, too.
$(B)/%.sql.c: %.sql share/sql.sh
	@mkdir -p $(@D)
	@share/sql.sh $< >$@.new && mv $@.new $@
$(B)/%.o: $(B)/%.c
	@$(CC) $(CPPFLAGS) $(ALLCFLAGS) -MMD -MP -c -o $@ $<

# The files of templates/ become part of the program, and the board library, if it was fetched.
# embedded_hash changes with those that web pages are made of.
WEB_FILES = $(filter-out templates/mail/% templates/%/mail/%,$(EMBEDDED))
EMBEDDED := $(TEMPLATES) $(wildcard build/board/static/chessground.js)
$(B)/embedded.S: $(EMBEDDED) Makefile
	@mkdir -p $(@D)
	@{ echo '.section .rodata'; i=0; for f in $(EMBEDDED); do \
	  n=$${f#templates/}; echo "n$$i: .asciz \"$${n#build/board/}\""; \
	  echo "d$$i: .incbin \"$$f\""; echo "e$$i: .byte 0"; i=$$((i+1)); done; \
	  echo '.section .data.rel.ro,"aw"'; echo '.balign 8'; \
	  echo '.globl embedded_files'; echo 'embedded_files:'; \
	  i=0; for f in $(EMBEDDED); do echo ".quad n$$i, d$$i, e$$i-d$$i"; i=$$((i+1)); done; \
	  echo '.quad 0, 0, 0'; echo '.globl embedded_hash'; \
	  echo "embedded_hash: .asciz \"$$(echo $(WEB_FILES) | cat - $(WEB_FILES) | sha256sum | cut -c1-16)\""; \
	  echo '.section .note.GNU-stack,"",@progbits'; } > $@
$(B)/embedded.o: $(B)/embedded.S
	@$(CC) -c -o $@ $<

# Tests of games/, mail/ and store/ link the objects below pbm; those in MORE link more.
MORE    := registry schema hostile mail_exim store_upgrade store_damage
under    = $(filter-out $(addprefix %/test_,$(MORE)),$(filter $(B)/tests/$(1)/%,$(TESTS)))
lower   := $(foreach d,games mail store,$(call under,$(d)))
$(call under,games): $(B)/libgames.a
$(call under,store): $(B)/libstore.a $(POSTGRES)
$(lower): $(B)/libmail.a $(B)/libbase.a
# They start pbm, mostly from the one that is loaded already.
$(filter-out $(lower),$(TESTS)): $(LIBS) | $(B)/bin/pbm $(WARM)
$(TESTS): %: %.o $(call obj,$(addprefix tests/util/,util.c hostile.c warm_ask.c)) | $(READERS)
	@$(CC) $(ALLLDFLAGS) $(LLD) -Wl,--wrap=_mark_point -o $@ $(filter %.o,$^) $(filter %.a,$^) -lcheck -lsubunit -lrt -lpthread $(LDLIBS)
$(B)/tests/util/program.o: $(B)/pbm/program/main.o
$(B)/tests/util/parse.o: $(B)/pbm/program/main_parse.o
$(B)/tests/util/program.o $(B)/tests/util/parse.o:
	@mkdir -p $(@D)
	@objcopy --redefine-sym main=$(basename $(@F))_main $< $@
$(WARM): $(call obj,$(addprefix tests/util/,warm.c program.c parse.c)) $(POSTGRES) $(LIBS) | $(LIBEXEC)
	@$(CC) $(ALLLDFLAGS) $(LLD) -o $@ $^ $(LDLIBS)
$(FUZZERS): %: %.o $(LIBS) | $(READERS)
	@$(CC) $(ALLLDFLAGS) $(LLD) -fsanitize=fuzzer -o $@ $^ $(LDLIBS)
$(B)/tests/bench/bench: $(call obj,$(wildcard tests/bench/bench_*.c))
$(addprefix $(B)/tests/,bench/bench bench/simulate faults/read_mail): %: %.o $(LIBS) | $(READERS)
$(B)/tests/bench/engine: %: %.o $(B)/libgames.a $(B)/libbase.a
$(addprefix $(B)/tests/,bench/bench bench/engine bench/simulate faults/read_mail):
	@$(CC) $(ALLLDFLAGS) $(LLD) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(LDLIBS)

# They choose between the two ways to look up attacks.
$(addprefix $(B)/tests/,bench/engine games/test_engine): private LDFLAGS += -Wl,--wrap=attacks_have_pext

# For LD_PRELOAD; plain, whatever the flavour: sanitizers want to come first.
$(B)/tests/faults/fault.so: tests/faults/fault.c Makefile
	@mkdir -p $(@D)
	@$(CC) -D_GNU_SOURCE -std=c2x $(WARN) $(if $(WERROR),-Werror) -O2 -fPIC -shared -o $@ $<

# Each test program, fuzz target and check is a part of its stage, run beside the others:
# build/check/STAGE/NAME.log has what it said.
PART    := tests/unit.sh
STAGE   := $(if $(filter release,$(V)),unit,$(V))
TITLE_unit := $(if $(filter rest,$(SET)),slow )unit tests
TITLE_asan := $(if $(filter quick,$(SET)),parsers,unit tests) under ASan and UBSan
# Those that take long begin first, so that none is left alone at the end.
LONG    := talks computers engine mail_limits by_mail reply_limits hostile archive bounce games deliver sending_beside store_fsck \
	lines_property store_damage solve mail_imap mail_smtp mail_hostile mail_sandbox backup vanishing fairy \
	forged perft mail_corpus store_plan
long     = $(foreach t,$(LONG),$(filter %/test_$(t),$(1)))
sorted   = $(call long,$(1)) $(filter-out $(call long,$(1)),$(1))
clear-%:
	@rm -rf build/check/$* && mkdir -p build/check/$*
.PHONY: always
always:
%.run: % always | clear-$(STAGE)
	@PBM=$(B)/bin/pbm WARM=$(WARM) SITE=build/check/$(STAGE)/site $(PART) $(STAGE) $(<F) $<
# The talks take longest, and so are three parts.
TALKS   := $(B)/tests/pbm/commands/test_talks
$(TALKS).run: $(TALKS)-1.run $(TALKS)-2.run $(TALKS)-3.run
	@:
$(TALKS)-%.run: $(TALKS) $(B)/bin/pbm $(WARM) always | clear-$(STAGE)
	@TALKS=$*/3 PBM=$(B)/bin/pbm WARM=$(WARM) SITE=build/check/$(STAGE)/site $(PART) $(STAGE) test_talks-$* $<
# Left out under the sanitizers, unless FULL=1 is set: thousands of ordinary mails and games.  The
# talks and the other tests of these rooms run the same code there.
NO_asan := $(if $(FULL),,mail_limits reply_limits archive by_mail forged computers)
# A quick check does without these programs: floods, each game and option by mail, each turned
# bit, fields and lines by lot, proofs.  The talks and the other tests of their rooms run the same
# code.  Under the sanitizers it runs those of PARSERS alone, which read strangers' bytes.
SLOW    := mail_limits fairy reply_limits hostile archive_site forged archive \
	by_mail archive_names store_damage swiss solve lines_property
PARSERS := mail_parse mail_gate mail_text mail_compose replies reply mail_authres mail_dsn mail_robot \
	mail_account mail_transport notation
named    = $(addprefix %/test_,$(1))
quick_release = $(filter-out $(call named,$(SLOW)),$(TESTS))
quick_asan    = $(filter $(call named,$(PARSERS)),$(TESTS))
# What check-all has so much of that commits take turns: each so many-th, from another one on for
# the next commit; all of them in what is called by itself, or with FULL=1.  TURN=… takes another's.
TURN    ?= $(shell git rev-list --count HEAD 2>/dev/null || echo 0)
in_turn  = $(if $(filter rest,$(if $(FULL),,$(SET))),$(shell echo $(2) | tr ' ' '\n' | awk -v t=$(TURN) 'NR % $(1) == t % $(1)'),$(2))
# SET=quick, SET=rest; ROOM=store: those of a room; T=test_seek: one program.
chosen  := $(filter-out $(call named,$(NO_$(V)) store_both),$(TESTS))
ifdef SET
chosen  := $(if $(filter quick,$(SET)),$(quick_$(V)),$(filter-out $(quick_$(V)),$(chosen)))
ifeq ($(V),asan)
chosen  := $(call in_turn,3,$(chosen))
endif
endif
ifdef ROOM
chosen  := $(filter $(B)/tests/$(ROOM)/%,$(chosen))
endif
ifdef T
chosen  := $(filter %/$(T),$(chosen))
endif
unit: $(addsuffix .run,$(call sorted,$(chosen)))
	@tests/stage.sh $(STAGE) "$(TITLE_$(STAGE))"
# One talk: make talk T=cmd-seek
talk: $(TALKS) $(B)/bin/pbm $(WARM)
	@PBM=$(B)/bin/pbm WARM=$(WARM) $< $(T).txt
# The store in a PostgreSQL server: both back-ends side by side, talks, two machines.
postgres: $(B)/tests/store/test_store_both $(TALKS) build/pbm $(WARM) | clear-postgres
	@$(PART) postgres test_store_both $<
	@PBM=$(B)/bin/pbm WARM=$(WARM) $(if $(FULL),,TALKS=$(if $(filter quick,$(SET)),1/24,$(shell expr $(TURN) % 8 + 1)/8)) $(PART) postgres test_talks tests/postgres.sh $(TALKS)
	@$(PART) postgres workers tests/postgres.sh tests/workers.py build/pbm
	@$(PART) postgres inbox tests/postgres.sh tests/inbox.py build/pbm
	@$(PART) postgres work tests/postgres.sh tests/work.py build/pbm
	@$(PART) postgres machines tests/postgres.sh tests/machines.py build/pbm
	@$(PART) postgres migrate tests/postgres.sh tests/migrate.py build/pbm
ifneq ($(SET),quick)
	@$(PART) postgres standby tests/standby.py build/pbm
	@$(PART) postgres fire tests/fire.py build/pbm
	@$(PART) postgres month tests/postgres.sh tests/month.py build/pbm
endif
	@tests/stage.sh postgres "store in PostgreSQL"
# Whole games over real mail servers.
packages:
	@tests/packages.sh check
month.e2e tournament.e2e teams.e2e: %.e2e: build/pbm | packages clear-e2e
	@$(PART) e2e $* tests/$*.py build/pbm
bucket.e2e: build/pbm | packages clear-e2e
	@$(PART) e2e bucket tests/bucket.py build/pbm
links.e2e: build/pbm | packages clear-e2e
	@$(PART) e2e links tests/mail_links.py build/pbm
games.e2e: build/pbm $(B)/tests/faults/fault.so | packages clear-e2e
	@$(PART) e2e games tests/e2e.py build/pbm
e2e: links.e2e bucket.e2e games.e2e month.e2e tournament.e2e teams.e2e
	@tests/stage.sh e2e "end to end: real mail servers, a bucket, a month of games"
# The archive in a headless Chromium; build/browser/ has pictures of it.
browser: build/pbm | packages clear-browser
	@$(PART) browser archive tests/browser.py build/pbm
	@tests/stage.sh browser "the archive in a browser"
# The rest of the check fuzzes in the same pool of jobs.
asan: | $(B)/libgames.a
	@$(MAKE) --no-print-directory V=asan unit $(if $(filter rest,$(SET)),fuzzed)
# Tests that read strangers' bytes, and the store's: valgrind sees a read of memory that was
# never written, which the sanitizers, under which most tests run, don't.
MEMCHECK := $(filter-out mail_transport,$(PARSERS)) array base text template text_html markdown sentences formula calendar \
	token pgn ahead_tree word_list opening document db store
VALGRIND := valgrind --quiet --error-exitcode=99 --leak-check=full --trace-children=no \
	--errors-for-leak-kinds=definite --suppressions=tests/valgrind.supp
%.valgrind: % $(B)/bin/pbm always | clear-valgrind
	@PBM=$(B)/bin/pbm CK_FORK=no PBM_VALGRIND=1 $(PART) valgrind $(<F) $(VALGRIND) $<
valgrind: $(addsuffix .valgrind,$(call sorted,$(call in_turn,3,$(filter $(call named,$(MEMCHECK)),$(TESTS)))))
	@tests/stage.sh valgrind "parsers and store under valgrind"
%.fuzzed: % always | clear-fuzz
	@$(PART) fuzz $(<F) tests/fuzz.sh $<
fuzzed: $(addsuffix .fuzzed,$(call in_turn,2,$(FUZZERS)))
	@tests/stage.sh fuzz "fuzzing"
fuzz: | $(B)/libgames.a
	@$(MAKE) --no-print-directory V=asan fuzzed
demo:
	@tests/packages.sh build
	@$(MAKE) --no-print-directory build/pbm
	@tests/demo.sh build/pbm demo-site
# FULL=1: every point of everything, for half an hour.
FAULTS  := points power programs bulk upgrade memory many full agree
%.faults: build/pbm $(B)/tests/faults/fault.so $(B)/tests/faults/read_mail always | clear-faults
	@$(PART) faults $* tests/faults/main.py $(filter-out always,$^) $*
soak.faults: build/pbm $(B)/tests/faults/fault.so | clear-faults
	@$(PART) faults soak tests/soak.py $^
# A year of a thousand players, for most of an hour; then ten thousand mails on four machines, which are killed,
# again and again for another hour.
soak: build/pbm $(B)/tests/faults/fault.so
	@tests/soak.py $^ 1000 365
	@for seed in $(shell seq 15); do tests/fire.py build/pbm 10000 $$seed || exit; done
faults: $(addsuffix .faults,$(FAULTS)) soak.faults
	@tests/stage.sh faults "faults at every call, full disks, power cuts"
compare: build/pbm
	@tests/golden.sh --compare build/pbm
golden: build/pbm
	@tests/golden.sh build/pbm
bench:
	@tests/packages.sh check
	@$(MAKE) --no-print-directory -s build/pbm $(B)/tests/bench/bench
	@$(B)/tests/bench/bench build/pbm
	@tests/bench/bench_shares.py build/pbm $(B)/tests/bench/bench
	@tests/bench/bench_servers.py build/pbm $(B)/tests/bench/bench
	@tests/bench/bench_lmtp.py build/pbm $(B)/tests/bench/bench
	@tests/postgres.sh tests/bench/bench_postgres.py build/pbm
	@tests/postgres.sh tests/bench/bench_workers.py build/pbm

# A club of a million games on two machines: an hour, and 40 GB.  N=1000 makes fewer games.
bench-club: $(B)/tests/bench/simulate build/pbm
	@rm -rf build/club && $< build/club $(or $(N),1000000) 50000
	@tests/bench/bench_load.py build/pbm build/club

# How fast and how strong the computer plays; takes hours.  GAMES=20 plays fewer games.
bench-engine: $(B)/tests/bench/engine $(B)/tests/bench/bench $(B)/tests/pbm/think/test_think $(B)/tests/pbm/think/test_computers $(B)/tests/util/warm build/pbm
	@$(MAKE) --no-print-directory -s V=release B=build/clang CC=clang build/clang/tests/bench/engine
	@tests/bench/engine.sh $(B)
	@for part in tick "puzzles $(GAMES)"; do tests/bench/bench_think.py build/pbm $(B)/tests/bench/bench $$part || exit 1; done

lint: format layers headers complexity cppcheck tidy
format:
	@clang-format --dry-run -Werror $(C_FILES)
layers:
	@tests/layers.sh .
	@tests/house/reach.py $(B)
headers: $(patsubst %.h,$(B)/%.hdr,$(HEADERS))
$(B)/%.hdr: %.h
	@mkdir -p $(@D)
	@echo '#include "$<"' | $(CC) $(CPPFLAGS) $(ALLCFLAGS) -Werror -fsyntax-only -x c - && touch $@
complexity:
	@command -v pmccabe >/dev/null || { echo "pmccabe is missing"; exit 1; }
	@pmccabe $(MAIN_C) $(LIB_C) | awk '$$1 > 15 || $$5 > 80 { print; bad = 1 } END { exit bad }'
	@wc -l $(MAIN_C) $(LIB_C) $(HEADERS) | awk '$$2 != "total" && $$1 > 500 { print; bad = 1 } END { exit bad }'
cppcheck:
	@cppcheck --quiet --std=c11 --enable=warning,portability,performance --inline-suppr \
	  --error-exitcode=1 --suppress=missingIncludeSystem -I. -D_GNU_SOURCE \
	  --library=tests/cppcheck.cfg $(MAIN_C) $(LIB_C)
# Of the paths through a function the analyzer follows a third of what it would.
DEPTH   := $(if $(FULL),,-Xclang -analyzer-config -Xclang max-nodes=25000)
# In turn, but for those that the last commits changed.
NEW_C    = $(if $(SET),$(filter $(LIB_C) $(MAIN_C),$(shell git diff --name-only HEAD~8 2>/dev/null)))
tidy: $(patsubst %.c,$(B)/%.tidy,$(sort $(NEW_C) $(call in_turn,4,$(LIB_C) $(MAIN_C))))
$(B)/%.tidy: %.c .clang-tidy
	@mkdir -p $(@D)
	@clang-tidy --quiet $< -- $(CPPFLAGS) -std=c2x $(DEPTH) 2>/dev/null && touch $@

# tests/check.sh runs stages; those without parts of their own are one part.
check:
	@tests/packages.sh check
	@tests/check.sh quick
check-all: check
	@tests/check.sh rest
TITLE_release := build with gcc
TITLE_demo := the demo, compared with what it should be
TITLE_mutants := planted mistakes
GOALS_release := all
GOALS_demo := compare
WHOLE   := release demo format layers headers complexity cppcheck tidy mutants
check-asan check-unit check-postgres check-valgrind check-faults check-e2e check-browser: check-%: %
$(WHOLE:%=check-%): check-%: | clear-%
	+@$(PART) $* $* $(MAKE) --no-print-directory -k $(or $(GOALS_$*),$*)
	@tests/stage.sh $* "$(or $(TITLE_$*),$*)"
check-release: $(chosen) build/pbm
check-mutants: $(TESTS) $(B)/bin/pbm $(WARM)
check-demo check-layers: build/pbm
check-fuzz: check-asan

# Counts the mistakes that the tests would find: N=20 SEED=1 SPEND=15 FILES=.  Each
# commit draws others.
mutants tests-of: $(TESTS) $(B)/bin/pbm $(WARM)
	@COMPILE="$(CC) $(CPPFLAGS) -std=c2x -O1 -fPIE" LINK="$(CC) $(ALLLDFLAGS) $(LLD)" LIBRARIES="$(LIBS)" \
	  APART="$(POSTGRES)" HELPERS="$(call obj,$(addprefix tests/util/,util.c hostile.c warm_ask.c))" SLOW="$(SLOW)" LONG="$(LONG)" \
	  TAIL="-Wl,--wrap=_mark_point -lcheck -lsubunit -lrt -lpthread $(LDLIBS)" N=$(N) SEED=$(or $(SEED),$$(git rev-parse HEAD 2>/dev/null)) \
	  SPEND=$(SPEND) FILES="$(FILES)" \
	  tests/house/$(subst -,_,$@).py

cover:
	@$(MAKE) --no-print-directory V=cover unit
	@gcovr --exclude tests build/cover 2>/dev/null || echo "gcovr shows the coverage in build/cover"
# The men of the mails, from those of the archive.  They are kept with the source, so that
# building needs neither program: apt-get install librsvg2-bin pngquant
men:
	@for f in templates/static/men/*.svg; do rsvg-convert -w 80 -h 80 $$f | \
	  pngquant --nofs --speed 1 --strip 8 - >templates/men/$$(basename $$f .svg).png || exit 1; done
	@cat templates/static/men/*.svg | sha256sum | cut -c1-64 >templates/men/.drawn-from
# The man pages are made from the program's own tables.
PROGRAM := build/pbm
MANUAL  := $(patsubst share/man/%.in,build/man/%,$(wildcard share/man/*.in))
manual: $(MANUAL)
build/man/%: share/man/%.in share/man/make.sh share/man/make.awk debian/changelog $(PROGRAM)
	@mkdir -p $(@D)
	@share/man/make.sh $< $(PROGRAM) >$@.new && mv $@.new $@
# Ready files for cron, systemd, mail and web servers; they are for /usr and say so else.
READY   := $(filter-out share/man/% share/bash-completion/% %.sh,$(shell find share -type f 2>/dev/null))
share   := $(DESTDIR)$(prefix)/share
install: $(PROGRAM) manual
	install -D -m 755 $(PROGRAM) $(DESTDIR)$(prefix)/bin/pbm
	install -D -m 755 -t $(DESTDIR)$(prefix)/libexec/pbm $(LIBEXEC)
	for page in pbm.1 pbm.conf.5 pbm-commands.7; do \
	  install -D -m 644 build/man/$$page $(share)/man/man$${page##*.}/$$page || exit 1; done
	install -D -m 644 -t $(share)/doc/pbm/docs docs/*.md
	install -D -m 644 share/bash-completion/pbm $(share)/bash-completion/completions/pbm
	for f in $(READY:share/%=%); do mkdir -p "$$(dirname "$(share)/doc/pbm/examples/$$f")" && \
	  sed 's|/usr/bin/pbm|$(prefix)/bin/pbm|g' "share/$$f" >"$(share)/doc/pbm/examples/$$f" || exit 1; done
# The source in one file, the same bytes each time; and a package for Debian made of it.
dist:
	@share/dist.sh $(VERSION) build/dist
deb:
	@tests/packages.sh deb
	@share/deb.sh $(VERSION) build/dist
# The package in fresh roots, between real mail and web servers; wants root and a quarter of an hour.
packages-check: deb
	@tests/packages.sh roots || : # what is missing then is skipped
	@tests/roots.py build/dist/pbm_$(VERSION)_*.deb
clean:
	rm -rf build demo-site
-include $(shell find $(B) -name '*.d' 2>/dev/null)
