#!/usr/bin/env bash
# `ordo agent` as a person runs it, with a server in the manner of OpenAI's whose model follows a script.
set -euo pipefail
ordo=${ORDO:?}
dir=$(mktemp -d)
server=
trap 'kill $server 2>/dev/null || true; rm -rf "$dir"' EXIT
cd "$dir"
unset OPENAI_API_KEY http_proxy HTTP_PROXY
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }

cat >server.py <<'PYTHON'
"""Answers /good, /idle, /nonsense and /gone each by a script, on a port that it prints."""
import http.server
import json


def call(name, arguments):
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"role": "assistant", "content": "now " + name,
            "tool_calls": [{"id": "c1", "type": "function", "function": function}]}


def good(messages):
    last = messages[-1]
    if last["role"] != "tool":
        return call("suggest_actions", {"sequence": []})
    result = json.loads(last["content"])
    if "answer" in result:
        return call("measure_sequence", {"sequence": result["answer"]["sequence"]})
    if "others" in result:
        return call("submit_sequence", {})
    return call("search_sequences", {"compiles": 40, "method": "evolutionary"})


SCRIPTS = {
    "/good/chat/completions": good,
    "/idle/chat/completions": lambda messages: {"role": "assistant", "content": "\x1b[31mhello <|im_end|>"},
    "/nonsense/chat/completions": lambda messages: call("rm -rf", {"file": "/etc/passwd"}),
}


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        script = SCRIPTS.get(self.path)
        body = b"gone"
        if script:
            body = json.dumps({"choices": [{"message": script(request["messages"])}],
                               "usage": {"prompt_tokens": 9, "completion_tokens": 3}}).encode()
        self.send_response(200 if script else 404)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
PYTHON
python3 server.py >port &
server=$!
for ((i = 0; i < 100; ++i)); do [[ -s port ]] && break; sleep 0.1; done
url=http://127.0.0.1:$(cat port)

agent() { code=0; "$ordo" agent suite/crc32 --objective ir_instructions "$@" >out 2>err || code=$?; }

echo "a model suggests, measures, searches and submits; the recipe verifies"
agent --model "openai:$url/good#scripted" --transcript talk.json
[[ $code -eq 0 ]]
grep -q -- '-> search_sequences compiles: 40' err
grep -q 'ir_instructions' out
"$ordo" verify crc32.ordo.json >/dev/null
python3 - <<'PYTHON'
import json
talk, recipe = json.load(open("talk.json")), json.load(open("crc32.ordo.json"))
assert talk["end"] == "the model submitted" and talk["calls"] == 4 and talk["completion_tokens"] == 12, talk["end"]
assert [m["role"] for m in talk["messages"][:3]] == ["system", "user", "assistant"]
assert "agent" in json.dumps(recipe)
figure = recipe["figures"][0] if "figures" in recipe else None
assert figure is None or figure["tuned"] <= figure["baseline"]
PYTHON
test -s crc32.o

echo "one that only talks, and one that talks nonsense, leave clang's own"
for script in idle nonsense; do
  agent --model "openai:$url/$script#scripted" --json
  [[ $code -eq 0 ]]
  python3 -c 'import json; r = json.load(open("out")); assert r["agent"]["end"] != "the model submitted", r["agent"]["end"]'
done
agent --model "openai:$url/idle#scripted"
! grep -q $'\x1b\[31m' err || exit 1
! grep -q '<|im_end|>' err || exit 1

echo "one that cannot be reached fails with a result"
agent --model "openai:$url/gone#scripted"
[[ $code -eq 69 ]]
grep -q 'status 404' err
grep -q 'ir_instructions' out

echo "what cannot be is said, with a remedy"
agent --model gpt
[[ $code -eq 64 ]]
grep -q 'openai:URL#NAME' err
agent
[[ $code -eq 64 ]]
grep -q 'which model' err
agent --model "openai:$url/good#x" --budget 5passes
[[ $code -eq 64 ]]
grep -q 'of time and compiles' err
ORDO_PYTHON=/nonexistent/python agent --model hf:nothing
[[ $code -eq 66 || $code -eq 69 ]]

echo "the tools as functions"
"$ordo" mcp --functions | python3 -c 'import json, sys; assert len(json.load(sys.stdin)) >= 13'

echo "a model as a method of a study: counted as others are, told how it ended, and never made twice"
cat >python.sh <<'SHELL'
#!/bin/sh
echo '{"ordo_model":1,"name":"scripted"}'
while read -r line; do
  tool=measure_sequence
  case $line in *'"role":"tool"'*) tool=submit_sequence ;; esac
  echo '{"message":{"tool_calls":[{"function":{"name":"'$tool'","arguments":{"sequence":["sroa","clang-Oz"]}}}]}}'
done
SHELL
chmod +x python.sh
study() { ORDO_PYTHON=$PWD/python.sh "$ordo" eval suite/crc32 suite/wc --objectives ir_instructions --seeds 1 \
  --compiles 20 --study s.sqlite --methods "random,agent:random:1 search=none" >out 2>&1; }
study
grep -q '4 made now.* 0 of them failed' out
study
grep -q '0 made now' out
"$ordo" report s.sqlite | grep 'agent:random:1 search=none .*100.0 %' >/dev/null
