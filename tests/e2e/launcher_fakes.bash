# shellcheck shell=bash disable=SC2016
# Sourced by launcher_*.sh: a pretend clone and a PATH with nothing in it but basic tools and fakes,
# so that ./ordo can be watched installing and building without either taking place.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir -p "$dir"/clone/{src,cli,worker,cmake,tests,bench} "$dir/bin"
cp "$ORDO_SOURCE_DIR/ordo" "$dir/clone/"
for part in tests bench; do cp "$ORDO_SOURCE_DIR/$part/run.bash" "$dir/clone/$part/"; done
touch "$dir/clone/tests/flaky.txt"
touch "$dir"/clone/{CMakeLists.txt,CMakePresets.json,pyproject.toml}
for tool in bash cat chmod cmp cp cut diff dirname env find flock grep head ln ls mkdir mv nproc readlink rm rmdir \
  script sed sh sha256sum timeout sleep tail tee touch tr; do
  ! found=$(command -v $tool) || ln -s "$found" "$dir/bin/"
done
export DIR=$dir PATH=$dir/bin
unset CI
cd "$dir"

# fake NAME: a program with the script on standard input; $DIR/calls tells what it was asked.
fake() {
  { printf '#!%s/bin/bash\necho "%s $*" >>"$DIR/calls"\n' "$dir" "$1"; cat; } >"bin/$1"
  chmod +x "bin/$1"
}
# It rewrites what a ninja that runs is using.
fake cmake <<'END'
[[ ! -e $DIR/building ]] || { echo "configured while ninja ran"; exit 9; }
mkdir -p "$DIR/clone/build/release" && touch "$DIR/clone/build/release/build.ninja"
END
fake ninja <<'END'
mkdir "$DIR/building" || exit  # fails if another build is going on
sleep 0.2; while [[ -e $DIR/hold ]]; do sleep 0.05; done
rmdir "$DIR/building"
echo "[1/2] Building"; echo "[2/2] Linking"
[[ ! -e $DIR/breaks ]] || { echo "error: expected ';'"; exit 1; }
mkdir -p "$DIR/clone/build/release/bin"; cd "$DIR/clone/build/release/bin"
printf '#!%s/bin/bash\necho "program: $*"; cat\n' "$DIR" >ordo; chmod +x ordo
END
# Everything is installed but what $DIR/missing names.
touch missing
fake dpkg-query <<'END'
for package in "${@:4}"; do grep -qx "$package" "$DIR/missing" || echo "installed $package"; done
END
fake sudo <<<'exec "$@"'
fake apt-get <<<'[[ $1 != install ]] || echo >"$DIR/missing"'

calls() { grep -c "^$1" calls 2>/dev/null || true; }

# expect CODE TEXT COMMAND…: runs it with what $input holds (no terminal) and checks how it ends.
input=
expect() {
  local code=0 out
  out=$("${@:3}" <<<"$input" 2>&1) || code=$?
  if [[ $code != "$1" || $out != *"$2"* ]]; then
    printf 'expected %s and "%s" of: %s\ngot %s and:\n%s\n' "$1" "$2" "${*:3}" "$code" "$out" >&2
    exit 1
  fi
}
# check WHAT COMMAND…: fails with WHAT unless the command succeeds.
check() { "${@:2}" || { echo "failed: $1" >&2; exit 1; }; }
