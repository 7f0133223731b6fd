// The toolchain of stock LLVM: baselines are pipelines that clang printed, proofs are runs of opt-22, and
// objects are clang's.
#include "engine/baseline.h"
#include "engine/input.h"
#include "engine/stock.h"
#include "engine/toolchain.h"
#include "frontend/clang.h"
#include "frontend/ir_triple.h"
#include "frontend/opt.h"

namespace ordo::engine {
namespace {

class StockLlvm final : public Toolchain {
 public:
  std::string settings(const Input& input) const override {
    return settingsOf(input.codegen, input.baseline.level);
  }

  std::string baselineName(const Input& input) const override { return input.baseline.name(); }

  // A bare baseline is about a program without clang's size attributes.
  std::vector<env::Action> preparation(const Input& input) const override {
    return input.baseline.bare ? bareAttributes() : std::vector<env::Action>{};
  }

  env::Action baseline(const Input& input) const override {
    return baselineAction(input.baseline, input.pipeline);
  }

  std::optional<Reference> reference(const Input& input) const override {
    const Baseline bare{input.baseline.level, true};
    std::vector<env::Action> actions = bareAttributes();
    actions.push_back(baselineAction(bare, input.pipeline));
    return Reference{bare.name(), std::move(actions)};
  }

  Result<std::string> prove(Engine& engine, const Input& input, std::string_view program,
                            const std::vector<env::Action>& actions, const Hash128& hash) const override {
    return proveWithStock(engine, input, program, actions, hash);
  }

  Result<std::string> emit(const Input& input, std::string_view program,
                           const std::vector<env::Action>& actions) const override {
    return frontend::emitObject(program, input.baseline.level, emissionSource(input.source, actions));
  }

  Status link(const Input& input, std::string_view object, const std::filesystem::path& executable,
              const std::vector<std::string>& ldflags, std::size_t shift) const override {
    std::vector<std::string> all = input.program.ldflags;
    all.insert(all.end(), ldflags.begin(), ldflags.end());
    return frontend::linkExecutable(object, input.source, all, executable, shift);
  }

  Result<std::vector<std::string>> commands(const Input& input, const std::vector<env::Action>& actions,
                                            std::string_view object) const override {
    return stockCommands(input, actions, object);
  }

  Result<std::optional<double>> codeBytes(std::string_view object) const override {
    // Of COFF it has another notion of text than everybody else's.
    const bool elf = object.find("ELF") == 1, macho = object.find("\xfa\xed\xfe") == 1;
    if (!elf && !macho) return std::nullopt;
    ORDO_TRY_ASSIGN(const std::uint64_t bytes, frontend::textSize(object));
    return static_cast<double>(bytes);
  }

  bool runsHere(const Input& input) const override { return frontend::runsHere(input.codegen.triple); }
};

}  // namespace

const Toolchain& stockLlvm() {
  static const StockLlvm stock;
  return stock;
}

}  // namespace ordo::engine
