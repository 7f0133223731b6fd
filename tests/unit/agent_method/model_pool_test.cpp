#include "agent_method/model_pool.h"

#include <thread>

#include "tests/unit/agent_method/scripted_python.h"

namespace ordo::agent_method {
namespace {

class ModelPoolTest : public ScriptedPython {
 protected:
  ModelPool pool_{agent::ModelOptions{.start_s = 30}};
};

TEST_F(ModelPoolTest, AModelServesOneThreadUntilItIsDropped) {
  ModelPool::Entry* const one = *pool_.get("random:1", 10);
  EXPECT_EQ(one->model->name(), "scripted");
  EXPECT_EQ(*pool_.get("random:1", 10), one);
  std::thread([&] { EXPECT_NE(*pool_.get("random:1", 10), one); }).join();
  pool_.drop(one);
  EXPECT_TRUE((*pool_.get("random:1", 10))->model->reply(Json::array(), Json::array(), {}));
}

TEST_F(ModelPoolTest, ThoseUsedLongestAgoAreEnded) {
  const auto nameAt = [&](int i) { return fmt::format("random:1{}", i); };
  for (std::size_t i = 0; i < ModelPool::kMostModels; ++i)
    ASSERT_TRUE(pool_.get(nameAt(static_cast<int>(i)), 10));
  ModelPool::Entry* const first = *pool_.get(nameAt(0), 10);
  ASSERT_TRUE(pool_.get("random:2", 10));
  EXPECT_EQ(*pool_.get(nameAt(0), 10), first) << "another had not been used for longer";
}

TEST_F(ModelPoolTest, OneThatDoesNotStartIsAnError) {
  const auto entry = pool_.get("random:4", 10);
  ASSERT_FALSE(entry);
  EXPECT_EQ(entry.error().code, ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace ordo::agent_method
