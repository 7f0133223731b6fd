#!/usr/bin/env bash
# wing: learn
# ordo train policy, from collecting to tuning, as small as it gets: the same seed gives the same bytes, also
# when practice was stopped on the way, without any validation program.
set -euo pipefail
[[ -x ${ORDO%/*}/ordo-train ]] || { echo "there is no ordo-train: it needs libtorch"; exit 77; }
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
export ORDO_CACHE=$PWD/cache ORDO_DATASETS=$PWD/nothing-harvested

fail() { echo "FAILED: $1" >&2; exit 1; }
"$ORDO" collect suite/{base64,crc32,wc} --searchers random --budget 20evals -o experience.jsonl -q

# train NAME SEED ROLLOUTS ARG…: batches of 8 rollouts.
train() {
  "$ORDO" train policy experience.jsonl --held-out 0.5 --epochs 2 --hidden 16 --blocks 1 --judges 0 --more-programs 0 \
    --programs 2 --group 4 --threads 1 --jobs 1 --seed "$2" --rollouts "$3" -o "$1.safetensors" "${@:4}" >"$1.txt" 2>&1 ||
    { cat "$1.txt"; fail "training $1"; }
}

train whole 5 16 --events whole.jsonl --tensorboard curves
train again 5 16
cmp whole.safetensors again.safetensors || fail "the same seed gave other weights"
train other 6 16
! cmp -s whole.safetensors other.safetensors || fail "another seed gave the same weights"
[[ $(grep -c '"stage":"practise"' whole.jsonl) == 2 && $(grep -c '"stage":"clone"' whole.jsonl) == 2 ]] ||
  fail "the events are not those of 2 epochs and 2 batches"
grep -qa 'brain.Event:2' curves/*tfevents* && grep -qa 'practise/mean_gain' curves/*tfevents* || fail "no curves"

# As if stopped after the first batch: what chance decides follows from the number of the batch.
train half 5 8 --checkpoint checkpoint
train half 5 16 --checkpoint checkpoint
cmp whole.safetensors half.safetensors || fail "practice that went on from a checkpoint gave other weights"

# Slim experience is replayed, once if what that gives is kept.
"$ORDO" collect suite/{base64,crc32,wc} --searchers random --budget 20evals -o experience.jsonl --slim slim.jsonl -q
mv experience.jsonl full.jsonl
mv slim.jsonl experience.jsonl
train replayed 5 8
train kept 5 8 --restored restored.jsonl
[[ -s restored.jsonl ]] || fail "nothing was kept"
train read 5 8 --restored restored.jsonl
cmp replayed.safetensors kept.safetensors && cmp replayed.safetensors read.safetensors || fail "kept experience is another"
! "$ORDO" train policy experience.jsonl --restored full.jsonl --algorithm none -q 2>error.txt || fail "took other experience"
grep -q 'full.jsonl is of other experience; remove it, or name another file' error.txt || { cat error.txt; fail "no remedy"; }
mv full.jsonl experience.jsonl

# Blind to the history, wherever it is used: its weights are a file like any other.
train blind 5 16 --ignore history,ir2vec --algorithm none
grep -q 'blind to history, ir2vec' blind.safetensors || fail "the weights do not say what they ignore"
train weighed 5 16 --preferences 0.5
! cmp -s weighed.safetensors whole.safetensors || fail "no preference was practised"
! "$ORDO" train policy experience.jsonl --preferences 0.5 --objectives ir_instructions=1+text_bytes=1 -o none.safetensors 2>error.txt ||
  fail "weighed what is weighed"
grep -q "each has to be one metric" error.txt || { cat error.txt; fail "no word of why"; }
! "$ORDO" train policy experience.jsonl --preferences 0.5 --objectives text_bytes -o none.safetensors 2>error.txt ||
  fail "weighed a single objective"
grep -q "there have to be two" error.txt || { cat error.txt; fail "no word of how many"; }
! "$ORDO" train policy experience.jsonl --ignore histories -o none.safetensors 2>error.txt || fail "took what there is not"
grep -q "no features 'histories'; there are autophase, .*history.bag" error.txt || { cat error.txt; fail "no list"; }

"$ORDO" tune suite/wc --budget 10evals --policy whole.safetensors -o wc.o >tune.txt 2>&1 || { cat tune.txt; fail "tune"; }
grep -q '"searcher": "policy"' wc.ordo.json || { cat tune.txt; fail "tuned without the policy"; }

# Practice on one program alone that begins with what is proposed for it: its first episode is worth that.
printf '%s\n' '{"ordo_proposals": 1, "model": "me", "temperature": 1, "seed": 1, "count": 1}' \
  '{"program": "suite/wc", "objective": "ir_instructions", "proposals": [{"sequence": ["inline-simplify-Oz", "simplifycfg<forward-switch-cond;switch-range-to-icmp;switch-to-arithmetic;switch-to-lookup;no-keep-loops;hoist-common-insts;sink-common-insts>"], "log_probability": -1}]}' >p.jsonl
alone() {
  train "$1" 5 8 --on suite/wc --no-clone --algorithm ppo --only 0 --knowledge none --objectives ir_instructions --events "$1.jsonl" "${@:2}"
  python3 -c 'import json, sys; print(next(line["gains"] for line in map(json.loads, open(sys.argv[1])) if "gains" in line)[0] > 0.1)' "$1.jsonl"
}
[[ $(alone begun --prior p.jsonl) == True ]] || { cat begun.jsonl; fail "the first episode of a program did not begin with the proposal"; }
[[ $(alone plain) == False ]] || { cat plain.jsonl; fail "chance alone is as good"; }
grep -q 'which began with what me proposes' begun.txt || { cat begun.txt; fail "the weights do not say with what they began"; }
