#include "shell/observation_text.h"

#include <gmock/gmock.h>

#include "shell/line_diff.h"

namespace ordo::shell {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

template <typename T>
Observed observed(std::string name, DType dtype, std::vector<std::uint32_t> shape,
                  const std::vector<T>& values) {
  Observed result;
  result.sensor.name = std::move(name);
  result.sensor.dtype = dtype;
  result.sensor.shape = {0};
  result.shape = std::move(shape);
  result.bytes.assign(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  return result;
}

TEST(ObservationTextTest, VectorsHaveNamesAndNoZeros) {
  Observed vector = observed<std::int64_t>("v", DType::kInt64, {3}, {5, 0, -7});
  vector.element_names = {"first", "second", "third"};
  const std::string text = describe(vector, false, {});
  EXPECT_THAT(text, HasSubstr("v: 3 int64; 2 of 3 elements are not 0; -7 to 5"));
  EXPECT_THAT(text, HasSubstr("first"));
  EXPECT_THAT(text, Not(HasSubstr("second")));
  EXPECT_THAT(text, HasSubstr("(1 zeros are not shown; --all does)"));
  EXPECT_THAT(describe(vector, true, {}), HasSubstr("second"));
  EXPECT_EQ(toJson(vector)["values"][2], -7);
}

TEST(ObservationTextTest, LongNamelessVectorsAreSummarised) {
  const Observed vector = observed<float>("v", DType::kFloat32, {64}, std::vector<float>(64, 0.5f));
  EXPECT_EQ(linesOf(describe(vector, false, {})).size(), 2u);
  EXPECT_GT(linesOf(describe(vector, true, {})).size(), 10u);
}

TEST(ObservationTextTest, MatricesShowTheirCorner) {
  const Observed matrix =
      observed<std::int64_t>("m", DType::kInt64, {20, 30}, std::vector<std::int64_t>(600, 4));
  const std::string text = describe(matrix, false, {});
  EXPECT_THAT(text, HasSubstr("m: 20 x 30 int64"));
  EXPECT_THAT(text, HasSubstr("(the first 8 rows and 6 columns)"));
  for (const std::string_view line : linesOf(text)) EXPECT_LE(line.size(), 80u);
}

TEST(ObservationTextTest, GraphsAreCounted) {
  // Two nodes (an instruction, a constant) and one edge of data.
  const Observed graph = observed<std::int64_t>(
      "program_graph", DType::kInt64, {20}, {8, 2, 1, 4, 4, 1, 1, 90, 0, 5, 0, 0, 2, 6, -1, -1, 1, 0, 1, 0});
  const std::string text = describe(graph, false, {});
  EXPECT_THAT(text, HasSubstr("2 nodes: 1 instructions, 0 variables, 1 constants"));
  EXPECT_THAT(text, HasSubstr("1 edges: 0 control, 1 data, 0 call"));
}

TEST(ObservationTextTest, BytesAreTextOrANumber) {
  Observed bytes;
  bytes.sensor.name = "b";
  bytes.sensor.dtype = DType::kBytes;
  bytes.bytes = std::string("BC\0\1", 4);
  EXPECT_EQ(describe(bytes, false, {}), "b: 4 bytes\n");
  EXPECT_EQ(toJson(bytes)["bytes"], 4);
  bytes.bytes = "one\ntwo\nthree";
  EXPECT_EQ(describe(bytes, false, {}), "one\ntwo\nthree\n");
  Style style;
  style.lines = 2;
  EXPECT_EQ(describe(bytes, false, style), "one\ntwo\n(1 more lines; --all shows all)\n");
  EXPECT_EQ(describe(bytes, true, style), "one\ntwo\nthree\n");
}

}  // namespace
}  // namespace ordo::shell
