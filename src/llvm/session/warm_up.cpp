#include "llvm/session/warm_up.h"

#include "env/metric.h"
#include "llvm/session/llvm_session.h"
#include "notation/action.h"

namespace ordo::session {
namespace {

// A loop, memory and a call: enough for every default pass and for instruction selection to start.
constexpr const char* kProgram = R"(
define i32 @sum(ptr %p, i32 %n) minsize optsize {
entry:
  %empty = icmp slt i32 %n, 1
  br i1 %empty, label %out, label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %total = phi i32 [ 0, %entry ], [ %more, %loop ]
  %at = getelementptr i32, ptr %p, i32 %i
  %value = load i32, ptr %at
  %scaled = call i32 @scale(i32 %value)
  %more = add i32 %total, %scaled
  %next = add i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %out, label %loop
out:
  %result = phi i32 [ 0, %entry ], [ %more, %loop ]
  ret i32 %result
}
define internal i32 @scale(i32 %x) {
  %y = mul i32 %x, 3
  ret i32 %y
}
)";

}  // namespace

void warmUp() {
  LlvmBackend backend;
  const Result<env::BackendInfo> info = backend.describe();
  ORDO_CHECK(info.has_value(), "describing the LLVM backend");
  env::SessionSpec spec;
  spec.name = "warm-up";
  spec.program = fmt::format("target triple = \"{}\"\n{}", info->target, kProgram);
  spec.actions = {{"oz", notation::kPipeline, "default<Oz>"}};
  const Result<std::unique_ptr<env::Session>> session = backend.open(std::move(spec));
  ORDO_CHECK(session.has_value(), "{}", session.error().message);
  const env::ActionIndex oz = 0;
  const Result<env::StepOutcome> applied = (*session)->apply({&oz, 1});
  const Result<env::Measurement> measured = (*session)->measure(env::kTextBytes);
  ORDO_CHECK(applied && applied->ok() && measured && measured->ok(), "LLVM cannot compile a loop");
}

}  // namespace ordo::session
