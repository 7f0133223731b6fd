// runCompiler() first finds all that is none of Ordo's business, and becomes the compiler there. What is left
// is Compilation::run(): start clang with the plugin, talk() until it hangs up, wait for it, let the rival's
// object in if that is smaller, and have Answers judge the object. A bad exit status is the user's, unless
// the plugin did not load (greeted_) or the code was made by our order (ordered_); then, and where clang does
// not start or the object is no good, again() runs the plain compiler or, with a lock file, removes the
// object and fails.
#include "builds/compiler.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "builds/answers.h"
#include "builds/invocation.h"
#include "builds/link.h"
#include "builds/log.h"
#include "builds/remarks.h"
#include "builds/rival.h"
#include "builds/room.h"
#include "builds/running.h"
#include "builds/settings.h"
#include "builds/task.h"
#include "env/advisor_words.h"
#include "frontend/opt.h"
#include "support/clock.h"
#include "support/files.h"
#include "support/process.h"

namespace ordo::builds {
namespace fs = std::filesystem;
namespace {

using recipe::Message;
using Words = std::vector<std::string>;

constexpr int kUsage = 64;
constexpr int kNoProgram = 127;  // as a shell says it
constexpr double kForever = 1e9;
// How long after the compiler its rival may still go on, in seconds and in times of what the compiler took.
constexpr double kLeastPatience = 10;
constexpr double kPatience = 4;

// Variables with which clang's driver changes its own command, or writes what nobody has asked for on it.
std::string ownVariable() {
  for (const char* name :
       {"CCC_OVERRIDE_OPTIONS", "CLANG_CONFIG_PATH", "CLANG_NO_DEFAULT_CONFIG", "CC_PRINT_OPTIONS",
        "CC_PRINT_HEADERS", "CC_LOG_DIAGNOSTICS", "CC_PRINT_PROC_STAT", "CC_PRINT_INTERNAL_STAT"}) {
    if (std::getenv(name) != nullptr) return name;
  }
  return "";
}

// A compilation with the plugin inside.
class Compilation {
 public:
  Compilation(const Invocation& invocation, const Settings& settings, const Task& task)
      : invocation_(invocation), task_(task), locked_(!settings.lock.empty()), answers_(settings, task) {}

  // The exit status. Whatever goes wrong, the object is there if the plain compiler can make it; but not
  // where a lock file says which object it should be.
  int run() {
    const SteadyClock clock;
    const double start = clock.seconds();
    Result<RunningCompiler> running = RunningCompiler::start(invocation_, task_.linked);
    if (!running && !locked_) return become(invocation_);  // which needs no more than we have
    if (!running) return again(kNoProgram, running.error().message);
    Rival rival(running->takeRivalSocket());
    talk(running->socket());
    const int status = running->wait();
    if (refused_) {
      ::unlink(task_.object.c_str());  // of another build; clang removes it, too, where it fails
      return EXIT_FAILURE;
    }
    if (!greeted_ && (status != 0 || locked_)) return again(status, "clang did not load the plugin");
    if (!greeted_ && !task_.linked) {
      outside_ = true;
      reason_ = "what is called clang-22 here did not load the plugin";
    }
    if (ordered_ && status != 0) {
      answers_.giveUp();
      return again(status, trouble_.empty() ? fmt::format("clang's status is {}", status) : trouble_);
    }
    if (status != 0) return status;
    if (outside_ || answers_.unsupported()) return status;
    Result<std::string> object = readFile(task_.object);
    if (!object) return again(status, object.error().message);
    if (answers_.racing()) {
      const double patience = kLeastPatience + kPatience * (clock.seconds() - start);
      if (const Status raced = race(rival, patience, *object); !raced) {
        // The compiler's own object is there.
        trouble_ = raced.error().message;
        return status;
      }
    }
    const Status finished = answers_.finish(*object, silent_);
    if (finished) return status;
    if (finished.error().code == ErrorCode::kInternal) return again(status, finished.error().message);
    // The object is good. That it cannot be kept is no reason to make it again.
    trouble_ = finished.error().message;
    return status;
  }

