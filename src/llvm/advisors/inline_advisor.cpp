// LLVM makes an advisor through a plain function that knows neither the pipeline's analyses nor anything of
// ours. A pipeline runs in the thread that set it up, and the analyses of a builder are registered just
// before: so what that function needs is kept by thread, by the analyses that it belongs to.
#include "llvm/advisors/inline_advisor.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/BlockFrequencyInfo.h>
#include <llvm/Analysis/EphemeralValuesCache.h>
#include <llvm/Analysis/InlineAdvisor.h>
#include <llvm/Analysis/InlineCost.h>
#include <llvm/Analysis/MLInlineAdvisor.h>
#include <llvm/Analysis/MLModelRunner.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ProfileSummaryInfo.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/Module.h>

#include <array>
#include <utility>

namespace ordo::advisors {
namespace {

constexpr std::array<std::uint8_t, 2> kBothAllowed{1, 1};
constexpr const char* kRemarks = "ordo-inline";  // -Rpass=ordo-inline

// In place of a model: hands the features over.
class Runner final : public llvm::MLModelRunner {
 public:
  Runner(llvm::LLVMContext& context, const std::vector<llvm::TensorSpec>& inputs, env::Advisor& advisor)
      : MLModelRunner(context, Kind::NoOp, inputs.size()), advisor_(advisor), features_(inputs.size()) {
    for (std::size_t i = 0; i < inputs.size(); ++i) setUpBufferForTensor(i, inputs[i], nullptr);
  }

  // What LLVM would do about the call that is next.
  void expect(bool usual) { usual_ = usual; }

 private:
  void* evaluateUntyped() override {
    for (std::size_t i = 0; i < features_.size(); ++i)
      features_[i] = static_cast<float>(*getTensor<std::int64_t>(i));
    const env::Question question{features_, kBothAllowed, usual_ ? 1u : 0u};
    answer_ = env::fits(advisor_.spec(), question) ? advisor_.advise(question) : question.usual;
    return &answer_;
  }

  env::Advisor& advisor_;
  std::vector<float> features_;
  bool usual_ = false;
  std::int64_t answer_ = 0;
};

class Advised final : public llvm::MLInlineAdvisor {
 public:
  Advised(llvm::Module& module, llvm::ModuleAnalysisManager& analyses, const llvm::InlineParams& params,
          std::unique_ptr<env::Advisor> advisor)
      : MLInlineAdvisor(
            module, analyses,
            [&](const std::vector<llvm::TensorSpec>& inputs) {
              return std::make_unique<Runner>(module.getContext(), inputs, *advisor);
            },
            [this](llvm::CallBase& call) { return usual(call); }),
        params_(params),
        advisor_(std::move(advisor)) {
    advisor_->begin(module.getModuleIdentifier());
  }
  ~Advised() override { ModelRunner.reset(); }  // it borrows the advisor

 protected:
  std::unique_ptr<llvm::MLInlineAdvice> getAdviceFromModel(
      llvm::CallBase& call, llvm::OptimizationRemarkEmitter& remarks) override {
    const bool expected = usual(call);
    static_cast<Runner&>(*ModelRunner).expect(expected);
    const bool wanted = ModelRunner->evaluate<std::int64_t>() != 0;
    if (wanted != expected) {
      const llvm::Function *caller = call.getCaller(), *callee = call.getCalledFunction();
      remarks.emit([&] {
        return llvm::OptimizationRemark(kRemarks, wanted ? "Advised" : "AdvisedAgainst", &call)
               << llvm::ore::NV("Callee", callee) << (wanted ? " is inlined into " : " is not inlined into ")
               << llvm::ore::NV("Caller", caller) << ": advised by Ordo, against LLVM's cost model";
      });
    }
    return std::make_unique<llvm::MLInlineAdvice>(this, call, remarks, wanted);
  }

 private:
  // What DefaultInlineAdvisor decides.
  bool usual(llvm::CallBase& call) {
    llvm::Function &caller = *call.getCaller(), &callee = *call.getCalledFunction();
    llvm::ProfileSummaryInfo* const profile = FAM.getResult<llvm::ModuleAnalysisManagerFunctionProxy>(caller)
                                                  .getCachedResult<llvm::ProfileSummaryAnalysis>(M);
    llvm::TargetTransformInfo& target = FAM.getResult<llvm::TargetIRAnalysis>(callee);
    auto& remarks = FAM.getResult<llvm::OptimizationRemarkEmitterAnalysis>(caller);
    const auto cost = [&](llvm::CallBase& site) {
      return llvm::getInlineCost(
          site, params_, target,
          [&](llvm::Function& f) -> llvm::AssumptionCache& {
            return FAM.getResult<llvm::AssumptionAnalysis>(f);
          },
          [&](llvm::Function& f) -> const llvm::TargetLibraryInfo& {
            return FAM.getResult<llvm::TargetLibraryAnalysis>(f);
          },
          [&](llvm::Function& f) -> llvm::BlockFrequencyInfo& {
            return FAM.getResult<llvm::BlockFrequencyAnalysis>(f);
          },
          profile, nullptr,
          [&](llvm::Function& f) -> llvm::EphemeralValuesCache& {
            return FAM.getResult<llvm::EphemeralValuesAnalysis>(f);
          });
    };
    return llvm::shouldInline(call, target, cost, remarks, params_.EnableDeferral.value_or(false))
        .has_value();
  }

  llvm::InlineParams params_;
  std::unique_ptr<env::Advisor> advisor_;
};

struct Registered {
  llvm::ModuleAnalysisManager* analyses = nullptr;
  MakeAdvisor make;
  bool before_link = false;
};
thread_local Registered t_registered;

bool isBeforeLink(llvm::ThinOrFullLTOPhase phase) {
  return phase == llvm::ThinOrFullLTOPhase::ThinLTOPreLink ||
         phase == llvm::ThinOrFullLTOPhase::FullLTOPreLink;
}

llvm::InlineAdvisor* makeAdvisor(llvm::Module& module, llvm::FunctionAnalysisManager& functions,
                                 llvm::InlineParams params, llvm::InlineContext context) {
  std::unique_ptr<env::Advisor> advisor;
  if (t_registered.before_link || !isBeforeLink(context.LTOPhase)) advisor = t_registered.make();
  if (!advisor) return new llvm::DefaultInlineAdvisor(module, functions, params, context);
  return new Advised(module, *t_registered.analyses, params, std::move(advisor));
}

}  // namespace

void adviseInlining(llvm::ModuleAnalysisManager& analyses, MakeAdvisor make, bool before_link) {
  t_registered = {&analyses, std::move(make), before_link};
  analyses.registerPass([] { return llvm::PluginInlineAdvisorAnalysis(makeAdvisor); });
}

}  // namespace ordo::advisors
