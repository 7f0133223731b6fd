#include "runtime/profile.h"

#include <fmt/format.h>

#include <iterator>
#include <span>
#include <string>

#include "engine/reach.h"
#include "frontend/opt.h"
#include "frontend/tool.h"
#include "notation/action.h"

namespace ordo::runtime {
namespace {

// Linux takes no argument above 128 KiB, and a recipe is repeated by commands.
constexpr std::size_t kMostBytes = 100'000;

// As -fprofile-generate counts, which does so after some inlining: here a profile has to fit the program as
// given. The counters are made faster with all else.
constexpr std::string_view kCounting = "pgo-instr-gen,instrprof,default<O2>";
// What the library that -fprofile-generate links writes if nothing else is said.
constexpr std::string_view kCounts = "default.profraw";

// What clang makes of values that are usual, at the first place where it can be made: calls of the functions
// that are mostly called, and copies of the lengths that are mostly copied.
constexpr std::string_view kOfValues = ",pgo-icall-prom,function(pgo-memop-opt)";

// The pass that gives these numbers to a module (llvm/actions/profile_hint.h); what is -1 is left out.
std::string passOf(std::span<const std::int64_t> numbers) {
  std::string text = "ordo-profile<";
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) text += ';';
    if (numbers[i] >= 0) fmt::format_to(std::back_inserter(text), "{}", numbers[i]);
  }
  return text.append(">").append(kOfValues);
}

// What was counted, as `program` with metadata.
Result<std::string> annotated(const engine::Input& input, std::string_view program, std::string_view counts) {
  ORDO_TRY_ASSIGN(const TempDir dir, TempDir::create());
  const std::string raw = (dir.path() / "counts").string(), profile = (dir.path() / "profile").string();
  ORDO_TRY(writeFile(raw, counts));
  ORDO_TRY(frontend::runTool({{"llvm-profdata-22", "merge", "-o", profile, raw}, "", "", "a run's counts"}));
  return frontend::runOpt(program, {"pgo-instr-use", {"-pgo-test-profile-file=" + profile}}, input.codegen);
}

Result<std::string> profilePass(engine::Engine& engine, const engine::Input& input, std::string_view program,
                                BuiltField& bench) {
  ORDO_TRY_ASSIGN(const std::string counting,
                  frontend::runOpt(program, {std::string(kCounting), {}}, input.codegen));
  ORDO_TRY_ASSIGN(const std::optional<std::string> counts,
                  bench.written(counting, {"-fprofile-generate"}, std::string(kCounts)));
  if (!counts)
    return fail(ErrorCode::kUnsupported,
                "a run of it, built to count, leaves no counts or does something else");
  const Result<std::string> with_profile = annotated(input, program, *counts);
  if (!with_profile && with_profile.error().code != ErrorCode::kNotFound)
    return fail(ErrorCode::kUnsupported, "a run of it, built to count, leaves counts that say nothing");
  if (!with_profile) return fail(with_profile.error());
  ORDO_TRY_ASSIGN(const engine::State state, engine::halfway(engine, input, *with_profile, {}));
  ORDO_TRY_ASSIGN(const env::Observation profile, state.session->observe("profile"));
  std::string pass = passOf(profile.int64s());
  if (profile.int64s().empty()) return fail(ErrorCode::kUnsupported, "it was never entered in a run");
  if (pass.size() > kMostBytes) {
    return fail(ErrorCode::kUnsupported, "its counts take {} bytes, and a recipe has room for {}",
                pass.size(), kMostBytes);
  }
  return pass;
}

}  // namespace

Result<env::Action> profileAction(engine::Engine& engine, const engine::Input& input,
                                  std::string_view program, BuiltField& bench) {
  Result<std::string> pass = profilePass(engine, input, program, bench);
  if (pass) return env::Action{"profile", notation::kPipeline, *std::move(pass)};
  if (pass.error().code == ErrorCode::kNotFound) return fail(std::move(pass).error());
  return fail(ErrorCode::kUnsupported, "{}", pass.error().message);
}

}  // namespace ordo::runtime
