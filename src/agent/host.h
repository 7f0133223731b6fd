// Serves the tools: keeps the programs that are opened, checks what comes in, counts what is spent, and turns
// whatever happens into an answer. The one door to the tools, for the command line, MCP and training alike.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/opened_program.h"
#include "agent/permissions.h"
#include "agent/tool.h"
#include "engine/engine.h"
#include "env/metric.h"
#include "spaces/manifest.h"
#include "spaces/notes.h"
#include "support/error.h"
#include "support/json.h"
#include "tune/tune.h"

namespace ordo::agent {

struct HostOptions {
  Permissions permissions = Permissions::everything();
  std::string knowledge = "shipped";  // as of engine::knowledgePath() and policyPath()
  std::string policy = "shipped";
  Costs most{100000, 3600};   // that a program may be opened with
  std::size_t programs = 16;  // opened at a time: the one not used for longest is closed for another
  const std::atomic<bool>* stop = nullptr;  // ends what is under way soon after it becomes true
  engine::EngineOptions engine = {};
};

// What a program is opened with.
struct OpenRequest {
  std::string file;
  std::vector<std::string> flags = {};
  std::string objective = env::kTextBytes;
  std::string baseline = "clang-Oz";
  std::string space = {};  // "": what suits the objective
  std::vector<std::string> limits = {};
  Costs budget{200, 60};
  std::uint64_t seed = 1;
  Judge judge = {};
};

// What came of a program that was submitted.
struct Submitted {
  std::string handle;
  tune::Tuned tuned;
};

// One thread at a time.
class Host {
 public:
  // Starts the engine, which is the first program's 10 ms.
  static Result<std::unique_ptr<Host>> start(HostOptions options);

  // The answer of a tool: what it found, or {"error": {"code", "message"}}; and in both cases "cost" and
  // "left" of the program, in compiles and seconds. `arguments` may be anything.
  Json call(std::string_view tool, const Json& arguments, const Progress& progress = {});

  // Opens a program and says its handle. Errors as of Permissions::program(), engine::prepareInput(),
  // spaces::loadSpace() and OpenedProgram::open().
  Result<std::string> open(const OpenRequest& request);
  // Null if there is none of that handle; "" is the one that was opened last.
  OpenedProgram* find(std::string_view handle);

  // The results, by handle, for whoever wants to keep them: as long as the program is open.
  const std::map<std::string, tune::Tuned>& submitted() const { return submitted_; }
  void keep(std::string_view handle, tune::Tuned tuned) {
    submitted_.insert_or_assign(std::string(handle), std::move(tuned));
  }
  std::string handleOf(const OpenedProgram& program) const;

  engine::Engine& engine() { return *engine_; }
  const spaces::Notes& notes() const { return notes_; }
  const Permissions& permissions() const { return options_.permissions; }
  // From now on, for a client that says so later.
  void permit(Permissions permissions) { options_.permissions = std::move(permissions); }

 private:
  Host(HostOptions options, std::unique_ptr<engine::Engine> engine, spaces::Manifest manifest,
       spaces::Notes notes)
      : options_(std::move(options)),
        engine_(std::move(engine)),
        manifest_(std::move(manifest)),
        notes_(std::move(notes)) {}

  Result<Json> answer(const Tool& tool, const Json& given, const Progress& progress, OpenedProgram*& program,
                      Costs& before);

  HostOptions options_;
  std::unique_ptr<engine::Engine> engine_;
  spaces::Manifest manifest_;
  spaces::Notes notes_;
  std::map<std::string, std::unique_ptr<OpenedProgram>, std::less<>> programs_;
  std::map<std::string, tune::Tuned> submitted_;
  std::vector<std::string> used_;  // handles, the one used last at the end
  std::string last_;               // opened
  std::uint64_t opened_ = 0;
};

// "invalid argument", "budget used up", "failed", …: what the code of an error is called in an answer.
std::string_view codeOf(ErrorCode code);

}  // namespace ordo::agent