  LogLine line() const {
    LogLine line = answers_.line();
    if (answers_.recording() && !line.key.empty()) {
      line.command = invocation_.command;
      if (!answers_.told().empty()) {
        line.command.resize(1);
        line.command.insert(line.command.end(), answers_.told().begin(), answers_.told().end());
      }
    }
    if (outside_)
      line.outcome = Outcome::kPlain;
    else if (!trouble_.empty())
      line.outcome = answers_.unsupported() ? Outcome::kPlain : Outcome::kFallback;
    line.reason = trouble_.empty() ? reason_ : trouble_;
    return line;
  }

  // Adds what was decided to the remarks that clang was asked for.
  void remark() const {
    if (task_.remarks.empty() || !fs::exists(task_.remarks)) return;
    std::ofstream(task_.remarks, std::ios::app) << remarkOf(task_.source, line(), answers_.order());
  }

 private:
  // Puts what the rival made in the place of the compiler's own `object` if it is smaller.
  Status race(Rival& rival, double patience_s, std::string& object) {
    Result<std::string> made = rival.object(patience_s);
    if (!made) reason_ = made.error().message;
    // What the compiler said it said of its own code.
    const std::optional<std::string> other = made && silent_ ? std::optional(*std::move(made)) : std::nullopt;
    ORDO_TRY_ASSIGN(const std::string_view chosen, answers_.choose(object, other));
    if (chosen == object) return {};
    ORDO_TRY(writeFile(task_.object, chosen));
    object = chosen;
    return {};
  }

  // The plain compiler, after a run that gave `status`. What it says has been said before, unless it comes
  // further than that.
  int again(int status, std::string trouble) {
    trouble_ = std::move(trouble);
    if (locked_) {
      fmt::print(stderr, "ordo: error: {}: {}\n", task_.source, trouble_);
      ::unlink(task_.object.c_str());
      return EXIT_FAILURE;
    }
    ProcessOptions patient;
    patient.timeout_s = kForever;
    Words command = invocation_.command;
    command[0] = invocation_.program;
    const Result<ProcessResult> plain = runProcess(command, patient);
    if (!plain) {
      fmt::print(stderr, "ordo: {}\n", plain.error().message);
      return kNoProgram;
    }
    const int result = plain->signal != 0 ? 128 + plain->signal : plain->exit_code;
    if (result != status && !(greeted_ && result == 0)) fmt::print(stderr, "{}{}", plain->out, plain->err);
    return result;
  }

  // Answers until the compiler hangs up.
  void talk(int socket) {
    for (;;) {
      const Result<std::optional<Message>> message = recipe::receiveMessage(socket);
      if (!message) trouble_ = message.error().message;
      if (!message || !*message) return;
      switch ((*message)->kind) {
        case Message::Kind::kHello:
          greeted_ = true;
          break;
        case Message::Kind::kSaid:
          silent_ = false;
          break;
        case Message::Kind::kOutside:
          outside_ = true;
          reason_ = (*message)->bytes;
          break;
        case Message::Kind::kFailed:
          trouble_ = (*message)->bytes;
          break;
        default:
          answer(socket, **message);
      }
    }
  }

  void answer(int socket, const Message& question) {
    Result<Message> reply = answers_.to(question);
    if (!reply) {
      trouble_ = reply.error().message;
      reply = Message{};
    }
    if (reply->kind == Message::Kind::kRefuse) {
      refused_ = true;
      fmt::print(stderr, "ordo: error: {}\n", reply->bytes);
    }
    ordered_ = reply->kind == Message::Kind::kActions || reply->kind == Message::Kind::kObject;
    // If the compiler is gone, its exit status says so.
    (void)recipe::sendMessage(socket, reply->kind, reply->bytes);
  }

