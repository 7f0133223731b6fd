// The manifest: everything a backend's actions are known to be. One row per action, with the text
// the backend runs, what happened when it was probed (probe.h) and, for those that no small probe
// finds out, the trap it is (traps.h). Format: docs/formats/manifest.md.
//
// Names are persistent API: spaces, recipes and trained policies hold them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "env/session.h"
#include "support/error.h"

namespace ordo::spaces {

enum class RowKind : std::uint8_t {
  kPass,       // one pass as the backend names it
  kVariant,    // a pass with parameters
  kComposite,  // several passes under one name
  kAttribute,  // adds or removes an attribute on every function
  kCodegen,    // an option of the code generator
  kOption,     // an option of passes
};

// The worst that happened to any probed program, mildest first.
enum class ProbeStatus : std::uint8_t { kOk, kRejected, kExports, kVerifier, kMemory, kHang, kCrash };

struct ProbeResult {
  ProbeStatus status = ProbeStatus::kOk;
  std::uint32_t changed = 0;  // in how many of the probed states it changed the program
  std::uint32_t of = 0;       // states probed
  bool deterministic = true;  // every run from one state led to the same state
  std::string detail;         // the first of the worst failures: "suite/wc, raw: killed by signal 11"

  bool operator==(const ProbeResult&) const = default;
};

enum class TrapKind : std::uint8_t {
  kUnsound,           // may change what the program does
  kCrash,             // ends the process on some programs
  kNondeterministic,  // the result depends on addresses: it cannot be replayed
  kNotOptimisation,   // instruments, obfuscates, or makes room for a tool
  kNeedsRuntime,      // the result needs support that the program was not built with
};

struct Trap {
  TrapKind kind = TrapKind::kUnsound;
  std::string reason;

  bool operator==(const Trap&) const = default;
};

// The level of a composite that is one part of a longer pipeline, made for a space of such parts.
inline constexpr std::string_view kPieceLevel = "piece";

struct ManifestRow {
  std::string name;
  RowKind kind = RowKind::kPass;
  // The backend's: "module", "function"; "pipeline", kPieceLevel, "attribute" and "codegen" for what has
  // none.
  std::string level;
  std::string text;    // env::Action::text
  std::string params;  // the backend's summary of the parameters the pass takes, or ""
  ProbeResult probe;
  std::optional<Trap> trap;

  env::Action action() const;
  bool operator==(const ManifestRow&) const = default;
};

// A transform of the backend that is no action, and why.
struct Skipped {
  std::string name;
  std::string level;
  std::string reason;

  bool operator==(const Skipped&) const = default;
};

struct Manifest {
  // The backend that was probed (env::BackendInfo).
  std::string backend;
  std::string version;
  std::string build;
  std::string target;
  std::vector<std::string> programs;  // the probe corpus, by name
  std::string corpus_hash;            // of its contents
  std::string generated_by;
  std::vector<ManifestRow> rows;  // names are unique
  std::vector<Skipped> skipped;

  // Null if there is no such action.
  const ManifestRow* find(std::string_view action) const;
  std::vector<std::string> names() const;
  bool operator==(const Manifest&) const = default;
};

// "pass", "variant", ...; "ok", "rejected", ...; "unsound", "crash", ...
std::string_view name(RowKind kind);
const char* actionKind(RowKind kind);
std::string_view name(ProbeStatus status);
std::string_view name(TrapKind kind);
std::optional<TrapKind> trapKind(std::string_view name);

// Whether `name` can be an action's: it is one word of printable ASCII that no space file takes for
// a comment.
bool isActionName(std::string_view name);

// kCorrupt, naming the row and the field, unless `json` is exactly a manifest: nothing missing,
// nothing unknown. kUnsupported for another format version.
Result<Manifest> parseManifest(std::string_view json);

// One row per line, so that a diff shows what an upgrade changed. parseManifest() reads it back equal.
std::string writeManifest(const Manifest& manifest);

// The file of a backend's manifest in the data folder: actions/llvm-22.1.json for LLVM 22.1.x.
std::filesystem::path manifestFile(const std::filesystem::path& data, const env::BackendInfo& backend);

// Reads manifestFile(). kUnsupported with the remedy if this version of the backend has none.
Result<Manifest> loadManifest(const std::filesystem::path& data, const env::BackendInfo& backend);

}  // namespace ordo::spaces
