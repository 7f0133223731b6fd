#!/usr/bin/env bash
# Proposals of a model, asked for and begun with, as a person does; the model is a script in Python's place.
set -euo pipefail
ordo=${ORDO:?}
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
fail() { echo "FAILED: $1" >&2; exit 1; }

# Proposes the same for each program, something that there is not, and keeps what it was asked.
cat >python <<'SH'
#!/bin/sh
echo '{"ordo_model": 1, "name": "script"}'
good='"inline-simplify-Oz", "simplifycfg<forward-switch-cond;switch-range-to-icmp;switch-to-arithmetic;switch-to-lookup;no-keep-loops;hoist-common-insts;sink-common-insts>"'
while read -r line; do
  printf '%s\n' "$line" >>asked
  printf '{"proposals": [{"sequence": ["clang-Oz", "mergefunc"], "log_probability": -2}, %s, %s], "usage": {"flops": 7}}\n' \
    '{"sequence": ["no-such"], "log_probability": -3}' "{\"sequence\": [$good], \"log_probability\": -1}"
done
SH
chmod +x python
export ORDO_PYTHON=$PWD/python

"$ordo" agent propose suite/wc --model hf:x -o p.jsonl 2>log || { cat log; fail "propose"; }
[[ $(wc -l <p.jsonl) == 2 && $(wc -l <asked) == 1 ]] || { cat p.jsonl; fail "not one program"; }
grep -q '"sequence":\["inline-simplify-Oz".*"mergefunc"' p.jsonl || { cat p.jsonl; fail "not the likeliest first"; }
! grep -q no-such p.jsonl || fail "what cannot be measured was kept"
grep -q '"propose":16' asked && grep -q TotalInsts asked && grep -q 'int main' asked || { cut -c1-3000 asked; fail "asked without features or source"; }

# It goes on where it was stopped, a cut line included, and asks nothing twice.
printf '{"program": "suite/crc32", "obj' >>p.jsonl
"$ordo" agent propose suite/wc suite/crc32 --model hf:x -o p.jsonl 2>log || { cat log; fail "going on"; }
[[ $(wc -l <p.jsonl) == 3 && $(wc -l <asked) == 2 ]] || { cat p.jsonl; fail "asked again"; }
! "$ordo" agent propose suite/wc --model hf:y -o p.jsonl 2>log || fail "mixed two models"
grep -q "is of another model" log || { cat log; fail "no word of the other model"; }

# The search begins with them, asked now or read: what the script proposes for wc is better than clang -Oz.
for prior in agent p.jsonl; do
  "$ordo" tune suite/wc --objective ir_instructions --prior $prior --model hf:x --budget 6evals --jobs 1 --searcher random \
    -o wc.o -q >log 2>&1 || { cat log; fail "tune --prior $prior"; }
  grep -q '"name": "inline-simplify-Oz"' wc.ordo.json || { cat log wc.ordo.json; fail "$prior: not what was proposed"; }
done
[[ $(wc -l <asked) == 3 ]] || fail "a file was not enough"
"$ordo" tune suite/base64 --objective ir_instructions --prior p.jsonl --budget 4evals -o b.o >log 2>&1 || { cat log; fail "without proposals"; }
grep -q "searching without a prior: .*p.jsonl proposes nothing" log || { cat log; fail "no word of no proposals"; }

# As methods of a study, beside the same searchers.
"$ordo" eval suite/wc --methods random,prior:p.jsonl:random --objectives ir_instructions --compiles 10 --seeds 1 --study s.sqlite -q 2>log ||
  { cat log; fail "eval"; }
"$ordo" report s.sqlite --summary >report 2>&1 || true
[[ $("$ordo" eval suite/wc --methods random,prior:p.jsonl:random --objectives ir_instructions --compiles 10 --seeds 1 --study t.sqlite -q --json |
  grep -c '"method":"prior/random@') == 1 ]] || fail "no such method"
