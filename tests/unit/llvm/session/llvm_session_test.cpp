#include "llvm/session/llvm_session.h"

#include <gmock/gmock.h>

#include <thread>

#include "env/choices.h"
#include "llvm/ir/target.h"
#include "notation/action.h"
#include "support/rng.h"
#include "tests/unit/llvm/session/programs.h"

namespace ordo::session {
namespace {

using env::ActionIndex;
using env::Measurement;
using env::StepOutcome;
using env::StepStatus;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Actions = std::vector<ActionIndex>;

// Some that always change something, some that need others, two attributes.
const std::vector<std::string> kTexts{"function(sroa)",
                                      "function(early-cse<memssa>)",
                                      "function(simplifycfg)",
                                      "function(gvn)",
                                      "function(instcombine<no-verify-fixpoint>)",
                                      "cgscc(inline)",
                                      "function(loop(loop-rotate))",
                                      "function(loop-mssa(licm<allowspeculation>))",
                                      "function(loop(indvars))",
                                      "function(loop-unroll<O3>)",
                                      "function(jump-threading)",
                                      "function(newgvn)",
                                      "globalopt",
                                      "ipsccp",
                                      "function(reassociate)",
                                      "function(slp-vectorizer)",
                                      "function(loop-vectorize)",
                                      "mergefunc",
                                      "+optsize",
                                      "-minsize"};

class LlvmSessionTest : public testing::Test {
 protected:
  std::unique_ptr<env::Session> open(const std::vector<std::string>& texts = kTexts) {
    return openProgram(programBitcode(), texts);
  }
  std::unique_ptr<env::Session> openProgram(std::string program, const std::vector<std::string>& texts) {
    auto session = backend_.open(specFor(std::move(program), texts));
    EXPECT_TRUE(session) << session.error().message;
    return *std::move(session);
  }
  Error openError(std::string program) {
    const auto session = backend_.open(specFor(std::move(program), {}));
    EXPECT_FALSE(session);
    return session ? Error{} : session.error();
  }

