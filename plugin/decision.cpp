#include "plugin/decision.h"

#include <fmt/format.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

#include <cstdlib>
#include <ranges>

#include "llvm/ir/assembly.h"
#include "llvm/ir/module.h"
#include "llvm/ir/spoken.h"
#include "notation/codegen.h"
#include "plugin/module_hash.h"
#include "plugin/sockets.h"
#include "plugin/told.h"
#include "recipe/lock.h"
#include "recipe/recipe.h"
#include "support/files.h"
#include "support/regular_file.h"

namespace ordo::plugin {
namespace {

using recipe::Message;

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// The reply to what was just sent, which is kLeave when nobody answers.
Message reply() {
  Result<std::optional<Message>> message = recipe::receiveMessage(listener());
  return message && *message ? **std::move(message) : Message{};
}

recipe::Question about(llvm::Module& module) {
  recipe::Question question{moduleHash(module).hex(), module.getSourceFileName()};
  for (const llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    ++question.functions;
    question.linkonce += function.hasLinkOnceLinkage();
    question.tables += function.needsUnwindTableEntry();
  }
  question.compiler = compilerFiles();
  return question;
}

// Why what is made of the module, and said about it, depends on more than the module and `command`; or "".
std::string outside(const llvm::Module& module, const std::vector<std::string>& command, bool alone) {
  if (const std::string part = ir::notUnderstood(module); !part.empty())
    return fmt::format("its assembly has '{}', which may bring in what no module shows", part);
  if (!alone) return "";
  if (std::string reason = ir::mayBeSpokenOf(module); !reason.empty()) return reason;
  if (const std::string variable = variableBetween(); !variable.empty())
    return variable + " is between the user and clang";
  return command.empty() ? "/proc does not say what clang was told" : "";
}

Result<Decision> ask(llvm::Module& module, bool alone) {
  recipe::Question question = about(module);
  if (alone) question.command = toldWords();
  if (const std::string reason = outside(module, question.command, alone); !reason.empty()) {
    (void)recipe::sendMessage(listener(), Message::Kind::kOutside, reason);
    return Leave{};
  }
  if (!recipe::sendMessage(listener(), Message::Kind::kProgram, recipe::writeQuestion(question)))
    return Leave{};
  Message answer = reply();
  if (answer.kind == Message::Kind::kShow) {
    if (!recipe::sendMessage(listener(), Message::Kind::kModule, ir::writeExactBitcode(module)))
      return Leave{};
    answer = reply();
  }
  if (answer.kind == Message::Kind::kRefuse) return fail(ErrorCode::kInvalidArgument, "{}", answer.bytes);
  if (answer.kind == Message::Kind::kObject) return FinishedObject{std::move(answer.bytes)};
  if (answer.kind != Message::Kind::kActions && answer.kind != Message::Kind::kRival) return Leave{};
  ORDO_TRY_ASSIGN(recipe::Order order, recipe::readOrder(answer.bytes, "the drop-in compiler's order"));
  if (answer.kind == Message::Kind::kRival) return Rival{std::move(order)};
  return order;
}

// The one of `files`, separated by colons, that is for this module.
Result<Decision> fromRecipes(llvm::Module& module, std::string_view files) {
  ORDO_TRY_ASSIGN(const Hash128 hash, ir::hashAsRead(module));
  for (const auto part : std::views::split(files, ':')) {
    const std::string file(part.begin(), part.end());
    ORDO_TRY_ASSIGN(const std::string text, readFile(file));
    ORDO_TRY_ASSIGN(recipe::Recipe recipe, recipe::parse(text, file));
    if (hash != recipe.program_hash) continue;
    recipe::Order order{std::move(recipe.prepare), recipe.settings};
    order.actions.insert(order.actions.end(), recipe.actions.begin(), recipe.actions.end());
    ORDO_TRY(notation::check(order.actions, order.settings, file));
    return order;
  }
  llvm::errs() << "ordo: " << module.getSourceFileName() << " is not the program of " << files
               << "; compiled without it\n";
  return Leave{};
}

Result<Decision> fromLock(llvm::Module& module, const std::string& file) {
  ORDO_TRY_ASSIGN(const std::string text, readRegularFile(file));
  ORDO_TRY_ASSIGN(const recipe::Lock lock, recipe::parseLock(text, file));
  const recipe::LockedFile* locked = lock.find(moduleHash(module));
  if (locked == nullptr) return fail(ErrorCode::kInvalidArgument, "it is not as {} has it", file);
  if (locked->order.none()) return Leave{};
  ORDO_TRY(notation::check(locked->order.actions, locked->order.settings, file));
  return locked->order;
}

}  // namespace

bool isListenedTo() { return listener() >= 0; }

void sayHello() {
  if (isListenedTo()) (void)recipe::sendMessage(listener(), Message::Kind::kHello);
}

void saySaid() {
  if (isListenedTo()) (void)recipe::sendMessage(listener(), Message::Kind::kSaid);
}

void sayFailed(std::string_view reason) {
  if (isListenedTo()) (void)recipe::sendMessage(listener(), Message::Kind::kFailed, reason);
}

Result<Decision> decide(llvm::Module& module, bool alone) {
  if (isListenedTo()) return ask(module, alone);
  if (const std::string_view files = variable("ORDO_RECIPE"); !files.empty())
    return fromRecipes(module, files);
  if (const std::string_view file = variable("ORDO_LOCK"); !file.empty())
    return fromLock(module, std::string(file));
  return Leave{};
}

}  // namespace ordo::plugin
