#include "mlir/lowering/scratch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mlir/lowering/compile.h"
#include "mlir/lowering/context.h"
#include "tests/fakes/kernel_texts.h"

namespace ordo::lowering {
namespace {

using testing::HasSubstr;
using testing::Not;

struct Placed {
  std::int64_t bytes = 0;
  std::string text;
};

Placed placed(std::string_view function, std::int64_t most = 1 << 20) {
  Workshop workshop;
  auto module = parse(workshop.context(), "buffers", function);
  EXPECT_TRUE(module) << module.error().message;
  Placed result{useScratch(**module, most), ""};
  llvm::raw_string_ostream out(result.text);
  module->get().print(out);
  return result;
}

constexpr std::string_view kBuffers = R"(
func.func private @use(memref<100xf32>)
func.func @f(%n: index) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %a = memref.alloc() : memref<100xf32>
  scf.for %i = %0 to %n step %1 {
    %b = memref.alloc() : memref<100xf32>
    func.call @use(%b) : (memref<100xf32>) -> ()
    memref.dealloc %b : memref<100xf32>
  }
  func.call @use(%a) : (memref<100xf32>) -> ()
  memref.dealloc %a : memref<100xf32>
  %c = memref.alloc() : memref<100xf32>
  func.call @use(%c) : (memref<100xf32>) -> ()
  memref.dealloc %c : memref<100xf32>
  return
})";

TEST(Scratch, OnePlaceServesOneBufferAfterAnother) {
  const Placed all = placed(kBuffers);
  EXPECT_EQ(all.bytes, 2 * 448) << "two are alive at once, in lines of 64 bytes";
  EXPECT_THAT(all.text, Not(HasSubstr("memref.alloc")));
  EXPECT_THAT(all.text, Not(HasSubstr("memref.dealloc")));
}

TEST(Scratch, WhatIsTooMuchIsAskedForAsBefore) {
  const Placed some = placed(kBuffers, 500);
  EXPECT_EQ(some.bytes, 448);
  EXPECT_THAT(some.text, HasSubstr("memref.alloc"));
  EXPECT_EQ(placed(kBuffers, 0).bytes, 0);
}

TEST(Scratch, WhatOutlivesItsBlockIsLeft) {
  EXPECT_EQ(placed(R"(func.func @f() -> memref<8xf32> {
    %a = memref.alloc() : memref<8xf32>
    return %a : memref<8xf32>
  })")
                .bytes,
            0);
  EXPECT_EQ(placed(R"(func.func @f(%n: index) {
    %a = memref.alloc(%n) : memref<?xf32>
    memref.dealloc %a : memref<?xf32>
    return
  })")
                .bytes,
            0);
}

TEST(Scratch, ObjectsAskForNothingAndKeepItForEachThread) {
  Workshop workshop;
  const Payload payload = *workshop.read("rows", fakes::kRowsText);
  const Result<std::string> object = emitObject(workshop, payload, "");
  ASSERT_TRUE(object) << object.error().message;
  // Not as matchers: they would print the object.
  EXPECT_FALSE(object->find("malloc") != std::string::npos);
  EXPECT_NE(object->find(".tbss"), std::string::npos);
}

}  // namespace
}  // namespace ordo::lowering
