#include "campaigns/eval_courier.h"

#include <fmt/ranges.h>

#include "datasets/dataset.h"
#include "datasets/harvest_store.h"
#include "support/files.h"

namespace ordo::campaigns {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStudy = "study.sqlite";

// Adds what lies under `folder`, as `name`/….
Status addFolder(const fs::path& folder, const fs::path& name, std::map<std::string, fs::path>& files) {
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->is_regular_file(error))
      files[(name / at->path().lexically_relative(folder)).string()] = at->path();
  }
  if (error) return fail(ErrorCode::kUnavailable, "{}: {}", folder.string(), error.message());
  return {};
}

// A source may include what lies beside it and below.
bool isHeader(const fs::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".h" || extension == ".hh" || extension == ".hpp" || extension == ".hxx" ||
         extension == ".inc" || extension == ".def";
}

Status addHeaders(const fs::path& source, std::map<std::string, fs::path>& files) {
  const fs::path folder = source.has_parent_path() ? source.parent_path() : fs::path(".");
  std::map<std::string, fs::path> beside;
  ORDO_TRY(addFolder(folder, source.parent_path(), beside));
  for (auto& [name, path] : beside) {
    if (isHeader(path)) files.emplace(name, std::move(path));
  }
  return {};
}

// An option that names a file, which travels as `name`; "none" where there is none.
std::string fileOption(const std::string& path, const char* name, cluster::Packet& packet) {
  if (path.empty()) return "none";
  packet.inputs[name] = path;
  return name;
}

}  // namespace

Result<std::map<std::string, fs::path>> filesOf(const std::string& uri, bool& store) {
  std::map<std::string, fs::path> files;
  store = false;
  ORDO_TRY_ASSIGN(const datasets::Uri parsed, datasets::parseUri(uri));
  ORDO_TRY_ASSIGN(const datasets::Program program, datasets::loadProgram(uri));
  const std::string_view dataset = parsed.dataset->name;
  if (dataset == "debian") {
    const datasets::HarvestStore harvest = datasets::HarvestStore::standard();
    const std::string package(parsed.rest.substr(0, parsed.rest.find('/')));
    for (const fs::path& path : {harvest.recordPath(package), program.path()})
      files[("datasets" / path.lexically_relative(harvest.dir())).string()] = path;
    store = true;
  } else if (dataset == "suite") {
    ORDO_TRY(addFolder(program.dir, datasets::tidy(uri), files));
  } else if (dataset == "file" || dataset == "dir") {
    const bool folder = program.kind == datasets::ProgramKind::kSuite;
    const fs::path path = folder ? program.dir : program.path();
    if (*path.begin() == "..") {
      return fail(
          ErrorCode::kInvalidArgument,
          "{}: for --ray a program has to lie under this folder, or have the absolute path of a folder "
          "that all machines share",
          uri);
    }
    if (folder) {
      ORDO_TRY(addFolder(path, path, files));
    } else {
      files[path.string()] = path;
      if (program.kind == datasets::ProgramKind::kSource) ORDO_TRY(addHeaders(path, files));
    }
  }  // others are made from their names, or stay where they are on each machine
  return files;
}

Status EvalCourier::send(std::size_t number, const study::RunPacket& runs) {
  const study::RunKey& first = runs.front();
  cluster::Packet packet;
  bool store = false;
  ORDO_TRY_ASSIGN(packet.inputs, filesOf(first.program, store));
  if (store) packet.environment["ORDO_DATASETS"] = "datasets";
  std::vector<std::string> methods;
  for (const study::RunKey& key : runs) methods.push_back(key.method);
  const bool own_space = options_.space.ends_with(".txt") || options_.space.find('/') != std::string::npos;
  packet.arguments = {"eval",
                      first.program,
                      "--methods",
                      fmt::format("{}", fmt::join(methods, ",")),
                      "--objectives",
                      first.objective,
                      "--first-seed",
                      std::to_string(first.seed),
                      "--seeds=1",
                      "--jobs=1",
                      "--quiet",
                      "--compiles",
                      std::to_string(options_.compiles),
                      "--max-length",
                      std::to_string(options_.max_length),
                      "--space",
                      own_space ? fileOption(options_.space, "space.txt", packet) : options_.space,
                      "--knowledge",
                      fileOption(options_.learned.knowledge, "knowledge.json", packet),
                      "--policy",
                      fileOption(options_.learned.policy, "policy.safetensors", packet),
                      "--study",
                      kStudy};
  if (options_.evaluation) packet.arguments.emplace_back("--evaluation");
  packet.output = kStudy;
  return cluster_.send(number, packet);
}

Result<study::Courier::Arrival> EvalCourier::receive() {
  ORDO_TRY_ASSIGN(const cluster::Arrival arrival, cluster_.receive());
  if (arrival.exit_code != 0 || arrival.output.empty()) {
    return fail(ErrorCode::kUnavailable, "{} could not make a packet (exit {}): {}", arrival.node,
                arrival.exit_code, arrival.words);
  }
  ORDO_TRY_ASSIGN(study::Study study, study::readStudy(arrival.output));
  std::error_code ignored;
  fs::remove(arrival.output, ignored);
  return Arrival{static_cast<std::size_t>(arrival.packet), std::move(study)};
}

}  // namespace ordo::campaigns
