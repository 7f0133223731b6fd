#!/usr/bin/env bash
# A loop whose store is a real PostgreSQL, with two controllers that share nothing but that and the folder of builds, as
# on two hosts. The candidates are one program, so that each experiment is over without a request.
set -euo pipefail
programs=$(printf '%s\n' /usr/lib/postgresql/*/bin | tail -n 1)
[[ -x $programs/initdb ]] || { echo "skipped: needs PostgreSQL"; exit 77; }
: "${ORDO:?}"
as=()
if [[ $(id -u) == 0 ]]; then
  id postgres >/dev/null 2>&1 || { echo "skipped: needs the user postgres"; exit 77; }
  as=(setpriv --reuid=postgres --regid=postgres --clear-groups)
fi
dir=$(mktemp -d)
chmod 755 "$dir"
run=''
# shellcheck disable=SC2329  # by the trap
finish() {
  [[ -z $run ]] || kill -TERM "$run" 2>/dev/null || true
  "${as[@]}" "$programs/pg_ctl" -D "$dir/server/data" -m immediate stop >/dev/null 2>&1 || true
  wait
  rm -rf "$dir"
}
trap finish EXIT
cd "$dir"
install -d ${as:+-o postgres -g postgres} server
server() { # server start|stop
  local options="-k $dir/server -c listen_addresses= -c fsync=off"
  [[ $1 == stop ]] || set -- start -l "$dir/server/log" -o "$options"
  "${as[@]}" "$programs/pg_ctl" -D "$dir/server/data" -w -m fast "$@" >/dev/null
}
"${as[@]}" "$programs/initdb" -D "$dir/server/data" -A trust -U loops --no-sync >/dev/null
server start
export PGHOST=$dir/server PGUSER=loops PGDATABASE=postgres

fails=0
check() { # check NAME EXPECTED FOUND
  [[ $3 == "$2" ]] && echo "ok: $1" || { echo "FAILED: $1: '$3', not '$2'"; ((++fails)); }
}
yes_if() { "$@" >/dev/null 2>&1 && echo yes || echo no; }
wait_for() { # wait_for WHAT COMMAND…
  local end=$((SECONDS + 60))
  until "${@:2}" >/dev/null 2>&1; do
    ((SECONDS < end)) || { echo "waited for $1"; tail -n 5 ./*/log; exit 1; }
    sleep 0.1
  done
}

printf '#!/bin/sh\ncp /bin/true "$2"\n' >build.sh
printf '#!/bin/sh\n[ "$1" != look ] || printf "production 256 up 0 0\\ncontrol 0 up 0 0\\ncanary 0 up 0 0\\n"\n' >balancer.sh
chmod +x build.sh balancer.sh
for host in one two; do
  mkdir $host
  cat >$host/loop.toml <<END
format = 1
store = "postgresql:///postgres?host=$dir/server&user=loops"
[build]
command = ["$dir/build.sh", "{candidate}", "{output}"]
folder = "$dir/builds"
production = "O3"
candidates = ["a", "b"]
[stage]
runs = [[]]
budget_s = 0
[pools]
deploy = ["/bin/true"]
stop = ["/bin/true"]
[balancer]
set = ["$dir/balancer.sh", "set"]
look = ["$dir/balancer.sh", "look"]
[prometheus]
port = 1
histogram = "none"
[pace]
tick_s = 0.1
lease_s = 2
wait_s = 0.2
[policy]
rest_s = 0
END
done
loop() { "$ORDO" loop "$2" --file "$1/loop.toml" "${@:3}"; }

check "nothing is made by who looks" 66 "$(loop one status >said 2>&1; echo $?)"
loop one run -q --experiments 3 >one/log 2>&1 || true
check "experiments of one host" 4 "$(loop one history | wc -l)"
check "are those of the other" "$(loop one history)" "$(loop two history)"
check "and can be looked at" "t" "$(psql -AXtqc 'SELECT count(*) = 3 FROM reward')"

"$ORDO" loop run -q --file one/loop.toml >one/log 2>&1 &
run=$!
wait_for "a controller" eval 'loop two status | grep "controller  runs"'
refused=$(loop two run -q 2>&1 || true)
check "a second controller is refused" yes "$([[ $refused == *"has this loop"* ]] && echo yes || echo "$refused")"
kill -9 $run
wait $run 2>/dev/null || true
run=''
wait_for "the lease to run out" eval 'loop two run -q --experiments 1'
check "another host goes on" yes "$(yes_if test "$(loop one history | wc -l)" -ge 5)"

"$ORDO" loop run -q --file two/loop.toml >two/log 2>&1 &
run=$!
wait_for "a controller" eval 'loop one status | grep "controller  runs"'
server stop
code=0
wait $run || code=$?
run=''
check "a controller that has lost its store ends" 69 $code
check "without a server it says so" 69 "$(loop one status >said 2>&1; echo $?)"
check "and why" yes "$(yes_if grep -q "connection to server" said)"
server start
check "what was there is there" yes "$(yes_if loop one history)"
check "and the loop goes on" yes "$(yes_if eval "sleep 2; \"$ORDO\" loop run -q --file one/loop.toml --experiments 1")"
sed -i 's|postgresql://|postgresql://loops:hunter2@127.0.0.1|' one/loop.toml
check "a password has no place in loop.toml" 64 "$(loop one status >said 2>&1; echo $?)"
check "and is not said" no "$(yes_if grep hunter2 said)"
exit $((fails > 0))
