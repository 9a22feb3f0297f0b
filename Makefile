# Vivace: one Makefile for everything, not recursive. `make help` lists what it can do.
#
#   make                    the four programs and the dashboard, in build/
#   make check              every test, then lint        make check-quick   some of them, in three minutes
#   make deps [WITH=check]  installs Debian packages (the only place that lists them); WITH=tests: what tests need to build

SANITIZE ?=
Q        := $(if $(V),,@)# make V=1 shows the commands
BUILD    ?= build$(if $(SANITIZE),-$(subst $(comma),-,$(SANITIZE)))
comma    := ,
PREFIX   ?= /usr/local
ifeq ($(origin CC),default)
CC       := gcc
endif
OPT      ?= $(if $(SANITIZE),-O1,-O2)
WERROR   ?= -Werror
CFLAGS   ?= $(OPT) $(if $(SANITIZE),-g1,-g)
SANFLAGS := $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer -fno-sanitize-recover=all)
CSTD     := -std=c11 -ffp-contract=off -D_GNU_SOURCE -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla $(WERROR)

# What each part may link; who may include whom is checked by tests/house/includes.sh.
PKGS     := libmicrohttpd jansson libpq libuv libzstd liblzma zlib sqlite3 libcurl libcrypto libsodium yajl
PKG_CONFIG ?= pkg-config
# These run where nothing is installed yet.
ifneq ($(filter-out deps help clean check check-quick check-house lint-format repeat-table,$(or $(MAKECMDGOALS),all)),)
ifneq ($(shell $(PKG_CONFIG) --exists $(PKGS) && echo yes),yes)
$(error Some libraries are missing: run 'make deps' first ($(PKG_CONFIG) --exists $(PKGS) says no))
endif
CPPFLAGS_ALL := -I. -I$(BUILD)/gen $(shell $(PKG_CONFIG) --cflags $(PKGS)) $(CPPFLAGS)
LIBS_base    := $(shell $(PKG_CONFIG) --libs libcrypto libzstd liblzma zlib) -lbz2 -liberty -lm -lpthread
LIBS_ingest  := $(shell $(PKG_CONFIG) --libs sqlite3 jansson yajl)
LIBS_simcore := $(shell $(PKG_CONFIG) --libs jansson)
LIBS_wire    := $(shell $(PKG_CONFIG) --libs jansson)
LIBS_server  := $(shell $(PKG_CONFIG) --libs libmicrohttpd libpq libuv libsodium libcurl jansson)
LIBS_worker  := $(shell $(PKG_CONFIG) --libs libuv libcurl jansson)
LIBS_cli     := $(shell $(PKG_CONFIG) --libs libcurl jansson)
endif

