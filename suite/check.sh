#!/usr/bin/env bash
# Rebuild every program of the suite, or of FOLDER, and compare all of its tests and timed runs.
# Usage: [FOLDER=programs] [ONLY="sha256 json"] check.sh [--update] ["compiler and flags" ...]
# The default is "clang-22 -O2". With --update what the first compiler's program prints in a timed run becomes
# what is expected of the others; the default is then clang-22 and, if there is one, gcc, at -O0 and -O2.
set -uo pipefail
cd "${FOLDER:-$(dirname "$0")}" || exit 2
update=
if [ "${1:-}" = --update ]; then
  update=yes
  shift
  if [ $# = 0 ]; then
    set -- "clang-22 -O0" "clang-22 -O2"
    if command -v gcc >/dev/null; then set -- "$@" "gcc -O0" "gcc -O2"; fi
  fi
fi
[ $# -gt 0 ] || set -- "clang-22 -O2"
command -v xxhsum >/dev/null || { echo "xxhsum is missing: apt-get install xxhash"; exit 2; }
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
# The unit separator splits the fields, so that empty ones survive. The input of a timed run becomes a file.
records() { python3 - "$1/program.toml" "$tmp" <<'PY'
import pathlib, shlex, sys, tomllib
p = tomllib.load(open(sys.argv[1], "rb"))
row = lambda *f: print("\x1f".join(map(str, f)))
sources = shlex.join(p.get("sources") or [p["source"]])
row("build", p["language"], sources, shlex.join(p.get("cflags", [])), shlex.join(p.get("ldflags", [])), "", "")
common = lambda t: (t.get("exit", 0), t.get("timeout_s", 10), shlex.join(t.get("args", [])))
for t in p.get("test", []):
    row("test", t["name"], t.get("stdin", "/dev/null"), t["stdout"], *common(t))
for r in p.get("run", []):
    read = lambda key: (pathlib.Path(sys.argv[1]).parent / r[key]).read_bytes() if key in r else b""
    file = pathlib.Path(sys.argv[2], "input-" + r["name"])
    file.write_bytes(read("before") + read("stdin") * r.get("repeat", 1) + read("after"))
    row("run", r["name"], file, r["stdout_xxh128"], *common(r))
PY
}
# expect PROGRAM RUN HASH
expect() {
  perl -0pi -e 's/(\[\[run\]\]\nname = "'"$2"'"\n.*?stdout_xxh128 = ")[0-9a-f]*/${1}'"$3"'/s' "$1/program.toml"
}
failed=0
for name in ${ONLY:-*/}; do
  name=${name%/} state=pass count=0 tests=0 first=$update
  for compiler in "$@"; do
    while IFS=$'\x1f' read -r kind a b c d e f; do
      if [ "$kind" = build ]; then
        cc=$compiler ir="clang-22"
        if [ "$a" = c++ ]; then cc=${cc/#clang/clang++} cc=${cc/#gcc/g++} ir="clang++-22"; fi
        (cd "$name" && eval "$cc $c -o '$tmp/program' $b $d") || { state="FAIL (build: $cc)"; break; }
        [ "$count" != 0 ] || for source in $b; do
          count=$((count + $(cd "$name" && eval "$ir $c -w -Oz -Xclang -disable-llvm-passes -emit-llvm -S -o - $source" |
            grep -cE '^  [^] ]')))
        done
      else
        (cd "$name" && eval "timeout $e '$tmp/program' $f" <"$b" >"$tmp/out" 2>"$tmp/err")
        code=$? tests=$((tests + 1))
        if [ "$code" != "$d" ]; then
          false
        elif [ "$kind" = test ]; then
          cmp -s "$tmp/out" "$name/$c"
        else
          hash=$(xxhsum -H128 <"$tmp/out" | cut -c1-32)
          if [ "$first" ]; then expect "$name" "$a" "$hash"; else [ "$hash" = "$c" ]; fi
        fi || state="FAIL ($a: $compiler, exit $code)"
      fi
    done < <(records "$name")
    first=
  done
  [ "$state$tests" != pass0 ] || state="FAIL (no tests)"
  printf '%-12s %6s  %s\n' "$name" "$count" "$state"
  [ "$state" = pass ] || failed=1
done
exit $failed
