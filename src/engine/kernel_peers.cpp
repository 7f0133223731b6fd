#include "engine/kernel_peers.h"

#include <cstdlib>

#include "engine/kernel.h"
#include "support/json.h"

namespace ordo::engine {
namespace {

// PyTorch begins in seconds and compiles for up to a minute; a run of a large kernel may take some.
constexpr double kSilence = 300;

std::string python() {
  const char* const given = std::getenv("ORDO_PYTHON");
  return given != nullptr && *given != '\0' ? given : "python3";
}

// What stopped talking says why on standard error.
Error ended(Dialogue& dialogue) {
  const ProcessResult result = dialogue.end(1);
  const std::string_view said = result.err;
  return {ErrorCode::kUnavailable,
          fmt::format("other libraries are not measured: {} {}: {}", python(), result.ending(),
                      said.substr(said.size() - std::min<std::size_t>(said.size(), 400)))};
}

}  // namespace

KernelPeers::KernelPeers(TempDir folder, std::unique_ptr<Dialogue> dialogue)
    : folder_(std::move(folder)), dialogue_(std::move(dialogue)) {}

Result<std::unique_ptr<KernelPeers>> KernelPeers::start(env::Session& kernel, std::string_view source,
                                                        KernelRivals rivals) {
  ORDO_TRY_ASSIGN(TempDir folder, TempDir::create());
  for (const auto& [file, observation] : {std::pair("kernel.json", "tensors"),
                                          std::pair("kernel.py", "torch"), std::pair("data.bin", "trial")}) {
    ORDO_TRY_ASSIGN(const std::string content, observedText(kernel, observation));
    ORDO_TRY(writeFile(folder.path() / file, content));
  }
  ORDO_TRY(writeFile(folder.path() / "kernel.mlir", source));
  const std::string program = dataDir() / "peers" / "kernel_peers.py";
  const std::string count = fmt::format("{}", rivals.threads);
  std::vector<std::string> words{python(), program, folder.path().string(), count};
  if (rivals.compilers) words.push_back("compilers");
  DialogueOptions options;
  for (const char* name : {"OMP_NUM_THREADS=", "OPENBLAS_NUM_THREADS=", "MKL_NUM_THREADS="})
    options.environment.push_back(name + count);
  options.silence_s = kSilence;
  ORDO_TRY_ASSIGN(std::unique_ptr<Dialogue> dialogue, Dialogue::start(std::move(words), std::move(options)));
  std::unique_ptr<KernelPeers> peers(new KernelPeers(std::move(folder), std::move(dialogue)));
  for (;;) {
    ORDO_TRY_ASSIGN(const std::optional<std::string> line, peers->dialogue_->hear());
    if (!line) return fail(ended(*peers->dialogue_));
    if (line->empty()) return peers;
    ORDO_TRY_ASSIGN(const Json json, parseJson(*line, "kernel_peers.py"));
    ORDO_TRY_ASSIGN(const JsonObject object, JsonObject::of(json, "kernel_peers.py"));
    KernelPeer peer;
    ORDO_TRY_ASSIGN(peer.name, object.get<std::string>("peer"));
    ORDO_TRY_ASSIGN(peer.version, object.get<std::string>("version", ""));
    ORDO_TRY_ASSIGN(peer.why, object.get<std::string>("why", ""));
    peers->all_.push_back(std::move(peer));
  }
}

Result<env::Measurement> KernelPeers::time(std::string_view peer) {
  ORDO_TRY(dialogue_->say(peer));
  ORDO_TRY_ASSIGN(const std::optional<std::string> line, dialogue_->hear());
  if (!line) return fail(ended(*dialogue_));
  ORDO_TRY_ASSIGN(const Json json, parseJson(*line, "kernel_peers.py"));
  ORDO_TRY_ASSIGN(const JsonObject object, JsonObject::of(json, "kernel_peers.py"));
  env::Measurement measurement;
  ORDO_TRY_ASSIGN(measurement.value, object.get<double>("ns"));
  return measurement;
}

}  // namespace ordo::engine
