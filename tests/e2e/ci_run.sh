#!/usr/bin/env bash
# .ci/run sums up its phases in its last line, and says of each without a verdict that and why it was skipped.
# What it runs are fakes: `$dir/NAME` says what a phase NAME does.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir -p "$dir/clone/.ci" "$dir/clone/src/loop" "$dir/clone/tests/unit/loop" "$dir/clone/docs" "$dir/bin"
cp "$ORDO_SOURCE_DIR/.ci/run" "$dir/clone/.ci/"
verdicts=$dir/clone/.ci/verdicts
echo "since $(date +%F)" >"$verdicts"
cat >"$dir/clone/ordo" <<'END'
#!/usr/bin/env bash
name=test
for word; do case $word in format | long | learn | agent | mlir | ray | loop | web | targets) name=$word ;; asan-ubsan) name=memory; break ;; tsan) name=threads; break ;; esac; done
echo "$name: $*" >>"$DIR/calls"
source "$DIR/$name"
END
printf '#!/bin/sh\nexit 0\n' >"$dir/bin/cmake"
chmod +x "$dir/clone/ordo" "$dir/bin/cmake"
export DIR=$dir PATH=$dir/bin:$PATH

# expect CODE LAST TEXT [SECONDS]: how it ends, its last line, and what it says somewhere.
expect() {
  local code=0 out
  out=$("$dir/clone/.ci/run" ${4:-} 2>&1) || code=$?
  git -C "$dir/clone" checkout -q .ci/verdicts 2>/dev/null || echo "since $(date +%F)" >"$verdicts"
  if [[ $code != "$1" || $(tail -n 1 <<<"$out") != "$2" || $out != *"$3"* ]]; then
    printf 'expected %s, "%s" and "%s"\ngot %s and:\n%s\n' "$1" "$2" "$3" "$code" "$out"
    exit 1
  fi
}
reset() {
  for name in test long learn agent mlir ray loop web targets memory threads; do echo 'echo "10 passed, 0 failed, 2 skipped"' >"$dir/$name"; done
  : >"$dir/format"
}

reset
expect 0 "113 passed, 0 failed, 22 skipped" "skipped: memory: 2 tests"
echo 'echo "8 passed, 2 failed, 0 skipped"; exit 8' >"$dir/memory"
expect 1 "111 passed, 2 failed, 20 skipped" "--- memory failed (8):"
echo 'echo "what went wrong"; exit 70' >"$dir/memory"
expect 1 "103 passed, 1 failed, 20 skipped" "what went wrong"
reset

echo 'exit 124' >"$dir/threads" # as `timeout` does
expect 0 "103 passed, 0 failed, 21 skipped" "skipped: threads: cut off after"
echo 'echo "1/9 Test #1: x ...***Failed"; exit 124' >"$dir/threads"
expect 1 "103 passed, 1 failed, 20 skipped" "--- threads failed (124):"
reset
# What was counted before the end counts; a failure before it was run again alone does not.
echo 'echo "1/9 Test #1: x ...***Failed"; echo "7 passed, 0 failed, 1 skipped so far"; exit 124' >"$dir/test"
expect 0 "110 passed, 0 failed, 22 skipped" "had passed; 7 tests had passed"
echo 'echo "7 passed, 1 failed, 1 skipped so far"; exit 124' >"$dir/test"
expect 1 "110 passed, 1 failed, 21 skipped" "--- test failed (124)"
echo 'echo "7 passed, 0 failed, 1 skipped so far"; echo "1/9 Test #1: x ...***Failed"; exit 124' >"$dir/test"
expect 1 "110 passed, 1 failed, 21 skipped" "--- test failed (124)"

reset
echo 'while :; do sleep 0.1; done' >"$dir/test"
expect 1 "0 passed, 1 failed, 14 skipped" "skipped: test: cut off" 1
expect 1 "0 passed, 1 failed, 14 skipped" "skipped: threads: left out" 1

# A phase is skipped for a week, counted from its last verdict, and then it is a failure.
reset
echo 'exit 124' >"$dir/threads"
echo "since $(date -d '8 days ago' +%F)" >"$verdicts"
expect 1 "103 passed, 1 failed, 21 skipped" "threads has had no verdict for 8 days: .ci/run --full threads"
printf '%s\n' "since $(date -d '99 days ago' +%F)" "threads $(date -d '2 days ago' +%F) none 9 10 0 0" >"$verdicts"
expect 0 "103 passed, 0 failed, 21 skipped" "its last verdict is of $(date -d '2 days ago' +%F)"

# What has not changed since its verdict keeps it; everybody's tests always run.
reset
git() { command git -C "$dir/clone" -c user.name=x -c user.email=x@x "$@"; }
git init -q
git add .
git commit -qm first
"$dir/clone/.ci/run" >"$dir/said" 2>&1
[[ $(wc -l <"$verdicts") == 15 && $(grep -c " $(git rev-parse HEAD) " "$verdicts") == 14 ]] || { cat "$verdicts"; exit 1; }
git commit -qam "verdicts"
expect 0 "11 passed, 0 failed, 2 skipped" "=== loop: nothing that concerns it has changed"
touch "$dir/clone/docs/loop.md"
git add .
git commit -qm page
expect 0 "31 passed, 0 failed, 6 skipped" "=== mlir: nothing that concerns it has changed"
touch "$dir/clone/src/loop/a.cpp"
git add .
git commit -qm code
: >"$dir/calls"
"$dir/clone/.ci/run" >"$dir/said" 2>&1
git checkout -q .ci/verdicts
grep -qx "memory: --yes test --preset asan-ubsan --of loop" "$dir/calls" || { cat "$dir/calls"; exit 1; }
grep -q "^web: " "$dir/calls" || { cat "$dir/calls"; exit 1; }
[[ $(grep -c "^ray: " "$dir/calls") == 0 ]] || { cat "$dir/calls"; exit 1; }
# Whoever asks for all gets it, or what was asked for; a verdict that failed is none.
expect 0 "113 passed, 0 failed, 22 skipped" "=== ray: passed" --full
expect 0 "10 passed, 0 failed, 2 skipped" "=== ray: passed" "--full ray"
echo 'echo "9 passed, 1 failed, 0 skipped"; exit 1' >"$dir/ray"
code=0; "$dir/clone/.ci/run" --full ray >"$dir/said" 2>&1 || code=$?
[[ $code == 1 ]]
git diff --quiet .ci/verdicts