  LlvmBackend backend_;
};

StepOutcome step(env::Session& session, const Actions& actions) {
  const auto outcome = session.apply(actions);
  EXPECT_TRUE(outcome) << outcome.error().message;
  return *outcome;
}

Hash128 hash(env::Session& session) { return session.stateHash().value(); }
std::string text(env::Session& session, std::string_view observation) {
  return std::string(session.observe(observation).value().text());
}
double value(env::Session& session, std::string_view metric) {
  const Measurement measurement = session.measure(metric).value();
  EXPECT_TRUE(measurement.ok()) << measurement.detail;
  return measurement.value;
}

// What stock opt makes of the program by one process per run of pipelines or attribute.
Hash128 hashByOpt(const std::vector<std::vector<std::string>>& runs, LlvmBackend& backend) {
  std::string bitcode = programBitcode();
  for (const auto& options : runs) bitcode = opt(bitcode, options);
  return (*backend.open(specFor(bitcode, {})))->stateHash().value();
}

// The state's hash as another process would compute it from the written bitcode.
Hash128 hashAsRead(env::Session& session, LlvmBackend& backend) {
  return (*backend.open(specFor(text(session, "bitcode"), {})))->stateHash().value();
}

TEST_F(LlvmSessionTest, RemembersWhatWasApplied) {
  const auto session = open();
  EXPECT_THAT(session->history(), IsEmpty());
  const StepOutcome outcome = step(*session, {0, 2});
  EXPECT_TRUE(outcome.ok());
  EXPECT_EQ(outcome.applied, 2u);
  EXPECT_TRUE(outcome.changed);
  step(*session, {0});
  EXPECT_THAT(session->history(), ElementsAre(0, 2, 0));
  EXPECT_EQ(session->spec().actions.size(), kTexts.size());
  EXPECT_THAT(session->legalActions().value(), testing::Each(1));
}

TEST_F(LlvmSessionTest, ResetGoesBackToTheProgramAsGiven) {
  const auto session = open();
  const Hash128 start = hash(*session);
  const double text_bytes = value(*session, "text_bytes"), instructions = value(*session, "ir_instructions");
  step(*session, {0, 4, 18});
  EXPECT_NE(hash(*session), start);
  EXPECT_LT(value(*session, "ir_instructions"), instructions);
  ASSERT_TRUE(session->reset());
  EXPECT_THAT(session->history(), IsEmpty());
  EXPECT_EQ(hash(*session), start);
  EXPECT_EQ(value(*session, "text_bytes"), text_bytes);
  EXPECT_EQ(value(*session, "ir_instructions"), instructions);
}

TEST_F(LlvmSessionTest, NothingAppliedIsNoChange) {
  const auto session = open();
  const Hash128 start = hash(*session);
  const StepOutcome outcome = step(*session, {});
  EXPECT_TRUE(outcome.ok());
  EXPECT_EQ(outcome.applied, 0u);
  EXPECT_FALSE(outcome.changed);
  EXPECT_EQ(hash(*session), start);
}

// LLVM's own pass that breaks a program: a block with a terminator in its middle can be written, not read.
TEST_F(LlvmSessionTest, WhatCannotBeReadBackIsInvalidAndNoErrorOfOurs) {
  const auto session = open({"function(trigger-verifier-error)", "function(sroa)", "+optsize"});
  ASSERT_TRUE(step(*session, {0}).ok());
  const auto fork = session->fork().value();
  const StepOutcome outcome = step(*fork, {1});
  EXPECT_EQ(outcome.status, StepStatus::kVerifierFailed);
  EXPECT_EQ(outcome.applied, 0u);
  EXPECT_THAT(outcome.detail, HasSubstr("cannot be read back"));
  EXPECT_EQ(fork->measure("ir_instructions").value().status, StepStatus::kVerifierFailed);
  EXPECT_EQ(fork->estimate("text_bytes").value().status, StepStatus::kVerifierFailed);
  EXPECT_TRUE(fork->stateHash());
  EXPECT_EQ(fork->observe("autophase").error().code, ErrorCode::kCorrupt);
  const auto report = session->step({.actions = {env::kPipe}, .hash = true, .observations = {"autophase"}});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->outcome.status, StepStatus::kVerifierFailed);
  EXPECT_EQ(report->outcome.applied, 1u);
  ASSERT_TRUE(session->reset());
  EXPECT_TRUE(step(*session, {1}).ok());
}

TEST_F(LlvmSessionTest, ForksGoTheirOwnWay) {
  const auto session = open();
  step(*session, {0});
  const Hash128 parent = hash(*session);
  auto fork = session->fork().value();
  EXPECT_EQ(hash(*fork), parent);
  EXPECT_THAT(fork->history(), ElementsAre(0, env::kPipe)) << "a fork begins without analyses";
  step(*fork, {4});
  EXPECT_EQ(hash(*session), parent);
  EXPECT_NE(hash(*fork), parent);
  step(*session, {4});
  EXPECT_EQ(hash(*session), hash(*fork));
  const double size = value(*session, "text_bytes");
  ASSERT_TRUE(session->reset());
  EXPECT_EQ(value(*fork, "text_bytes"), size);
  ASSERT_TRUE(fork->reset());
  EXPECT_EQ(hash(*fork), hash(*session));
}

TEST_F(LlvmSessionTest, AForkOutlivesItsSessionAndItsBackend) {
  std::unique_ptr<env::Session> fork;
  {
    LlvmBackend backend;
    auto session = backend.open(specFor(programBitcode(), kTexts)).value();
    step(*session, {0});
    fork = session->fork().value();
  }
  EXPECT_TRUE(step(*fork, {4, 2}).ok());
  EXPECT_GT(value(*fork, "text_bytes"), 0);
}

// Wherever a search forks, hashes or measures on its way, it ends in the state that a straight replay
// reaches: searches share prefixes through forks and the result is replayed without any.
TEST_F(LlvmSessionTest, ForksAndQuestionsOnTheWayDoNotShowInTheEnd) {
  Rng rng(7);
  for (int round = 0; round < 25; ++round) {
    Actions actions(12);
    for (ActionIndex& action : actions) action = static_cast<ActionIndex>(rng.below(kTexts.size()));
    const auto straight = open();
    ASSERT_TRUE(step(*straight, actions).ok());

    auto winding = open();
    for (const ActionIndex action : actions) {
      if (rng.chance(0.3)) winding = winding->fork().value();
      if (rng.chance(0.3)) hash(*winding);
      if (rng.chance(0.1)) value(*winding, "text_bytes");
      if (rng.chance(0.1)) text(*winding, "ir");
      ASSERT_TRUE(step(*winding, {action}).ok());
    }
    EXPECT_EQ(hash(*winding), hash(*straight)) << fmt::format("{}", fmt::join(actions, " "));
    EXPECT_EQ(value(*winding, "text_bytes"), value(*straight, "text_bytes"));
  }
}

TEST_F(LlvmSessionTest, EndsWhereStockOptEnds) {
  const auto session = open();
  step(*session, {0, 1, 5, 4});
  EXPECT_EQ(hashAsRead(*session, backend_),
            hashByOpt({{fmt::format("-passes={},{},{},{}", kTexts[0], kTexts[1], kTexts[5], kTexts[4])}},
                      backend_));
}

TEST_F(LlvmSessionTest, AttributesAreARunOfOptOfTheirOwn) {
  const auto session = open();
  step(*session, {0, 19, 9, 18, 4});
  EXPECT_EQ(hashAsRead(*session, backend_),
            hashByOpt({{"-passes=" + kTexts[0]},
                       {"-passes=forceattrs", "-force-remove-attribute=minsize"},
                       {"-passes=" + kTexts[9]},
                       {"-passes=forceattrs", "-force-attribute=optsize"},
                       {"-passes=" + kTexts[4]}},
                      backend_));
}

TEST_F(LlvmSessionTest, OptionsHoldForThePassesBehindThem) {
  const std::vector<std::string> texts{"function(sroa,early-cse)", "-inline-threshold=-100000",
                                       "cgscc(inline)", "-inline-threshold=1000",
                                       "function(instcombine<no-verify-fixpoint>)"};
  const auto session = open(texts), plain = open(texts);
  step(*session, {0, 1, 2, 4});
  EXPECT_EQ(
      hashAsRead(*session, backend_),
      hashByOpt({{"-passes=" + texts[0]}, {texts[1], "-passes=" + texts[2] + "," + texts[4]}}, backend_));
  step(*plain, {0, 2, 4});
  EXPECT_NE(hashAsRead(*session, backend_), hashAsRead(*plain, backend_)) << "nothing is inlined";
  // The next one counts from there on, also in a copy, and nothing of it is left for others.
  step(*session, {3});
  const auto copy = std::move(*session->fork());
  for (env::Session* each : {session.get(), copy.get()}) step(*each, {2});
  EXPECT_EQ(hash(*copy), hash(*session));
  EXPECT_EQ(hashAsRead(*session, backend_), hashByOpt({{"-passes=" + texts[0]},
                                                       {texts[1], "-passes=" + texts[2] + "," + texts[4]},
                                                       {texts[3], "-passes=" + texts[2]}},
                                                      backend_));
  const auto later = open(texts);
  step(*later, {0, 2, 4});
  EXPECT_EQ(hash(*later), hash(*plain));
}

TEST_F(LlvmSessionTest, AnOptionIsPartOfTheState) {
  const std::vector<std::string> texts{"-inline-threshold=-25", "-inline-threshold=0", "cgscc(inline)"};
  const auto session = open(texts), other = open(texts);
  const Hash128 start = hash(*session);
  const double code = value(*session, "code_bytes");
  EXPECT_TRUE(step(*session, {0}).changed);
  EXPECT_FALSE(step(*session, {0}).changed) << "it is set";
  EXPECT_NE(hash(*session), start) << "the same passes come to something else behind it";
  EXPECT_EQ(value(*session, "code_bytes"), code);
  step(*other, {1, 0});
  EXPECT_EQ(hash(*session), hash(*other)) << "the later of one name counts";
  ASSERT_TRUE(session->reset());
  EXPECT_EQ(hash(*session), start);
}

TEST_F(LlvmSessionTest, LookingDoesNotChangeTheState) {
  const auto session = open();
  step(*session, {0, 5});
  const std::string bitcode = text(*session, "bitcode");
  const Hash128 before = hash(*session);
  const env::BackendInfo info = backend_.describe().value();
  for (const env::MetricInfo& metric : info.metrics)
    EXPECT_GE(value(*session, metric.name), 0) << metric.name;
  for (const env::ObservationInfo& observation : info.observations) {
    const auto observed = session->observe(observation.name);
    ASSERT_TRUE(observed) << observed.error().message;
    // Its shape is what the catalog promises.
    ASSERT_EQ(observed->shape.size(), observation.columns == 0 ? 1u : 2u) << observation.name;
    if (observation.width != 0) {
      EXPECT_EQ(observed->shape[0], observation.width) << observation.name;
    }
    if (observation.columns != 0) {
      EXPECT_EQ(observed->shape[1], observation.columns) << observation.name;
    }
  }
  EXPECT_TRUE(session->verify()->ok());
  EXPECT_EQ(text(*session, "bitcode"), bitcode);
  EXPECT_EQ(hash(*session), before);
  EXPECT_THAT(session->history(), ElementsAre(0, 5));
  // And a pass after it does what it does without.
  const auto other = open();
  step(*other, {0, 5, 4});
  step(*session, {4});
  EXPECT_EQ(hash(*session), hash(*other));
}

// As their own run of opt each, from what comes before as it is written out.
TEST_F(LlvmSessionTest, ChoicesOfFunctionsEndWhereStockOptEnds) {
  env::SessionSpec spec = specFor(programBitcode(), {"function(sroa)", "function(simplifycfg)"});
  spec.actions.push_back(
      env::choose({{"gvn", "instcombine<no-verify-fixpoint>", "-minsize,loop(loop-rotate)"},
                   {{"main", 1}, {"square", 1}, {"weight", 2}}}));
  const auto session = *backend_.open(spec);
  const StepOutcome outcome = step(*session, {0, 2, 1});
  ASSERT_TRUE(outcome.ok()) << outcome.detail;
  EXPECT_TRUE(outcome.changed);
  EXPECT_EQ(
      hash(*session),
      hashByOpt(
          {{"-passes=function(sroa)"},
           {"-passes=forceattrs,function(gvn)", "-disable-verify", "-force-attribute=main:optnone",
            "-force-attribute=square:optnone", "-force-attribute=weight:optnone"},
           {"-passes=forceattrs,function(instcombine<no-verify-fixpoint>)", "-disable-verify",
            "-force-attribute=optnone", "-force-remove-attribute=main:optnone",
            "-force-remove-attribute=square:optnone"},
           {"-passes=forceattrs,function(loop(loop-rotate))", "-disable-verify", "-force-attribute=optnone",
            "-force-remove-attribute=weight:optnone", "-force-remove-attribute=weight:minsize"},
           {"-passes=forceattrs", "-disable-verify", "-force-remove-attribute=optnone"},
           {"-passes=function(simplifycfg)"}},
          backend_));
}

TEST_F(LlvmSessionTest, ChoicesThatCannotBeAppliedAreRejectedAndNotApplied) {
  env::SessionSpec spec = specFor(programBitcode(), {"+noinline", "+optnone"});
  spec.actions.push_back(env::choose({{"", "no-such-pass"}, {{"main", 1}}}));
  spec.actions.push_back(env::choose({{"", "sroa"}, {{"main", 1}}}));
  const auto session = *backend_.open(spec);
  const Hash128 before = hash(*session);
  StepOutcome outcome = step(*session, {2});
  EXPECT_EQ(outcome.status, StepStatus::kRejected);
  EXPECT_EQ(outcome.applied, 0u);
  EXPECT_THAT(outcome.detail, AllOf(HasSubstr(spec.actions[2].name), HasSubstr("no-such-pass")));
  EXPECT_EQ(hash(*session), before);
  outcome = step(*session, {0, 1, 3});
  EXPECT_EQ(outcome.status, StepStatus::kRejected);
  EXPECT_EQ(outcome.applied, 2u);
  EXPECT_THAT(outcome.detail, HasSubstr("optnone"));
  // What makes no sense is no action.
  spec.actions[2].text = "{}";
  EXPECT_FALSE(backend_.open(spec));
}

TEST_F(LlvmSessionTest, BytesOfFunctionsAreThoseOfTheirSymbols) {
  const auto session = openProgram(R"(
target triple = "x86_64-pc-linux-gnu"
declare void @outside()
define void @"\01raw"() {
  call void @outside()
  ret void
}
define internal void @"odd \FF"() {
  ret void
}
define i32 @long(i32 %x) {
  %a = mul i32 %x, %x
  %b = add i32 %a, 77
  %c = sdiv i32 %b, 7
  call void @"odd \FF"()
  ret i32 %c
}
define available_externally void @elsewhere() {
  ret void
}
)",
                                   {"function(dce)"});
  const auto bytes = session->observe("function_bytes");
  ASSERT_TRUE(bytes) << bytes.error().message;
  ASSERT_THAT(bytes->shape, ElementsAre(4u));
  const std::vector<std::int64_t> each(bytes->int64s().begin(), bytes->int64s().end());
  EXPECT_GT(each[0], 1);
  EXPECT_EQ(each[1], 1) << "ret";
  EXPECT_GT(each[2], each[0]);
  EXPECT_EQ(each[3], -1) << "there is no code of it";
  EXPECT_LE(static_cast<double>(each[0] + each[1] + each[2]), value(*session, "code_bytes"));
}

