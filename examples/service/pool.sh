#!/bin/sh
# pool.sh deploy POOL PROGRAM | stop POOL: instances on 127.0.0.1, detached from whoever asks. What serves is
# ended only once its successor listens on the same port, so that no request is lost.
set -eu
run=$SERVICE_RUN
case $2 in
  production) port=$((SERVICE_PORT + 1)) ;;
  control) port=$((SERVICE_PORT + 2)) ;;
  canary) port=$((SERVICE_PORT + 3)) ;;
  *) echo "pool.sh: there is no pool '$2'" >&2; exit 64 ;;
esac
# Instances that may run, one a line: written before one is waited for, so that who is killed leaves none that
# nobody knows of.
pidfile=$run/$2.pid

# Whether PID runs, and is ours; one that only waits to be buried does not.
runs() { ! grep -qs '^State:.Z' "/proc/$1/status" && grep -qs "$run/" "/proc/$1/cmdline"; }

# end PID: asks, waits, and then does not ask any more.
end() {
  runs "$1" || return 0
  kill -TERM "$1" 2>/dev/null || return 0
  for _ in $(seq 50); do
    runs "$1" || return 0
    sleep 0.1
  done
  kill -KILL "$1" 2>/dev/null || true
}

old=$(cat "$pidfile" 2>/dev/null || true) # words
case $1 in
  deploy)
    # A program of its own name in its own place: the file may be replaced while it runs.
    cp -f "$3" "$run/$2.new" && mv -f "$run/$2.new" "$run/$2.bin"
    # A canary that misbehaves, for tests.
    [ "$2" != canary ] || export SERVICE_FAULT="${SERVICE_FAULT_CANARY:-}"
    setsid "$run/$2.bin" "$port" "$2" >>"$run/$2.log" 2>&1 </dev/null &
    new=$!
    echo $new >>"$pidfile"
    for _ in $(seq 100); do
      kill -0 $new 2>/dev/null || { echo "pool.sh: $2 ended at once" >&2; exit 1; }
      ! grep -qxs "ready $new" "$run/$2.log" || break
      sleep 0.05
    done
    for pid in $old; do end "$pid"; done
    echo $new >"$pidfile"
    ;;
  stop)
    for pid in $old; do end "$pid"; done
    rm -f "$pidfile"
    ;;
esac
