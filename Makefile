# The front door: `make demo` on a fresh machine, `make test` to see that all is well;
# `make verify` looks closer: sanitizers, static analysis, fuzzers, long variants of the tests.
PREFIX ?= /usr/local

.PHONY: all demo test verify bench install deb clean deps format

all: deps
	@cmake --preset release >/dev/null
	@cmake --build build --target program -- --quiet
	@echo "build/wick is ready; 'make install' installs it"

demo: all ; @bash tools/demo

test: ; @bash tools/test

verify: ; @bash tools/verify

bench: all ; @bash bench/run

install: deps
	@cmake --preset release -DCMAKE_INSTALL_PREFIX='$(PREFIX)' >/dev/null
	@cmake --build build --target program -- --quiet
	@cmake --install build --prefix '$(PREFIX)'

deb: deps
	@bash tools/packages package
	@cmake --preset release >/dev/null
	@cmake --build build --target deb -- --quiet
	@ls build/packages/*.deb

format: ; @git ls-files '*.c' '*.h' | xargs clang-format -i

deps: ; @bash tools/packages build

clean: ; rm -rf build build-*