TEST_F(LlvmSessionTest, AnUnknownPassIsRejectedAndNotApplied) {
  const auto session = open({"function(sroa)", "no-such-pass", "globaldce"});
  const StepOutcome outcome = step(*session, {0, 1, 2});
  EXPECT_EQ(outcome.status, StepStatus::kRejected);
  EXPECT_EQ(outcome.applied, 1u);
  EXPECT_TRUE(outcome.changed);
  EXPECT_THAT(outcome.detail, AllOf(HasSubstr("no-such-pass: "), HasSubstr("unknown")));
  EXPECT_THAT(session->history(), ElementsAre(0));
  const auto other = open({"function(sroa)"});
  step(*other, {0});
  EXPECT_EQ(hash(*session), hash(*other));
  EXPECT_TRUE(step(*session, {2}).ok());
}

TEST_F(LlvmSessionTest, AnUnknownAttributeIsRejected) {
  const auto session = open({"+no-such-attribute"});
  const StepOutcome outcome = step(*session, {0});
  EXPECT_EQ(outcome.status, StepStatus::kRejected);
  EXPECT_THAT(outcome.detail, HasSubstr("'no-such-attribute' is not a function attribute"));
}

TEST_F(LlvmSessionTest, ChoicesOfTheCodeGeneratorChangeOnlyItsCode) {
  const auto choice = [](const std::string& text) { return env::Action{text, notation::kCodegen, text}; };
  const auto openWith = [&](const std::vector<std::string>& options) {
    env::SessionSpec spec = specFor(programBitcode(), {kTexts[0], kTexts[5]});
    for (const std::string& option : options) spec.actions.push_back(choice(option));
    return backend_.open(std::move(spec)).value();
  };
  const auto plain = openWith({});
  step(*plain, {0, 1});
  const auto chosen = openWith({"-disable-block-placement", "-misched=ilpmax", "-misched=ilpmin"});
  EXPECT_TRUE(step(*chosen, {0, 3, 2, 1}).changed);
  EXPECT_EQ(text(*chosen, "bitcode"), text(*plain, "bitcode"));
  EXPECT_EQ(value(*chosen, "ir_instructions"), value(*plain, "ir_instructions"));
  EXPECT_NE(hash(*chosen), hash(*plain));
  EXPECT_NE(value(*chosen, "text_bytes"), value(*plain, "text_bytes"));
  // What is emitted is what clang emits with these options; in parts, too.
  const auto clang = [&](const std::vector<std::string>& options) {
    std::vector<std::string> argv{"clang-22", "-Oz", "-fPIC", "-x", "ir", "-Xclang", "-disable-llvm-passes"};
    for (const std::string& option : options) argv.insert(argv.end(), {"-mllvm", option});
    argv.insert(argv.end(), {"-c", "-", "-o", "-"});
    return static_cast<double>(ir::objectSizes(runTool(argv, text(*plain, "bitcode")))->text);
  };
  EXPECT_EQ(value(*plain, "text_bytes"), clang({}));
  EXPECT_EQ(value(*chosen, "text_bytes"), clang({"-disable-block-placement", "-misched=ilpmax"}));
  EXPECT_EQ(chosen->estimate("text_bytes")->value, value(*chosen, "text_bytes"));
  // The order of choices makes no difference, the last of a name counts, and a fork has them too.
  const auto other = openWith({"-disable-block-placement", "-misched=ilpmax", "-misched=ilpmin"});
  step(*other, {2, 4, 3, 0, 1});
  EXPECT_EQ(hash(*other), hash(*chosen));
  const auto fork = other->fork().value();
  EXPECT_EQ(hash(*fork), hash(*chosen));
  EXPECT_FALSE(step(*other, {2}).changed);
  ASSERT_TRUE(other->reset());
  step(*other, {0, 1});
  EXPECT_EQ(hash(*other), hash(*plain));
}

