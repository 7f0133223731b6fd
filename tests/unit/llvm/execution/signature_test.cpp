#include "llvm/execution/signature.h"

#include <gmock/gmock.h>
#include <llvm/IR/Module.h>

#include "llvm/ir/module.h"
#include "tests/unit/llvm/execution/versions.h"

namespace ordo::execution {
namespace {

using testing::HasSubstr;

Signature signatureOf(std::string_view text) {
  const ir::OwnedModule parsed = *ir::parse(module(text), "test");
  return describeSignature(*parsed->getFunction("f"));
}

TEST(SignatureTest, TakesValuesApart) {
  const Signature signature = signatureOf(
      "define { i8, double } @f({ i16, [2 x float] } %a, <2 x i32> %b) { ret { i8, double } zeroinitializer "
      "}");
  ASSERT_EQ(signature.arguments.size(), 2u);
  ASSERT_EQ(signature.arguments[0].size(), 3u);
  EXPECT_EQ(signature.arguments[0][2].part.offset, 8u);
  EXPECT_EQ(signature.arguments[0][2].part.shape.type, Type::kFloat);
  EXPECT_EQ(signature.arguments[1].size(), 2u);
  ASSERT_EQ(signature.result.size(), 2u);
  EXPECT_EQ(signature.result[1].offset, 8u);
  EXPECT_EQ(signature.result[1].shape.bits, 64u);
}

TEST(SignatureTest, CollectsTheNumbersOfAFunction) {
  const Signature signature = signatureOf(R"(
define i1 @f(i32 %x) {
  %p = getelementptr [9 x i8], ptr null, i32 0, i32 5
  %y = add i32 %x, 1000
  %r = icmp eq i32 %y, 77
  ret i1 %r
})");
  EXPECT_THAT(signature.numbers, testing::ElementsAre(77, 1000));
}

TEST(SignatureTest, KeepsThePromisesOfAttributes) {
  const Signature signature = signatureOf(
      "define void @f(ptr nonnull %p, ptr byval(i64) %q, i32 range(i32 2, 5) %r, i1 %b) { ret void }");
  Memory memory;
  for (std::uint64_t i = 0; i < 50; ++i) {
    memory.beginInput(Rng(i), 0, {}, false, {});
    Rng rng(i);
    std::vector<Slot> slots(5);
    EXPECT_THAT(makeArguments(signature, memory, rng, slots), HasSubstr("buffer 0, buffer 1, "));
    EXPECT_GE(slots[2].bytes[0], std::byte{2});
    EXPECT_LT(slots[2].bytes[0], std::byte{5});
    EXPECT_LE(slots[3].bytes[0], std::byte{1});
  }
}

}  // namespace
}  // namespace ordo::execution
