#!/usr/bin/env bash
# ./ordo test ends with one line that counts, and fails if a test failed or none ran.
# shellcheck source-path=SCRIPTDIR source=launcher_fakes.bash
source "$(dirname "$0")/launcher_fakes.bash"
fake ctest <<'END'
while (($# > 1)) && [[ $1 != --output-junit ]]; do shift; done
[[ ! -e $DIR/report ]] || cat "$DIR/report" >"$2"
exit "$(cat "$DIR/status")"
END
report() { printf '<testsuite name="x"\n\ttests="%d"\n\tfailures="%d"\n\tdisabled="0"\n\tskipped="%d"\n>\n<testcase name="tests=&quot;9&quot;"/>' "$@" >report; }

report 12 0 2; echo 0 >status
expect 0 "10 passed, 0 failed, 2 skipped" clone/ordo test
check "builds everything" grep -q "^ninja .* all$" calls
report 12 3 2; echo 8 >status
expect 8 "7 passed, 3 failed, 2 skipped" clone/ordo test -R regex
check "the rest goes to ctest" grep -q "^ctest .* -R regex$" calls
rm report
expect 8 "0 passed, 0 failed, 0 skipped" clone/ordo test