TEST_F(LlvmSessionTest, AChoiceBetweenPassesKeepsTheirAnalyses) {
  env::SessionSpec spec = specFor(programBitcode(), kTexts);
  spec.actions.push_back({"choice", notation::kCodegen, "-disable-lsr"});
  const auto session = backend_.open(std::move(spec)).value();
  const auto choice = static_cast<env::ActionIndex>(kTexts.size());
  step(*session, {0, choice, 1, choice, 5, 4, choice});
  EXPECT_EQ(hashAsRead(*session, backend_),
            hashByOpt({{fmt::format("-passes={},{},{},{}", kTexts[0], kTexts[1], kTexts[5], kTexts[4])}},
                      backend_));
  // As after a pass: what a fork does not have is written into its history.
  EXPECT_EQ(session->fork().value()->history().back(), env::kPipe);
}

TEST_F(LlvmSessionTest, AnUnknownChoiceIsRejectedAndNotApplied) {
  env::SessionSpec spec = specFor(programBitcode(), {});
  spec.actions.push_back({"choice", notation::kCodegen, "-no-such-option"});
  const auto session = backend_.open(std::move(spec)).value();
  const StepOutcome outcome = step(*session, {0});
  EXPECT_EQ(outcome.status, StepStatus::kRejected);
  EXPECT_THAT(outcome.detail, HasSubstr("'-no-such-option' is not an option"));
  EXPECT_TRUE(session->history().empty());
}

