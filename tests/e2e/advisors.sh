#!/usr/bin/env bash
# Advice in stock clang and opt: nothing without it, the same by every way it can come, and trained in small.
set -euo pipefail
ordo=${ORDO:?}
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
plugin=$(readlink -f "$(dirname "$ordo")/../lib/libordo-plugin.so")
unset ORDO_ADVISORS ORDO_RECIPE ORDO_LOCK
fail() { echo "FAILED: $1" >&2; exit 1; }
code() { llvm-size-22 -A "$1" | awk '/^\.text/ { sum += $2 } END { print sum }'; }
cp "$ORDO_SOURCE_DIR"/examples/make/*.[ch] .

echo "without advice, and with LLVM's own, objects are clang's to the byte"
for source in parser lexer main; do
  clang-22 -Oz -c $source.c -o plain.o
  clang-22 -Oz -fpass-plugin="$plugin" -c $source.c -o off.o
  ORDO_ADVISORS=usual clang-22 -Oz -fpass-plugin="$plugin" -c $source.c -o usual.o
  cmp plain.o off.o
  cmp plain.o usual.o
done

echo "advice is followed, said and logged; in a race nothing grows"
mkdir log
ORDO_ADVISORS=random:2,log=log clang-22 -Oz -Rpass=ordo-inline -fpass-plugin="$plugin" -c parser.c -o random.o 2>remarks
clang-22 -Oz -c parser.c -o plain.o
[[ $(code random.o) -gt $(code plain.o) ]] || fail "a random advisor changed nothing"
grep -q 'advised by Ordo' remarks || { cat remarks; fail "no remark"; }
head -n 1 log/parser.c.*.jsonl | grep '"ordo_advice":1' >/dev/null || fail "no log"
for seed in 1 2 3; do
  ORDO_ADVISORS=random:$seed,race clang-22 -Oz -fpass-plugin="$plugin" -c parser.c -o raced.o
  [[ $(code raced.o) -le $(code plain.o) ]] || fail "larger in a race"
done
printf '# words in a file\nusual\n' >words
ORDO_ADVISORS=@words clang-22 -Oz -fpass-plugin="$plugin" -c parser.c -o usual.o
cmp plain.o usual.o
for wrong in no-such @no-such random:x; do
  if ORDO_ADVISORS=$wrong clang-22 -Oz -fpass-plugin="$plugin" -c parser.c -o wrong.o 2>errors; then fail "took $wrong"; fi
  grep -q '^ordo: .*no-such\|^ordo: .*random:x' errors || { cat errors; fail "no word about $wrong"; }
done

echo "what is shipped makes a program smaller that nobody trained on"
chess=$ORDO_SOURCE_DIR/suite/chess/chess.c
clang-22 -Oz -c "$chess" -o plain.o
ORDO_ADVISORS=inline-size,race clang-22 -Oz -fpass-plugin="$plugin" -c "$chess" -o advised.o
[[ $(code advised.o) -lt $(code plain.o) ]] || fail "chess.c is not smaller"
ORDO_ADVISORS=inline-size,race clang-22 -Oz -fpass-plugin="$plugin" -c "$chess" -o again.o
cmp advised.o again.o
clang-22 -Oz -fpass-plugin="$plugin" -c "$chess" -o off.o
cmp plain.o off.o
sorts=$ORDO_SOURCE_DIR/suite/sorts/sorts.c
clang-22 -Oz -w -c "$sorts" -o plain.o
ORDO_ADVISORS=evict,race clang-22 -Oz -w -fpass-plugin="$plugin" -c "$sorts" -o advised.o
[[ $(code advised.o) -lt $(code plain.o) ]] || fail "sorts.c is not smaller"

echo "vector factors: off and as usual objects are clang's to the byte; what is shipped is followed and is as right"
kernel=$ORDO_SOURCE_DIR/bench/loops/dot_i8.c
clang-22 -O3 -w "$kernel" -o plain
clang-22 -O3 -w -c "$kernel" -o plain.o
clang-22 -O3 -w -fpass-plugin="$plugin" -c "$kernel" -o off.o
cmp plain.o off.o
ORDO_ADVISORS=usual clang-22 -O3 -w -fpass-plugin="$plugin" -c "$kernel" -o usual.o
cmp plain.o usual.o
ORDO_ADVISORS=vectorize clang-22 -O3 -w -Rpass=ordo-vectorize -fpass-plugin="$plugin" "$kernel" -o advised 2>remarks
grep -q 'advised by Ordo' remarks || { cat remarks; fail "no remark"; }
! cmp -s plain advised || fail "nothing changed"
[[ $(./plain 50) == $(./advised 50) ]] || fail "another result"
ORDO_ADVISORS=vectorize,inline-size clang-22 -O3 -w -fpass-plugin="$plugin" -c "$kernel" -o both.o
for quiet in -Os -Oz -O1 "-O3 -fno-vectorize"; do
  clang-22 $quiet -w -c "$kernel" -o plain.o
  ORDO_ADVISORS=vectorize clang-22 $quiet -w -fpass-plugin="$plugin" -c "$kernel" -o advised.o
  cmp plain.o advised.o || fail "advice at $quiet"
done

echo "in a build: what ordo-cc leaves to clang is advised, what it makes is raced, and the cache tells advice apart"
cc=$(dirname "$ordo")/ordo-cc
export ORDO_CACHE=$PWD/cache ORDO_BUDGET=0
ORDO_ADVISORS=vectorize "$cc" -O3 -w -c "$kernel" -o built.o
ORDO_ADVISORS=vectorize clang-22 -O3 -w -fpass-plugin="$plugin" -c "$kernel" -o advised.o
cmp built.o advised.o
"$cc" -O3 -w -c "$kernel" -o built.o
clang-22 -O3 -w -c "$kernel" -o plain.o
cmp built.o plain.o
clang-22 -Oz -c "$chess" -o plain.o
for words in "" inline-size random:3 inline-size,random:3; do
  ORDO_ADVISORS=$words "$cc" -Oz -c "$chess" -o first.o
  ORDO_ADVISORS=$words "$cc" -Oz -c "$chess" -o second.o
  cmp first.o second.o || fail "a warm build makes something else"
  [[ $(code first.o) -le $(code plain.o) ]] || fail "larger with '$words'"
done
[[ $("$ordo" stats --json | grep -c '"cached": 4') == 1 ]] || { "$ordo" stats; fail "advice is not told apart"; }
ORDO_ADVISORS=no-such "$cc" -Oz -c "$chess" -o wrong.o 2>errors
cmp wrong.o plain.o
grep -q "there is no 'no-such'.*compiled without Ordo" errors || { cat errors; fail "no word about no-such"; }
ORDO_DISABLE=1 ORDO_ADVISORS=random:3 "$cc" -O3 -w -c "$kernel" -o built.o
clang-22 -O3 -w -c "$kernel" -o plain.o
cmp built.o plain.o
unset ORDO_CACHE ORDO_BUDGET

echo "a pragma is never overridden, and no width makes a warning that clang would not print"
pragma='-DHINT=_Pragma("clang loop vectorize_width(4)")'
clang-22 -O3 "$pragma" -c "$kernel" -o plain.o
for seed in 1 2 3 4; do
  ORDO_ADVISORS=random:$seed,log=log clang-22 -O3 "$pragma" -fpass-plugin="$plugin" -c "$kernel" -o hinted.o 2>errors
  [[ ! -s errors ]] || { cat errors; fail "a warning"; }
done
rm -f log/*
for kernel in "$ORDO_SOURCE_DIR"/bench/loops/*.c; do
  clang-22 -O3 -w "$kernel" -o plain
  ORDO_ADVISORS=random:7 clang-22 -O3 -w -fpass-plugin="$plugin" "$kernel" -o advised 2>errors
  [[ ! -s errors ]] || { cat errors; fail "a warning"; }
  [[ $(./plain 40) == $(./advised 40) ]] || fail "another result of $kernel"
done

echo "evictions: as usual code is clang's to the byte, any other is as right, and a race of them never grows"
for source in "$ORDO_SOURCE_DIR"/suite/{chess/chess,lzh/lzh,sorts/sorts}.c; do
  clang-22 -Oz -w -c "$source" -o plain.o
  ORDO_ADVISORS=usual clang-22 -Oz -w -fpass-plugin="$plugin" -c "$source" -o usual.o
  cmp plain.o usual.o
done
perft=$ORDO_SOURCE_DIR/suite/chess/tests/perft.in
clang-22 -O1 -w "$chess" -o plain
ORDO_ADVISORS=random:4 clang-22 -O1 -w -Rpass=ordo-evict -fpass-plugin="$plugin" "$chess" -o advised 2>remarks
grep -q 'is freed, and by LLVM it were .*: advised by Ordo' remarks || { cat remarks; fail "no remark"; }
! cmp -s plain advised || fail "nothing changed"
[[ $(./plain <"$perft") == $(./advised <"$perft") ]] || fail "another result"
clang-22 -Oz -w -c "$chess" -o plain.o
ORDO_ADVISORS=random:4,race clang-22 -Oz -w -fpass-plugin="$plugin" -c "$chess" -o raced.o
[[ $(code raced.o) -le $(code plain.o) ]] || fail "larger in a race"

echo "evictions are a choice of the code generator, and what a recipe makes may have them too"
sorts=$ORDO_SOURCE_DIR/suite/sorts/sorts.c
clang-22 -Oz -w -c "$sorts" -o plain.o
choice=(clang-22 -Oz -w -fpass-plugin="$plugin" -mllvm)
"${choice[@]}" -ordo-evict=evict -c "$sorts" -o chosen.o
[[ $(code chosen.o) -lt $(code plain.o) ]] || fail "the choice changes nothing"
if "${choice[@]}" -ordo-evict=../evict -c "$sorts" -o chosen.o 2>errors; then fail "a path is taken"; fi
grep -q 'not a name of weights' errors || { cat errors; fail "no word of what is wrong"; }
cat >chosen.txt <<END
clang-Oz
codegen<ordo-evict=evict>
END
"$ordo" tune "$sorts" --space ./chosen.txt --objective text_bytes --budget 20evals --policy none --searcher random -o tuned.o \
  --recipe tuned.ordo.json >said || { cat said; fail "tuning"; }
grep -q 'ordo-evict=evict' tuned.ordo.json || fail "the choice is not in the recipe"
"$ordo" verify tuned.ordo.json "$sorts" >said || { cat said; fail "stock tools do not repeat it"; }
"$ordo" explain tuned.ordo.json "$sorts" >said
grep -q "and Ordo's plugin, for .*registers:" said || { cat said; fail "no word of the plugin"; }
export ORDO_CACHE=$PWD/cache-recipe ORDO_BUDGET=0
"$cc" -Oz -w -c "$sorts" -o recipe.o
ORDO_ADVISORS=evict "$cc" -Oz -w -c "$sorts" -o advised.o
[[ $(code advised.o) -lt $(code recipe.o) ]] || fail "advice does not reach what a recipe makes"
unset ORDO_CACHE ORDO_BUDGET
leftover=$(find "${TMPDIR:-/tmp}" -maxdepth 1 -name 'ordo-evict-*' -newer plain 2>/dev/null | wc -l)
[[ $leftover == 0 ]] || fail "pipes were left"

echo "an advisor of vector factors is trained in small"
"$ordo" train advisor vectorize --loops 16 --run vectorize -o factors.safetensors >said || { cat said; fail "training"; }
grep -q 'of other shapes' said || { cat said; fail "no word of what it is worth"; }
ORDO_ADVISORS=$PWD/factors.safetensors clang-22 -O3 -w -fpass-plugin="$plugin" -c "$kernel" -o advised.o

echo "an advisor is trained in small"
for source in parser lexer main; do
  clang-22 -Oz -Xclang -disable-llvm-passes -emit-llvm -c $source.c -o $source.bc
done
train=("$ordo" train advisor inline-size --on parser.bc --on lexer.bc --held-out parser.bc --tries 8 --generations 1
  --jobs 1 --run run -o trained.safetensors)
"${train[@]}" >said || fail "training"
grep -q 'modules of other packages' said || { cat said; fail "no word of what it is worth"; }
lines=$(wc -l <run/train.jsonl)
"${train[@]}" --race >said && [[ $(wc -l <run/train.jsonl) == "$lines" ]] || fail "it searched again"
"$ordo" train advisor inline-speed --on parser.bc --on lexer.bc --held-out parser.bc --tries 8 --generations 1 --jobs 1 \
  --run speed -o speed.safetensors >said || fail "training for speed"
grep -q 'of estimated time less' said || { cat said; fail "no word of what it is worth for speed"; }
ORDO_ADVISORS=$PWD/speed.safetensors clang-22 -O3 -fpass-plugin="$plugin" -c parser.c -o speed.o
if "$ordo" train advisor inline-speed --race --on parser.bc --held-out parser.bc --run speed 2>errors; then fail "a race for speed"; fi
grep -q 'nobody races' errors || { cat errors; fail "no word about a race for speed"; }

echo "an advisor of evictions is trained in small, and goes on"
for program in chess lzh; do
  clang-22 -Oz -w -Xclang -disable-llvm-passes -emit-llvm -c "$ORDO_SOURCE_DIR/suite/$program/$program.c" -o $program.bc
done
evolve=("$ordo" train advisor evict --on lzh.bc --held-out chess.bc --jobs 1 --run evict -o evict.safetensors)
"${evolve[@]}" --generations 1 >said || { cat said; fail "training"; }
grep -q 'modules of other packages' said || { cat said; fail "no word of what it is worth"; }
"${evolve[@]}" --generations 2 &>said && ! grep -q 'generation 1' said || { cat said; fail "it began anew"; }
ORDO_ADVISORS=$PWD/evict.safetensors clang-22 -Oz -w -fpass-plugin="$plugin" -c "$chess" -o advised.o
clang-22 -O2 -w -c "$chess" -o plain.o
ORDO_ADVISORS=$PWD/evict.safetensors clang-22 -O2 -w -fpass-plugin="$plugin" -c "$chess" -o advised.o
cmp plain.o advised.o || fail "what was learned from small code is followed at -O2"

echo "stock opt, answered on pipes, makes what the plugin makes"
stock=(opt-22 -passes='default<Oz>' -enable-ml-inliner=release)
channel=(-inliner-interactive-channel-base="$PWD/channel" -inliner-interactive-include-default)
ORDO_ADVISORS=$PWD/trained.safetensors opt-22 -passes='default<Oz>' -load-pass-plugin="$plugin" parser.bc -o plugin.bc
"$ordo" advisor serve channel --advisor trained.safetensors -- "${stock[@]}" "${channel[@]}" parser.bc -o served.bc 2>said
grep -q '1 compiles' said || { cat said; fail "nobody asked"; }
cmp plugin.bc served.bc
[[ ! -e channel.in ]] || fail "a pipe was left"
"$ordo" advisor serve channel --advisor random -- "${stock[@]}" "${channel[@]}" parser.bc -o random.bc 2>said
! cmp -s plugin.bc random.bc || fail "what is said on the pipe is not followed"

echo "what the plugin was told, stock opt repeats without anybody to ask, and its log says so"
rm -f log/*
ORDO_ADVISORS=random:2,log=log opt-22 -passes='default<Oz>' -load-pass-plugin="$plugin" parser.bc -o plugin.bc
"$ordo" advisor convert log/*.jsonl --to answers -o channel.in
"${stock[@]}" "${channel[@]}" parser.bc -o repeated.bc
cmp plugin.bc repeated.bc
"$ordo" advisor convert channel.out -o stock.jsonl
"$ordo" advisor convert log/*.jsonl --to mlgo -o mlgo.log
"$ordo" advisor convert mlgo.log -o back.jsonl
features() { sed 's/.*"features":\(\[[^]]*\]\).*"usual":\([01]\).*/\1 \2/' "$1" | tail -n +2; }
cmp <(features stock.jsonl) <(features back.jsonl)
cmp <(features stock.jsonl) <(features "$(echo log/*.jsonl)")

