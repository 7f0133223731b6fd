#include "llvm/execution/image.h"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/unit/llvm/execution/versions.h"

namespace ordo::execution {
namespace {

std::unique_ptr<Image> link(std::string_view text) {
  ImageOptions options;
  options.foreign_variable = [](const std::string&) { return nullptr; };
  options.foreign_function = [](const std::string&) { return nullptr; };
  auto image = Image::link(*ir::parse(module(text), "test"), options);
  EXPECT_TRUE(image) << image.error().message;
  return *std::move(image);
}

TEST(ImageTest, CallsAFunctionThroughSlots) {
  const auto image =
      link("define i64 @f(i8 %a, i64 %b) { %w = zext i8 %a to i64  %r = add i64 %w, %b  ret i64 %r }");
  std::array<Slot, 3> slots;
  const std::uint64_t b = 1000;
  slots[0].bytes[0] = std::byte{7};
  std::memcpy(slots[1].bytes.data(), &b, sizeof b);
  image->entry("f")(slots.data());
  std::uint64_t result = 0;
  std::memcpy(&result, slots[2].bytes.data(), sizeof result);
  EXPECT_EQ(result, 1007u);
  EXPECT_EQ(image->entry("g"), nullptr);
}

TEST(ImageTest, PutsVariablesBack) {
  const auto image = link(
      "@g = internal global i32 5\n@c = constant i32 1\ndefine void @f() { store i32 6, ptr @g  ret void }");
  const Variable g = image->variables().at("g");
  EXPECT_FALSE(g.visible);
  EXPECT_TRUE(g.writable);
  EXPECT_FALSE(image->variables().at("c").writable);
  const auto value = [&] { return *reinterpret_cast<const std::int32_t*>(g.address); };
  Slot slot;
  image->entry("f")(&slot);
  EXPECT_EQ(value(), 6);
  image->restore();
  EXPECT_EQ(value(), 5);
}

}  // namespace
}  // namespace ordo::execution
