#!/usr/bin/env bash
# Several users and one cache: nobody's build takes another's objects, unless both are in a group that shares one.
set -euo pipefail
[[ $(id -u) -eq 0 ]] && command -v setpriv >/dev/null || { echo "needs root and setpriv, to be two users"; exit 77; }
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
chmod 755 .
export PATH=$(dirname "$ORDO"):$PATH ORDO_BUDGET=0 HOME=$PWD
unset ORDO_LOCK ORDO_DISABLE ORDO_OBJECTIVE ORDO_LOG ORDO_CACHE_SHARED
cp "$ORDO_SOURCE_DIR/examples/make/parser.c" "$ORDO_SOURCE_DIR/examples/make/calc.h" .
ann=12345 ben=12346 team=12347
as() {  # USER COMMAND…, in a folder of that user's
  mkdir -p of_$1
  chown $1:$1 of_$1
  (cd of_$1 && setpriv --reuid $1 --regid $1 --groups $team -- "${@:2}")
}
compile() { as $1 ordo-cc -Oz -c ../parser.c -o parser.o; }
# A checkout in a folder of root's own, for one.
if ! as $ann ordo-cc --version >/dev/null 2>&1 || ! as $ann test -r "$(dirname "$ORDO")/../lib/libordo-plugin.so"; then echo "other users may not run $(dirname "$ORDO")"; exit 77; fi
clang-22 -Oz -c parser.c -o plain.o

# What the second user must get where the first one's cache is not for him.
refuses() {  # USER REASON
  compile $1 2>errors
  grep -q "$2.*; compiled without Ordo" errors
  cmp of_$1/parser.o plain.o
}

echo "a folder of one's own is nobody else's"
export ORDO_CACHE=$PWD/of_$ann/cache
compile $ann
[[ $(stat -c %a $ORDO_CACHE $ORDO_CACHE/builds.sqlite | xargs) == '700 600' ]]
grep -q '"tuned"' $ORDO_CACHE/builds.jsonl
cp of_$ann/parser.o tuned.o
if cmp -s tuned.o plain.o; then echo "Ordo changes nothing here"; exit 1; fi
chmod 755 of_$ann/cache
chmod 644 of_$ann/cache/*
ORDO_LOG=$PWD/of_$ben/log refuses $ben "belongs to user $ann"
grep -q '"outcome":"fallback","reason":".*belongs to user' of_$ben/log
ordo-cc -Oz -c parser.c -o root.o 2>errors # not even root takes them
cmp root.o plain.o
grep -q 'belongs to user' errors

echo "not even if anybody may write there"
chmod 777 of_$ann/cache
chmod 666 of_$ann/cache/*
refuses $ben "belongs to user $ann"
refuses $ann 'others may write to'

echo "a lock file needs no cache"
chmod 700 of_$ann/cache
chmod 600 of_$ann/cache/*
chmod 1777 .
as $ann ordo lock ../ordo.lock >/dev/null
chmod 755 .
ORDO_LOCK=$PWD/ordo.lock compile $ben
cmp of_$ben/parser.o tuned.o

echo "a group shares a folder, when everybody says so"
mkdir team
chgrp $team team
chmod 2770 team
export ORDO_CACHE=$PWD/team
refuses $ann 'others may write to'
export ORDO_CACHE_SHARED=group
(umask 077 && compile $ann)
(umask 077 && compile $ben)
cmp of_$ann/parser.o tuned.o
cmp of_$ben/parser.o tuned.o
[[ $(grep -o '"outcome":"[a-z]*"' team/builds.jsonl | xargs) == 'outcome:tuned outcome:cached' ]]
ordo-cc -Oz -c parser.c -o root.o
cmp root.o tuned.o # root, too, said so
as $ben ordo stats | grep 'compilations *3' >/dev/null
compile $ann &
compile $ben
wait $!

echo "others do not get in, and a folder that is not ready for a group says what it lacks"
team=1 refuses 12348 'is not a folder of a group of yours'
chmod g-s team
refuses $ann 'chmod it to 2770'
chmod 2777 team
refuses $ann 'is not a folder of a group of yours that only the group may write to'
