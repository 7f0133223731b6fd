#include "spaces/probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/isolated_session.h"
#include "env/session_service.h"
#include "notation/action.h"
#include "tests/fakes/toy_session.h"
#include "tests/unit/sandbox/processes.h"

namespace ordo::spaces {
namespace {

using testing::HasSubstr;

Candidates toyCandidates(const std::vector<std::string>& texts) {
  Candidates candidates;
  for (const std::string& text : texts)
    candidates.actions.push_back({text, RowKind::kPass, "module", "", {text}, ""});
  return candidates;
}

ProbeOptions toyOptions() {
  ProbeOptions options;
  options.states = {{"raw", {}}, {"odd", {{"dec", notation::kPipeline, "dec"}}}};
  options.metric = "count";
  options.generated_by = "a test";
  options.jobs = 2;
  return options;
}

// One even count, which the state "odd" makes odd.
std::vector<env::SessionSpec> toyCorpus() { return {fakes::toySpec(8, {}), fakes::toySpec(20, {})}; }

ProbeResult resultOf(const Manifest& manifest, std::string_view action) {
  EXPECT_NE(manifest.find(action), nullptr) << action;
  return manifest.find(action)->probe;
}

TEST(ProbeTest, CountsTheStatesThatAnActionChanges) {
  fakes::ToyBackend backend;
  const Result<Manifest> manifest =
      probe(backend, toyCorpus(), toyCandidates({"dec", "noop", "dec-if-even"}), toyOptions());
  ASSERT_TRUE(manifest.has_value()) << manifest.error().message;
  EXPECT_EQ(resultOf(*manifest, "dec"), (ProbeResult{ProbeStatus::kOk, 4, 4, true, ""}));
  EXPECT_EQ(resultOf(*manifest, "noop"), (ProbeResult{ProbeStatus::kOk, 0, 4, true, ""}));
  EXPECT_EQ(resultOf(*manifest, "dec-if-even"), (ProbeResult{ProbeStatus::kOk, 2, 4, true, ""}));
}

TEST(ProbeTest, WhatTheNestingDoesIsNotTheActionsDoing) {
  fakes::ToyBackend backend;
  Candidates candidates = toyCandidates({"dec", "inc"});
  for (Candidate& candidate : candidates.actions) candidate.neutral = "dec";
  const Result<Manifest> manifest = probe(backend, toyCorpus(), candidates, toyOptions());
  EXPECT_EQ(resultOf(*manifest, "dec").changed, 0u);
  EXPECT_EQ(resultOf(*manifest, "inc").changed, 4u);
}

TEST(ProbeTest, RecordsFailuresThatTheBackendReports) {
  fakes::ToyBackend backend;
  const Result<Manifest> manifest =
      probe(backend, toyCorpus(), toyCandidates({"break", "export", "reject", "poison"}), toyOptions());
  ASSERT_TRUE(manifest.has_value()) << manifest.error().message;
  EXPECT_EQ(resultOf(*manifest, "break").status, ProbeStatus::kVerifier);
  EXPECT_EQ(resultOf(*manifest, "export").status, ProbeStatus::kExports);
  EXPECT_EQ(resultOf(*manifest, "reject").status, ProbeStatus::kRejected);
  EXPECT_EQ(resultOf(*manifest, "poison").status, ProbeStatus::kCrash);
  EXPECT_EQ(resultOf(*manifest, "poison").detail, "toy, raw: measuring count: poisoned");
}

TEST(ProbeTest, SurvivesActionsThatKillTheirWorker) {
  Result<std::unique_ptr<sandbox::Zygote>> zygote = sandbox::Zygote::forkHere([] {
    return env::makeSessionService(
        std::make_unique<fakes::ToyBackend>(fakes::ToyOptions{.failures = fakes::ToyFailures::kReal}));
  });
  ASSERT_TRUE(zygote.has_value()) << zygote.error().message;
  sandbox::Limits limits;
  limits.wall_s = 3;  // in which a loaded machine, too, fills the memory below
  limits.memory_bytes = std::size_t{64} << 20;
  env::IsolatedBackend backend(*std::move(zygote), limits, nullptr);
  const std::vector<env::SessionSpec> corpus{fakes::toySpec(8, {})};
  const Result<Manifest> manifest =
      probe(backend, corpus, toyCandidates({"crash", "dec", "hang", "inc", "leak", "poison", "noop"}),
            toyOptions());
  ASSERT_TRUE(manifest.has_value()) << manifest.error().message;
  EXPECT_EQ(resultOf(*manifest, "crash").status, ProbeStatus::kCrash);
  EXPECT_THAT(resultOf(*manifest, "crash").detail, HasSubstr("toy, raw: crash: killed by signal 6"));
  EXPECT_EQ(resultOf(*manifest, "hang").status, ProbeStatus::kHang);
  // Sanitizers reserve terabytes of address space, so memory is not limited there: the watchdog ends it.
  EXPECT_EQ(resultOf(*manifest, "leak").status,
            sandbox::kSanitized ? ProbeStatus::kHang : ProbeStatus::kMemory);
  EXPECT_EQ(resultOf(*manifest, "poison").status, ProbeStatus::kCrash);
  for (const char* healthy : {"dec", "inc"}) {
    EXPECT_EQ(resultOf(*manifest, healthy), (ProbeResult{ProbeStatus::kOk, 2, 2, true, ""})) << healthy;
  }
}

TEST(ProbeTest, TakesTheFirstTextThatWorks) {
  fakes::ToyBackend backend;
  Candidates candidates;
  candidates.actions.push_back({"second", RowKind::kPass, "loop", "", {"crash", "dec", "inc"}, ""});
  candidates.actions.push_back({"none", RowKind::kPass, "loop", "", {"break", "crash"}, ""});
  const Result<Manifest> manifest = probe(backend, toyCorpus(), candidates, toyOptions());
  EXPECT_EQ(manifest->find("second")->text, "dec");
  EXPECT_EQ(resultOf(*manifest, "second").status, ProbeStatus::kOk);
  EXPECT_EQ(manifest->find("none")->text, "break");
}

// A session whose action "fickle" leads somewhere else each time.
class FickleSession final : public env::Session {
 public:
  FickleSession(std::unique_ptr<env::Session> session, int* runs)
      : session_(std::move(session)), runs_(runs) {}

