#include "frontend/ir_triple.h"

#include <gtest/gtest.h>

#include "support/process.h"

namespace ordo::frontend {
namespace {

std::string bitcodeOf(const std::string& text) {
  ProcessOptions options;
  options.input = text;
  const auto run = runProcess({"llvm-as-22", "-", "-o", "-"}, options);
  EXPECT_TRUE(run && run->ok());
  return run ? run->out : "";
}

std::string triple(std::string_view bitcode) { return targetOf(bitcode).triple; }

std::string word(std::uint32_t value) {
  std::string bytes;
  for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(value >> shift & 0xff);
  return bytes;
}

// Types, attributes and comdats come before the triple.
constexpr std::string_view kText = R"(
target datalayout = "e-m:w-i64:64"
target triple = "x86_64-pc-windows-msvc19.33.0"
$f = comdat any
%pair = type { i32, <vscale x 4 x i32> }
define linkonce_odr i32 @f(%pair %p, ptr noalias dereferenceable(300000) %x) nounwind "a"="b" comdat { ret i32 1 }
)";

TEST(IrTripleTest, BitcodeNamesItsTriple) {
  EXPECT_EQ(triple(bitcodeOf(std::string(kText))), "x86_64-pc-windows-msvc19.33.0");
  EXPECT_EQ(triple(bitcodeOf("define void @f() { ret void }")), "");
}

TEST(IrTripleTest, TheLayoutIsAsItWasWritten) {
  EXPECT_EQ(targetOf(bitcodeOf(std::string(kText))).layout, "e-m:w-i64:64");
  EXPECT_EQ(targetOf(bitcodeOf("target triple = \"avr\"\nmodule asm \"nop\"")).layout, "");
  EXPECT_EQ(targetOf(bitcodeOf("target datalayout = \"e-i64:64\"")).layout, "e-i64:64");
}

TEST(IrTripleTest, DarwinsWrapperIsSeenThrough) {
  const std::string bitcode = bitcodeOf(std::string(kText));
  const auto size = static_cast<std::uint32_t>(bitcode.size());
  EXPECT_EQ(triple(word(0x0B17C0DE) + word(0) + word(20) + word(size) + word(7) + bitcode + "tail"),
            "x86_64-pc-windows-msvc19.33.0");
  EXPECT_EQ(triple(word(0x0B17C0DE) + word(0) + word(2000) + word(4)), "");
}

TEST(IrTripleTest, WhatIsCutOffOrDamagedNamesNone) {
  const std::string bitcode = bitcodeOf(std::string(kText));
  for (std::size_t bytes = 0; bytes < 400; ++bytes)
    EXPECT_NE(triple(bitcode.substr(0, bytes)), "x86") << bytes;  // and it ends
  for (std::size_t at = 4; at < 400; ++at) {
    std::string damaged = bitcode;
    damaged[at] = static_cast<char>(~damaged[at]);
    (void)triple(damaged);  // ends, and reads nothing beyond
  }
  EXPECT_EQ(triple(""), "");
  EXPECT_EQ(triple("int main;"), "");
}

TEST(IrTripleTest, VendorsAndWhatIsLeftOpenMakeNoDifference) {
  constexpr std::string_view kHere = "x86_64-pc-linux-gnu";
  for (const std::string_view same :
       {"x86_64-pc-linux-gnu", "x86_64-unknown-linux-gnu", "x86_64-linux-gnu", "x86_64-redhat-linux",
        "x86_64", "amd64-pc-linux-gnu", "x86_64-unknown-unknown", "x86_64-unknown-unknown-elf"})
    EXPECT_TRUE(meansSame(same, kHere)) << same;
  for (const std::string_view other :
       {"x86_64-pc-windows-msvc19.33.0", "x86_64-apple-macosx10.15.0", "i386-pc-linux-gnu",
        "aarch64-linux-gnu", "x86_64-unknown-linux-musl", "x86_64-pc-linux-gnux32", "x86_64-linux-android21",
        "x86_64-unknown-freebsd14", "wasm32-unknown-unknown", "x86_64-unknown-uefi", "nvptx64-nvidia-cuda",
        "x86_64-pc-linux-elf"})
    EXPECT_FALSE(meansSame(other, kHere)) << other;
  EXPECT_TRUE(meansSame("i686-pc-linux-gnu", "i386-pc-linux-gnu"));
  EXPECT_TRUE(meansSame("x86_64-pc-windows-msvc19.33.0", "x86_64-pc-windows-msvc19.44"));
}

TEST(IrTripleTest, WhatRunsHereIsOfThisMachineAndSystem) {
#if defined(__x86_64__)
  for (const std::string_view here : {"x86_64-pc-linux-gnu", "amd64-linux-gnu", "i686-pc-linux-gnu"})
    EXPECT_TRUE(runsHere(here)) << here;
#endif
  for (const std::string_view other :
       {"thumbv7em-unknown-none-eabi", "riscv32-unknown-unknown-elf", "", "linux", "x86_64-pc-windows-msvc",
        "x86_64-apple-macosx10.15.0", "x86_64-unknown-linux-android21", "x86_64-unknown-linux-gnux32"})
    EXPECT_FALSE(runsHere(other)) << other;
}

TEST(IrTripleTest, X86IsAFamily) {
  for (const std::string_view x86 : {"x86_64-pc-linux-gnu", "i386-pc-linux-gnu", "i686-w64-windows-gnu"})
    EXPECT_TRUE(isX86(x86)) << x86;
  for (const std::string_view other : {"aarch64-linux-gnu", "armv7-linux-gnueabihf", ""})
    EXPECT_FALSE(isX86(other)) << other;
}

}  // namespace
}  // namespace ordo::frontend
