# make             build/pbm, release flags
# make check       everything a commit must pass
# make demo        a site with two games played from real mails
# Also: unit e2e asan valgrind lint fuzz faults cover bench golden install clean
# V=release|asan|fuzz|cover chooses the flavour, CC=gcc|clang, WERROR=1 in check.
V       ?= release
B       ?= build/$(V)
ifeq ($(origin CC),default)
CC      := $(if $(filter fuzz,$(V)),clang,gcc)
endif
PKGS    := jansson sqlite3 libsodium libxml-2.0 libseccomp
# Loaded when first needed (pbm/base/late.h): for the compiler, not for the linker.
LATE    := libcurl libedit libarchive
WARN    := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes \
           -Wmissing-prototypes -Wold-style-definition -Wpointer-arith \
           -Wcast-qual -Wwrite-strings -Wformat=2 -Wundef -Wvla -Wimplicit-fallthrough
HARD    := -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fPIE
SANE    := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
CFLAGS_release := -O2 -g $(HARD)
CFLAGS_asan    := -O1 -g $(SANE)
CFLAGS_fuzz    := -O1 -g -fsanitize=fuzzer-no-link $(SANE)
CFLAGS_cover   := -O0 -g --coverage
LDFLAGS_release := -pie -Wl,-z,relro,-z,now -Wl,--as-needed
CPPFLAGS += -I. -D_GNU_SOURCE $(shell pkg-config --cflags $(PKGS) $(LATE) 2>/dev/null)
ALLCFLAGS = -std=c17 $(WARN) $(if $(WERROR),-Werror) $(CFLAGS_$(V)) $(CFLAGS)
ALLLDFLAGS = $(CFLAGS_$(V)) $(LDFLAGS_$(V)) $(LDFLAGS)
LDLIBS  += $(shell pkg-config --libs $(PKGS) 2>/dev/null) -letpan -lmd4c -lm
prefix  ?= /usr/local

