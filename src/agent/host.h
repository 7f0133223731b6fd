// Serves the tools: keeps the programs that are opened, checks what comes in, counts what is spent, and turns
// whatever happens into an answer. The one door to the tools, for the command line, MCP and training alike.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
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
  // Ends what is under way soon after it becomes true, but for calls that have a flag of their own.
  const std::atomic<bool>* stop = nullptr;
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
  std::vector<env::Action> more = {};  // as of OpenOptions
  StopFlag stop = {};                  // of all that is done with it; null: the host's
};

// Thread-safe, but for two calls about one program at a time; programs share nothing that changes but the
// engine.
class Host {
 public:
  // Starts the engine, which is the first program's 10 ms.
  static Result<std::unique_ptr<Host>> start(HostOptions options);

  // The answer of a tool: what it found, or {"error": {"code", "message"}}; and in both cases "cost" and
  // "left" of the program, in compiles and seconds. `arguments` may be anything. `stop` ends it soon after it
  // becomes true; it has to be what the program was opened with, and is that of the program that it opens.
  Json call(std::string_view tool, const Json& arguments, const Progress& progress = {},
            const StopFlag& stop = {});

  // Opens a program and says its handle. Errors as of Permissions::program(), engine::prepareInput(),
  // spaces::loadSpace() and OpenedProgram::open().
  Result<std::string> open(const OpenRequest& request);
  // Null if there is none of that handle; "" is the one that was opened last. Who has it keeps it open.
  std::shared_ptr<OpenedProgram> find(std::string_view handle);
  // The handle of the one that was opened last; "" before.
  std::string last() const;
  bool isOpen(std::string_view handle) const;

  // The results, by handle, for whoever wants to keep them: as long as the program is open.
  std::map<std::string, std::shared_ptr<const tune::Tuned>> submitted() const;
  void keep(const std::string& handle, tune::Tuned tuned);

  engine::Engine& engine() { return *engine_; }
  const spaces::Notes& notes() const { return notes_; }
  Permissions permissions() const;
  // From now on, for a client that says so later.
  void permit(Permissions permissions);

 private:
  Host(HostOptions options, std::unique_ptr<engine::Engine> engine, spaces::Manifest manifest,
       spaces::Notes notes)
      : options_(std::move(options)),
        engine_(std::move(engine)),
        manifest_(std::move(manifest)),
        notes_(std::move(notes)),
        permissions_(options_.permissions) {}

  Result<Json> answer(const Tool& tool, const Json& given, const Progress& progress, const StopFlag& stop,
                      std::shared_ptr<OpenedProgram>& program, Costs& before);
  void makeRoom();

  const HostOptions options_;
  const std::unique_ptr<engine::Engine> engine_;
  const spaces::Manifest manifest_;
  const spaces::Notes notes_;

  mutable std::mutex mutex_;  // guards what follows, and is held for no work
  Permissions permissions_;
  std::map<std::string, std::shared_ptr<OpenedProgram>, std::less<>> programs_;
  std::map<std::string, std::shared_ptr<const tune::Tuned>> submitted_;
  std::vector<std::string> used_;  // handles, the one used last at the end
  std::string last_;               // opened
  std::uint64_t opened_ = 0;
};

// "invalid argument", "budget used up", "failed", …: what the code of an error is called in an answer.
std::string_view codeOf(ErrorCode code);

}  // namespace ordo::agent
