# SPDX-License-Identifier: GPL-2.0-only

.PHONY: help deps tree kernel run shell demo check check-all bench model lint \
	patch recipes versions refresh docs dist clean

# The guest's shell gets the dollars of these, not make.
ifdef CMD
override export CMD := $(value CMD)
endif
ifdef APPEND
override export APPEND := $(value APPEND)
endif

help: ## this list
	@scripts/help.sh

deps: ## installs the Debian packages that are missing
	@scripts/deps.sh

tree: ## unpacks the kernel source and applies the series, in build/linux
	@scripts/tree.sh

kernel: ## builds the kernel; KERNEL=lkst stock debug kcsan debian
	@scripts/kernel.sh

run: ## boots it and runs CMD as root; SMP= MAXCPUS= MEM= APPEND= KERNEL= ICOUNT= TIMEOUT= ACCEL= RESETS=
	@scripts/run.sh "$$CMD"

shell: ## boots it, for you to type
	@scripts/run.sh

demo: ## records a workload and draws the states of its processes, in out/demo
	@scripts/demo.sh

check: ## the tests, on the kernel and on its debug build
	@scripts/check.sh

check-all: ## those and the long ones
	@scripts/check-all.sh

bench: ## counts instructions, times reading of logs; tables in out/bench; ONLY= RECORDS=
	@scripts/bench.sh

model: ## proves the protocols of blocks and masksets; LARGE=1
	@scripts/model.sh

lint: ## checkpatch, sparse, kernel-doc, shellcheck, patch headers
	@scripts/lint.sh

patch: ## applies the series to your 6.12.y tree, KSRC=dir
	@scripts/patch.sh

recipes: ## what builders of distributions take, in out/recipes; KSRC=dir for another 6.12.y
	@scripts/recipes.sh

versions: ## tries the series on all 6.12.y that Debian has, or on KSRC; Documentation/versions.rst
	@scripts/versions.sh

refresh: ## writes build/linux back into patches/
	@scripts/refresh.sh

docs: ## Documentation as HTML, in out/docs
	@scripts/docs.sh

dist: ## a tarball, one combined patch and a mbox, in out/dist
	@scripts/dist.sh

clean: ## removes build/ and out/
	@scripts/clean.sh
