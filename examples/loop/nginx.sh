#!/bin/sh
# nginx.sh set PRODUCTION CONTROL CANARY | look: nginx as the balancer of a loop, for [balancer] of loop.toml:
#
#   [balancer]
#   set = ["./nginx.sh", "set", "{production}", "{control}", "{canary}"]
#   look = ["./nginx.sh", "look"]
#
# NGINX_SERVERS are the addresses of production, control and canary. NGINX_UPSTREAM is a file that nginx.conf
# includes in its http block and that only this script writes; requests go to the upstream `app` in it. NGINX_LOG
# is an access log of the format '$upstream_addr|$upstream_status', of which errors are counted: rotate it daily.
# NGINX_RUN is how nginx is started, with its -c and -p. HEALTH is the path that says that a server is up.
set -eu
: "${NGINX_SERVERS:?}" "${NGINX_UPSTREAM:?}" "${NGINX_LOG:?}"
# shellcheck disable=SC2086  # words
set -- "$@" -- $NGINX_SERVERS
case $1 in
  set)
    {
      echo "# weights $2 $3 $4"
      echo 'upstream app {'
      echo '  zone app 64k;'
      for pair in "$2 $6" "$3 $7" "$4 $8"; do
        weight=${pair%% *} server=${pair#* }
        case $weight in *[!0-9]* | '') echo "nginx.sh: '$weight' is no weight" >&2; exit 64 ;; esac
        # A weight of 0 is none that nginx has.
        if [ "$weight" -gt 0 ]; then
          echo "  server $server weight=$weight max_fails=2 fail_timeout=2s;"
        else
          echo "  server $server down;"
        fi
      done
      echo '  keepalive 32;'
      echo '}'
    } >"$NGINX_UPSTREAM.new"
    old=$(cat "$NGINX_UPSTREAM")
    mv -f "$NGINX_UPSTREAM.new" "$NGINX_UPSTREAM"
    # shellcheck disable=SC2086
    ${NGINX_RUN:-nginx} -t -q && ${NGINX_RUN:-nginx} -s reload || {
      printf '%s\n' "$old" >"$NGINX_UPSTREAM"
      exit 1
    }
    ;;
  look)
    weights=$(sed -n 's/^# weights //p' "$NGINX_UPSTREAM")
    states=''
    for server in "$3" "$4" "$5"; do
      if curl -fs -m 1 -o /dev/null "http://$server${HEALTH:-/healthz}"; then states="$states up"; else states="$states down"; fi
    done
    # Who is not the last of a line was left for another.
    awk -F'|' -v weights="$weights" -v states="$states" -v servers="$3 $4 $5" '
      BEGIN { split(servers, server, " "); split(weights, weight, " "); split(states, state, " ")
              split("production control canary", name, " ") }
      { n = split($1, at, ", "); split($2, status, ", ")
        for (i = 1; i < n; ++i) ++elsewhere[at[i]]
        if (status[n] >= 500) ++errors[at[n]] }
      END { for (i = 1; i <= 3; ++i)
              printf "%s %d %s %d %d\n", name[i], weight[i], state[i], errors[server[i]], elsewhere[server[i]] }' "$NGINX_LOG"
    ;;
  *) echo "nginx.sh: set PRODUCTION CONTROL CANARY | look" >&2; exit 64 ;;
esac
