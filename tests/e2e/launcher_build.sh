#!/usr/bin/env bash
# ./ordo builds when it must and only then, from anywhere, and passes everything on to the program.
# shellcheck source-path=SCRIPTDIR source=launcher_fakes.bash
source "$(dirname "$0")/launcher_fakes.bash"

input="a program on standard input"
expect 0 "program: tune --budget 10s a b" clone/ordo tune --budget 10s "a b"
expect 0 "$input" clone/ordo tune -
ln -s clone/ordo link
expect 0 "program: --yes" ./link --yes --yes
check "the first run configures and builds, the others do neither" [ "$(calls cmake),$(calls ninja)" = 1,1 ]

sleep 0.1; touch clone/src/new.cpp
expect 0 program clone/ordo
sleep 0.1; rm clone/src/new.cpp
expect 0 program clone/ordo
check "new and removed sources are noticed" [ "$(calls ninja)" = 3 ]
sleep 0.1; touch clone/CMakePresets.json
expect 0 program clone/ordo
check "changed presets are noticed" [ "$(calls cmake)" = 2 ]

touch breaks clone/src/broken.cpp
expect 70 "expected ';'" clone/ordo tune
expect 70 "$dir/clone/build/release/build.log" clone/ordo tune
rm breaks
expect 0 program clone/ordo tune

rm -r clone/build
clone/ordo first >1.log 2>&1 </dev/null &
clone/ordo second >2.log 2>&1 </dev/null &
wait
check "two at once build one after the other" grep -q "program: first" 1.log
check "two at once build one after the other" grep -q "program: second" 2.log

# Benchmarks are programs of bench/, known by name; one that is only asked what it does has nothing built for it.
fake python3 <<<'echo "python: $*"'
before=$(calls ninja)
expect 0 "python: $dir/clone/bench/suite.py --help" clone/ordo bench suite --help
check "nothing is built to explain" [ "$(calls ninja)" = "$before" ]
expect 0 "python: $dir/clone/bench/suite.py --as-is" clone/ordo bench suite --as-is
check "what is measured is built" [ "$(calls ninja)" = $((before + 1)) ]
expect 64 "there is no 'suit'; there are: ablations" clone/ordo bench suit
