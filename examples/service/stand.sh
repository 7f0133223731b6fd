# shellcheck shell=bash
# A service behind HAProxy, watched by Prometheus, under an open load, on 127.0.0.1 only: functions for who sources
# this, demo.sh and tests/loop. $stand_dir holds all that is made; stand_down ends all that was started.
#
# HAPROXY and PROMETHEUS are those of Debian; SERVICE_PORT and the nine after it have to be free.
stand_here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
haproxy=${HAPROXY:-/usr/sbin/haproxy} prometheus=${PROMETHEUS:-/usr/bin/prometheus}
stand_pids=() stand_load=''
export SERVICE_PORT=${SERVICE_PORT:-18080}

# Ends what was started here, and nothing else.
stand_down() {
  local pool pid
  for pid in "${stand_pids[@]}"; do kill -TERM "$pid" 2>/dev/null || true; done
  for pool in canary control production; do "$stand_here/pool.sh" stop $pool || true; done
  wait 2>/dev/null || true
}

# stand_build DIR: the service's object and the load generator.
stand_build() {
  stand_dir=$1
  export SERVICE_RUN=$stand_dir SERVICE_OBJECT=$stand_dir/service.o
  clang++-22 -std=c++20 -O2 -c "$stand_here/service.cpp" -o "$SERVICE_OBJECT" &
  clang++-22 -std=c++20 -O1 "$stand_here/load.cpp" -lcpp-httplib -lpthread -o "$stand_dir/load"
  wait $!
}

# Whether somebody listens there.
stand_taken() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# Of HAProxy's file: a line for each request, as [log] of loop.toml reads it (docs/formats/loop.md).
# shellcheck disable=SC2016
stand_log='    http-request set-var(txn.ordo) date(0,us)
    log-format "ordo %b/%s us=%[date(0,us),sub(txn.ordo)] %ST %ts"
    log stdout format raw local0 info'

# HAProxy makes no file of its own, and forgets that one that it is given is to be appended to.
stand_append() { exec cat >>"$stand_dir/haproxy.log"; }

# stand_up PROGRAM: serves it, until HAProxy says so; with STAND_LOG each request has a line in haproxy.log.
stand_up() {
  local port
  for port in $(seq "$SERVICE_PORT" $((SERVICE_PORT + 9))); do
    ! stand_taken "$port" || { echo "port $port of 127.0.0.1 is taken; SERVICE_PORT names another first one" >&2; return 69; }
  done
  cat >"$stand_dir/haproxy.cfg" <<CONFIG
global
    stats socket $stand_dir/admin.sock mode 600 level admin expose-fd listeners
    log stdout format raw local0 warning
    hard-stop-after 30s
defaults
    mode http
    timeout connect 1s
    timeout client 30s
    timeout server 8s
    retries 3
    option redispatch 1
    retry-on conn-failure empty-response
frontend fe
    bind 127.0.0.1:$SERVICE_PORT
    default_backend app
${STAND_LOG:+$stand_log}
backend app
    balance random(1)
    option httpchk GET /healthz
    default-server check inter 500ms fall 2 rise 1
    server production 127.0.0.1:$((SERVICE_PORT + 1)) weight 256
    server control 127.0.0.1:$((SERVICE_PORT + 2)) weight 0
    server canary 127.0.0.1:$((SERVICE_PORT + 3)) weight 0
CONFIG
  cat >"$stand_dir/prometheus.yml" <<CONFIG
global: {scrape_interval: 1s, scrape_timeout: 1s}
scrape_configs:
  - job_name: service
    static_configs:
      - targets: [127.0.0.1:$((SERVICE_PORT + 1)), 127.0.0.1:$((SERVICE_PORT + 2)), 127.0.0.1:$((SERVICE_PORT + 3))]
CONFIG
  "$stand_here/pool.sh" deploy production "$1"
  "$haproxy" -f "$stand_dir/haproxy.cfg" > >(stand_append) 2>&1 &
  stand_haproxy=$!
  "$prometheus" --config.file="$stand_dir/prometheus.yml" --storage.tsdb.path="$stand_dir/prometheus" \
    --log.level=error --web.listen-address="127.0.0.1:$((SERVICE_PORT + 9))" >"$stand_dir/prometheus.log" 2>&1 &
  stand_prometheus=$!
  stand_pids+=("$stand_haproxy" "$stand_prometheus")
  stand_wait 60 "HAProxy to serve" curl -fs "127.0.0.1:$SERVICE_PORT/healthz"
  stand_wait 60 "Prometheus" curl -fs "127.0.0.1:$((SERVICE_PORT + 9))/-/ready"
}

# stand_wait SECONDS WHAT COMMAND…: until it succeeds.
stand_wait() {
  local end=$((SECONDS + $1))
  until "${@:3}" >/dev/null 2>&1; do
    ((SECONDS < end)) || { echo "waited $1 s for $2" >&2; return 1; }
    sleep 0.1
  done
}

# stand_load RATE MIX…: requests, until stand_unload; SIGUSR1 to $stand_load changes to the next mix.
stand_load() {
  "$stand_dir/load" "$SERVICE_PORT" "$@" >"$stand_dir/load.log" 2>&1 &
  stand_load=$!
  stand_pids+=("$stand_load")
}

# Ends the load and prints what came of it; fails if a request was lost.
stand_unload() {
  local ended=0
  kill -TERM "$stand_load" 2>/dev/null || true
  wait "$stand_load" || ended=$?
  cat "$stand_dir/load.log"
  return "$ended"
}

# stand_loop_toml FILE CANDIDATES: settings of a loop for all that, with PRODUCTION, STAGE_S, HORIZON and WINDOW_S
# of the environment. Alarms, windows and budgets are of a demonstration: a day of theirs lasts a minute.
stand_loop_toml() {
  cat >"$1" <<CONFIG
format = 1
store = "loop.sqlite"
[build]
command = ["${BUILD:-$stand_here/build.sh}", "{candidate}", "{output}"]
production = "${PRODUCTION:-scalar}"
candidates = [$2]
toolchain = "clang-22"
[stage]
runs = [["--stage", "query", "400"]]  # production is also asked to compress and to parse
budget_s = ${STAGE_S:-12}
[pools]
deploy = ["$stand_here/pool.sh", "deploy", "{pool}", "{artifact}"]
stop = ["$stand_here/pool.sh", "stop", "{pool}"]
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
window_s = ${WINDOW_S:-1.2}
warmup_s = 4
ramp_hold_s = 2
ramp = [0.05, 0.3]
spending_s = 5
[reward]
slo_s = 0.02
fewest_requests = 40
horizon = ${HORIZON:-200}
alpha = 0.02
least_effect = ${LEAST_EFFECT:-0.02}
most_tail_loss = 0.10
most_excess = 0.02
[budget]
objective = 0.99
time_scale = 0.01
most_share = 0.3
careful_share = 0.1
[guard]
most_down = 3
most_unseen = 40
[policy]
seed = ${SEED:-1}
rest_s = 0.1
most_stage_loss = ${STAGE_LOSS:-0.02}
CONFIG
}
