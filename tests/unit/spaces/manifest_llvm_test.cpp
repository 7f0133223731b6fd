// The committed manifest and spaces against the LLVM that is linked: an upgrade must fail here, and
// docs/recipes/upgrade-llvm.md says what to do then.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "env/isolated_session.h"
#include "spaces/candidates.h"
#include "spaces/manifest.h"
#include "spaces/space.h"
#include "spaces/traps.h"
#include "support/files.h"

namespace ordo::spaces {
namespace {

const std::filesystem::path kData = std::filesystem::path(ORDO_SOURCE_DIR) / "data";

// A loop, so that loop passes have something to be nested around.
constexpr std::string_view kModule = R"(
target triple = "x86_64-pc-linux-gnu"
define i32 @f(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret i32 %next
}
)";

class ManifestLlvmTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    auto zygote = sandbox::Zygote::start({ORDO_BIN_DIR "/ordo-worker"});
    ASSERT_TRUE(zygote.has_value()) << zygote.error().message;
    backend_ = std::make_unique<env::IsolatedBackend>(*std::move(zygote), sandbox::Limits{}, nullptr);
    info_ = *backend_->describe();
    const Result<Manifest> manifest = loadManifest(kData, info_);
    ASSERT_TRUE(manifest.has_value()) << manifest.error().message;
    manifest_ = *manifest;
  }
  static void TearDownTestSuite() { backend_.reset(); }

  static inline std::unique_ptr<env::IsolatedBackend> backend_;
  static inline env::BackendInfo info_;
  static inline Manifest manifest_;
};

TEST_F(ManifestLlvmTest, IsOfThisVersion) {
  EXPECT_EQ(manifest_.backend, info_.name);
  EXPECT_EQ(manifest_.version, info_.version);
}

// What the library can do now is what the manifest was made from.
TEST_F(ManifestLlvmTest, HasEveryTransformOfTheLibraryOrSaysWhyNot) {
  const Result<Candidates> candidates = findCandidates(info_, *readFile(kData / "actions/llvm-variants.txt"));
  ASSERT_TRUE(candidates.has_value()) << candidates.error().message;
  EXPECT_EQ(manifest_.skipped, candidates->skipped);
  std::set<std::string> known;
  for (const Candidate& candidate : candidates->actions) {
    known.insert(candidate.name);
    const ManifestRow* row = manifest_.find(candidate.name);
    ASSERT_NE(row, nullptr) << candidate.name << " is new";
    EXPECT_EQ(row->kind, candidate.kind) << row->name;
    EXPECT_EQ(row->level, candidate.level) << row->name;
    EXPECT_EQ(row->params, candidate.params) << row->name;
    EXPECT_THAT(candidate.texts, testing::Contains(row->text)) << row->name;
  }
  for (const ManifestRow& row : manifest_.rows) {
    EXPECT_TRUE(known.contains(row.name) || row.name.starts_with("clang-O")) << row.name << " is gone";
  }
}

TEST_F(ManifestLlvmTest, EveryTextStillParses) {
  env::SessionSpec spec{"loop", std::string(kModule), {}, {}};
  for (const ManifestRow& row : manifest_.rows) spec.actions.push_back(row.action());
  auto start = backend_->open(spec);
  ASSERT_TRUE(start.has_value()) << start.error().message;
  for (env::ActionIndex action = 0; action < spec.actions.size(); ++action) {
    auto session = (*start)->fork();
    ASSERT_TRUE(session.has_value()) << session.error().message;
    const Result<env::StepOutcome> outcome = (*session)->apply({&action, 1});
    ASSERT_TRUE(outcome.has_value()) << outcome.error().message;
    // A trap may crash; it parsed.
    EXPECT_NE(outcome->status, env::StepStatus::kRejected) << outcome->detail;
    EXPECT_TRUE(outcome->ok() || !isSafe(manifest_.rows[action])) << outcome->detail;
  }
}

TEST_F(ManifestLlvmTest, HasItsTraps) {
  Manifest again = manifest_;
  const Result<std::vector<TrapRule>> rules = parseTraps(*readFile(kData / "actions/llvm-traps.txt"));
  ASSERT_TRUE(rules.has_value()) << rules.error().message;
  ASSERT_TRUE(applyTraps(*rules, again).has_value());
  EXPECT_EQ(again, manifest_) << "run `ordo actions discover` again";
}

TEST_F(ManifestLlvmTest, WhatFailedItsProbeIsATrapToo) {
  // A probe may be luckier next time.
  for (const ManifestRow& row : manifest_.rows) {
    EXPECT_TRUE(row.trap || (row.probe.status == ProbeStatus::kOk && row.probe.deterministic))
        << row.name << ": " << row.probe.detail;
  }
}

TEST_F(ManifestLlvmTest, EverySpaceLoads) {
  EXPECT_THAT(listSpaces(kData), testing::IsSupersetOf({"compilergym-124", "full", "oz-pieces", "size"}));
  for (const std::string& name : listSpaces(kData)) {
    const Result<Space> space = loadSpace(kData, name, manifest_);
    ASSERT_TRUE(space.has_value()) << space.error().message;
    // CompilerGym's has traps in it, at the indices that its users know.
    EXPECT_EQ(space->unsafe.empty(), name != "compilergym-124") << name;
  }
  EXPECT_EQ(loadSpace(kData, "compilergym-124", manifest_)->actions.size(), 117u);
  EXPECT_EQ(loadSpace(kData, "oz-pieces", manifest_)->actions.size(), 29u);
}

TEST_F(ManifestLlvmTest, TheFullSpaceIsGenerated) {
  EXPECT_EQ(*parseSpace(*readFile(kData / "spaces/full.txt")), fullSpace(manifest_))
      << "run `ordo actions discover` again";
}

}  // namespace
}  // namespace ordo::spaces
