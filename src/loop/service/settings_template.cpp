#include "loop/service/settings.h"

namespace ordo::loop {

std::string_view settingsTemplate() {
  return R"(# What 'ordo loop' runs: docs/formats/loop.md. Paths are relative to this file. Commands are programs with
# arguments, never a shell; {candidate}, {output}, {pool} and {artifact} stand for a whole argument.
format = 1
store = "loop.sqlite"          # all that the loop knows; or postgresql://user@host/database

[build]
command = ["./build.sh", "{candidate}", "{output}"]  # has to write the program of that name to {output}
folder = "builds"
production = "O3"              # what production is at first
candidates = ["O2", "O1"]      # what may be tried
toolchain = "clang-22"         # rewards of another one are not learned from
timeout_s = 600                # of this and of the commands below

[stage]                        # the built program, run beside production's: same output, and how long
runs = [["--once"]]
budget_s = 30                  # 0: only compared

[pools]                        # {pool} is production, control or canary
deploy = ["./deploy.sh", "{pool}", "{artifact}"]     # start it anew, lose no request; done when it serves
stop = ["./stop.sh", "{pool}"]

[haproxy]                      # give the canary and control 'weight 0' in its file
socket = "/run/haproxy/admin.sock"
backend = "app"
production = "production"      # names of servers
control = "control"
canary = "canary"

[prometheus]
host = "127.0.0.1"
port = 9090
histogram = "http_request_duration_seconds"          # buckets finer than the effects that you look for
label = "pool"                 # whose values are production, control and canary
selector = {}                  # other labels: { job = "shop" }
sum_over = []                  # labels by which a pool's series differ: ["http_response_status_code", "http_route"]
started = "process_start_time_seconds"  # of each pool; "" if there is none, as from OpenTelemetry

# [log]                        # instead of Prometheus: what HAProxy writes, with the log-format of the page above
# file = "/var/log/haproxy/ordo.log"

# [answers]                    # without it nobody sees an answer that is wrong but looks right
# requests = "requests.txt"    # lines like "GET /cart?id=7", or a log that has them in quotes
# production = "127.0.0.1:8081"  # an instance of each pool, without the balancer
# control = "127.0.0.1:8082"
# canary = "127.0.0.1:8083"
# methods = ["GET", "HEAD"]    # only what changes nothing: each request is sent to all three
# headers = {}                 # sent with each: { Host = "shop.example" }
# ignore = ["\"took\": *[0-9.]+"]  # parts of a body that may differ; headers always may, a status never
# and rate, timeout_s, again_s, most_bytes, most_wrong: docs/formats/loop.md

[pace]                         # seconds
tick_s = 2                     # the guard's period
lease_s = 10                   # without a controller for so long, the canary gets nothing
window_s = 30
warmup_s = 60
ramp_hold_s = 60
ramp = [0.01, 0.05, 0.10]      # of requests; control gets as much
spending_s = 60

[reward]
quantile = 0.95                # what is rewarded
tail = 0.99                    # what must not get worse
slo_s = 0.1
least_effect = 0.01            # smaller effects are not claimed
most_tail_loss = 0.05
most_excess = 0.002            # share of requests beyond the objective, more than control's
alpha = 0.01                   # chance of a false verdict, over all looks
fewest_requests = 100          # of each, in a window that counts
horizon = 400                  # windows

[budget]
objective = 0.999              # share of requests within slo_s and without error
period_s = 2592000             # 30 days
time_scale = 1.0               # for demonstrations
most_share = 0.10
careful_share = 0.05

[guard]                        # fixed rules, each enough to take the canary out
most_down = 2                  # ticks
most_unseen = 5
most_bad = 0.05                # errors and redispatches, beyond twice control's
most_slowdown = 2.0            # of the tail, by control's

[policy]
seed = 1
rest_s = 60                    # of a candidate that came to nothing; twice as long each time in a row
most_stage_loss = 0.02         # slower than that on the stage is not tried

# [recipes]                    # of each candidate, so that 'ordo loop export' can teach a policy with what is seen
# O2 = ["recipes/O2.ordo.json"]  # of 'ordo tune', one for each module
)";
}

}  // namespace ordo::loop