  const env::SessionSpec& spec() const override { return session_->spec(); }
  std::span<const env::ActionIndex> history() const override { return session_->history(); }
  Status reset() override { return session_->reset(); }
  Result<env::StepOutcome> apply(std::span<const env::ActionIndex> actions) override {
    return session_->apply(actions);
  }
  Result<std::vector<std::uint8_t>> legalActions() override { return session_->legalActions(); }
  Result<Hash128> stateHash() override {
    if (!history().empty() && spec().actions[history().back()].name == "fickle")
      return Hash128{1, static_cast<std::uint64_t>(++*runs_)};
    return session_->stateHash();
  }
  Result<env::Measurement> verify() override { return session_->verify(); }
  Result<env::Observation> observe(std::string_view name) override { return session_->observe(name); }
  Result<env::Measurement> measure(std::string_view name) override { return session_->measure(name); }
  Result<std::unique_ptr<env::Session>> fork() override {
    ORDO_TRY_ASSIGN(std::unique_ptr<env::Session> copy, session_->fork());
    return std::make_unique<FickleSession>(std::move(copy), runs_);
  }

 private:
  std::unique_ptr<env::Session> session_;
  int* runs_;
};

class FickleBackend final : public env::Backend {
 public:
  Result<env::BackendInfo> describe() override { return toy_.describe(); }
  Result<std::unique_ptr<env::Session>> open(env::SessionSpec spec) override {
    ORDO_TRY_ASSIGN(std::unique_ptr<env::Session> session, toy_.open(std::move(spec)));
    return std::make_unique<FickleSession>(std::move(session), &runs_);
  }