echo "stock llc asks what the plugin asks, feature by feature, and makes what it makes"
rm -f log/* channel.*
opt-22 -passes='default<Oz>' chess.bc -o optimised.bc
ORDO_ADVISORS=random:2,log=log llc-22 -filetype=obj -load-pass-plugin="$plugin" optimised.bc -o plugin.o
"$ordo" advisor convert log/*.jsonl --to answers -o channel.in
stock=(llc-22 -filetype=obj -regalloc-enable-advisor=release -regalloc-evict-interactive-channel-base="$PWD/channel")
"${stock[@]}" optimised.bc -o repeated.o
cmp plugin.o repeated.o
"$ordo" advisor convert channel.out -o stock.jsonl
questions() { sed 's/.*"features":\(\[[^]]*\]\).*/\1/' "$1" | tail -n +2; }
[[ $(questions stock.jsonl | wc -l) -gt 100 ]] || fail "stock llc asked nothing"
cmp <(questions stock.jsonl) <(questions "$(echo log/*.jsonl)")
rm channel.*
"$ordo" advisor serve channel --advisor random --decision evict -- "${stock[@]}" optimised.bc -o random.o 2>said
grep -q '1 compiles' said || { cat said; fail "nobody asked"; }
"$ordo" advisor serve channel --advisor evict.safetensors -- clang-22 -Oz -w -c "$chess" -o served.o \
  -mllvm -regalloc-enable-advisor=release -mllvm -regalloc-evict-interactive-channel-base="$PWD/channel" 2>said
