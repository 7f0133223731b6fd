#include "campaigns/parcel.h"

#include "datasets/dataset.h"
#include "datasets/harvest_store.h"

namespace ordo::campaigns {
namespace {

namespace fs = std::filesystem;

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

// A file travels as `name`.
std::string fileOption(const std::string& path, const char* name, cluster::Packet& packet) {
  if (path.empty()) return "none";
  packet.inputs[name] = path;
  return name;
}

}  // namespace

Status addProgram(const std::string& uri, cluster::Packet& packet) {
  std::map<std::string, fs::path>& files = packet.inputs;
  packet.arguments.push_back(uri);
  ORDO_TRY_ASSIGN(const datasets::Uri parsed, datasets::parseUri(uri));
  ORDO_TRY_ASSIGN(const datasets::Program program, datasets::loadProgram(uri));
  const std::string_view dataset = parsed.dataset->name;
  if (dataset == "debian") {
    const datasets::HarvestStore harvest = datasets::HarvestStore::standard();
    const std::string package(parsed.rest.substr(0, parsed.rest.find('/')));
    for (const fs::path& path : {harvest.recordPath(package), program.path()})
      files[("datasets" / path.lexically_relative(harvest.dir())).string()] = path;
    packet.environment["ORDO_DATASETS"] = "datasets";
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
  return {};
}

void addSpace(const std::string& space, cluster::Packet& packet) {
  const bool file = space.ends_with(".txt") || space.find('/') != std::string::npos;
  packet.arguments.insert(packet.arguments.end(),
                          {"--space", file ? fileOption(space, "space.txt", packet) : space});
}

void addLearned(const std::string& space, const engine::Learned& learned, cluster::Packet& packet) {
  addSpace(space, packet);
  const std::string knowledge = fileOption(learned.knowledge, "knowledge.json", packet);
  const std::string policy = fileOption(learned.policy, "policy.safetensors", packet);
  packet.arguments.insert(packet.arguments.end(), {"--knowledge", knowledge, "--policy", policy});
}

}  // namespace ordo::campaigns