 private:
  fakes::ToyBackend toy_;
  int runs_ = 0;
};

TEST(ProbeTest, ReportsResultsThatDifferBetweenRuns) {
  FickleBackend backend;
  Candidates candidates = toyCandidates({"dec", "inc"});
  candidates.actions[1].name = "fickle";
  ProbeOptions options = toyOptions();
  options.jobs = 1;  // the counter of runs is not locked
  const Result<Manifest> manifest = probe(backend, toyCorpus(), candidates, options);
  ASSERT_TRUE(manifest.has_value()) << manifest.error().message;
  EXPECT_TRUE(resultOf(*manifest, "dec").deterministic);
  EXPECT_FALSE(resultOf(*manifest, "fickle").deterministic);
  EXPECT_EQ(resultOf(*manifest, "fickle").status, ProbeStatus::kOk);
  EXPECT_EQ(resultOf(*manifest, "fickle").detail, "toy, raw, run 2: another result than the first");
}

TEST(ProbeTest, TheManifestSaysWhereItCameFrom) {
  fakes::ToyBackend backend;
  Candidates candidates = toyCandidates({"dec"});
  candidates.actions[0].params = "<n>";
  candidates.skipped = {{"print", "module", "prints"}};
  const Result<Manifest> manifest = probe(backend, toyCorpus(), candidates, toyOptions());
  EXPECT_EQ(manifest->backend, "toy");
  EXPECT_EQ(manifest->target, "counter");
  EXPECT_EQ(manifest->generated_by, "a test");
  EXPECT_THAT(manifest->programs, testing::ElementsAre("toy", "toy"));
  EXPECT_EQ(manifest->corpus_hash.size(), 32u);
  EXPECT_EQ(manifest->rows[0].params, "<n>");
  EXPECT_EQ(manifest->skipped, candidates.skipped);
}

TEST(ProbeTest, TheNumberOfJobsDoesNotMatter) {
  fakes::ToyBackend backend;
  const Candidates candidates = toyCandidates({"dec", "break", "noop", "export", "inc"});
  ProbeOptions one = toyOptions();
  one.jobs = 1;
  ProbeOptions many = toyOptions();
  many.jobs = 5;
  EXPECT_EQ(*probe(backend, toyCorpus(), candidates, one), *probe(backend, toyCorpus(), candidates, many));
}

TEST(ProbeTest, ReportsProgressAndCanBeStopped) {
  fakes::ToyBackend backend;
  std::stop_source source;
  ProbeOptions options = toyOptions();
  options.jobs = 1;
  options.stop = source.get_token();
  std::size_t last = 0;
  options.progress = [&](std::size_t done, std::size_t total) {
    EXPECT_EQ(done, ++last);
    EXPECT_EQ(total, 6u);
    if (done == 4) source.request_stop();
  };
  const Result<Manifest> manifest =
      probe(backend, toyCorpus(), toyCandidates({"dec", "inc", "noop"}), options);
  EXPECT_EQ(manifest.error().code, ErrorCode::kDeadlineExceeded);
  EXPECT_EQ(last, 4u);
}

TEST(ProbeTest, AStateThatCannotBeReachedIsAnError) {
  fakes::ToyBackend backend;
  ProbeOptions options = toyOptions();
  for (const char* text : {"crash", "break"}) {
    options.states = {{"gone", {{text, notation::kPipeline, text}}}};
    const Result<Manifest> manifest = probe(backend, toyCorpus(), toyCandidates({"dec"}), options);
    EXPECT_EQ(manifest.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(manifest.error().message, HasSubstr("toy, gone: "));
  }
}

TEST(ProbeTest, AProgramThatCannotBeOpenedIsAnError) {
  fakes::ToyBackend backend;
  std::vector<env::SessionSpec> corpus = toyCorpus();
  corpus[1].program = "not a toy";
  EXPECT_EQ(probe(backend, corpus, toyCandidates({"dec"}), toyOptions()).error().code, ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace ordo::spaces