grep -q '1 compiles' said || { cat said; fail "nobody asked"; }

echo "a link asks about calls and registers, a compile for one about nothing, a distributed backend about registers"
rm -rf log
mkdir log
export ORDO_ADVISORS=random:1,log=log
for source in parser lexer main; do clang-22 -Oz -flto=thin -fpass-plugin="$plugin" -c $source.c -o $source.o; done
[[ -z $(ls log) ]] || fail "a compile for a link asked"
linked=(clang-22 -flto=thin -fuse-ld=lld parser.o lexer.o main.o -lm)
"${linked[@]}" -Wl,--load-pass-plugin="$plugin" -o calc
[[ $(head -qn 1 log/* | grep -c '"decision":"inline"') -gt 0 ]] || fail "no call was asked about"
[[ $(head -qn 1 log/* | grep -c '"decision":"evict"') -gt 0 ]] || fail "no register was asked about"
rm -f log/*
"${linked[@]}" -Wl,--thinlto-index-only -o calc
clang-22 -Oz -x ir main.o -fthinlto-index=main.o.thinlto.bc -fpass-plugin="$plugin" -c -o backend.o
head -qn 1 log/* | grep '"decision":"evict"' >/dev/null || fail "the backend asked nothing"
unset ORDO_ADVISORS
