// What to do with a module that the compiler is about to optimise: from the cache, or by a search now.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "builds/cache.h"
#include "builds/log.h"
#include "builds/settings.h"
#include "builds/target.h"
#include "builds/task.h"
#include "engine/knowledge.h"
#include "recipe/order.h"
#include "support/error.h"
#include "tune/quick_tune.h"

namespace ordo::builds {

// For one compilation. One thread.
class Answers {
 public:
  // `settings` must outlive this. `task` is what the compiler is asked for; what it is told by whoever stands
  // between comes with the question, and counts.
  Answers(const Settings& settings, Task task) : settings_(settings), task_(std::move(task)) {}

  // The reply to kProgram or kModule. kRefuse, with the reason for the user, only if there is a lock file.
  Result<recipe::Message> to(const recipe::Message& question);

  // Whether the reply was a kRival: what comes of that is to be given to choose().
  bool racing() const { return racing_; }

  // Which of the objects the module is compiled to: the compiler's own, `plain`, or what its rival made,
  // nothing if that failed. The smaller one; the plain one if none is,
  // or the smaller has more code than the task allows.
  Result<std::string_view> choose(std::string_view plain, const std::optional<std::string>& rival);

  // Once the compiler has made `object`: kInternal if it cannot be shown to be no larger than the plain one,
  // and its code than the task allows, and then the next compilation knows. Else it is kept, unless `silent`
  // is false: an object from the cache would not say again what the compiler said about it.
  Status finish(std::string_view object, bool silent);

  // Makes the next compilation leave the module to the compiler.
  void giveUp();

  // Whether the latest error was about flags that Ordo has nothing to offer for.
  bool unsupported() const { return unsupported_; }

  // Whether there is nothing to say but to show the module, which is kept for others.
  bool recording() const { return !settings_.record.empty(); }

  // recipe::writeOrder() of what the module is compiled with; "" for the compiler's own pipeline.
  std::string order() const { return known_ ? known_->order : ""; }

  // The arguments that the compiler itself was told; none before there was a question, and of a link.
  const std::vector<std::string>& told() const { return told_; }

  // What goes into the log: objective, sizes, outcome. Plain before there was a question.
  LogLine line() const;

 private:
  // Takes from the question who the compiler is and what it was told.
  Status heed(const recipe::Question& question);
  Result<recipe::Message> toProgram(std::string_view question);
  Result<recipe::Message> fromLock();
  Result<recipe::Message> fromCache(const engine::FunctionCounts& functions);
  Result<recipe::Message> toModule(std::string_view bitcode);
  // Without a search: the compiler's own pipeline against the first answer, where sizes are those of objects.
  Result<recipe::Message> rival(const engine::FunctionCounts& functions);
  Result<Target> findTarget();
  // What the module is worth under `engine`, and the size at -Oz if that is a question.
  Result<tune::QuickAnswer> searchFor(const Target& target, std::string_view bitcode);
  // With the object if it is at hand, else with the recipe.
  Result<recipe::Message> reply();
  std::string objectKey() const;

  const Settings& settings_;
  Task task_;
  std::string compiler_;  // identityOf() it
  std::vector<std::string> told_;
  std::optional<Cache> cache_;
  std::string module_, source_;  // as the plugin names them
  std::string key_;
  std::optional<Known> known_;
  bool unsupported_ = false;
  bool has_object_ = false;  // the reply was the whole object
  bool racing_ = false;
  double oz_ = 0;                               // as in LogLine
  std::string rival_;                           // recipe::writeOrder() of it
  std::size_t functions_ = 0, remembered_ = 0;  // as in LogLine
  Outcome outcome_ = Outcome::kPlain;
};

}  // namespace ordo::builds
