#!/usr/bin/env bash
# The drop-in compiler in a build with Meson: examples/meson, cold and from the cache.
set -euo pipefail
for tool in meson ninja; do command -v $tool >/dev/null || { echo "no $tool"; exit 77; }; done
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
export PATH=$(dirname "$ORDO"):$PATH ORDO_CACHE=$PWD/cache ORDO_BUDGET=50ms
unset ORDO_LOCK ORDO_DISABLE ORDO_OBJECTIVE ORDO_LOG
cp -r "$ORDO_SOURCE_DIR/examples/meson" .

for outcome in tuned cached; do
  rm -rf meson/out cache/builds.jsonl
  CC=ordo-cc meson setup meson/out meson --buildtype=plain -Dc_args=-Oz >/dev/null
  meson test -C meson/out >/dev/null
  grep '/roman.c",.*"outcome":"'$outcome'"' cache/builds.jsonl >/dev/null
  cp meson/out/roman.p/roman.c.o $outcome.o
done
cmp tuned.o cached.o
