#!/usr/bin/env bash
# Harvesting a folder twice, in different places, gives the same hashes; verify and status tell.
set -euo pipefail
for tool in clang-22 ld.lld-22 make cmake ninja; do command -v $tool >/dev/null || exit 77; done
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
export ORDO_CACHE=$PWD/cache

mkdir -p tiny/lib
printf 'int add(int, int);\nint main(void) { return add(1, -1); }\n' >tiny/main.c
printf '#include <stdio.h>\nvoid say(void) { puts(__FILE__ __DATE__); }\nint add(int a, int b) { return a + b; }\n' >tiny/lib/add.c
printf 'all: prog\nprog: main.o lib/add.o\n\tgcc -o $@ $^\n%%.o: %%.c\n\tgcc -g -march=native -c -o $@ $<\n' >tiny/Makefile

# expect CODE TEXT ARG…: runs ordo dataset and compares what it says.
expect() {
  local code=$1 text=$2 status=0
  "$ORDO" dataset "${@:3}" >out.txt 2>&1 || status=$?
  if [[ $status -ne $code ]] || ! grep -qF -- "$text" out.txt; then
    echo "ordo dataset ${*:3}: exit $status, wanted $code with '$text'; said:"
    cat out.txt
    exit 1
  fi
}

expect 0 '2 modules, 2 of them distinct' harvest tiny --from tiny --store a --work one
expect 0 '2 modules, 2 of them distinct' harvest tiny --from tiny --store b --work two/and/deeper
expect 0 'wrote all.hashes' verify --store a --hashes all.hashes --write
expect 0 '0 differences, 0 damaged' verify --store b --hashes all.hashes
{ cat all.hashes; printf 'zz-elsewhere\n %032x a.c\n' 1; } >more.hashes
expect 0 '0 differences, 0 damaged; 1 packages are not harvested' verify --store b --hashes more.hashes
expect 0 'debian/tiny/lib/add.c' status tiny --store a
expect 0 '"distinct": 2' status --store a --json
[[ -z $(ls -A one/build) ]]

# A changed source is noticed, and so is a damaged module.
sed -i 's/a + b/a - b/' tiny/lib/add.c
expect 0 '2 modules' harvest tiny --from tiny --store b --work one
expect 1 'debian/tiny/lib/add.c differs' verify --store b --hashes all.hashes
for module in a/debian/modules/*/*.bc; do echo >>"$module"; done
expect 1 '2 damaged' verify --store a --hashes all.hashes

# A build that breaks names the package and its log.
echo 'int add( {' >tiny/lib/add.c
expect 0 '1 modules' harvest tiny --from tiny --store c
rm tiny/Makefile
expect 1 'tiny: no modules' harvest tiny --from tiny --store c
expect 1 'c/debian/logs/tiny.log' harvest tiny --from tiny --store c
expect 64 'name the packages' harvest
expect 66 'ordo dataset harvest nothing' status nothing --store a
echo ' x' >broken
expect 65 'broken:1: a module before' verify --store a --hashes broken
