#!/usr/bin/env bash
# Rebuild every program of the suite and compare all of its tests.
# Usage: [ONLY="sha256 json"] check.sh ["compiler and flags" ...]      default: "clang-22 -O2"
set -uo pipefail
cd "$(dirname "$0")" || exit 2
[ $# -gt 0 ] || set -- "clang-22 -O2"
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
# The unit separator splits the fields, so that empty ones survive.
records() { python3 - "$1/program.toml" <<'PY'
import shlex, sys, tomllib
p = tomllib.load(open(sys.argv[1], "rb"))
row = lambda *f: print("\x1f".join(map(str, f)))
row("build", p["language"], p["source"], shlex.join(p["cflags"]), shlex.join(p["ldflags"]), "", "")
for t in p["test"]:
    row("test", t["name"], t.get("stdin", "/dev/null"), t["stdout"], t["exit"], t["timeout_s"], shlex.join(t["args"]))
PY
}
failed=0
for name in ${ONLY:-*/}; do
  name=${name%/} state=pass count=0 tests=0
  for compiler in "$@"; do
    while IFS=$'\x1f' read -r kind a b c d e f; do
      if [ "$kind" = build ]; then
        cc=$compiler ir="clang-22"
        if [ "$a" = c++ ]; then cc=${cc/#clang/clang++} cc=${cc/#gcc/g++} ir="clang++-22"; fi
        eval "$cc $c -o '$tmp/program' '$name/$b' $d" || { state="FAIL (build: $cc)"; break; }
        count=$(eval "$ir $c -Oz -Xclang -disable-llvm-passes -emit-llvm -S -o - '$name/$b'" | grep -cE '^  [^] ]')
      else
        (cd "$name" && eval "timeout $e '$tmp/program' $f" <"$b" >"$tmp/out" 2>"$tmp/err")
        code=$? tests=$((tests + 1))
        { [ "$code" = "$d" ] && cmp -s "$tmp/out" "$name/$c"; } || state="FAIL ($a: $compiler, exit $code)"
      fi
    done < <(records "$name")
  done
  [ "$state$tests" != pass0 ] || state="FAIL (no tests)"
  printf '%-12s %6s  %s\n' "$name" "$count" "$state"
  [ "$state" = pass ] || failed=1
done
exit $failed
