#include "builds/size_at_oz.h"

#include <gtest/gtest.h>

#include "builds/object.h"
#include "frontend/clang.h"
#include "support/files.h"

namespace ordo::builds {
namespace {

// Something that -Os unrolls, inlines and aligns more than -Oz.
constexpr std::string_view kText = R"(
static int twice(int x) { return x * 7 + x / 5; }
int f(const int *a, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += twice(a[i]) + twice(a[i] + 1);
  return sum;
}
long g(long a, long b) { return a / 10 + b % 1000; }
)";

class SizeAtOzTest : public testing::Test {
 protected:
  Task task(frontend::Level level) const {
    Task task{(dir_.path() / "a.c").string(), "c", (dir_.path() / "a.o").string()};
    task.level = level;
    task.objective = "text_bytes";
    return task;
  }

  TempDir dir_ = *TempDir::create();
  Cache cache_ = *Cache::open(dir_.path() / "cache", 1 << 20);
};

TEST_F(SizeAtOzTest, IsWhatClangMakesOfTheSourceAtOz) {
  const Task at_os = task(frontend::Level::kOs);
  ASSERT_TRUE(writeFile(at_os.source, kText));
  const frontend::Source source{at_os.source, "c", {}, {}};
  const auto module = frontend::compileToBitcode(source, frontend::Level::kOs);
  const auto object = frontend::compileStock(source, frontend::Level::kOz);
  ASSERT_TRUE(module && object);
  const auto engine = engine::Engine::start();
  ASSERT_TRUE(engine) << engine.error().message;
  const auto target = targetAtOz(cache_, at_os, "clang");
  ASSERT_TRUE(target) << target.error().message;
  const auto bytes = textAtOz(**engine, at_os, *target, module->bytes);
  ASSERT_TRUE(bytes) << bytes.error().message;
  EXPECT_EQ(*bytes, static_cast<double>(bytesOf(object->bytes)->text));
  const auto own = frontend::compileStock(source, frontend::Level::kOs);
  EXPECT_LT(*bytes, static_cast<double>(bytesOf(own->bytes)->text));
}

TEST_F(SizeAtOzTest, IsAskedOnlyWhereOzIsAnotherLetterAway) {
  EXPECT_TRUE(hasSizeAtOz(task(frontend::Level::kOs)));
  EXPECT_FALSE(hasSizeAtOz(task(frontend::Level::kOz)));
  EXPECT_FALSE(hasSizeAtOz(task(frontend::Level::kO2)));
  Task other = task(frontend::Level::kOs);
  other.objective = "ir_instructions";
  EXPECT_FALSE(hasSizeAtOz(other));
}

TEST_F(SizeAtOzTest, IsRememberedByTheModulesKey) {
  EXPECT_EQ(*findTextAtOz(cache_, "k"), std::nullopt);
  ASSERT_TRUE(storeTextAtOz(cache_, "k", 1234));
  EXPECT_EQ(*findTextAtOz(cache_, "k"), 1234);
  EXPECT_EQ(*findTextAtOz(cache_, "l"), std::nullopt);
}

}  // namespace
}  // namespace ordo::builds