LIB_C   := $(filter-out pbm/main.c,$(wildcard pbm/*.c pbm/base/*.c games/*.c games/*/*.c mail/*.c store/*.c))
HEADERS := $(wildcard pbm/*.h pbm/base/*.h games/*.h games/*/*.h mail/*.h store/*.h)
TEST_C  := $(wildcard tests/test_*.c)
FUZZ_C  := $(wildcard tests/fuzz_*.c)
TESTS   := $(patsubst %.c,$(B)/%,$(TEST_C))
FUZZERS := $(patsubst %.c,$(B)/%,$(FUZZ_C))
TEMPLATES := $(shell find templates -type f ! -name '.*' 2>/dev/null | LC_ALL=C sort)
obj      = $(patsubst %.c,$(B)/%.o,$(1))

.PHONY: all unit e2e asan valgrind check demo lint layers headers complexity tidy cppcheck \
        fuzz fuzzers faults cover bench golden install clean
.SECONDARY:
all: build/pbm
build/pbm: $(B)/bin/pbm
	@cp -f $< $@
$(B)/bin/pbm: $(call obj,pbm/main.c) $(B)/libpbm.a
	@mkdir -p $(@D)
	@echo "  LD $@"
	@$(CC) $(ALLLDFLAGS) -o $@ $^ $(LDLIBS)
$(B)/libpbm.a: $(call obj,$(LIB_C)) $(B)/embedded.o
	@rm -f $@
	@ar rcs $@ $^
$(B)/%.o: %.c Makefile
	@mkdir -p $(@D)
	@echo "  CC $<"
	@$(CC) $(CPPFLAGS) $(ALLCFLAGS) -MMD -MP -c -o $@ $<

# The files of templates/ become part of the program.
$(B)/embedded.S: $(TEMPLATES) Makefile
	@mkdir -p $(@D)
	@{ echo '.section .rodata'; i=0; for f in $(TEMPLATES); do \
	  echo "n$$i: .asciz \"$${f#templates/}\""; \
	  echo "d$$i: .incbin \"$$f\""; echo "e$$i: .byte 0"; i=$$((i+1)); done; \
	  echo '.section .data.rel.ro,"aw"'; echo '.balign 8'; \
	  echo '.globl embedded_files'; echo 'embedded_files:'; \
	  i=0; for f in $(TEMPLATES); do echo ".quad n$$i, d$$i, e$$i-d$$i"; i=$$((i+1)); done; \
	  echo '.quad 0, 0, 0'; echo '.section .note.GNU-stack,"",@progbits'; } > $@
$(B)/embedded.o: $(B)/embedded.S
	@$(CC) -c -o $@ $<

$(B)/tests/test_%: $(B)/tests/test_%.o $(call obj,$(wildcard tests/util.c tests/hostile.c)) $(B)/libpbm.a
	@$(CC) $(ALLLDFLAGS) -o $@ $^ -lcheck -lsubunit -lrt -lpthread $(LDLIBS)
$(B)/tests/fuzz_%: $(B)/tests/fuzz_%.o $(B)/libpbm.a
	@$(CC) $(ALLLDFLAGS) -fsanitize=fuzzer -o $@ $^ $(LDLIBS)
$(B)/tests/bench: $(call obj,$(wildcard tests/bench_*.c))
$(addprefix $(B)/tests/,bench simulate read_mail): $(B)/tests/%: $(B)/tests/%.o $(B)/libpbm.a
	@$(CC) $(ALLLDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(LDLIBS)

# For LD_PRELOAD; plain, whatever the flavour: sanitizers want to come first.
$(B)/tests/fault.so: tests/fault.c Makefile
	@mkdir -p $(@D)
	@$(CC) -D_GNU_SOURCE -std=c17 $(WARN) $(if $(WERROR),-Werror) -O2 -fPIC -shared -o $@ $<

unit: $(TESTS) $(B)/bin/pbm
	@PBM=$(B)/bin/pbm tests/run.sh $(TESTS)
# Whole games over real mail servers.
e2e: build/pbm
	@tests/packages.sh check
	@tests/e2e.py build/pbm
asan:
	@$(MAKE) --no-print-directory V=asan unit
# Left out: what runs other programs or keeps its children on a short line, and
# what counts millions of nodes.
SLOW := $(addprefix $(B)/tests/test_,perft games fairy talks by_mail bounce position mail_corpus mail_sandbox hostile deliver house vanishing store_plan store_crash solve \
	outbox sending_beside mail_smtp mail_sendmail mail_exim archive backup store_upgrade forged mail_imap attempt)
valgrind: $(TESTS)
	@tests/run.sh --valgrind $(filter-out $(SLOW),$(TESTS))
fuzzers: $(FUZZERS)
fuzz:
	@$(MAKE) --no-print-directory V=fuzz fuzzers
	@tests/fuzz.sh build/fuzz/tests
check:
	@tests/packages.sh check
	@tests/check.sh
demo:
	@tests/packages.sh build
	@$(MAKE) --no-print-directory -j$$(nproc) build/pbm
	@tests/demo.sh build/pbm demo-site
# FULL=1: every point of everything, for half an hour.
faults: build/pbm $(B)/tests/fault.so $(B)/tests/read_mail
	@tests/faults/main.py $^
golden: build/pbm
	@tests/golden.sh build/pbm
bench:
	@tests/packages.sh check
	@$(MAKE) --no-print-directory -s build/pbm $(B)/tests/bench
	@$(B)/tests/bench build/pbm
	@tests/bench_shares.py build/pbm $(B)/tests/bench
	@tests/bench_servers.py build/pbm $(B)/tests/bench
	@tests/bench_lmtp.py build/pbm $(B)/tests/bench

lint: layers headers complexity cppcheck tidy
layers:
	@tests/layers.sh .
headers: $(patsubst %.h,$(B)/%.hdr,$(HEADERS))
$(B)/%.hdr: %.h
	@mkdir -p $(@D)
	@$(CC) $(CPPFLAGS) $(ALLCFLAGS) -Werror -fsyntax-only -x c $< && touch $@
complexity:
	@pmccabe pbm/main.c $(LIB_C) | awk '$$1 > 15 || $$5 > 80 { print; bad = 1 } END { exit bad }'
	@wc -l pbm/main.c $(LIB_C) $(HEADERS) | awk '$$2 != "total" && $$1 > 500 { print; bad = 1 } END { exit bad }'
cppcheck:
	@cppcheck --quiet --std=c11 --enable=warning,portability,performance --inline-suppr \
	  --error-exitcode=1 --suppress=missingIncludeSystem -I. -D_GNU_SOURCE -j2 \
	  '-Djson_array_foreach(a,i,v)=for(i=0;(v=json_array_get(a,i));i++)' \
	  '-Djson_object_foreach(o,k,v)=for(k=0;(v=json_object_get(o,k));)' pbm/main.c $(LIB_C)
tidy: $(patsubst %.c,$(B)/%.tidy,$(LIB_C) pbm/main.c)
$(B)/%.tidy: %.c .clang-tidy
	@mkdir -p $(@D)
	@clang-tidy --quiet $< -- $(CPPFLAGS) -std=c17 2>/dev/null && touch $@

cover:
	@$(MAKE) --no-print-directory V=cover unit
	@gcovr --exclude tests build/cover 2>/dev/null || echo "gcovr shows the coverage in build/cover"
install: build/pbm
	install -D -m 755 build/pbm $(DESTDIR)$(prefix)/bin/pbm
	install -D -m 644 pbm/pbm.1 $(DESTDIR)$(prefix)/share/man/man1/pbm.1
clean:
	rm -rf build demo-site
-include $(shell find $(B) -name '*.d' 2>/dev/null)
