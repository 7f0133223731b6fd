#include "runtime/decisions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "notation/action.h"

namespace ordo::runtime {
namespace {

using testing::ElementsAre;

// Opens what every kind of decision uses.
class Exposed final : public Decisions {
 public:
  using Decisions::find;
  using Decisions::standing;

  std::string_view noun() const override { return "part"; }
  const std::vector<std::size_t>& parts() const override { return parts_; }
  std::vector<Decision> probes(std::size_t part) const override { return ways(part); }
  std::vector<Decision> ways(std::size_t) const override { return {}; }
  search::Sequence with(const std::vector<Decision>&) const override { return {}; }

 private:
  std::vector<std::size_t> parts_;
};

std::vector<env::ActionIndex> actionsOf(const std::vector<Decision>& decisions) {
  std::vector<env::ActionIndex> actions;
  for (const Decision& decision : decisions) actions.push_back(decision.action);
  return actions;
}

TEST(DecisionsTest, OfDecisionsAboutOnePartTheLastStands) {
  EXPECT_THAT(actionsOf(Exposed::standing({{0, 10}, {1, 11}, {0, 12}, {2, 13}, {0, 14}})),
              ElementsAre(11, 13, 14));
  EXPECT_THAT(actionsOf(Exposed::standing({{3, 10}, {1, 11}})), ElementsAre(10, 11)) << "in their order";
  EXPECT_THAT(Exposed::standing({}), testing::IsEmpty());
}

TEST(DecisionsTest, AnActionIsInASpecOnce) {
  env::SessionSpec spec;
  const env::Action first{"first", notation::kPipeline, "sroa"};
  const env::Action second{"second", notation::kPipeline, "gvn"};
  EXPECT_EQ(Exposed::find(spec, first), 0u);
  EXPECT_EQ(Exposed::find(spec, second), 1u);
  EXPECT_EQ(Exposed::find(spec, first), 0u);
  ASSERT_EQ(spec.actions.size(), 2u);
  EXPECT_EQ(spec.actions[1].text, "gvn");
}

}  // namespace
}  // namespace ordo::runtime