TEST_F(LlvmSessionTest, UnknownObservationsAndMetricsAreNotFound) {
  const auto session = open();
  const auto observation = session->observe("autophases");
  ASSERT_FALSE(observation);
  EXPECT_EQ(observation.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(observation.error().message, "there is no observation 'autophases'");
  const auto metric = session->measure("text_byte");
  ASSERT_FALSE(metric);
  EXPECT_EQ(metric.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(metric.error().message, "there is no metric 'text_byte'");
}

TEST_F(LlvmSessionTest, AnEmptiedProgramIsNoScore) {
  for (const std::string pass : {"hipstdpar-select-accelerator-code", "internalize,globaldce"}) {
    const auto session = open({pass});
    ASSERT_TRUE(step(*session, {0}).ok());
    const Measurement verdict = session->verify().value();
    EXPECT_EQ(verdict.status, StepStatus::kExportsChanged) << pass;
    EXPECT_THAT(verdict.detail, HasSubstr("the definition of fill is gone"));
    EXPECT_EQ(session->measure("text_bytes")->status, StepStatus::kExportsChanged);
    EXPECT_EQ(session->measure("ir_instructions")->status, StepStatus::kExportsChanged);
    ASSERT_TRUE(session->reset());
    EXPECT_TRUE(session->verify()->ok());
  }
}

// As in most C++ before the first pass that inlines: each measurement is of what it is when that is done.
TEST_F(LlvmSessionTest, AStateHalfwayIsMeasuredAsItWillBeCompiled) {
  const std::string text = R"(
target triple = "x86_64-pc-linux-gnu"
define available_externally i32 @g(i32 %x) #0 {
  %y = mul i32 %x, 3
  %z = add i32 %y, 7
  ret i32 %z
}
define linkonce_odr i32 @f(i32 %x) {
  %p = alloca i32
  store i32 %x, ptr %p
  %v = load i32, ptr %p
  %r = call i32 @g(i32 %v)
  ret i32 %r
}
define i32 @main() {
  %r = call i32 @f(i32 1)
  ret i32 %r
}
attributes #0 = { alwaysinline }
)";
  env::SessionSpec spec = specFor(text, {"function(sroa)", "always-inline", "function(instsimplify)"});
  const auto session = backend_.open(spec).value(), ended = backend_.open(spec).value();
  const auto value = [](env::Session& at, const char* metric) { return at.measure(metric)->value; };
  EXPECT_EQ(session->observe("must_inline")->int64s()[0], 1);
  ASSERT_TRUE(step(*ended, {1}).ok());
  EXPECT_EQ(ended->observe("must_inline")->int64s()[0], 0);
  EXPECT_EQ(value(*session, "ir_instructions"), value(*ended, "ir_instructions"));
  // No action but an inliner is refused for it.
  ASSERT_TRUE(step(*session, {0}).ok());
  EXPECT_TRUE(session->verify()->ok()) << session->verify()->detail;
  ASSERT_TRUE(step(*session, {2}).ok());
  ASSERT_TRUE(session->measure("ir_instructions")->ok());
  EXPECT_EQ(session->observe("must_inline")->int64s()[0], 1);
  const Hash128 halfway = session->stateHash().value();
  const double instructions = value(*session, "ir_instructions"), bytes = value(*session, "text_bytes"),
               estimated = session->estimate("text_bytes")->value;
  // It is what the state becomes; the state itself, and what a fork has, is as it was.
  EXPECT_EQ(session->stateHash().value(), halfway);
  EXPECT_EQ(value(**session->fork(), "text_bytes"), bytes);
  EXPECT_EQ(estimated, bytes);
  ASSERT_TRUE(step(*session, {1}).ok());
  EXPECT_NE(session->stateHash().value(), halfway);
  EXPECT_EQ(value(*session, "ir_instructions"), instructions);
  EXPECT_EQ(value(*session, "text_bytes"), bytes);
}

