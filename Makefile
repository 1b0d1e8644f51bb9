# make demo | test | web | wheel | dist | one-file | coverage | bench | bench-wide | instructions | lint | install PREFIX=DIR | clean
# Each installs what the machine lacks (scripts/need.sh), builds what it uses and says what it did.

PRESET ?= release
BUILD := build/$(PRESET)
PREFIX ?= /usr/local

.PHONY: build demo test web wheel dist one-file coverage bench bench-wide instructions lint format install clean

build:
	@scripts/need.sh build --try jpeg
	@cmake --preset $(PRESET) -DCONDYLE_TESTS=OFF -DCMAKE_INSTALL_PREFIX="$(PREFIX)" > build.log 2>&1 || (cat build.log; exit 1)
	@rm -f build.log
	@cmake --build $(BUILD)

demo:
	@scripts/need.sh build render --try jpeg
	@$(MAKE) --no-print-directory build
	@$(BUILD)/bin/condyle simulate models/humanoid.xml --time 10 --out build/demo.csv
	@$(BUILD)/bin/condyle plot build/demo.csv -o build/demo.svg --title "models/humanoid.xml"
	@$(BUILD)/bin/condyle render models/humanoid.xml --camera side --state build/demo.csv -o build/demo.png
	@if [ -t 1 ]; then $(BUILD)/bin/condyle render models/humanoid.xml --camera side --state build/demo.csv --terminal blocks; fi
	@echo "build/demo.png shows the end, build/demo.svg all positions, velocities and energies"

# TESTS="-R ^base": those that ctest chooses by these options
test:
	@scripts/need.sh build render test --try jpeg python web reference
	@scripts/test.sh $(PRESET) $(value TESTS)

web:
	@scripts/need.sh build web
	@scripts/web.sh

# for each CPython here, in dist; PYTHONS="/usr/bin/python3.11 ...": for these
wheel:
	@scripts/need.sh build render python --try jpeg web
	@scripts/wheels.sh $(PYTHONS)

# what a release consists of, in dist: sdist, wheels, archive of sources, SHA256SUMS; PYTHONS as above
dist:
	@scripts/need.sh build render python web --try jpeg
	@scripts/dist.sh $(PYTHONS)

# the core as build/one_file/condyle.c and condyle.h
one-file:
	@scripts/amalgamate.py

coverage:
	@scripts/need.sh build test coverage reference
	@scripts/coverage.sh

bench: build
	@scripts/need.sh reference
	@bench/run.sh $(BUILD)

# OPTIONS="--family gymnasium --no-load": a part of it (bench/wide/compare.py --help)
bench-wide: build
	@scripts/need.sh test reference
	@bench/wide/run.sh $(BUILD) $(OPTIONS)

# what the test "speed" compares with, for the compiler at hand
instructions: build
	@scripts/need.sh test
	@tests/speed/instructions.py $(BUILD) --record

lint:
	@scripts/need.sh build lint
	@scripts/lint.sh

format:
	@scripts/sources.sh | xargs clang-format -i
	@[ ! -x web/node_modules/.bin/prettier ] || npm --prefix web run --silent format

install: build
	@cmake --build $(BUILD) --target condyle_page
	@cmake --install $(BUILD) --prefix "$(PREFIX)"

clean:
	@rm -rf build dist
