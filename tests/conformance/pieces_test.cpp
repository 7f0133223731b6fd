// Holds the space oz-pieces to clang. Its first fifteen actions are clang's -Oz pipeline, word for word
// and, on every program of the suite, state for state; and every piece by itself is safe on every
// program, before and after the pipeline.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <regex>

#include "datasets/dataset.h"
#include "engine/engine.h"
#include "engine/input.h"
#include "notation/action.h"
#include "spaces/manifest.h"
#include "spaces/space.h"

namespace ordo {
namespace {

// How many of the space's actions make up the whole pipeline.
constexpr std::size_t kWhole = 15;

class Pieces : public testing::TestWithParam<std::string> {
 protected:
  static void SetUpTestSuite() {
    engine_ = *engine::Engine::start();
    const auto manifest = spaces::loadManifest(ORDO_SOURCE_DIR "/data", engine_->info());
    ASSERT_TRUE(manifest) << manifest.error().message;
    space_ = *spaces::loadSpace(ORDO_SOURCE_DIR "/data", "oz-pieces", *manifest);
  }
  static void TearDownTestSuite() { engine_.reset(); }

  // A session of the program whose actions are the pieces, clang's whole pipeline, and what must be
  // inlined: C++ calls functions that exist nowhere else.
  std::unique_ptr<env::Session> open() {
    const auto input = engine::prepareInput(ORDO_SOURCE_DIR "/suite/" + GetParam(), engine::Baseline{}, {});
    EXPECT_TRUE(input) << input.error().message;
    std::vector<env::Action> actions = space_.actions;
    actions.push_back(engine::baselineAction(input->baseline, input->pipeline));
    actions.push_back({"always-inline", notation::kPipeline, "always-inline"});
    auto session = engine_->backend().open({GetParam(), input->compiled.bytes, actions, input->settings()});
    EXPECT_TRUE(session) << session.error().message;
    return *std::move(session);
  }

  static env::ActionIndex clang() { return static_cast<env::ActionIndex>(space_.actions.size()); }
  static env::ActionIndex alwaysInline() { return clang() + 1; }
  static std::vector<env::ActionIndex> whole() {
    std::vector<env::ActionIndex> pieces(kWhole);
    std::iota(pieces.begin(), pieces.end(), 0);
    return pieces;
  }

  static inline std::unique_ptr<engine::Engine> engine_;
  static inline spaces::Space space_;
};

void apply(env::Session& session, std::vector<env::ActionIndex> actions) {
  const auto outcome = session.apply(actions);
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_TRUE(outcome->ok()) << outcome->detail;
}

TEST_P(Pieces, InTheirOrderMakeWhatClangMakes) {
  const auto session = open(), stock = open();
  apply(*session, whole());
  apply(*stock, {clang()});
  EXPECT_EQ(session->stateHash().value_or(Hash128{}).hex(), stock->stateHash().value_or(Hash128{}).hex());
}

// The pieces of the inliner in its place: what it does to one function after the other, they do to all
// functions at once, so that callees are inlined before they were simplified. Other code, but hardly
// worse: 7 % fewer to 3.2 % more instructions on the programs of the suite with LLVM 22.1.8.
TEST_P(Pieces, OfTheInlinerComeNearToIt) {
  const auto session = open(), stock = open();
  std::vector<env::ActionIndex> split;
  for (const env::ActionIndex piece : whole()) {
    if (space_.actions[piece].name != "oz-inline") {
      split.push_back(piece);
      continue;
    }
    for (auto inner = static_cast<env::ActionIndex>(kWhole); inner < clang(); ++inner) split.push_back(inner);
  }
  ASSERT_EQ(split.size(), space_.actions.size() - 1);
  const double before = session->measure("ir_instructions")->value;
  apply(*session, split);
  apply(*stock, {clang()});
  const double got = session->measure("ir_instructions")->value;
  const double wanted = stock->measure("ir_instructions")->value;
  EXPECT_LE(got, 1.05 * wanted) << "of " << before;
}

// All programs with ORDO_FULL=1, which takes minutes.
TEST_P(Pieces, EachIsSafeBeforeAndAfterTheOthers) {
  constexpr std::array kShort{"crc32", "fft", "json", "eventsim"};
  if (std::getenv("ORDO_FULL") == nullptr &&
      std::find(kShort.begin(), kShort.end(), GetParam()) == kShort.end()) {
    GTEST_SKIP() << "with ORDO_FULL=1 only";
  }
  const auto raw = open();
  const auto optimised = *raw->fork();
  apply(*optimised, whole());
  apply(*raw, {alwaysInline()});
  for (env::ActionIndex piece = 0; piece < space_.actions.size(); ++piece) {
    for (const auto& start : {raw.get(), optimised.get()}) {
      const auto session = *start->fork();
      apply(*session, {piece});
      // Measuring verifies, and makes machine code.
      const auto size = session->measure("text_bytes");
      ASSERT_TRUE(size) << size.error().message;
      EXPECT_EQ(size->status, env::StepStatus::kOk) << space_.actions[piece].name << ": " << size->detail;
    }
  }
}

std::vector<std::string> suitePrograms() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(ORDO_SOURCE_DIR "/suite")) {
    if (datasets::isProgramFolder(entry.path())) names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Suite, Pieces, testing::ValuesIn(suitePrograms()),
                         [](const auto& program) { return program.param; });

// `text` without the words in `words`, which have no parameters of their own.
std::string without(std::string text, const std::string& words) {
  text = std::regex_replace(text, std::regex("\\b(" + words + ")(<>)?,"), "");
  return std::regex_replace(text, std::regex(",(" + words + ")\\b"), "");
}

TEST(PiecesText, IsClangsPipelineWordForWord) {
  const auto engine = engine::Engine::start();
  ASSERT_TRUE(engine) << engine.error().message;
  const auto manifest = spaces::loadManifest(ORDO_SOURCE_DIR "/data", (*engine)->info());
  const auto space = spaces::loadSpace(ORDO_SOURCE_DIR "/data", "oz-pieces", *manifest);
  ASSERT_TRUE(space) << space.error().message;
  ASSERT_GE(space->actions.size(), kWhole);
  std::string joined;
  for (std::size_t i = 0; i < kWhole; ++i) joined += (i == 0 ? "" : ",") + space->actions[i].text;
  // The long function pipeline at the end was cut; what is beside each other there was together.
  const std::size_t late = joined.find("function<eager-inv>(drop-unnecessary");
  ASSERT_NE(late, std::string::npos);
  std::string end = joined.substr(late);
  for (std::size_t cut; (cut = end.find("),function<eager-inv>(")) != std::string::npos;)
    end.replace(cut, std::string_view("),function<eager-inv>(").size(), ",");
  joined = joined.substr(0, late) + end;

  const auto captured = frontend::capturePipeline({"/dev/null", "c", {}, {}}, frontend::Level::kOz);
  ASSERT_TRUE(captured) << captured.error().message;
  EXPECT_EQ(joined, without(captured->text, "coro-[a-z-]+|openmp-opt|ee-instrument|alloc-token"));
}

}  // namespace
}  // namespace ordo
