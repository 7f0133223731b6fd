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

Placed placed(std::string_view function, std::int64_t most = 1 << 20, bool threads = false) {
  Workshop workshop;
  auto module = parse(workshop.context(), "buffers", function);
  EXPECT_TRUE(module) << module.error().message;
  Placed result{useScratch(**module, most, threads), ""};
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

// Whatever its type, an element begins at a byte of its own: booleans take one each.
TEST(Scratch, PlacesAreAsLargeAsWhatIsStoredThere) {
  const auto bytesOf = [](std::string_view type) {
    return placed(fmt::format(R"(func.func @f() {{
      %a = memref.alloc() : memref<100x{0}>
      memref.dealloc %a : memref<100x{0}>
      return
    }})",
                              type))
        .bytes;
  };
  EXPECT_EQ(bytesOf("i1"), 128);
  EXPECT_EQ(bytesOf("i4"), 128);
  EXPECT_EQ(bytesOf("i8"), 128);
  EXPECT_EQ(bytesOf("bf16"), 256);
  EXPECT_EQ(bytesOf("f16"), 256);
  EXPECT_EQ(bytesOf("i24"), 448);
  EXPECT_EQ(bytesOf("f32"), 448);
  EXPECT_EQ(bytesOf("i48"), 832);
  EXPECT_EQ(bytesOf("index"), 832);
  EXPECT_EQ(bytesOf("f64"), 832);
  EXPECT_EQ(bytesOf("complex<f64>"), 1600);
  EXPECT_EQ(bytesOf("i128"), 0) << "is asked for as before";
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

// A piece for each turn, at the calling thread's place, which helpers are told.
TEST(Scratch, WhatIsDealtOutHasAPlaceForEachTurn) {
  constexpr std::string_view kDealt = R"(
func.func private @use(memref<100xf32>)
func.func @f() {
  scf.forall (%i) = (0) to (64) step (16) {
    %b = memref.alloc() : memref<100xf32>
    func.call @use(%b) : (memref<100xf32>) -> ()
    memref.dealloc %b : memref<100xf32>
  }
  %c = memref.alloc() : memref<100xf32>
  func.call @use(%c) : (memref<100xf32>) -> ()
  memref.dealloc %c : memref<100xf32>
  return
})";
  for (const bool threads : {false, true}) {
    const Placed all = placed(kDealt, 1 << 20, threads);
    EXPECT_EQ(all.bytes, 4 * 448) << "what comes afterwards takes the first of them";
    EXPECT_THAT(all.text, Not(HasSubstr("memref.alloc")));
    EXPECT_THAT(all.text, HasSubstr("arith.muli"));
  }
  EXPECT_THAT(placed(kDealt, 1 << 20, true).text,
              HasSubstr("call @f_on_threads(%0) : (memref<1792xi8>) -> ()"));
  EXPECT_EQ(placed(kDealt, 1000).bytes, 448) << "four are too much, one is not";
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
