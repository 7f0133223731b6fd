// to() is the way in. A question about a module is answered by toProgram(): from the lock file, else from the
// cache, else by asking to be shown the module, which toModule() then searches. If there is no time to search
// and objects are what is measured, rival() has two made and choose() takes one. Whatever is decided goes
// into known_, from which reply(), finish() and line() take all they say. Where bytes of text are the
// objective, finish() measures the object, and if it is larger than the plain one, giveUp() makes the plain
// pipeline the cache's answer.
#include "builds/answers.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "builds/first_answer.h"
#include "builds/function_notes.h"
#include "builds/invocation.h"
#include "builds/locking.h"
#include "builds/object.h"
#include "builds/size_at_oz.h"
#include "engine/knowledge.h"
#include "env/metric.h"
#include "frontend/opt.h"
#include "recipe/lock.h"
#include "support/files.h"
#include "support/hash.h"
#include "support/regular_file.h"
#include "tune/quick_tune.h"

namespace ordo::builds {
namespace {

using recipe::Message;

// What a recipe is worth depends on all of this. Not on the policy, the space or the budget that it was found
// with: those say how good it is, and its sizes say that better.
std::string keyOf(std::string_view module, const Task& task, std::string_view compiler,
                  std::string_view advice) {
  return hashBytes(fmt::format("{}\n{}\n{}\n{}\n{}\n{}{}{}", module, compiler, task.objective,
                               fmt::join(task.limits, " "), frontend::name(task.level),
                               fmt::join(task.flags, "\n"), task.linked ? "\nlinked" : "",
                               advice.empty() ? "" : fmt::format("\nadvice{}", advice)))
      .hex();
}

}  // namespace

Result<Message> Answers::to(const Message& question) {
  return question.kind == Message::Kind::kModule ? toModule(question.bytes) : toProgram(question.bytes);
}

// An object also has its source's name in it.
std::string Answers::objectKey() const {
  return hashBytes(fmt::format("{}\n{}\n{}", key_, source_, known_->order)).hex();
}

Result<Message> Answers::reply() {
  // An object from the cache has no remarks of the passes that made it, and a link is more than its code.
  if (cache_ && task_.remarks.empty() && !task_.linked) {
    ORDO_TRY_ASSIGN(std::optional<std::string> object, cache_->findObject(objectKey()));
    has_object_ = object.has_value();
    if (object) return Message{Message::Kind::kObject, *std::move(object)};
  }
  if (known_->order.empty()) return Message{};
  return Message{Message::Kind::kActions, known_->order};
}

Status Answers::heed(const recipe::Question& question) {
  compiler_ = identityOf(question.compiler);
  if (question.command.empty()) return {};
  unsupported_ = true;  // until all is understood
  ORDO_TRY_ASSIGN(told_, argumentsTold(question.command, "-fpass-plugin=" + frontend::pluginPath().string()));
  ORDO_TRY_ASSIGN(Task told, taskOf(told_, settings_.objective, settings_.limits));
  if (told.source != task_.source || told.object != task_.object || told.remarks != task_.remarks)
    return fail(ErrorCode::kUnsupported, "{} was asked for, and clang was told to make {} of {}",
                task_.object, told.object, told.source);
  task_ = std::move(told);
  unsupported_ = false;
  return {};
}

Result<Message> Answers::toProgram(std::string_view text) {
  ORDO_TRY_ASSIGN(const recipe::Question question, recipe::readQuestion(text));
  ORDO_TRY(heed(question));
  module_ = question.hash;
  source_ = question.source;
  key_ = keyOf(module_, task_, compiler_, settings_.advice);
  // What is locked comes from the lock file alone, whatever the cache may say of it.
  if (!settings_.lock.empty()) return fromLock();
  ORDO_TRY_ASSIGN(Cache cache, Cache::open(settings_.folder, settings_.cache_bytes, settings_.sharing));
  cache_.emplace(std::move(cache));
  if (recording()) return Message{Message::Kind::kShow};
  return fromCache({static_cast<double>(question.functions), static_cast<double>(question.linkonce),
                    static_cast<double>(question.tables)});
}

Result<Message> Answers::fromCache(const engine::FunctionCounts& functions) {
  ORDO_TRY_ASSIGN(known_, cache_->find(key_));
  if (known_ && known_->seconds >= settings_.seconds) {
    outcome_ = Outcome::kCached;
    if (hasSizeAtOz(task_)) oz_ = findTextAtOz(*cache_, key_).value_or(std::nullopt).value_or(0);
    return reply();
  }
  // Remarks are for the passes that made the object, and those of a rival are not heard.
  if (settings_.seconds == 0 && task_.objective == env::kTextBytes && !task_.linked && task_.remarks.empty())
    return rival(functions);
  return Message{Message::Kind::kShow};
}

Result<Message> Answers::rival(const engine::FunctionCounts& functions) {
  ORDO_TRY_ASSIGN(const Target target, findTarget());
  ORDO_TRY_ASSIGN(rival_, firstAnswer(*cache_, task_, target, compiler_,
                                      engine::kindOf(functions, target.codegen.triple)));
  if (rival_.empty()) return Message{Message::Kind::kShow};
  racing_ = true;
  return Message{Message::Kind::kRival, rival_};
}

Result<std::string_view> Answers::choose(std::string_view plain, const std::optional<std::string>& rival) {
  ORDO_TRY_ASSIGN(const ObjectBytes baseline, bytesOf(plain));
  const auto code = static_cast<double>(baseline.code);
  std::uint64_t tuned = baseline.text;
  if (rival) {
    ORDO_TRY_ASSIGN(const ObjectBytes bytes, bytesOf(*rival));
    if (static_cast<double>(bytes.code) <= mostCode(task_, code)) tuned = std::min(tuned, bytes.text);
  }
  const bool better = tuned < baseline.text;
  known_ =
      Known{better ? rival_ : "", static_cast<double>(baseline.text), static_cast<double>(tuned), 0, code};
  outcome_ = Outcome::kTuned;
  ORDO_TRY(cache_->store(key_, *known_));
  return better ? *rival : plain;
}

Result<Target> Answers::findTarget() {
  Result<Target> target = targetOf(cache_ ? &*cache_ : nullptr, task_, compiler_);
  unsupported_ = !target && target.error().code == ErrorCode::kUnsupported;
  return target;
}

Result<Message> Answers::fromLock() {
  const std::string name = settings_.lock.string();
  const Result<std::string> text = readRegularFile(settings_.lock);
  if (!text) return Message{Message::Kind::kRefuse, text.error().message};
  const Result<recipe::Lock> lock = recipe::parseLock(*text, name);
  if (!lock) return Message{Message::Kind::kRefuse, lock.error().message};
  const std::string source = lockedName(settings_.lock, task_.source);
  const Hash128 module = Hash128::fromHex(module_).value_or(Hash128{});
  const std::vector<std::string> flags = lockedFlags(task_);
  const recipe::LockedFile* file = lock->find(module, flags);
  if (file == nullptr) {
    // What is left to clang is in no lock file.
    if (Result<Target> target = findTarget(); unsupported_) return fail(std::move(target).error());
    const bool changed =
        std::ranges::find(lock->files, source, &recipe::LockedFile::source) != lock->files.end();
    const recipe::LockedFile* const other = lock->find(module);
    const std::string what = other != nullptr && other->flags
                                 ? fmt::format("is compiled with '{}', and '{}' is in", fmt::join(flags, " "),
                                               fmt::join(*other->flags, " "))
                             : changed ? "or its flags have changed since it was locked in"
                                       : "is not in";
    return Message{
        Message::Kind::kRefuse,
        fmt::format("{} {} {}; 'ordo lock' makes it anew from the latest build", source, what, name)};
  }
  outcome_ = Outcome::kLocked;
  known_ = Known{file->order.none() ? "" : recipe::writeOrder(file->order), file->baseline, file->tuned};
  return reply();
}

Result<tune::QuickAnswer> Answers::searchFor(const Target& target, std::string_view bitcode) {
  const engine::Input input = inputOf(task_, target, bitcode);
  // A build has work for every processor: nobody spins.
  engine::EngineOptions engine_options;
  engine_options.limits.spin = false;
  ORDO_TRY_ASSIGN(const std::unique_ptr<engine::Engine> engine, engine::Engine::start(engine_options));
  ORDO_TRY_ASSIGN(const spaces::Manifest manifest, spaces::loadManifest(dataDir(), engine->info()));
  ORDO_TRY_ASSIGN(const spaces::Space space, spaces::loadSpace(dataDir(), spaceOf(task_), manifest));
  FunctionNotes notes(*cache_);
  const tune::QuickOptions options{
      .objective = task_.objective,
      .seconds = settings_.seconds,
      .learned = {engine::knowledgePath("shipped"), engine::policyPath("shipped")},
      .limits = task_.limits,
      .memory = &notes};
  ORDO_TRY_ASSIGN(tune::QuickAnswer found, tune::quickTune(*engine, input, space, options));
  functions_ = found.functions;
  remembered_ = found.remembered;
  if (hasSizeAtOz(task_)) {
    // That it cannot be said is no reason not to tune.
    const Result<Target> at_oz = targetAtOz(*cache_, task_, compiler_);
    if (at_oz) oz_ = textAtOz(*engine, task_, *at_oz, bitcode).value_or(0);
    if (oz_ > 0) (void)storeTextAtOz(*cache_, key_, oz_);
  }
  return found;
}

Result<Message> Answers::toModule(std::string_view bitcode) {
  ORDO_TRY_ASSIGN(const Target target, findTarget());
  if (recording()) {
    known_ = Known{};
    ORDO_TRY(writeFile(settings_.record / (key_ + ".bc"), bitcode));
    return Message{};
  }
  ORDO_TRY_ASSIGN(const tune::QuickAnswer found, searchFor(target, bitcode));
  Known known{"", found.baseline, found.tuned, settings_.seconds,
              found.amounts.empty() ? 0 : found.amounts.front()};
  if (found.actions)
    known.order = recipe::writeOrder({*found.actions, inputOf(task_, target, {}).settings()});
  // What was found with less time may have been luckier.
  if (known_ && known_->tuned < known.tuned)
    known = {known_->order, known.baseline, known_->tuned, known.seconds, known.code};
  known_ = known;
  outcome_ = Outcome::kTuned;
  ORDO_TRY(cache_->store(key_, *known_));
  return reply();
}

Status Answers::finish(std::string_view object, bool silent) {
  if (!known_ || has_object_) return {};
  if (recording()) {
    const ObjectBytes bytes = bytesOf(object).value_or(ObjectBytes());
    known_->baseline = known_->tuned = static_cast<double>(bytes.text);
    return {};
  }
  // What a linked file has beside the module nobody knows without linking it another time.
  if (task_.linked) return {};
  // Only the compiler's own code is spoken of as the compiler would speak. With remarks it always does.
  if (!silent && task_.remarks.empty() && !known_->order.empty()) {
    giveUp();
    return fail(ErrorCode::kInternal, "the compiler reports something about the code that was made");
  }
  if (task_.objective == env::kTextBytes) {
    const Result<ObjectBytes> bytes = bytesOf(object);
    if (!bytes || static_cast<double>(bytes->text) > known_->baseline ||
        static_cast<double>(bytes->code) > mostCode(task_, known_->code)) {
      giveUp();
      if (!bytes) return fail(ErrorCode::kInternal, "{}", bytes.error().message);
      return fail(ErrorCode::kInternal,
                  "the object came out with {} bytes of text, {} of them code; the plain one has {:.0f} and "
                  "{:.0f}",
                  bytes->text, bytes->code, known_->baseline, known_->code);
    }
    known_->tuned = static_cast<double>(bytes->text);
  }
  return silent && cache_ ? cache_->storeObject(objectKey(), object) : Status();
}

void Answers::giveUp() {
  if (!cache_ || !known_ || outcome_ == Outcome::kLocked) return;
  known_->order.clear();
  known_->tuned = known_->baseline;
  (void)cache_->store(key_, *known_);
}

LogLine Answers::line() const {
  LogLine line;
  line.outcome = outcome_;
  if (!known_) return line;
  line.objective = task_.objective;
  line.baseline = known_->baseline;
  line.tuned = known_->tuned;
  line.key = key_;
  line.module = module_;
  line.level = frontend::name(task_.level);
  line.flags = lockedFlags(task_);
  line.oz = oz_;
  line.functions = static_cast<std::int64_t>(functions_);
  line.remembered = static_cast<std::int64_t>(remembered_);
  return line;
}

}  // namespace ordo::builds
