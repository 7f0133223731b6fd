// Applies textual pass pipelines to one module, as `opt -passes=` would. It knows more than stock opt:
//
//   ordo-loop<17;width=8;interleave=2>   a decision about a loop (loop_hints.h)
//   ordo-call<17;alwaysinline>           a decision about a call (call_hints.h)
//   ordo-profile<16;98120;...>           what runs of the program said of it (profile_hint.h)
//   ordo-simplification<O3>, ordo-optimization<O3>
//                                        the halves of default<O3>, between which loops are decided: all of
//                                        it is
//                                        annotation2metadata,forceattrs,FIRST,SECOND,function(annotation-remarks)
//   ordo-optimization<O3;no-slp>         the second, but straight code is not vectorised
//
// The analysis managers live as long as the runner, so what a pass preserves is not computed again
// for the next one: applying "a" and then "b" does exactly what one run of "a,b" does.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "llvm/actions/attributes.h"
#include "support/error.h"

namespace llvm {
class Module;
class PassBuilder;
class TargetMachine;
}  // namespace llvm

namespace ordo::actions {

class PipelineRunner {
 public:
  // Both are borrowed and must outlive the runner.
  PipelineRunner(llvm::Module& module, llvm::TargetMachine& machine);
  ~PipelineRunner();

  // Runs `pipeline`. The value is false if every pass said it preserved everything.
  // kInvalidArgument with LLVM's reason if the text does not parse; nothing has run then.
  // The text is parsed anew each time: some passes (inliner wrapper) use themselves up in a run.
  Result<bool> run(std::string_view pipeline);

  // The same for passes of functions, as they stand inside of `function(…)`, on those functions alone that
  // are `chosen`. Others stay as they are, as `optnone` makes stock opt leave them.
  Result<bool> run(std::string_view passes, const Chosen& chosen);

  // kInvalidArgument if that does not parse, or if LLVM requires a pass of it that stock opt would run on
  // `optnone` functions too (lower-atomic; coro-elide if there are coroutines). Thread-safe between runners.
  Status check(std::string_view passes);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Teaches `builder` to read the names of our own passes, so that stock opt can: the plugin calls it.
void addOwnPasses(llvm::PassBuilder& builder);

// A pass that the linked LLVM knows by name.
struct KnownPass {
  std::string name;
  std::string level;   // module, cgscc, function, loopnest, loop, loop-mssa, machine-function
  std::string params;  // LLVM's summary of the parameters it takes, or ""
  bool analysis = false;
};

// Every pass that PassBuilder can name, in its order.
std::vector<KnownPass> knownPasses();

}  // namespace ordo::actions