TEST_F(LlvmSessionTest, ARuntimeThatNobodyLinksIsNoScore) {
  const auto session = open({"asan"});
  ASSERT_TRUE(step(*session, {0}).ok());
  EXPECT_EQ(session->measure("text_bytes")->status, StepStatus::kExportsChanged);
}

TEST_F(LlvmSessionTest, AnInvalidResultIsNoScore) {
  const auto session = open({"+optnone", "-optnone"});
  ASSERT_TRUE(step(*session, {0}).ok());
  const Measurement measured = session->measure("text_bytes").value();
  EXPECT_EQ(measured.status, StepStatus::kVerifierFailed);
  EXPECT_THAT(measured.detail, HasSubstr("optnone"));
  ASSERT_TRUE(step(*session, {1}).ok());
  EXPECT_TRUE(session->measure("text_bytes")->ok());
}

TEST_F(LlvmSessionTest, ProgramsThatAreNoneAreRefusedWithTheirName) {
  EXPECT_EQ(openError("no IR").code, ErrorCode::kCorrupt);
  EXPECT_THAT(openError("no IR").message, HasSubstr("sample:1:1: "));
  EXPECT_THAT(openError(programBitcode().substr(0, 1000)).message,
              HasSubstr("sample is not valid LLVM 22 bitcode"));
  const Error foreign = openError("target triple = \"kalimba-unknown-unknown\"\n");
  EXPECT_EQ(foreign.code, ErrorCode::kUnsupported);
  EXPECT_THAT(foreign.message, AllOf(HasSubstr("sample: "), HasSubstr("kalimba-unknown-unknown")));
  EXPECT_EQ(openError("define void @f() {\n  ret void\n}\n").code, ErrorCode::kUnsupported);
  const Error cfi = openError(
      "target triple = \"x86_64-pc-linux-gnu\"\ndeclare i1 @llvm.type.test(ptr, metadata)\n"
      "define i1 @f(ptr %p) {\n  %x = call i1 @llvm.type.test(ptr %p, metadata !\"A\")\n  ret i1 %x\n}\n");
  EXPECT_EQ(cfi.code, ErrorCode::kUnsupported);
  EXPECT_THAT(cfi.message, HasSubstr("-fsanitize=cfi"));
  const Error invalid = openError(
      "target triple = \"x86_64-pc-linux-gnu\"\ndefine i32 @f() {\n  %x = add i32 %y, 1\n  %y = add i32 1, "
      "1\n  ret i32 %x\n}\n");
  EXPECT_EQ(invalid.code, ErrorCode::kCorrupt);
  EXPECT_THAT(invalid.message,
              HasSubstr("sample is not a valid program: Instruction does not dominate all uses"));
}

