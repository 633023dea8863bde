# make                   build/pbm, release flags
# make check             everything a commit must pass
# make demo              a site with two games played from real mails
# Others: asan lint layers headers complexity fuzz bench install clean
# V=release|asan|cover chooses the flavour; CC=gcc or clang; WERROR=1 in CI.
V       ?= release
B       := build/$(V)
CC      := $(if $(filter default,$(origin CC)),gcc,$(CC))
PKGS    := jansson sqlite3 libsodium libxml-2.0 libcurl libedit
WARN    := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes \
           -Wmissing-prototypes -Wold-style-definition -Wpointer-arith \
           -Wcast-qual -Wwrite-strings -Wformat=2 -Wundef -Wvla -Wimplicit-fallthrough
HARD    := -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fPIE
CFLAGS_release := -O2 -g $(HARD)
CFLAGS_asan    := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
CFLAGS_cover   := -O0 -g --coverage
LDFLAGS_release := -pie -Wl,-z,relro,-z,now -Wl,--as-needed
CPPFLAGS += -I. -D_GNU_SOURCE $(shell pkg-config --cflags $(PKGS) 2>/dev/null)
ALLCFLAGS = -std=c17 $(WARN) $(if $(WERROR),-Werror) $(CFLAGS_$(V)) $(CFLAGS)
ALLLDFLAGS = $(CFLAGS_$(V)) $(LDFLAGS_$(V)) $(LDFLAGS)
LDLIBS  += $(shell pkg-config --libs $(PKGS) 2>/dev/null) -letpan -lm

LIB_C   := $(filter-out pbm/main.c,$(wildcard pbm/*.c pbm/base/*.c games/*.c mail/*.c store/*.c))
HEADERS := $(wildcard pbm/*.h pbm/base/*.h games/*.h mail/*.h store/*.h)
TEST_C  := $(wildcard tests/test_*.c)
TESTS   := $(patsubst %.c,$(B)/%,$(TEST_C))
TEMPLATES := $(shell find templates -type f ! -name '.*' ! -name '*.md.in' 2>/dev/null | LC_ALL=C sort)
obj      = $(patsubst %.c,$(B)/%.o,$(1))

.PHONY: all unit layers headers clean
.SECONDARY:
all: build/pbm
build/pbm: $(B)/bin/pbm
	@cp -f $< $@
$(B)/bin/pbm: $(call obj,pbm/main.c) $(B)/libpbm.a
	@mkdir -p $(@D)
	$(CC) $(ALLLDFLAGS) -o $@ $^ $(LDLIBS)
$(B)/libpbm.a: $(call obj,$(LIB_C)) $(B)/embedded.o
	@rm -f $@
	ar rcs $@ $^
$(B)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(ALLCFLAGS) -MMD -MP -c -o $@ $<

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
	$(CC) -c -o $@ $<

$(B)/tests/%: $(B)/tests/%.o $(B)/libpbm.a
	$(CC) $(ALLLDFLAGS) -o $@ $^ -lcheck -lsubunit -lrt -lpthread $(LDLIBS)
unit: $(TESTS)
	@set -e; for t in $^; do $$t; done

headers: $(patsubst %.h,$(B)/%.hdr,$(HEADERS))
$(B)/%.hdr: %.h
	@mkdir -p $(@D)
	@$(CC) $(CPPFLAGS) $(ALLCFLAGS) -Werror -fsyntax-only -x c $< && touch $@

clean:
	rm -rf build demo-site
-include $(shell find build -name '*.d' 2>/dev/null)
