// Lines of JSON over the helper's standard input and output. Ours are packets:
//
//   {"packet": 3, "arguments": [...], "inputs": {"wc.c": "/home/…/wc.c"}, "environment": {}, "output": "out"}
//
// Its are what became of them, and every few seconds, or after a change, what there is:
//
//   {"packet": 3, "node": "10.0.0.2", "code": 0, "words": "", "output": "/tmp/…/3"}
//   {"packet": 3, "lost": "…"}     it was given up
//   {"slots": 4, "nodes": "10.0.0.1 14 done on 2; …"}
#include "cluster/cluster.h"

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include "support/json.h"

namespace ordo::cluster {
namespace {

namespace fs = std::filesystem;

// It says what the machines do more often than that. Long, because Ray looks for a lost head for a minute.
constexpr double kSilence_s = 180;

std::string python() {
  const char* const given = std::getenv("ORDO_PYTHON");
  return given != nullptr && *given != '\0' ? given : "python3";
}

std::string lastLine(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  return std::string(text.substr(text.rfind('\n') + 1));
}

}  // namespace

Status Arrival::made() const {
  if (exit_code == 0 && !output.empty()) return {};
  return fail(ErrorCode::kUnavailable, "{} could not make a packet (exit {}): {}", node, exit_code, words);
}

Cluster::~Cluster() {
  if (dialogue_ != nullptr) static_cast<void>(dialogue_->end(5));
}

Result<std::unique_ptr<Cluster>> Cluster::join(Options options) {
  ORDO_TRY_ASSIGN(TempDir scratch, TempDir::create());
  std::unique_ptr<Cluster> cluster(new Cluster(std::move(options), std::move(scratch)));
  std::vector<std::string> argv = cluster->options_.helper;
  if (argv.empty()) {
    argv = {python(),
            "-m",
            "ordo.cluster",
            cluster->options_.address,
            installPrefix().string(),
            dataDir().string(),
            cluster->scratch_.path().string()};
  }
  DialogueOptions dialogue;
  dialogue.silence_s = kSilence_s;
  dialogue.stop = cluster->options_.stop;
  Result<std::unique_ptr<Dialogue>> started = Dialogue::start(argv, dialogue);
  if (!started)
    return fail(ErrorCode::kUnavailable,
                "--ray needs Python with Ray: say where it is with ORDO_PYTHON, or use ./ordo ({})",
                started.error().message);
  cluster->dialogue_ = *std::move(started);
  while (cluster->slots_ == 0) ORDO_TRY(cluster->hear());
  return cluster;
}

tl::unexpected<Error> Cluster::lost(std::string_view words) const {
  return fail(ErrorCode::kUnavailable, "the cluster at {} is not to be had{}{}; the same command goes on",
              options_.address, words.empty() ? "" : ": ", words);
}

Status Cluster::send(std::uint64_t number, const Packet& packet) {
  Json inputs = Json::object();
  for (const auto& [name, path] : packet.inputs) {
    std::error_code missing;
    if (!fs::is_regular_file(path, missing)) return fail(ErrorCode::kNotFound, "no file {}", path.string());
    inputs[name] = fs::absolute(path).string();
  }
  if (dialogue_ == nullptr) return lost("");
  ORDO_TRY(dialogue_->say(writeJson({{"packet", number},
                                     {"arguments", packet.arguments},
                                     {"inputs", std::move(inputs)},
                                     {"environment", packet.environment},
                                     {"output", packet.output}})));
  away_.insert(number);
  return {};
}

Result<std::optional<Arrival>> Cluster::hear() {
  if (dialogue_ == nullptr) return lost("");
  ORDO_TRY_ASSIGN(const std::optional<std::string> line, dialogue_->hear());
  if (!line) {
    const std::string words = lastLine(dialogue_->end(1).err);
    dialogue_.reset();
    return lost(words);
  }
  ORDO_TRY_ASSIGN(const Json json, parseJson(*line, "ordo.cluster"));
  ORDO_TRY_ASSIGN(const JsonObject object, JsonObject::of(json, "ordo.cluster"));
  if (json.contains("slots")) {
    ORDO_TRY_ASSIGN(const std::int64_t slots, object.get<std::int64_t>("slots"));
    ORDO_TRY_ASSIGN(nodes_, object.get<std::string>("nodes"));
    slots_ = static_cast<std::size_t>(std::max<std::int64_t>(slots, 0));
    return std::nullopt;
  }
  Arrival arrival;
  ORDO_TRY_ASSIGN(const std::int64_t number, object.get<std::int64_t>("packet"));
  arrival.packet = static_cast<std::uint64_t>(number);
  if (away_.erase(arrival.packet) == 0)
    return fail(ErrorCode::kCorrupt, "ordo.cluster: packet {} is not away", number);
  ORDO_TRY_ASSIGN(const std::string lost, object.get<std::string>("lost", ""));
  if (!lost.empty()) return fail(ErrorCode::kUnavailable, "a packet was lost: {}", lost);
  ORDO_TRY_ASSIGN(arrival.node, object.get<std::string>("node"));
  ORDO_TRY_ASSIGN(const std::int64_t code, object.get<std::int64_t>("code"));
  ORDO_TRY_ASSIGN(arrival.words, object.get<std::string>("words"));
  ORDO_TRY_ASSIGN(const std::string output, object.get<std::string>("output"));
  arrival.exit_code = static_cast<int>(code);
  arrival.output = output;
  return arrival;
}

Result<Arrival> Cluster::receive() {
  ORDO_CHECK(!away_.empty(), "no packet is away");
  for (;;) {
    ORDO_TRY_ASSIGN(std::optional<Arrival> arrival, hear());
    if (arrival) return *std::move(arrival);
  }
}

}  // namespace ordo::cluster