// opt takes the data layout from the target, so sizes of types are the same to its passes and to ours.
TEST_F(LlvmSessionTest, TextualIrIsOptimisedAsByOpt) {
  const std::string program =
      "source_filename = \"sample\"\ntarget triple = \"x86_64-pc-linux-gnu\"\n"
      "define i64 @f(ptr %p) {\n  %q = getelementptr {i32, x86_fp80, ptr}, ptr %p, i64 1\n  %a = ptrtoint "
      "ptr %p to i64\n"
      "  %b = ptrtoint ptr %q to i64\n  %d = sub i64 %b, %a\n  ret i64 %d\n}\n";
  const auto session = openProgram(program, {"function(instcombine<no-verify-fixpoint>)"});
  ASSERT_TRUE(step(*session, {0}).ok());
  const std::string stock = opt(program, {"-passes=function(instcombine<no-verify-fixpoint>)"});
  EXPECT_EQ(hashAsRead(*session, backend_), hash(*openProgram(stock, {})));
  EXPECT_THAT(text(*session, "ir"), HasSubstr("ret i64 48"));
}

TEST_F(LlvmSessionTest, AModuleWithoutFunctionsHasASize) {
  const auto session = openProgram("target triple = \"x86_64-pc-linux-gnu\"\n@x = constant i32 7\n", kTexts);
  EXPECT_TRUE(step(*session, {0, 4, 12}).ok());
  EXPECT_EQ(value(*session, "ir_instructions"), 0);
  EXPECT_EQ(value(*session, "text_bytes"), 4);
}

