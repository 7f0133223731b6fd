#!/usr/bin/env bash
# .ci/run sums up its phases in its last line, and says of each without a verdict that and why it was skipped.
# What it runs are fakes: `$dir/NAME` says what a phase NAME does.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir -p "$dir/clone/.ci" "$dir/bin"
cp "$ORDO_SOURCE_DIR/.ci/run" "$dir/clone/.ci/"
cat >"$dir/clone/ordo" <<'END'
#!/usr/bin/env bash
name=test
for word; do case $word in format | long | learn | agent | mlir | ray | loop | web | targets) name=$word ;; asan-ubsan) name=memory ;; tsan) name=threads ;; esac; done
source "$DIR/$name"
END
printf '#!/bin/sh\nexit 0\n' >"$dir/bin/cmake"
chmod +x "$dir/clone/ordo" "$dir/bin/cmake"
export DIR=$dir PATH=$dir/bin:$PATH

# expect CODE LAST TEXT [SECONDS]: how it ends, its last line, and what it says somewhere.
expect() {
  local code=0 out
  out=$("$dir/clone/.ci/run" ${4:-} 2>&1) || code=$?
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
