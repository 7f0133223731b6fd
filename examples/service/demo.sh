#!/usr/bin/env bash
# The loop in front of a real service, on 127.0.0.1 only: HAProxy, Prometheus, an open load whose mix changes,
# and candidates that are builds of the service with other sequences of passes.
#
#   demo.sh [EXPERIMENTS]   2 unless told; some four minutes. Nothing is left running.
#
# ORDO is the program, HAPROXY and PROMETHEUS those of Debian. DEMO_DIR keeps what it made.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
experiments=${1:-2}
[[ $experiments =~ ^[1-9][0-9]?$ ]] || { echo "demo.sh: '$experiments' is no number of experiments from 1 to 99" >&2; exit 64; }
ordo=${ORDO:-ordo} haproxy=${HAPROXY:-/usr/sbin/haproxy} prometheus=${PROMETHEUS:-/usr/bin/prometheus}
dir=${DEMO_DIR:-$(mktemp -d "${TMPDIR:-/tmp}/ordo-loop.XXXXXX")}
mkdir -p "$dir"
export SERVICE_RUN=$dir SERVICE_OBJECT=$dir/service.o SERVICE_PORT=${SERVICE_PORT:-18080}
rate=${DEMO_RATE:-250}
pids=()

say() { printf 'demo: %s\n' "$*"; }

# Ends what this script has started, and nothing else.
finish() {
  local pool pid
  for pid in "${pids[@]}"; do kill -TERM "$pid" 2>/dev/null || true; done
  for pool in canary control production; do "$here/pool.sh" stop $pool || true; done
  wait 2>/dev/null || true
  [[ -n ${DEMO_DIR:-} ]] || rm -rf "$dir"
}

# Builds, and writes the files of all that runs.
prepare() {
  say "building the service and the load generator"
  clang++-22 -std=c++20 -O2 -c "$here/service.cpp" -o "$SERVICE_OBJECT" &
  clang++-22 -std=c++20 -O1 "$here/load.cpp" -lcpp-httplib -lpthread -o "$dir/load"
  wait $!
  "$here/build.sh" scalar "$dir/first"

  cat >"$dir/haproxy.cfg" <<CONFIG
global
    stats socket $dir/admin.sock mode 600 level admin
    log stdout format raw local0 warning
defaults
    mode http
    timeout connect 500ms
    timeout client 30s
    timeout server 10s
    retries 2
    option redispatch 1
    retry-on conn-failure empty-response
frontend fe
    bind 127.0.0.1:$SERVICE_PORT
    default_backend app
backend app
    balance random(1)
    option httpchk GET /healthz
    default-server check inter 500ms fall 2 rise 1
    server production 127.0.0.1:$((SERVICE_PORT + 1)) weight 256
    server control 127.0.0.1:$((SERVICE_PORT + 2)) weight 0
    server canary 127.0.0.1:$((SERVICE_PORT + 3)) weight 0
CONFIG
  cat >"$dir/prometheus.yml" <<CONFIG
global: {scrape_interval: 1s, scrape_timeout: 1s}
scrape_configs:
  - job_name: service
    static_configs:
      - targets: [127.0.0.1:$((SERVICE_PORT + 1)), 127.0.0.1:$((SERVICE_PORT + 2)), 127.0.0.1:$((SERVICE_PORT + 3))]
CONFIG
  cat >"$dir/loop.toml" <<CONFIG
format = 1
store = "loop.sqlite"
[build]
command = ["$here/build.sh", "{candidate}", "{output}"]
production = "scalar"
candidates = [${DEMO_CANDIDATES:-"\"full\", \"none\""}]
toolchain = "clang-22"
[stage]
runs = [["--stage", "all", "60"]]
budget_s = ${DEMO_STAGE_S:-6}
[pools]
deploy = ["$here/pool.sh", "deploy", "{pool}", "{artifact}"]
stop = ["$here/pool.sh", "stop", "{pool}"]
[haproxy]
socket = "admin.sock"
backend = "app"
[prometheus]
port = $((SERVICE_PORT + 9))
histogram = "service_request_cpu_seconds"  # two shared processors: what waiting costs would hide the rest
selector = { job = "service" }
[pace]
tick_s = 0.5
lease_s = 5
window_s = ${DEMO_WINDOW_S:-1.5}
warmup_s = 4
ramp_hold_s = 2
ramp = [0.05, 0.3]
spending_s = 5
[reward]
slo_s = 0.02
fewest_requests = 40
horizon = ${DEMO_HORIZON:-64}
alpha = 0.02
least_effect = 0.01
most_tail_loss = 0.10
most_excess = 0.02
[budget]
objective = 0.99
time_scale = 0.01
most_share = 0.3
careful_share = 0.1
[guard]
most_down = 3
most_unseen = 60
[policy]
most_stage_loss = ${DEMO_STAGE_LOSS:-0.02}
CONFIG
}

# Starts it.
serve() {
  "$haproxy" -f "$dir/haproxy.cfg" >"$dir/haproxy.log" 2>&1 &
  pids+=($!)
  "$prometheus" --config.file="$dir/prometheus.yml" --storage.tsdb.path="$dir/prometheus" --log.level=error \
    --web.listen-address="127.0.0.1:$((SERVICE_PORT + 9))" >"$dir/prometheus.log" 2>&1 &
  prometheus_pid=$!
  pids+=("$prometheus_pid")
  "$here/pool.sh" deploy production "$dir/first"
  for _ in $(seq 100); do
    [[ ! -S $dir/admin.sock ]] || ! curl -fs "127.0.0.1:$SERVICE_PORT/healthz" >/dev/null 2>&1 || break
    sleep 0.1
  done
  say "production serves on 127.0.0.1:$SERVICE_PORT, $rate requests a second; all of it is in $dir"
  "$dir/load" "$SERVICE_PORT" "$rate" 86400 3,2,1 >"$dir/load.log" 2>&1 &
  load=$!
  pids+=("$load")
}

[[ -z ${DEMO_SOURCED:-} ]] || return 0 # tests take the functions
trap finish EXIT
trap 'exit 130' INT TERM
prepare
serve
status=0
"$ordo" loop run --file "$dir/loop.toml" --experiments "$experiments" || status=$?
echo
"$ordo" loop history --file "$dir/loop.toml"
echo
"$ordo" loop status --file "$dir/loop.toml"
kill -TERM "$load" 2>/dev/null || true
wait "$load" || { say "requests were lost"; status=1; }
cat "$dir/load.log"
exit $status
