# shellcheck shell=bash
# `./ordo bench NAME [ARG…]`, sourced by the launcher. A benchmark is a function bench_NAME: it has what it needs
# installed and built, and becomes a program of this folder, which explains itself with --help.

source "$root/tests/run.bash"  # web_env

run_benchmarks() {
  local program names
  names=$(compgen -A function bench_ | sed 's/^bench_//' | tr '\n' ' ')
  [[ ! " $* " =~ \ (-h|--help)\  ]] || only_explain
  if [[ " $names" == *" ${1:-none} "* ]]; then
    "bench_$1" "${@:2}"
    return
  fi
  [[ ${1:--} == -* ]] || die 64 "bench: there is no '$1'; there are: ${names% }; and without a name those in C++"
  build release benches
  for program in "$root"/build/release/bin/bench_*; do "$program" "$@"; done
}

# What a benchmark does is told without anything being installed or built, but for a Python where the system's is not enough.
only_explain() {
  local name
  for name in require build switch_on mlir_env web_env; do eval "$name() { :; }"; done
  python_env() { [[ -x $root/build/python/bin/python ]] || python_packages build; }
  trainer_env() { python_env; }
  agent_env() { python_env; }
}

# with_python and with_ours FILE ARG…: become that program of bench/, in the machine's Python or in ours.
with_python() { exec python3 "$root/bench/$1" "${@:2}"; }
with_ours() { exec "$root/build/python/bin/python" "$root/bench/$1" "${@:2}"; }

bench_ablations() {
  trainer_env
  build release ordo ordo-worker ordo-differ
  with_ours ablations.py "$@"
}
bench_advisors() {
  build release ordo ordo-worker ordo-advise
  with_python advisors.py "$@"
}
bench_agent() {
  [[ -n ${ORDO_PYTHON:-} || " $* " == *" --as-is "* ]] || agent_env "$@" || return
  build release ordo ordo-worker
  offer_python
  exec "${ORDO_PYTHON:-python3}" "$root/bench/agent.py" "$@"
}
bench_build() { with_python build.py "$@"; }
bench_builds() {
  build release ordo ordo-worker ordo-cc ordo-plugin
  with_python builds.py "$@"
}
bench_correlation() {
  command -v valgrind >/dev/null || require valgrind
  python_env bench
  build release ordo-worker
  with_ours correlation.py "$@"
}
bench_functions() {
  build release ordo ordo-worker ordo-differ quick_answers
  [[ ${1:-} != --reach ]] || with_python functions_reach.py "${@:2}"
  with_python functions.py "$@"
}
bench_environment() {
  python_env
  build release direct_steps
  with_ours environment.py "$@"
}
bench_inlining() {
  build release ordo ordo-plugin
  with_python inlining.py "$@"
}
bench_kernels() {
  mlir_env
  [[ -n ${ORDO_PYTHON:-} || " $* " =~ \ (-h|--help)\  ]] || (python_packages kernels compilers) || say "other libraries could not be installed"
  offer_python
  with_python kernels.py "$@"
}
bench_libraries() {
  require "${packages[@]}" "${target_packages[@]}" "${target_systems[@]}" "${target_headers[@]}" debian-archive-keyring
  build release ordo ordo-worker ordo-cc
  with_python libraries.py "$@"
}
bench_loops() {
  build release ordo ordo-worker ordo-differ ordo-plugin
  with_python loops.py "$@"
}
bench_peers() {
  python_env peers
  cd "$root"
  with_ours peers.py "$@"
}
bench_preferences() {
  trainer_env
  build release ordo ordo-worker ordo-differ
  with_ours preferences.py "$@"
}
bench_prior() {
  [[ -n ${ORDO_PYTHON:-} ]] || agent_env "$@" || return
  trainer_env
  build release ordo ordo-worker ordo-differ
  offer_python
  exec "${ORDO_PYTHON:-python3}" "$root/bench/prior.py" "$@"
}
bench_ray() {
  (require iproute2) || say "without iproute2 the machines have no addresses of their own"
  (python_env rllib)
  trainer_env
  build release ordo ordo-worker ordo-differ ordo-capture
  with_ours cluster.py "$@"
}
bench_reach() {
  python_env
  # Trainings are timed, unless that is left out.
  [[ " $* " =~ --as-is|--split[\ =]test || (" $* " =~ without.*rollouts && " $* " =~ without.*training) ]] || trainer_env
  build release ordo ordo-worker ordo-capture bench_policy
  offer_python
  with_ours reach_report.py "$@"
}
bench_runtime() {
  build release ordo ordo-worker ordo-differ ordo-plugin conformance_teeth_test
  with_python runtime.py "$@"
}
bench_speed() {
  build release ordo ordo-worker ordo-differ
  with_python speed.py "$@"
}
bench_study() {
  local name=${1:-validation} folder=$root/build/studies board=$root/docs/leaderboard.md
  [[ $name != -* ]] || die 64 "bench study [NAME]: makes the study of data/studies/NAME.plan [validation]"
  ! grep -qs peer "$root/data/studies/$name.plan" || (python_env peers)
  build release ordo ordo-worker ordo-differ
  offer_python
  "$root/bench/study.sh" "$name" "$folder"
  [[ $name == validation ]] || board=$root/docs/leaderboard-$name.md
  cp "$folder/leaderboard-$name.md" "$board"
  if [[ $name == validation ]]; then
    "$root/build/release/bin/ordo" report "$folder/$name.sqlite" --summary >"$folder/$name.summary"
    python3 "$root/bench/marks.py" "$root/docs/results.md" study <"$folder/$name.summary"
  fi
  say "wrote $folder/$name.html, $folder/$name.md and $board"
}
bench_suite() {
  build release ordo ordo-worker ordo-differ
  with_python suite.py "$@"
}
bench_targets() {
  require "${packages[@]}" "${target_packages[@]}" "${target_systems[@]}" "${target_headers[@]}"
  build release ordo ordo-worker ordo-differ
  with_python targets.py "$@"
}
bench_timing() {
  build release ordo
  with_python timing.py "$@"
}
bench_web() {
  web_env
  build release ordo ordo-worker ordo-differ
  with_python web.py "$@"
}
