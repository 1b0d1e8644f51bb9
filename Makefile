# make demo | test | coverage | bench | lint | install PREFIX=DIR | clean
# Each installs what the machine lacks (scripts/need.sh), builds what it uses and says what it did.

PRESET ?= release
BUILD := build/$(PRESET)
PREFIX ?= /usr/local

.PHONY: build demo test coverage bench lint format install clean

build:
	@scripts/need.sh build
	@cmake --preset $(PRESET) -DCONDYLE_TESTS=OFF -DCMAKE_INSTALL_PREFIX="$(PREFIX)" > build.log 2>&1 || (cat build.log; exit 1)
	@rm -f build.log
	@cmake --build $(BUILD)

demo: build
	@$(BUILD)/bin/condyle simulate models/humanoid.xml --time 10

test:
	@scripts/need.sh build test reference
	@scripts/test.sh $(PRESET)

coverage:
	@scripts/need.sh build test coverage reference
	@scripts/coverage.sh

bench: build
	@scripts/need.sh reference
	@bench/run.sh $(BUILD)

lint:
	@scripts/need.sh build lint
	@scripts/lint.sh

format:
	@scripts/sources.sh | xargs clang-format -i

install: build
	@cmake --install $(BUILD) --prefix "$(PREFIX)"

clean:
	@rm -rf build
