#!/usr/bin/env bash
# ./ordo installs missing packages only with consent, and otherwise says what to run.
# shellcheck source-path=SCRIPTDIR source=launcher_fakes.bash
source "$(dirname "$0")/launcher_fakes.bash"
command="apt-get install -y --no-install-recommends cmake llvm-22-dev"
missing() { printf '%s\n' cmake llvm-22-dev >missing; rm -rf clone/build calls; }

missing
expect 69 "not installed: cmake llvm-22-dev" clone/ordo tune
expect 69 "$command" clone/ordo tune
check "without a terminal nothing is installed" [ "$(calls apt-get)" = 0 ]
expect 0 program clone/ordo --yes tune
check "--yes installs" grep -qx "$command" calls

missing
expect 0 program env CI=true clone/ordo tune
check "CI=true installs" grep -qx "$command" calls

missing; input=n
expect 69 "nothing was installed" script -qec "clone/ordo tune" /dev/null
check "a terminal may say no" [ "$(calls apt-get)" = 0 ]
input=y
expect 0 "now? [Y/n]" script -qec "clone/ordo tune" /dev/null
check "or yes" grep -qx "$command" calls

missing; fake apt-get <<<'exit 100'
expect 69 "could not be installed" clone/ordo --yes tune
rm bin/apt-get
expect 69 "no apt-get" clone/ordo --yes tune
echo >missing; rm bin/cmake
expect 69 "cmake is installed, but not found in PATH" clone/ordo tune

# What runs programs of other machines is installed where one is named, and is no condition.
fake cmake <<<'mkdir -p $DIR/clone/build/release && touch $DIR/clone/build/release/build.ninja'
fake apt-get <<<'[[ $1 != install ]] || echo >"$DIR/missing"'
needs() { echo "$1" >missing; rm -rf clone/build calls; }  # what is not installed
mkdir image && printf 'cflags = ["--target=thumbv7em-none-eabi"]\nmachine = "mps2-an386"\n' >image/program.toml
needs qemu-system-arm; expect 0 program clone/ordo --yes tune image
check "an image's machine is installed" grep -q "^apt-get install .* qemu-system-arm$" calls
needs qemu-system-arm; expect 0 "are made, and not run" clone/ordo tune image
needs qemu-user; expect 0 program clone/ordo --yes tune f.c -- --target=riscv64-linux-gnu
check "and a Linux program's processor" grep -q "^apt-get install .* qemu-user$" calls
needs qemu-user; expect 0 program clone/ordo --yes tune f.c -- --target=riscv64-linux-gnu --sysroot=/here
check "but not beside a system of one's own" [ "$(calls apt-get)" = 0 ]
