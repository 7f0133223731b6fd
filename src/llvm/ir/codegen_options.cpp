#include "llvm/ir/codegen_options.h"

#include <llvm/Support/CommandLine.h>

#include <mutex>
#include <shared_mutex>
#include <vector>

namespace ordo::ir {
namespace {

// Exclusive while options differ from their defaults.
std::shared_mutex& emission() {
  static std::shared_mutex mutex;
  return mutex;
}

// As LLVM has it: without dashes and value.
std::string_view nameOf(std::string_view option) {
  option.remove_prefix(std::min(option.find_first_not_of('-'), option.size()));
  return option.substr(0, option.find('='));
}

}  // namespace

struct CodegenOptions::State {
  std::shared_lock<std::shared_mutex> among_others;
  std::unique_lock<std::shared_mutex> alone;
  std::vector<llvm::cl::Option*> changed;

  ~State() {
    for (llvm::cl::Option* option : changed) option->reset();
  }
};

CodegenOptions::CodegenOptions(std::unique_ptr<State> state) : state_(std::move(state)) {}
CodegenOptions::CodegenOptions(CodegenOptions&&) noexcept = default;
CodegenOptions::~CodegenOptions() = default;

Result<CodegenOptions> CodegenOptions::set(std::span<const std::string> options) {
  auto state = std::make_unique<State>();
  if (options.empty()) {
    state->among_others = std::shared_lock(emission());
    return CodegenOptions(std::move(state));
  }
  state->alone = std::unique_lock(emission());
  const auto& known = llvm::cl::getRegisteredOptions();
  for (const std::string& text : options) {
    const std::string_view name = nameOf(text);
    const auto found = known.find(llvm::StringRef(name));
    if (!text.starts_with('-') || found == known.end()) {
      return fail(ErrorCode::kInvalidArgument, "'{}' is not an option of this LLVM's code generator", text);
    }
    const std::size_t equals = text.find('=');
    const std::string value = equals == std::string::npos ? "" : text.substr(equals + 1);
    state->changed.push_back(found->second);
    // What a compiler was told itself gives way.
    if (found->second->getNumOccurrences() > 0) found->second->reset();
    // LLVM prints why; the position counts for lists only.
    if (found->second->addOccurrence(0, llvm::StringRef(name), value)) {
      return fail(ErrorCode::kInvalidArgument, "'{}': the option does not take this value", text);
    }
  }
  return CodegenOptions(std::move(state));
}

}  // namespace ordo::ir