  const Invocation& invocation_;
  const Task& task_;
  const bool locked_;
  Answers answers_;
  bool greeted_ = false;  // by the plugin
  bool ordered_ = false;  // the code is not of the compiler's own pipeline
  bool refused_ = false;
  bool outside_ = false;  // the code depends on more than the module
  bool silent_ = true;
  std::string trouble_;
  std::string reason_;  // why the compiler's own object is the best there is, if that needs one
};

// What this process and all that it has waited for have used, and those for theirs.
double processorSeconds() {
  double seconds = 0;
  for (const auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    if (::getrusage(who, &usage) != 0) continue;
    for (const timeval& time : {usage.ru_utime, usage.ru_stime})
      seconds += static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  }
  return seconds;
}

// Writes a line about a compilation of ours or not. A log that cannot be written must not stop a build.
void log(const Settings& settings, const Files& files, LogLine line, double seconds) {
  std::error_code ignored;
  line.source = fs::absolute(files.source, ignored).lexically_normal().string();
  // Several objects have no name that is one.
  if (!files.object.empty()) line.object = fs::absolute(files.object, ignored).lexically_normal().string();
  line.seconds = seconds;
  line.processor_seconds = processorSeconds();
  // Nothing is written where others may have put a link.
  if (settings.log.parent_path() == settings.folder) {
    if (!checkFolder(settings.folder, settings.sharing)) return;
    if (settings.sharing == Sharing::kGroup && !checkFile(settings.log, settings.sharing)) return;
  }
  (void)append(settings.log, line);
}

}  // namespace

int runCompiler(int argc, char** argv) {
  const SteadyClock clock;
  const double start = clock.seconds();
  Invocation invocation = parseInvocation(Words(argv, argv + argc));
  if (invocation.command.empty()) {
    fmt::print(stderr, "usage: ordo-launch COMPILER ARGUMENT…   (docs/builds.md)\n");
    return kUsage;
  }
  Words arguments = invocation.arguments();
  const Result<Settings> settings = settingsFromEnvironment();
  const std::optional<Files> compiled = filesOf(arguments);
  const std::optional<Files> linked = compiled ? std::nullopt : linkedFile(arguments);
  const bool ours = compiled || (linked && settings && (settings->linked || !settings->free_flags.empty()));
  if (!ours) return become(invocation);
  const Files& files = compiled ? *compiled : *linked;
  if (!settings) {
    fmt::print(stderr, "ordo: {}; compiled without Ordo\n", settings.error().message);
    return become(invocation);
  }
  // Nobody may advise but as the settings say.
  if (settings->advice.empty()) ::unsetenv(env::kAdvisorsVariable);
  if (settings->disabled) return become(invocation);

  const auto plainly = [&](std::string reason) {
    log(*settings, files, {.outcome = Outcome::kPlain, .reason = std::move(reason)}, clock.seconds() - start);
    return become(invocation);
  };
  const auto add = [&](const Words& words) {
    // In front: nothing after "--" is an option, and what the user says comes later and counts.
    invocation.command.insert(invocation.command.begin() + 1, words.begin(), words.end());
  };
  if (!invocation.ours) return plainly(invocation.command[0] + " is not clang 22");
  if (const std::string limit = tightLimit(); !limit.empty() && settings->lock.empty()) return plainly(limit);
  if (const std::string variable = ownVariable(); !variable.empty())
    return plainly(variable + " is between the user and clang");
  add(linked ? freeLinkWords(settings->free_flags, linksSources(arguments))
             : freeCompileWords(settings->free_flags));
  if (settings->plain) return plainly("ORDO_PLAIN is set");
  if (linked && !settings->linked) return plainly("links are tuned with ORDO_LINKED");
  arguments = invocation.arguments();
  const Result<Task> task = linked ? linkTaskOf(arguments, settings->objective, settings->limits)
                                   : taskOf(arguments, settings->objective, settings->limits);
  if (linked) add(linkWords());
  if (!task) {
    if (compiled && !settings->advice.empty()) add({"-fpass-plugin=" + frontend::pluginPath().string()});
    return plainly(task.error().message);
  }
  if (settings->linked && !linked) {
    add({std::string(kForLink)});
    return become(invocation);
  }

  // A lock file needs no cache.
  const Status folder = checkFolder(settings->folder, settings->sharing);
  if (!folder && settings->lock.empty()) {
    log(*settings, files, {.outcome = Outcome::kFallback, .reason = folder.error().message},
        clock.seconds() - start);
    fmt::print(stderr, "ordo: {}; compiled without Ordo\n", folder.error().message);
    return become(invocation);
  }

  adoptOrphans();
  Compilation compilation(invocation, *settings, *task);
  const int status = compilation.run();
  if (status == 0) compilation.remark();
  if (status == 0) log(*settings, files, compilation.line(), clock.seconds() - start);
  return status;
}

}  // namespace ordo::builds
