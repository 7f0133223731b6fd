#!/usr/bin/env bash
# bench/speed.py with an Ordo that answers at once: it keeps outcomes, goes on, and counts what failed or was void.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/ordo" <<'SH'
#!/usr/bin/env bash
# Says that wc is faster, that base64 is not to be timed, and of the others nothing.
echo "$*" >>"$CALLS"
verdict='"verdict": "void", "why": "a copy | differed", "speedup": 1.2, "low": 0.9, "high": 1.5'
if [[ $1 == time ]]; then
  echo '[{"verdict": "slower", "why": "", "candidate_to_baseline": {"speedup": 0.8, "low": 0.7, "high": 0.9}}]'
  exit
fi
[[ $2 != */base64 ]] || { echo 'it takes too long' >&2; exit 64; }
[[ $2 != */wc ]] || verdict='"verdict": "faster", "why": "", "speedup": 1.5, "low": 1.4, "high": 1.6'
echo '{"results": [{"recipe": {"timing": {'"$verdict"'}, "figures": [{"baseline": 0.02}], "actions": []}}]}'
SH
chmod +x "$work/ordo"
printf 'before\n<!-- speed -->\nold\n<!-- end of speed -->\nafter\n' >"$work/page.md"
speed() {
  CALLS=$work/calls ORDO=$work/ordo python3 "$ORDO_SOURCE_DIR/bench/speed.py" \
    --budget 6 --folder "$work/kept" --page "$work/page.md" "$@" >"$work/out" 2>"$work/err" || { cat "$work/err"; exit 1; }
}
has() { grep -qF -- "$1" "$work/page.md" || { echo "the page has no: $1"; cat "$work/page.md"; exit 1; }; }

echo "each program is tuned and its rival timed"
speed --programs wc
grep -q "tune .*/suite/wc --objective runtime --budget 6s .* -- -march=native" "$work/calls"
grep -q "time .*/plain .*/trained --program .*/suite/wc --budget 2s" "$work/calls"
has 'before'
has '| validation (for choices) | 1 | 1 | 0 | 0 | 1.500 [1.500, 1.500] | 0.800 [0.800, 0.800] |'

echo "it goes on where it was, and what failed or was void is in the mean as unchanged"
speed --programs wc base64 crc32
[[ $(grep -c "suite/wc --objective" "$work/calls") == 1 ]]
has '| validation (for choices) | 3 | 1 | 2 | 2 | 1.145 '
has '- base64, final: failed: ordo: it takes too long'
has '- crc32, final: void: a copy \| differed'
has 'Not measured yet: bignum'

echo "what is known can be forgotten, and written without measuring"
speed --programs wc --again
[[ $(grep -c "suite/wc --objective" "$work/calls") == 2 ]]
speed --as-is
[[ $(wc -l <"$work/calls") == 8 ]]

echo "other arms are compared on the programs that both had, each lane with a processor of its own"
lanes=$(($(nproc) > 1 ? 2 : 1))
speed --programs wc crc32 --arms immediate --lanes "$lanes"
[[ $(grep -c -- "--jobs $((lanes > 1 ? 1 : $(nproc))) --reward immediate" "$work/calls") == 2 ]]
has '### Immediate rewards'
has '| 2 | immediate | 1 | 1 | 1.225 '
has '| 2 | final | 1 | 1 | 1.225 '
has 'immediate over final, paired: 1.000 [1.000, 1.000]; ahead on 0, behind on 0 programs'
speed --programs wc --arms policy
grep -q "suite/wc .* --policy .*/data/policy/speed.safetensors" "$work/calls"
if (speed --lanes 1000 >/dev/null); then exit 1; fi
