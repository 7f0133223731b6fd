#!/usr/bin/env bash
# nginx as a loop's balancer, by examples/loop/nginx.sh: it takes shares, and says who is down, who fails and whose
# requests went elsewhere.
set -euo pipefail
for program in nginx curl python3; do
  command -v "$program" >/dev/null || { echo "skipped: needs $program"; exit 77; }
done
: "${ORDO_SOURCE_DIR:?}"
dir=$(mktemp -d)
servers=()
# shellcheck disable=SC2329  # by the trap
finish() {
  [[ ! -e $dir/nginx.pid ]] || kill -QUIT "$(cat "$dir/nginx.pid")" || true
  for pid in "${servers[@]}"; do kill -TERM "$pid" 2>/dev/null || true; done
  wait
  rm -rf "$dir"
}
trap finish EXIT
port=18680
export NGINX_SERVERS="127.0.0.1:$((port + 1)) 127.0.0.1:$((port + 2)) 127.0.0.1:$((port + 3))"
export NGINX_UPSTREAM=$dir/upstream.conf NGINX_LOG=$dir/access.log NGINX_RUN="nginx -e stderr -p $dir -c $dir/nginx.conf"
serve() { # serve PORT STATUS: says so, whatever is asked; up while it lives
  python3 - "$1" "$2" <<'PYTHON' &
import http.server, sys
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_GET(self):
        self.send_response(200 if self.path == "/healthz" else int(sys.argv[2]))
        self.send_header("Content-Length", "0")
        self.end_headers()
    def log_message(self, *_): pass
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
PYTHON
  servers+=($!)
  until curl -fs "127.0.0.1:$1/healthz"; do sleep 0.1; done
}
cat >"$dir/nginx.conf" <<CONFIG
pid $dir/nginx.pid;
daemon on;
events {}
http {
  log_format ordo '\$upstream_addr|\$upstream_status';
  access_log $dir/access.log ordo;
  client_body_temp_path $dir/body; proxy_temp_path $dir/proxy; fastcgi_temp_path $dir/fastcgi;
  uwsgi_temp_path $dir/uwsgi; scgi_temp_path $dir/scgi;
  include $NGINX_UPSTREAM;
  server {
    listen 127.0.0.1:$port;
    location / { proxy_pass http://app; proxy_next_upstream error timeout; }
  }
}
CONFIG
: >"$NGINX_LOG"
balancer=$ORDO_SOURCE_DIR/examples/loop/nginx.sh
says() { # says WHAT LINE
  local said
  said=$("$balancer" look)
  grep -qxE "$2" <<<"$said" || { echo "FAILED: $1: not '$2' but"; echo "$said"; exit 1; }
  echo "ok: $1"
}
ask() { for _ in $(seq "$1"); do curl -s -o "$dir/answer" -w '%{http_code}\n' "127.0.0.1:$port/"; done; }

serve $((port + 1)) 200
serve $((port + 2)) 200
serve $((port + 3)) 500
printf '# weights 256 0 0\nupstream app { server 127.0.0.1:%s; }\n' $((port + 1)) >"$NGINX_UPSTREAM"
$NGINX_RUN
says "what its file says" "production 256 up 0 0"
[[ $(ask 20 | sort -u) == 200 ]]
"$balancer" set 128 64 64
says "weights that it was given" "canary 64 up 0 0"
until (($(wc -l <"$NGINX_LOG") > 20)); do ask 40 | sort | uniq -c; done # the new workers are there
ask 40 >/dev/null
sleep 0.2
says "who fails" "canary 64 up [1-9][0-9]* 0"
says "who does not" "control 64 up 0 0"
kill -KILL "${servers[2]}"
ask 40 >/dev/null
sleep 0.2
says "who is down, and whose requests went elsewhere" "canary 64 down [1-9][0-9]* [1-9][0-9]*"
"$balancer" set 256 0 0
says "a canary that is withdrawn" "canary 0 down [0-9]+ [0-9]+"
"$balancer" set 128 x 64 2>/dev/null && { echo "FAILED: 'x' was taken for a weight"; exit 1; }
says "weights that are none change nothing" "production 256 up 0 0"