# --- sources: a folder is a library; a file named in MAINS is a program's ---
MAINS        := cli/vivace.c server/main/vivace_server.c worker/vivace_worker.c simcore/app/vivace_sim.c
src           = $(filter-out $(MAINS),$(wildcard $(addsuffix /*.c,$(1))))
SRC_base     := $(call src,base)
# Layers from low to high, as those of the server below: each includes only headers of the layers before it (tests/house/cycles).
SAMPLING_FOLDERS := $(addprefix sampling/,math profile plan allocate estimate checks cluster strata methods parts sequential time)
SRC_sampling := $(call src,$(SAMPLING_FOLDERS))
SRC_trace    := $(call src,simcore/trace)
SRC_record   := $(call src,simcore/record)
SRC_ingest   := $(call src,ingest)
SRC_simcore  := $(call src,simcore simcore/engine simcore/sm simcore/sm/cta simcore/mem simcore/mem/path_analytic simcore/mem/path_event simcore/mem/mshr simcore/mem/dram simcore/mem/hash simcore/mem/noc simcore/observe simcore/footprint simcore/system) $(BUILD)/gen/designs.c \
	$(BUILD)/gen/systems.c
SRC_validation := $(call src,simcore/validation) $(BUILD)/gen/validation.c
# Handlers of PTX forms are compiled once for each kind of CPU; forms_cpu.c picks at run time. They are large: instrumented
# builds have the plain kind only, hardly optimised.
FORM_SRC     := $(filter-out %_cpu.c %_name.c,$(wildcard ptx/forms/forms_*.c))
FORM_KINDS   := plain $(if $(SANITIZE),,$(if $(filter x86_64,$(shell uname -m)),avx2 avx512))
FORM_OBJS     = $(foreach k,$(FORM_KINDS),$(FORM_SRC:%.c=$(BUILD)/obj/%.$(k).o))
# With lines but without variables in debug information, which would take a third of their compile time.
FORM_FLAGS   := $(if $(SANITIZE),-O0,-O3) -fno-trapping-math -fno-math-errno $(if $(filter -g,$(CFLAGS)),-g1)
FORM_FLAGS_avx2   := -mavx2 -mfma -mf16c
FORM_FLAGS_avx512 := $(FORM_FLAGS_avx2) -mavx512f -mavx512bw -mavx512dq -mavx512vl
$(BUILD)/obj/ptx/forms/forms_cpu.o: CPPFLAGS_ALL += $(if $(filter avx2,$(FORM_KINDS)),-DPTX_CPU_KINDS)
PTX_FOLDERS  := $(addprefix ptx/,parse code forms decode memory program warp ops exec lower checkpoint trace list capture tools)
SRC_ptx      := $(filter-out $(FORM_SRC),$(call src,$(PTX_FOLDERS)))
SRC_sass     := $(call src,sass)
SRC_machine  := $(call src,sass/exec)
SRC_app      := $(call src,simcore/app)
SRC_runtime  := $(filter-out ptx/runtime/versions.c,$(call src,ptx/runtime)) # versions.c: only in the library
SRC_driver   := $(call src,ptx/driver)
SRC_wire     := $(call src,wire) $(BUILD)/gen/model_error.c
# The folder of the .sql files, and of what is made from them: the same place in gen/.
SQL_FOLDER   := server/store/repo/sql
SQL_MADE     := $(BUILD)/gen/$(SQL_FOLDER)
# Layers from low to high: each includes only headers of the layers before it (tests/house/cycles).
SERVER_FOLDERS := $(addprefix server/,platform platform/net store/db store/event store/repo store/threads store/cluster store/blob \
	$(addprefix domain/,access share import queue plan tasks project run operate) api/http api/handlers main)
SRC_server   := $(call src,$(SERVER_FOLDERS)) $(BUILD)/gen/schema.c $(BUILD)/gen/openapi.c $(BUILD)/gen/api/routes.c \
	$(SQL_MADE)/statements.c
SRC_worker   := $(call src,worker)
CLI_FOLDERS  := $(addprefix cli/,output input client run push farm simulate validate plan trace code design) cli
SRC_cli      := $(call src,$(CLI_FOLDERS))
PARTS        := base sampling trace record ingest simcore validation sass machine ptx runtime driver app wire server worker cli
obj           = $(patsubst $(BUILD)/gen/%.c,$(BUILD)/obj/gen/%.o,$(patsubst %.c,$(BUILD)/obj/%.o,$(filter-out $(BUILD)/gen/%,$(1))) $(filter $(BUILD)/gen/%,$(1)))
lib           = $(BUILD)/lib$(1).a
libs          = $(foreach p,$(1),$(call lib,$(p)))

PROGRAMS := $(BUILD)/vivace $(BUILD)/vivace-server $(BUILD)/vivace-worker $(BUILD)/vivace-sim
# A linker exports the names of a program that some shared library refers to, and the library then calls ours: libkrb5, which
# libpq loads, has a profile_init too. An instrumented program exports what its runtime replaces, so there our names are hidden
# by the compiler instead. tests/house/exports.sh looks at the result.
ifeq ($(SANITIZE),)
EXPORTS  := -Wl,--version-script=base/programs.map
else
CSTD     += -fvisibility=hidden -DASSERT_HOT_ON
endif
# Not instrumented: the programs that load it are not, and some instrumented objects are not position-independent.
CUDART_LINKS := $(BUILD)/libcudart.so.12 $(BUILD)/libcudart.so.11.0
CUDART   := $(if $(SANITIZE),,$(BUILD)/libcudart.so.13 $(CUDART_LINKS) $(BUILD)/libcuda.so.1)

.PHONY: all help deps demo check check-house check-unit check-sanitize check-valgrind check-api check-slurm check-s3 check-web lint lint-format \
	lint-cppcheck lint-tidy format bench bench-queue chaos facts validate validate-ptx validate-levels validation-ptx fuzz fuzz-programs install clean web examples programs tests docs man
.DELETE_ON_ERROR:
.SECONDARY:

all: programs web examples

help:
	@sed -n '2,7p' Makefile | sed 's/^# \{0,1\}//'

programs: $(PROGRAMS) $(CUDART)

$(foreach p,$(PARTS),$(eval $(call lib,$(p)): $$(call obj,$$(SRC_$(p)))))
$(call lib,ptx): $(FORM_OBJS)
$(BUILD)/lib%.a:
	@mkdir -p $(@D)
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

$(BUILD)/vivace: $(BUILD)/obj/cli/vivace.o $(call libs,cli ingest wire sampling machine ptx sass validation simcore record trace base)
	$(if $(Q),@echo "  link  $@")
	$(Q)$(CC) $(SANFLAGS) $(LDFLAGS) $(EXPORTS) -o $@ $^ $(LIBS_cli) $(LIBS_ingest) $(LIBS_base)
$(BUILD)/vivace-server: $(BUILD)/obj/server/main/vivace_server.o $(call libs,server ingest wire sampling record trace base)
	$(if $(Q),@echo "  link  $@")
	$(Q)$(CC) $(SANFLAGS) $(LDFLAGS) $(EXPORTS) -o $@ $^ $(LIBS_server) $(LIBS_ingest) $(LIBS_base)
# The server of a next release, for tests of upgrades: the same with one more schema file.
NEXT_SERVER := $(BUILD)/tests/next/vivace-server
$(BUILD)/gen/next_schema.c: base/embed.sh $(wildcard schema/*.sql) tests/api/chaos/9000_next_release.sql
	@mkdir -p $(@D)
	$(Q)sh base/embed.sh embedded_schema $(filter %.sql,$^) >$@
$(NEXT_SERVER): $(BUILD)/obj/gen/next_schema.o $(BUILD)/obj/server/main/vivace_server.o $(call libs,server ingest wire sampling record trace base)
	@mkdir -p $(@D)
	$(if $(Q),@echo "  link  $@")
	$(Q)$(CC) $(SANFLAGS) $(LDFLAGS) $(EXPORTS) -o $@ $^ $(LIBS_server) $(LIBS_ingest) $(LIBS_base)
$(BUILD)/vivace-worker: $(BUILD)/obj/worker/vivace_worker.o $(call libs,worker wire sampling base)
	$(if $(Q),@echo "  link  $@")
	$(Q)$(CC) $(SANFLAGS) $(LDFLAGS) $(EXPORTS) -o $@ $^ $(LIBS_worker) $(LIBS_base)
$(BUILD)/vivace-sim: $(BUILD)/obj/simcore/app/vivace_sim.o $(call libs,app ptx simcore record trace base)
	$(if $(Q),@echo "  link  $@")
	$(Q)$(CC) $(SANFLAGS) $(LDFLAGS) $(EXPORTS) -o $@ $^ $(LIBS_simcore) $(LIBS_base)

# The CUDA runtime that `vivace exec` puts before NVIDIA's (ptx/runtime). The compiler makes position-independent code
# unless given; where it does not, give CFLAGS="-O2 -g -fPIC". Only the names of the interface are to be seen.
OBJ_runtime  := $(SRC_runtime:%.c=$(BUILD)/obj/%.o)
OBJ_versions := $(BUILD)/obj/ptx/runtime/versions.o $(BUILD)/obj/ptx/runtime/version_names.o
$(OBJ_runtime) $(OBJ_versions) $(patsubst %.c,$(BUILD)/obj/%.o,$(SRC_driver) simcore/app/runtime_gpu.c): CFLAGS += -fPIC
$(BUILD)/libcudart.so.13: $(OBJ_runtime) $(OBJ_versions) $(call libs,app ptx sass simcore record trace base) ptx/runtime/exports.map
	$(if $(Q),@echo "  link  $@")
	$(Q)$(CC) -shared -Wl,-z,defs $(LDFLAGS) -Wl,-soname,libcudart.so.13 -Wl,--version-script=ptx/runtime/exports.map \
		-o $@ $(filter %.o %.a,$^) $(LIBS_simcore) $(LIBS_base)
$(CUDART_LINKS): $(BUILD)/libcudart.so.13
	$(Q)ln -sfn libcudart.so.13 $@
# Each name under the versions of CUDA 11 and 12: all that the objects define, except what versions.c defines.
$(BUILD)/gen/runtime_names.h: $(OBJ_runtime) ptx/runtime/versions.c
	@mkdir -p $(@D)
	$(Q)nm -g --defined-only $(OBJ_runtime) | awk '$$3 ~ /^(__)?cuda/ { print $$3 }' | sort -u > $@.all
	$(Q)grep -o 'OFFER[A-Z_]*([a-z_0-9]*, cuda[A-Za-z_]*' ptx/runtime/versions.c | sed 's/.*, //' | sort -u > $@.own
	$(Q)grep -vxFf $@.own $@.all | sed 's/.*/NAME(&)/' > $@ && rm $@.all $@.own
$(BUILD)/obj/ptx/runtime/version_names.o: ptx/runtime/versions.S $(BUILD)/gen/runtime_names.h
	$(if $(Q),@echo "  as    $<")
	$(Q)$(CC) -I$(BUILD)/gen -c -o $@ $<

# The driver's interface is another name for the runtime's, which it needs beside itself.
$(BUILD)/libcuda.so.1: $(SRC_driver:%.c=$(BUILD)/obj/%.o) $(BUILD)/libcudart.so.13 ptx/driver/exports.map
	$(if $(Q),@echo "  link  $@")
	$(Q)$(CC) -shared -Wl,-z,defs $(LDFLAGS) -Wl,-soname,libcuda.so.1 -Wl,-rpath,'$$ORIGIN' \
		-Wl,--version-script=ptx/driver/exports.map -o $@ $(filter %.o %.13,$^)

$(BUILD)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(if $(Q),@echo "  cc    $<")
	$(Q)$(CC) $(CSTD) $(CFLAGS) $(SANFLAGS) $(CPPFLAGS_ALL) -MMD -MP -c -o $@ $<
define form_rule
$(BUILD)/obj/%.$(1).o: %.c
	@mkdir -p $$(@D)
	$$(if $$(Q),@echo "  cc    $$< ($(1))")
	$$(Q)$$(CC) $$(CSTD) $$(CFLAGS) $$(FORM_FLAGS) $$(FORM_FLAGS_$(1)) -DPTX_CPU=$(1) $$(SANFLAGS) $$(CPPFLAGS_ALL) -MMD -MP -c -o $$@ $$<
endef
$(foreach k,$(FORM_KINDS),$(eval $(call form_rule,$(k))))
$(FORM_KINDS:%=$(BUILD)/obj/ptx/forms/forms_round.%.o): FORM_FLAGS += -frounding-math
$(BUILD)/obj/gen/%.o: $(BUILD)/gen/%.c
	@mkdir -p $(@D)
	$(if $(Q),@echo "  cc    $<")
	$(Q)$(CC) $(CSTD) $(CFLAGS) $(SANFLAGS) $(CPPFLAGS_ALL) -MMD -MP -c -o $@ $<

# Files that travel inside the programs (base/embed.h).
$(BUILD)/gen/designs.c: base/embed.sh $(wildcard simcore/designs/*.json)
	@mkdir -p $(@D)
	$(Q)sh base/embed.sh embedded_designs $(filter %.json,$^) >$@
$(BUILD)/gen/systems.c: base/embed.sh $(wildcard simcore/designs/systems/*.json)
	@mkdir -p $(@D)
	$(Q)sh base/embed.sh embedded_systems $(filter %.json,$^) >$@
$(BUILD)/gen/model_error.c: base/embed.sh simcore/designs/model_error.csv
	@mkdir -p $(@D)
	$(Q)sh base/embed.sh embedded_model_error $(filter %.csv,$^) >$@
$(BUILD)/gen/validation.c: base/embed.sh $(wildcard simcore/validation/*.csv)
	@mkdir -p $(@D)
	$(Q)sh base/embed.sh embedded_validation $(filter %.csv,$^) >$@
$(BUILD)/gen/schema.c: base/embed.sh $(wildcard schema/*.sql)
	@mkdir -p $(@D)
	$(Q)sh base/embed.sh embedded_schema $(filter %.sql,$^) >$@
$(BUILD)/gen/openapi.c: base/embed.sh $(BUILD)/gen/api/openapi.json
	@mkdir -p $(@D)
	$(Q)sh base/embed.sh embedded_openapi $(filter %.json,$^) >$@

# Files generated from the description of the API (api/README.md). The generator does not write a file whose text is the same.
API_MADE := $(addprefix $(BUILD)/gen/api/,openapi.json routes.c handlers.h types.d.ts client.js client.d.ts routes.md)
$(BUILD)/gen/api/.made: $(wildcard api/*.json api/*.mjs)
	@command -v $(NODE) >/dev/null || { echo "api: node is missing: run 'make deps'" >&2; exit 1; }
	$(Q)$(NODE) api/generate.mjs $(@D)
	@touch $@
$(API_MADE): $(BUILD)/gen/api/.made ;
$(call obj,$(SRC_server)): | $(BUILD)/gen/api/handlers.h
$(call obj,$(SRC_server)) $(addprefix $(BUILD)/obj/,server/main/vivace_server.o tests/scenario/fixture.o bench/queue_raw.o): | $(SQL_MADE)/statements.h
# The statements of the .sql files as C. The generator leaves a file alone whose text stays the same.
$(SQL_MADE)/.made: $(wildcard $(SQL_FOLDER)/*.sql) $(SQL_FOLDER)/generate.mjs
	@command -v $(NODE) >/dev/null || { echo "sql: node is missing: run 'make deps'" >&2; exit 1; }
	$(Q)$(NODE) $(SQL_FOLDER)/generate.mjs $(@D) $(SQL_FOLDER)
	@touch $@
$(SQL_MADE)/statements.c $(SQL_MADE)/statements.h: $(SQL_MADE)/.made ;

# --- tests: every tests/unit/<part>/test_*.c is a program; tests/run runs and counts them ---
TEST_SRC := $(wildcard tests/unit/*/test_*.c tests/unit/*/*/test_*.c)
# Tests with whole simulations or many draws. They run without sanitizers: shorter tests run the same code with them.
LONG_TESTS := cli/test_cache_check cli/test_metric_intervals sampling/test_assurance sampling/test_bars sampling/test_populations \
	simcore/test_inside_coverage
# More that take seconds, left out of `make check-quick` as well.
SLOW_TESTS := ptx/forms/test_forms sampling/test_degenerate sampling/test_methods $(addprefix simcore/test_,checkpoint design determinism event projection_inside traces warm)
TESTS    := $(filter-out $(patsubst %,$(BUILD)/tests/unit/%,$(if $(SANITIZE)$(QUICK),$(LONG_TESTS)) $(if $(QUICK),$(SLOW_TESTS))),$(patsubst tests/%.c,$(BUILD)/tests/%,$(TEST_SRC)))
TEST_LIBS = $(call libs,cli server worker ingest wire sampling simcore record trace base)
LIBS_test = -lcmocka $(LIBS_server) $(LIBS_worker) $(LIBS_cli) $(LIBS_ingest) $(LIBS_base)
# What tests compute is in the libraries. Their own code takes half of the time to compile with these.
$(BUILD)/obj/tests/unit/%.o: CFLAGS += $(if $(SANITIZE),-O0,-O1 -g1)
# Hundreds of programs are linked; gold takes half of the time, or less, of the default linker.
LINK_test := $(if $(shell command -v ld.gold),-fuse-ld=gold)
tests: $(TESTS)
$(BUILD)/tests/unit/base/%: TEST_LIBS = $(call libs,base)
$(BUILD)/tests/unit/sampling/%: TEST_LIBS = $(call libs,sampling base)
# What benches and tests of sampling share: recorded profiles, and plans drawn again and again.
HARNESS := $(addprefix $(BUILD)/obj/tests/harness/,datasets.o kept.o redraw.o runs.o runs_fixed.o schedules.o simulated.o)
$(addprefix $(BUILD)/tests/unit/sampling/test_,assurance bars makespan populations): TEST_LIBS = $(HARNESS) $(call libs,ingest wire sampling trace base)
$(BUILD)/tests/unit/trace/%: TEST_LIBS = $(call libs,trace base)
$(BUILD)/tests/unit/simcore/%: TEST_LIBS = $(BUILD)/obj/tests/harness/varied.o $(call libs,simcore record trace base)
$(BUILD)/tests/unit/simcore/test_inside_coverage: TEST_LIBS = $(BUILD)/obj/tests/harness/varied.o $(call libs,simcore record sampling trace base)
$(BUILD)/tests/unit/simcore/test_facts $(BUILD)/tests/unit/simcore/test_system: TEST_LIBS = $(call libs,validation simcore record trace base)
$(BUILD)/tests/unit/sass/%: TEST_LIBS = $(call libs,sass base)
$(BUILD)/tests/unit/sass/exec/%: TEST_LIBS = $(call libs,machine ptx sass trace base)
$(BUILD)/tests/unit/ptx/%: TEST_LIBS = $(call libs,ptx trace base)
$(BUILD)/tests/unit/ptx/trace/test_copies_timed: TEST_LIBS = $(call libs,ptx simcore record trace base)
$(BUILD)/tests/unit/ptx/lower/test_ptxas: TEST_LIBS = $(LOWERING_OBJS) $(call libs,ptx sass trace base)
$(BUILD)/tests/unit/ptx/runtime/% $(BUILD)/tests/unit/ptx/driver/%: TEST_LIBS = $(call libs,driver runtime app ptx sass simcore record trace base)
$(BUILD)/tests/unit/simcore/test_vivace_sim: | $(BUILD)/vivace-sim
$(BUILD)/tests/unit/ptx/runtime/test_compiled $(BUILD)/tests/unit/ptx/runtime/test_versions: | $(BUILD)/vivace $(CUDART)
$(BUILD)/tests/unit/cli/test_plan_trace: | $(BUILD)/vivace
$(BUILD)/tests/unit/ingest/%: TEST_LIBS = $(call libs,ingest sampling trace base)
$(BUILD)/tests/unit/wire/%: TEST_LIBS = $(call libs,wire sampling base)
$(BUILD)/tests/unit/server/%: TEST_LIBS = $(call libs,server ingest wire sampling record trace base)
$(BUILD)/tests/unit/worker/%: TEST_LIBS = $(call libs,worker wire sampling base)
$(BUILD)/tests/unit/cli/%: TEST_LIBS = $(call libs,cli ingest wire sampling machine ptx sass validation simcore record trace base)
$(BUILD)/tests/unit/cli/test_metric_intervals: TEST_LIBS = $(HARNESS) $(call libs,ingest wire sampling trace base)
$(BUILD)/tests/unit/cli/test_metric_intervals: | $(BUILD)/vivace
.SECONDEXPANSION:
$(BUILD)/tests/%: $(BUILD)/obj/tests/%.o $$(TEST_LIBS)
	@mkdir -p $(@D)
	$(if $(Q),@echo "  link  $@")
	$(Q)$(CC) $(SANFLAGS) $(LDFLAGS) $(EXPORTS) $(LINK_test) -o $@ $^ $(LIBS_test)

# --- the farm driven by a seed, in one thread (tests/scenario): what the server's objects ask of the system is answered by
# the scenario, so they are linked with --wrap, and without libmicrohttpd ---
SCENARIO_WRAPS := pthread_create pthread_join pthread_mutex_lock pthread_cond_wait pthread_cond_timedwait \
	pthread_cond_signal pthread_cond_broadcast nanosleep clock_gettime poll getrandom randombytes_buf child_run \
	PQconnectdbParams PQfinish PQprepare PQexec PQexecParams PQexecPrepared
SCENARIO_OBJS  := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard tests/scenario/*.c))
$(BUILD)/tests/scenario/scenario: $(SCENARIO_OBJS) $(call libs,server ingest wire sampling record trace base)
	@mkdir -p $(@D)
	$(if $(Q),@echo "  link  $@")
	$(Q)$(CC) $(SANFLAGS) $(LDFLAGS) $(EXPORTS) $(SCENARIO_WRAPS:%=-Wl,--wrap=%) -o $@ $^ \
		$(filter-out -lmicrohttpd,$(LIBS_server)) $(LIBS_ingest) $(LIBS_base)

# Fixed seeds in `make check`; `make scenarios N=5000 FROM=1` for many, `scenario --seed N --trace` for one.
.PHONY: check-scenarios scenarios
N    ?= 1000
FROM ?= 1
check-scenarios: $(BUILD)/tests/scenario/scenario $(BUILD)/vivace-sim
	@VIVACE_BUILD=$(BUILD) $< --from 1 --count 40 --quiet
scenarios: $(BUILD)/tests/scenario/scenario $(BUILD)/vivace-sim
	@VIVACE_BUILD=$(BUILD) $< --from $(FROM) --count $(N) --quiet

# --- the examples' PTX, launch lists and expected results: committed, so that a build needs neither clang nor these rules ---
EXAMPLE_CU := $(wildcard examples/*/*.cu)
.PHONY: examples-ptx examples-results
examples-ptx:
	@for f in $(EXAMPLE_CU:.cu=); do clang --target=x86_64-linux-gnu -x cuda -nocudainc -nocudalib --cuda-gpu-arch=sm_75 \
		--cuda-device-only -Wno-unknown-cuda-version -Xclang -target-feature -Xclang +ptx70 -O3 -S -o $$f.ptx $$f.cu || exit 1; done
examples-results: $(patsubst %.c,$(BUILD)/%,$(wildcard examples/*/make_launches.c examples/*/reference.c))
	@for f in $(filter %/reference,$^); do (cd $$(dirname $${f#$(BUILD)/}) && $(abspath $(BUILD))/$${f#$(BUILD)/}) || exit 1; done
	@for f in $(filter %/make_launches,$^); do $$f >$$(dirname $${f#$(BUILD)/})/launches.json || exit 1; done
$(BUILD)/examples/%: examples/%.c $(wildcard examples/*.h examples/*/*.h)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CSTD) $(CFLAGS) -I. -o $@ $< -lm

# --- validation against silicon: make facts, make validate ---
include tests/validation/validation.mk
include tests/lowering/lowering.mk

# --- packages: the only place that lists them ---
DEPS_BUILD := gcc libc6-dev make pkg-config git ca-certificates libmicrohttpd-dev libjansson-dev libpq-dev libuv1-dev libzstd-dev \
	liblzma-dev zlib1g-dev libbz2-dev libsqlite3-dev libcurl4-openssl-dev libssl-dev libsodium-dev libyajl-dev libiberty-dev \
	postgresql 'node|nodejs' 'npm|npm'
DEPS_TESTS := libcmocka-dev
DEPS_CHECK := procps chromium-headless-shell fonts-inter clang clang-format clang-tidy cppcheck libclang-rt-14-dev valgrind zstd xz-utils pgbouncer \
	python3-jsonschema python3-yaml
deps:
	@sh deploy/install-packages.sh $(DEPS_BUILD) $(if $(filter tests check,$(WITH)),$(DEPS_TESTS)) $(if $(filter check,$(WITH)),$(DEPS_CHECK))

# --- the demo: see deploy/demo ---
demo:
	@$(MAKE) --no-print-directory -j$(CORES) all
	@sh deploy/run-demo.sh $(BUILD) "$(ONCE)" "$(INPUT)"

# --- checks ---
CORES := $(shell nproc 2>/dev/null || echo 1)
# One table of all steps at the end: tests/check/README.md.
check:
	@MAKE="$(MAKE)" CORES=$(CORES) sh tests/check/all $(BUILD)/check
# The daily loop: the same steps without scenarios, instrumented tests, valgrind, cppcheck and clang-tidy, with some of the tests.
QUICK_API     := access import roles runs restart worker_protocol
QUICK_BROWSER := lists run_jobs numbers
.PHONY: check-quick
check-quick:
	@QUICK=1 MAKE="$(MAKE)" CORES=$(CORES) sh tests/check/all $(BUILD)/check-quick
# The inputs of the steps. With -k, so that the other parts are tested if one does not build.
.PHONY: check-build bench-programs scenario-programs web-tools check-web-types check-web-unit check-web-browser
check-build: all tests web-tools $(if $(QUICK),,scenario-programs bench-programs)
bench-programs: $(patsubst %.c,$(BUILD)/%,$(wildcard bench/*.c))
scenario-programs: $(BUILD)/tests/scenario/scenario $(BUILD)/vivace-sim
web-tools: $(BUILD)/web-check/.installed
check-house:
	@NODE=$(NODE) sh tests/check/each "sh tests/house/includes.sh" "sh tests/house/tree.sh" "sh tests/house/words.sh" "sh tests/house/sql.sh" "sh tests/check/test.sh"
check-unit: programs tests
	@VIVACE_BUILD=$(BUILD) sh tests/check/each "sh tests/house/man.sh $(BUILD)" "sh tests/house/exports.sh $(BUILD)" "sh tests/house/cycles $(BUILD)" \
		"CC=$(lastword $(CC)) sh tests/house/cycles_test.sh" \
		$(if $(SANITIZE),,"CC=$(lastword $(CC)) sh tests/extending/test.sh $(BUILD)") "sh tests/run $(TESTS)" \
		$(if $(SANITIZE)$(QUICK),,"NODE=$(NODE) sh tests/check/node-test tests/check/repeat.test.mjs")
# The same tests, instrumented; and a sample under valgrind, which sees reads of uninitialised memory.
check-sanitize:
	@$(MAKE) --no-print-directory SANITIZE=address,undefined $(if $(filter file,$(origin BUILD)),,BUILD=$(BUILD)-sanitize) check-unit
VALGRIND_TESTS := base/test_archive base/test_conf ingest/test_csv ingest/test_nsys_csv trace/test_sass wire/test_lease \
	simcore/test_memory server/test_http_head
check-valgrind: $(VALGRIND_TESTS:%=$(BUILD)/tests/unit/%)
	@VIVACE_BUILD=$(BUILD) VALGRIND=1 sh tests/run $^
# REPEAT=N runs each file of API or browser tests so often under each of three conditions, and prints a table of failures;
# REPEAT=0 and `make repeat-table` print the table only. Settings: tests/check/repeat.mjs.
repeat  = exec env VIVACE_BUILD=$(abspath $(BUILD)) $(NODE) tests/check/repeat.mjs $(1)
.PHONY: repeat-table
repeat-table:
	@$(call repeat,table)
# The whole farm over HTTP: real server, private PostgreSQL, real workers. DATABASE=tcp: with a PostgreSQL over TCP with TLS
# instead; DATABASE=pooler: and PgBouncer before it. tests/api/tcp.test.mjs does so with some files.
# Four files run in parallel on two cores, because three quarters of the time they wait. The longest start first.
API_JOBS  ?= 4
API_FIRST := $(patsubst %,tests/api/%.test.mjs,tcp s3_silent clocks chaos newer_schema fail_over worker_tokens guessing pilots endurance queue examples \
	large_run caches farms)
API_TESTS  = $(if $(QUICK),$(QUICK_API:%=tests/api/%.test.mjs),$(API_FIRST) $(filter-out $(API_FIRST),$(wildcard tests/api/*.test.mjs)))
run_api = printf '%s\n' $(if $(NODE_TESTS),$(NODE_TESTS),$(API_TESTS)) | \
	VIVACE_BUILD=$(BUILD) VIVACE_TEST_DATABASE=$(DATABASE) NODE=$(NODE) xargs -P$(API_JOBS) -n1 sh tests/check/node-test
check-api: $(if $(filter 0,$(REPEAT)),,all $(NEXT_SERVER))
	@$(if $(REPEAT),$(call repeat,api),$(run_api))
# The parts of it that need a real Slurm (skipped where its packages are missing), and those about a bucket.
check-slurm: NODE_TESTS = tests/api/slurm.test.mjs
check-s3: NODE_TESTS = tests/api/s3.test.mjs tests/api/s3_silent.test.mjs
check-slurm check-s3: all
	@$(run_api)

C_FILES = $(shell git ls-files '*.c' '*.h')
lint: lint-format lint-cppcheck lint-tidy
lint-format:
	@clang-format --dry-run -Werror $(C_FILES)
	@echo "ok      clang-format"
lint-cppcheck: | $(BUILD)/gen/designs.c
	@mkdir -p $(BUILD)/cppcheck
	@cppcheck --quiet --error-exitcode=1 --std=c11 -D_GNU_SOURCE --enable=warning,performance,portability --inline-suppr \
		--suppressions-list=tests/house/cppcheck.txt --cppcheck-build-dir=$(BUILD)/cppcheck -j2 -I. \
		base ingest sampling simcore sass ptx wire server worker cli examples
	@echo "ok      cppcheck"
# Not the handlers of PTX forms: macros make thousands of functions of them, which take it minutes; their tables of bits are
# what holds them. The static analyzer, which takes nine tenths of the time, is `make lint-analyze` (ANALYZE="FILE.c ..."
# for some files): run it over what you changed, and over everything before a release.
TIDY_FILES = $(filter-out $(FORM_SRC),$(filter %.c,$(shell git ls-files base ingest sampling simcore sass ptx wire server worker cli examples)))
ANALYZE   ?= $(TIDY_FILES)
tidy       = @printf '%s\n' $(2) | xargs -P2 -n4 sh -c 'clang-tidy --quiet --warnings-as-errors="*" --checks="$(1)" "$$@" -- \
	$(CSTD) $(CPPFLAGS_ALL) 2>&1 | { ! grep -vE "^[0-9]+ warnings? (generated|treated)|^Suppressed|^Use -header-filter"; }' tidy
lint-tidy: $(BUILD)/gen/designs.c $(BUILD)/gen/schema.c $(BUILD)/gen/openapi.c $(API_MADE) $(SQL_MADE)/statements.h
	$(call tidy,-clang-analyzer-*,$(TIDY_FILES))
	@echo "ok      clang-tidy"
.PHONY: lint-analyze
lint-analyze: $(BUILD)/gen/designs.c $(BUILD)/gen/schema.c $(BUILD)/gen/openapi.c $(API_MADE) $(SQL_MADE)/statements.h
	$(call tidy,,$(ANALYZE))
	@echo "ok      clang-tidy, with the analyzer"
format:
	clang-format -i $(C_FILES)

# --- fuzzing: FUZZ_SECONDS for each tests/fuzz/fuzz_*.c, from the seeds in tests/fuzz/corpus/<name>/ ---
FUZZ_SECONDS ?= 30
FUZZERS := $(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
fuzz:
	@$(MAKE) --no-print-directory BUILD=build-fuzz CC=clang SANITIZE=fuzzer-no-link,address,undefined fuzz-programs
	@sh tests/fuzz/run $(FUZZ_SECONDS) $(if $(FUZZ),$(FUZZ),$(FUZZERS))
fuzz-programs: $(FUZZERS:%=$(BUILD)/fuzz/%)
$(BUILD)/fuzz/%: $(BUILD)/obj/tests/fuzz/%.o $(call libs,server ingest wire sampling runtime app machine ptx sass validation simcore record trace base)
	@mkdir -p $(@D)
	$(if $(Q),@echo "  link  $@")
	$(Q)$(CC) -fsanitize=fuzzer,address,undefined $(LDFLAGS) -o $@ $^ $(LIBS_server) $(LIBS_ingest) $(LIBS_base)

# --- the images of deploy/container, built and used for the demo; needs buildah and root, else it says "skipped" ---
.PHONY: check-containers
check-containers: all
	@sh tests/check/containers.sh $(BUILD)

# --- the farm under attack, SECONDS long; a SEED asks the same again. SANITIZE=address,undefined: instrumented ---
.PHONY: attack
SECONDS ?= 60
attack: all
	@VIVACE_BUILD=$(BUILD) SECONDS=$(SECONDS) SEED=$(SEED) $(NODE) tests/attack/fuzz_openapi.mjs
	@VIVACE_BUILD=$(BUILD) $(NODE) tests/attack/connections.mjs

# --- the pictures of docs/sampling.md, drawn anew from real profiles: DATA names their folder ---
DATA ?= ../shared/data
docs: programs web $(BUILD)/web-check/.installed
	@VIVACE_BUILD=$(abspath $(BUILD)) DATA=$(DATA) $(NODE) docs/pictures/draw.mjs

# --- benchmarks: ratios to a named limit in the same run; results are copied to docs/BENCHMARKS.md by hand ---
bench: programs $(BUILD)/bench/measure $(BUILD)/bench/make_profile $(BUILD)/bench/plan_columns $(BUILD)/bench/coverage $(BUILD)/bench/sequential $(BUILD)/bench/promise $(BUILD)/bench/kept $(BUILD)/bench/estimator_comparison $(BUILD)/bench/makespan $(BUILD)/bench/paired $(BUILD)/bench/metrics $(BUILD)/bench/pilot $(BUILD)/bench/sim_speed $(BUILD)/bench/stop_inside $(BUILD)/bench/ptx_speed
	@sh bench/run.sh $(BUILD)
	@$(BUILD)/bench/sim_speed
	@$(BUILD)/bench/stop_inside
	@$(BUILD)/bench/ptx_speed
	@sh bench/growth.sh $(BUILD)
	@$(BUILD)/bench/coverage
	@$(BUILD)/bench/sequential
	@$(BUILD)/bench/promise
	@$(BUILD)/bench/estimator_comparison
	@$(BUILD)/bench/makespan
	@sh bench/paired.sh $(BUILD)
	@sh bench/metrics.sh $(BUILD)
	@sh bench/pilot.sh $(BUILD)
	@sh bench/kept.sh $(BUILD) 400
$(addprefix $(BUILD)/bench/,coverage sequential promise kept estimator_comparison makespan paired metrics pilot spread_prior): $(BUILD)/bench/%: $(BUILD)/obj/bench/%.o $(HARNESS) $(call libs,ingest wire sampling trace base)
	@mkdir -p $(@D)
	$(if $(Q),@echo "  link  $@")
	$(Q)$(CC) $(SANFLAGS) $(LDFLAGS) $(EXPORTS) -o $@ $^ $(LIBS_ingest) $(LIBS_base)
$(BUILD)/bench/sim_speed $(BUILD)/bench/stop_inside: $(BUILD)/bench/%: $(BUILD)/obj/bench/%.o $(BUILD)/obj/tests/harness/varied.o $(call libs,simcore record trace base)
	@mkdir -p $(@D)
	$(if $(Q),@echo "  link  $@")
	$(Q)$(CC) $(SANFLAGS) $(LDFLAGS) $(EXPORTS) -o $@ $^ $(LIBS_simcore) $(LIBS_base)
$(BUILD)/bench/sim_results: $(BUILD)/obj/bench/sim_results.o $(call libs,simcore record trace base)
	@mkdir -p $(@D)
	$(if $(Q),@echo "  link  $@")
	$(Q)$(CC) $(SANFLAGS) $(LDFLAGS) $(EXPORTS) -o $@ $^ -lcmocka $(LIBS_simcore) $(LIBS_base)
$(BUILD)/bench/ptx_speed: $(BUILD)/obj/bench/ptx_speed.o $(call libs,ptx simcore record trace base)
	@mkdir -p $(@D)
	$(if $(Q),@echo "  link  $@")
	$(Q)$(CC) $(SANFLAGS) $(LDFLAGS) $(EXPORTS) -o $@ $^ $(LIBS_simcore) $(LIBS_base)
# The queue alone: QUEUED="10000 10000000" jobs that wait while it is measured. Ten million take 6 GB of disk.
QUEUED ?= 10000
bench-queue: all $(BUILD)/bench/queue_client $(BUILD)/bench/queue_raw
	@VIVACE_BUILD=$(BUILD) $(NODE) bench/queue.mjs $(QUEUED)
# A farm under load while everything breaks: SECONDS=1800 SEED=7. FAR=1: three servers, a database that fails over, a bucket, wrong
# clocks. The farm tests have some of it.
SECONDS ?= 60
SEED    ?= 1
chaos: programs $(NEXT_SERVER)
	@VIVACE_BUILD=$(BUILD) $(NODE) tests/api/chaos/chaos.mjs $(SECONDS) $(SEED) $(if $(FAR),far)
$(BUILD)/bench/%: $(BUILD)/obj/bench/%.o $(call libs,server ingest wire sampling record trace base)
	@mkdir -p $(@D)
	$(if $(Q),@echo "  link  $@")
	$(Q)$(CC) $(SANFLAGS) $(LDFLAGS) $(EXPORTS) -o $@ $^ $(LIBS_server) $(LIBS_ingest) $(LIBS_base)

# --- manual pages, from the programs' --help ---
man: programs
	@rm -rf $(BUILD)/man && sh docs/man/pages.sh $(BUILD) $(BUILD)/man

install: all man
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/vivace/web $(DESTDIR)$(PREFIX)/share/vivace/examples
	install -m 755 $(PROGRAMS) $(DESTDIR)$(PREFIX)/bin
	install -d $(DESTDIR)$(PREFIX)/lib/vivace
	install -m 755 $(filter-out $(CUDART_LINKS),$(CUDART)) $(DESTDIR)$(PREFIX)/lib/vivace
	cp -P $(CUDART_LINKS) $(DESTDIR)$(PREFIX)/lib/vivace
	cp -R $(BUILD)/web/. $(DESTDIR)$(PREFIX)/share/vivace/web
	install -m 644 $(BUILD)/examples/* $(DESTDIR)$(PREFIX)/share/vivace/examples
	install -m 644 $(BUILD)/gen/api/openapi.json $(BUILD)/gen/api/routes.md $(DESTDIR)$(PREFIX)/share/vivace
	install -d $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/man/man8
	install -m 644 $(BUILD)/man/man1/* $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 $(BUILD)/man/man8/* $(DESTDIR)$(PREFIX)/share/man/man8

clean:
	rm -rf build build-*

-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)

# --- what the dashboard offers for a first look: a profile, and traces of all its launches, by running the example ---
examples: $(BUILD)/examples/tiny-gpt.vtrace
$(BUILD)/examples/%.vtrace: examples/%/launches.json | $(BUILD)/vivace
	@mkdir -p $(@D)
	$(Q)$(BUILD)/vivace ptx run $< --profile $(BUILD)/examples/$*.csv --trace $@ >/dev/null

# --- the dashboard: node makes the folder that the server serves; nothing of node is needed to serve it ---
NODE      ?= node
NPM       ?= npm
WEB_FILES := $(wildcard web/*.js web/*.css web/*.html web/*.svg web/vendor.mjs web/bundle.mjs web/ui/*.js web/charts/*.js web/views/*.js)
WEB_HAS    = command -v $(NODE) >/dev/null && command -v $(NPM) >/dev/null || \
	{ echo "web: node and npm are missing: run 'make deps' (Debian: apt-get install --no-install-recommends nodejs npm)" >&2; exit 1; }
# Installing happens beside the build: $(1) is the folder, $(2) the arguments of npm.
web_install = @$(WEB_HAS); mkdir -p $(1) && cp web/package.json web/package-lock.json web/.npmrc $(1)/ && \
	(cd $(1) && $(NPM) ci --ignore-scripts --loglevel=error $(2)) && touch $(1)/.installed
web: $(BUILD)/web/index.html
$(BUILD)/web/index.html: $(WEB_FILES) base/version.h $(BUILD)/gen/api/client.js $(BUILD)/web-node/.installed
	@$(NODE) web/vendor.mjs $(BUILD)/web-node/node_modules $(BUILD)/gen/api $(BUILD)/web
$(BUILD)/web-node/.installed: web/package.json web/package-lock.json web/.npmrc
	$(call web_install,$(BUILD)/web-node,--omit=dev)
$(BUILD)/web-check/.installed: web/package.json web/package-lock.json web/.npmrc
	$(call web_install,$(BUILD)/web-check,)
run_web = VIVACE_BUILD=$(abspath $(BUILD)) NODE=$(NODE) sh web/test/run
check-web: $(if $(filter 0,$(REPEAT)),,programs web examples web-tools)
	@$(if $(REPEAT),$(call repeat,web),$(run_web))
check-web-types check-web-unit: check-web-%: web-tools $(API_MADE)
	@$(run_web) $*
check-web-browser: programs web examples web-tools
	@$(if $(QUICK),BROWSER_TESTS="$(QUICK_BROWSER:%=web/test/browser/%.test.mjs)") $(run_web) browser
