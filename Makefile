# Thin over the CMake presets. Each target alone takes a bare Debian 12 machine to its result.
PROGRAM := build/release/slipset

.PHONY: configure program demo test sanitize bench format clean
program: configure
	cmake --build --preset release --target slipset_app

configure: build/packages
	cmake --preset release

# One friction law from file to numbers to picture, and motions: stick and slip on a belt, a snake.
demo: program
	$(PROGRAM) law examples/scenarios/two-ellipses.toml --out build/demo
	$(PROGRAM) run examples/scenarios/belt-limit-cycle.toml --out build/demo
	$(PROGRAM) run examples/scenarios/snake-robot.toml --out build/demo/snake
	@echo "pictures: build/demo/law.png, path.png, force.png, time.png, snake/path.png"

test: configure
	cmake --build --preset release
	ctest --preset release

# The warnings of clang++, then the tests again under the sanitizers of addresses and of undefined behaviour.
sanitize: build/packages
	cmake --preset clang
	cmake --build --preset clang
	cmake --preset sanitize
	cmake --build --preset sanitize
	ctest --preset sanitize

bench: configure
	cmake --build --preset release --target benchmarks
	build/release/bench/bench_sets --benchmark_min_time=0.2
	build/release/bench/bench_chain --benchmark_min_time=0.2
	build/release/bench/bench_elastic --benchmark_min_time=0.2
	build/release/bench/bench_stability
	build/release/bench/bench_step
	build/release/bench/bench_identify
	build/release/bench/bench_work_precision out/work-precision
	build/release/bench/bench_contact ../shared/data/contact --figure build/bench
	build/release/bench/bench_pile

format: build/packages
	git ls-files '*.hpp' '*.cpp' | xargs clang-format -i

clean:
	rm -rf build

# The Debian packages that are missing.
build/packages: tools/packages.txt
	tools/install-packages
	mkdir -p build && touch $@