TEST_F(LlvmSessionTest, CompileTimeGrowsWithThePasses) {
  const auto session = open({"default<O3>"});
  const double none = value(*session, "compile_ms");
  step(*session, {0, 0});
  EXPECT_GT(value(*session, "compile_ms"), 0);
  ASSERT_TRUE(session->reset());
  // Code generation was measured anew; only the passes must have gone. A loaded machine may be slower, not 20
  // times.
  EXPECT_LT(value(*session, "compile_ms"), 20 * none);
}

TEST_F(LlvmSessionTest, SessionsOnThreadsDoNotDisturbEachOther) {
  const Actions actions{0, 5, 4, 9, 18, 3};
  const auto expected = open();
  step(*expected, actions);
  const Hash128 end = hash(*expected);
  const double size = value(*expected, "text_bytes");
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      const auto session = open();
      for (int round = 0; round < 3; ++round) {
        step(*session, actions);
        EXPECT_EQ(hash(*session), end);
        EXPECT_EQ(value(*session, "text_bytes"), size);
        EXPECT_TRUE(session->reset());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(LlvmSessionTest, TheBackendDescribesWhatItOffers) {
  const env::BackendInfo info = backend_.describe().value();
  EXPECT_EQ(info.name, "llvm");
  EXPECT_THAT(info.version, testing::StartsWith("22.1."));
  EXPECT_THAT(info.target, HasSubstr("linux"));
  EXPECT_THAT(info.metrics, testing::Contains(testing::Field(&env::MetricInfo::name, "text_bytes")));
  EXPECT_THAT(info.observations, testing::Contains(testing::Field(&env::ObservationInfo::name, "autophase")));
  EXPECT_THAT(info.observations,
              testing::Contains(testing::Field(&env::ObservationInfo::name, "function_bytes")));
  for (const env::ObservationInfo& observation : info.observations) {
    const std::size_t elements = observation.columns != 0 ? observation.columns : observation.width;
    EXPECT_THAT(observation.element_names.size(), testing::AnyOf(0, elements)) << observation.name;
  }
  EXPECT_THAT(info.transforms, testing::Contains(testing::Field(&env::TransformInfo::name, "simplifycfg")));
  EXPECT_THAT(info.transforms,
              testing::Not(testing::Contains(testing::Field(&env::TransformInfo::name, "domtree"))));
}

}  // namespace
}  // namespace ordo::session
