# A thin layer over the CMake presets. Each target works by itself on a bare Debian 12 machine, and names what it
# configures: they share build/release.
PROGRAM := build/release/slipset
# Contacts of the largest piles of `make bench`, settled and from no impulses; 105000 and 1000000 take ten minutes each.
PILE ?= 10000
COLD_PILE ?= 100000
# Where `make problems` writes to.
PROBLEMS ?= build/problems

.PHONY: program slipset demo problems test check-all sanitize mutants bench peers wheel format clean
# slipset and the programs next to it: identify, stability, study, track.
program: build/packages-slipset build/packages-identify build/packages-track build/packages-structures
	cmake --preset release -DSLIPSET_COMPONENTS=all -DSLIPSET_BUILD_TESTS=OFF -DSLIPSET_BUILD_BENCH=OFF -DSLIPSET_BUILD_PYTHON=OFF
	cmake --build --preset release --target programs

# slipset and slipset-stability, their parts up to report: without Ceres, OpenCV and SLEPc.
slipset: build/packages-slipset
	cmake --preset release -DSLIPSET_COMPONENTS=report -DSLIPSET_BUILD_TESTS=OFF -DSLIPSET_BUILD_BENCH=OFF -DSLIPSET_BUILD_PYTHON=OFF
	cmake --build --preset release --target slipset_app slipset_app_stability

# One friction law from file to numbers to picture, and motions: stick and slip on a belt, a snake.
demo: slipset
	$(PROGRAM) law examples/scenarios/two-ellipses.toml --out build/demo
	$(PROGRAM) run examples/scenarios/belt-limit-cycle.toml --out build/demo
	$(PROGRAM) run examples/scenarios/snake-robot.toml --out build/demo/snake
	@echo "pictures: build/demo/law.png, path.png, force.png, time.png, snake/path.png"

# The library of contact problems: sixty files with certified solutions, and their index. docs/problems.md
problems: build/packages-slipset
	cmake --preset release "-DSLIPSET_COMPONENTS=bodies;io" -DSLIPSET_BUILD_PROBLEMS=ON -DSLIPSET_BUILD_TESTS=OFF -DSLIPSET_BUILD_BENCH=OFF -DSLIPSET_BUILD_PYTHON=OFF
	cmake --build --preset release --target generate_problems read_problem
	build/release/problems/generate_problems $(PROBLEMS)

# All tests; benchmarks and fuzz targets compile, and the seeds of the fuzzers are tried.
test: build/packages-slipset build/packages-identify build/packages-track build/packages-structures build/packages-test build/packages-bench build/packages-python
	-@$(MAKE) --no-print-directory build/python/ready
	cmake --preset release -DSLIPSET_COMPONENTS=all -DSLIPSET_BUILD_TESTS=ON -DSLIPSET_BUILD_BENCH=ON $$(tools/python-options)
	cmake --build --preset release --target all benchmarks
	ctest --preset release
	@test -e build/python/ready || echo "make test: without Python; its packages could not be had from PyPI (python/requirements.txt)"

# What takes too long for `make test`, one part after the other, hours in all; tools/check-all PART... runs some of them.
# The summary, with times, is build/check-all.txt.
check-all: build/packages-slipset build/packages-identify build/packages-track build/packages-structures build/packages-test build/packages-bench build/packages-sanitize
	tools/check-all

# Breaks the library in 250 ways and tells which of them no test notices: build/mutants/report.txt.
mutants: build/packages-slipset build/packages-identify build/packages-track build/packages-structures build/packages-test build/packages-bench
	cmake --preset release -DSLIPSET_COMPONENTS=all -DSLIPSET_BUILD_TESTS=ON -DSLIPSET_BUILD_BENCH=ON
	cmake --build --preset release
	tools/mutants

# The warnings of clang++, then the tests again under the sanitizers of addresses and of undefined behaviour.
sanitize: build/packages-slipset build/packages-identify build/packages-track build/packages-structures build/packages-test build/packages-sanitize
	cmake --preset clang
	cmake --build --preset clang
	cmake --preset sanitize
	cmake --build --preset sanitize
	ctest --preset sanitize

# Each benchmark writes what it measures to bench/results/, with machine, commit and date; docs/benchmarks.md and the
# README's numbers are made from these files. A run to look at: build/release/bench/bench_step, which writes nothing.
bench: export SLIPSET_BENCH_RESULTS = bench/results
bench: export SLIPSET_BENCH_COMMIT = $(shell git describe --always --dirty --exclude '*' 2>/dev/null)
bench: build/packages-slipset build/packages-identify build/packages-structures build/packages-bench build/packages-compare build/packages-python
	-@$(MAKE) --no-print-directory build/python/ready
	-@$(MAKE) --no-print-directory peers
	cmake --preset release -DSLIPSET_COMPONENTS=all -DSLIPSET_BUILD_TESTS=OFF -DSLIPSET_BUILD_BENCH=ON $$(tools/python-options)
	cmake --build --preset release --target benchmarks programs
	@test ! -e build/python/ready || cmake --build --preset release --target slipset_python
	build/release/bench/bench_sets --benchmark_min_time=0.2
	build/release/bench/bench_chain --benchmark_min_time=0.2
	build/release/bench/bench_elastic --benchmark_min_time=0.2
	build/release/bench/bench_stability
	OPENBLAS_NUM_THREADS=1 build/release/bench/bench_structure ../shared/data/brake
	build/release/bench/bench_step
	build/release/bench/bench_identify
	build/release/bench/bench_work_precision out/work-precision
	OPENBLAS_NUM_THREADS=1 build/release/bench/bench_contact ../shared/data/contact --figure build/bench
	build/release/bench/bench_contact_engines
	build/release/bench/bench_accurate ../shared/data/contact
	build/release/bench/bench_pile $(PILE)
	build/release/bench/bench_cold_pile $(COLD_PILE)
	@test ! -e build/python/ready || PYTHONPATH=build/release/python build/python/bin/python bench/python.py ../shared/data/contact
	tools/bench-page

# A wheel in dist/ that carries the libraries that it needs; Debian's Python.
wheel: build/packages-slipset build/python/ready
	build/python/bin/pip install -q -r python/requirements-wheel.txt
	rm -rf build/wheels && mkdir -p build/wheels dist
	build/python/bin/pip wheel --no-build-isolation --no-deps -w build/wheels .
	PATH=$(CURDIR)/build/python/bin:$$PATH build/python/bin/auditwheel repair -w dist build/wheels/slipset-*.whl

# An environment for the Python package and its tests.
build/python/ready: python/requirements.txt build/packages-python
	/usr/bin/python3 -m venv build/python
	build/python/bin/pip install -q --retries 2 --timeout 30 -r python/requirements.txt
	touch $@

# Solvers of others that bench_contact and bench_contact_engines compare with, from PyPI (1.1 GB); without them they say so
# and go on.
peers: build/peers/ready
build/peers/ready: bench/requirements-peers.txt build/packages-python
	/usr/bin/python3 -m venv build/peers
	@build/peers/bin/pip install -q --retries 2 --timeout 30 -r bench/requirements-peers.txt || \
	  { echo "make peers: the packages of bench/requirements-peers.txt could not be had from PyPI"; exit 1; }
	touch $@

format: build/packages-test
	git ls-files '*.hpp' '*.cpp' | xargs clang-format -i

clean:
	rm -rf build

# The Debian packages of a group that are missing.
build/packages-%: tools/packages.txt
	tools/install-packages $*
	mkdir -p build && touch $@
