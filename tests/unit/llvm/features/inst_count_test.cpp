#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <numeric>
#include <span>

#include "tests/unit/llvm/features/sample.h"

namespace ordo::features {
namespace {

using Values = std::map<std::string_view, std::int64_t>;

Values nonzero(std::string_view feature, std::string_view text) {
  Values values = named(feature, *parseText(text));
  std::erase_if(values, [](const auto& element) { return element.second == 0; });
  return values;
}

// Every instruction that a program can have, each opcode once unless its line says more. The
// terminators need blocks of their own, and Windows and Itanium unwinding cannot share a function.
constexpr std::string_view kEverything = R"(
declare i32 @__CxxFrameHandler3(...)
declare i32 @__gxx_personality_v0(...)
declare void @may_throw()

define void @scalars(i32 %i, i64 %l, float %f, double %d, ptr %p, i1 %b) {
  %fneg = fneg float %f
  %add = add i32 %i, 1
  %fadd = fadd float %f, 1.0
  %sub = sub i32 %i, 1
  %fsub = fsub float %f, 1.0
  %mul = mul i32 %i, 3
  %fmul = fmul float %f, 3.0
  %udiv = udiv i32 %i, 3
  %sdiv = sdiv i32 %i, 3
  %fdiv = fdiv float %f, 3.0
  %urem = urem i32 %i, 3
  %srem = srem i32 %i, 3
  %frem = frem float %f, 3.0
  %shl = shl i32 %i, 1
  %lshr = lshr i32 %i, 1
  %ashr = ashr i32 %i, 1
  %and = and i32 %i, 1
  %or = or i32 %i, 1
  %xor = xor i32 %i, 1
  %alloca = alloca i32
  %load = load i32, ptr %p
  store i32 %i, ptr %p
  %gep = getelementptr i8, ptr %p, i64 1
  fence seq_cst
  %cmpxchg = cmpxchg ptr %p, i32 0, i32 1 seq_cst seq_cst
  %atomicrmw = atomicrmw add ptr %p, i32 1 seq_cst
  %trunc = trunc i64 %l to i32
  %zext = zext i32 %i to i64
  %sext = sext i32 %i to i64
  %fptoui = fptoui float %f to i32
  %fptosi = fptosi float %f to i32
  %uitofp = uitofp i32 %i to float
  %sitofp = sitofp i32 %i to float
  %fptrunc = fptrunc double %d to float
  %fpext = fpext float %f to double
  %ptrtoint = ptrtoint ptr %p to i64
  %inttoptr = inttoptr i64 %l to ptr
  %bitcast = bitcast i32 %i to float
  %addrspacecast = addrspacecast ptr %p to ptr addrspace(1)
  %icmp = icmp eq i32 %i, 0
  %fcmp = fcmp oeq float %f, 0.0
  call void @may_throw()
  %select = select i1 %b, i32 %i, i32 0
  %va_arg = va_arg ptr %p, i32
  %extractelement = extractelement <2 x i32> zeroinitializer, i32 0
  %insertelement = insertelement <2 x i32> zeroinitializer, i32 %i, i32 0
  %shufflevector = shufflevector <2 x i32> zeroinitializer, <2 x i32> poison, <2 x i32> <i32 1, i32 0>
  %extractvalue = extractvalue { i32, i1 } %cmpxchg, 0
  %insertvalue = insertvalue { i32, i1 } %cmpxchg, i32 0, 0
  %freeze = freeze i32 %i
  ret void                                             ; 1 of 4
}

define void @control(i32 %i, ptr %to) {
  switch i32 %i, label %loop [ i32 1, label %jump ]
loop:
  %phi = phi i32 [ 0, %0 ], [ %phi, %loop ]
  br label %loop
jump:
  indirectbr ptr %to, [ label %ask, label %end ]
ask:
  callbr void asm "", "!i"() to label %end [ label %never ]
end:
  ret void                                             ; 2 of 4
never:
  unreachable
}

define void @itanium() personality ptr @__gxx_personality_v0 {
  invoke void @may_throw() to label %end unwind label %pad  ; 1 of 3
end:
  ret void                                             ; 3 of 4
pad:
  %landingpad = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %landingpad
}

define void @windows() personality ptr @__CxxFrameHandler3 {
  invoke void @may_throw() to label %next unwind label %dispatch  ; 2 of 3
next:
  invoke void @may_throw() to label %end unwind label %clean      ; 3 of 3
dispatch:
  %catchswitch = catchswitch within none [ label %catch ] unwind to caller
catch:
  %catchpad = catchpad within %catchswitch [ ptr null, i32 64, ptr null ]
  catchret from %catchpad to label %end
clean:
  %cleanuppad = cleanuppad within none []
  cleanupret from %cleanuppad unwind to caller
end:
  ret void                                             ; 4 of 4
}
)";

TEST(InstCountTest, CountsEveryOpcodeAsByHand) {
  Values expected;
  for (const std::string_view name : find("inst_count")->element_names) expected[name] = 1;
  expected.erase("UserOp1Count");  // exist inside passes only
  expected.erase("UserOp2Count");
  expected["RetCount"] = 4;
  expected["InvokeCount"] = 3;
  expected["TotalFuncsCount"] = 3 + 4;
  expected["TotalBlocksCount"] = 1 + 6 + 3 + 6;
  // 67 opcodes without the two of the user, 3 more returns and 2 more invokes.
  expected["TotalInstsCount"] = 67 - 2 + 3 + 2;
  EXPECT_THAT(nonzero("inst_count", kEverything), testing::ContainerEq(expected));
  EXPECT_THAT(nonzero("inst_count_native", kEverything), testing::ContainerEq(expected));
}

TEST(InstCountTest, PtrToAddrIsPtrToIntInTheFrozenLayout) {
  constexpr std::string_view kText = R"(
define i64 @f(ptr %p) {
  %a = ptrtoaddr ptr %p to i64
  %b = ptrtoint ptr %p to i64
  %c = sub i64 %a, %b
  ret i64 %c
})";
  const Values totals = {{"TotalInstsCount", 4},
                         {"TotalBlocksCount", 1},
                         {"TotalFuncsCount", 1},
                         {"SubCount", 1},
                         {"RetCount", 1}};
  Values frozen = totals;
  frozen["PtrToIntCount"] = 2;
  Values native = totals;
  native["PtrToIntCount"] = 1;
  native["PtrToAddrCount"] = 1;
  EXPECT_THAT(nonzero("inst_count", kText), testing::ContainerEq(frozen));
  EXPECT_THAT(nonzero("inst_count_native", kText), testing::ContainerEq(native));
}

// Trained models know elements by position. This is CompilerGym's list, not ours.
constexpr std::string_view kPublished[] = {"TotalInsts",
                                           "TotalBlocks",
                                           "TotalFuncs",
                                           "Ret",
                                           "Br",
                                           "Switch",
                                           "IndirectBr",
                                           "Invoke",
                                           "Resume",
                                           "Unreachable",
                                           "CleanupRet",
                                           "CatchRet",
                                           "CatchSwitch",
                                           "CallBr",
                                           "FNeg",
                                           "Add",
                                           "FAdd",
                                           "Sub",
                                           "FSub",
                                           "Mul",
                                           "FMul",
                                           "UDiv",
                                           "SDiv",
                                           "FDiv",
                                           "URem",
                                           "SRem",
                                           "FRem",
                                           "Shl",
                                           "LShr",
                                           "AShr",
                                           "And",
                                           "Or",
                                           "Xor",
                                           "Alloca",
                                           "Load",
                                           "Store",
                                           "GetElementPtr",
                                           "Fence",
                                           "AtomicCmpXchg",
                                           "AtomicRMW",
                                           "Trunc",
                                           "ZExt",
                                           "SExt",
                                           "FPToUI",
                                           "FPToSI",
                                           "UIToFP",
                                           "SIToFP",
                                           "FPTrunc",
                                           "FPExt",
                                           "PtrToInt",
                                           "IntToPtr",
                                           "BitCast",
                                           "AddrSpaceCast",
                                           "CleanupPad",
                                           "CatchPad",
                                           "ICmp",
                                           "FCmp",
                                           "PHI",
                                           "Call",
                                           "Select",
                                           "UserOp1",
                                           "UserOp2",
                                           "VAArg",
                                           "ExtractElement",
                                           "InsertElement",
                                           "ShuffleVector",
                                           "ExtractValue",
                                           "InsertValue",
                                           "LandingPad",
                                           "Freeze"};

TEST(InstCountTest, KeepsThePublishedOrder) {
  std::vector<std::string> counts;
  for (const std::string_view name : kPublished) counts.push_back(fmt::format("{}Count", name));
  EXPECT_THAT(find("inst_count")->element_names, testing::ElementsAreArray(counts));
  std::vector<std::string> densities;
  for (const std::string_view name : std::span(kPublished).subspan(1)) {
    densities.push_back(fmt::format("{}Density", name));
  }
  EXPECT_THAT(find("inst_count_norm")->element_names, testing::ElementsAreArray(densities));
}

TEST(InstCountTest, TheNativeOrderIsTheFrozenOneWithPtrToAddr) {
  const auto names = find("inst_count_native")->element_names;
  std::vector<std::string_view> native(names.begin(), names.end());
  EXPECT_EQ(std::erase(native, "PtrToAddrCount"), 1u);
  EXPECT_THAT(native, testing::ElementsAreArray(find("inst_count")->element_names));
}

TEST(InstCountTest, DensitiesAreSharesOfTheInstructions) {
  const auto module = parseText(R"(
declare void @g()
define void @f() {
  call void @g()
  call void @g()
  ret void
})");
  std::map<std::string_view, float> densities = named<float>("inst_count_norm", *module);
  EXPECT_EQ(densities.size(), 69u);
  EXPECT_EQ(densities["TotalBlocksDensity"], static_cast<float>(1.0 / 3));
  EXPECT_EQ(densities["TotalFuncsDensity"], static_cast<float>(2.0 / 3));
  EXPECT_EQ(densities["CallDensity"], static_cast<float>(2.0 / 3));
  EXPECT_EQ(densities["RetDensity"], static_cast<float>(1.0 / 3));
  EXPECT_EQ(densities["BrDensity"], 0.0f);
}

TEST(InstCountTest, DensitiesWithoutInstructionsAreTheCounts) {
  const auto densities = named<float>("inst_count_norm", *parseText("declare void @f()\ndeclare void @g()"));
  EXPECT_EQ(densities.at("TotalFuncsDensity"), 2.0f);
  EXPECT_EQ(densities.at("CallDensity"), 0.0f);
}

TEST(InstCountTest, PseudoProbesAndDebugRecordsAreNotInstructions) {
  const auto module = parseText(R"(
declare void @llvm.pseudoprobe(i64, i64, i32, i64)
define void @f(i32 %x) !dbg !4 {
  call void @llvm.pseudoprobe(i64 1, i64 1, i32 0, i64 -1)
    #dbg_value(i32 %x, !5, !DIExpression(), !6)
  ret void
}
!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!1}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !2)
!2 = !DIFile(filename: "f.c", directory: "/")
!3 = !DISubroutineType(types: !{null})
!4 = distinct !DISubprogram(name: "f", file: !2, type: !3, unit: !1)
!5 = !DILocalVariable(name: "x", scope: !4, file: !2)
!6 = !DILocation(line: 1, scope: !4)
)");
  for (const std::string_view feature : {"inst_count", "inst_count_native"}) {
    const Values values = named(feature, *module);
    EXPECT_EQ(values.at("TotalInstsCount"), 1);
    EXPECT_EQ(values.at("RetCount"), 1);
    EXPECT_EQ(values.at("CallCount"), 0);
  }
  const Values values = named("autophase", *module);
  EXPECT_EQ(values.at("TotalInsts"), 1);
  EXPECT_EQ(values.at("NumCallInst"), 0);
  EXPECT_EQ(values.at("const64Bit"), 0);
}

// Names of LLVM's opcodes are the mnemonics of the language in capitals, but for two.
std::string opcodeName(const std::string& mnemonic) {
  if (mnemonic == "cmpxchg") return "atomiccmpxchg";
  if (mnemonic == "va_arg") return "vaarg";
  return mnemonic;
}

TEST(InstCountTest, AgreesWithTheTextOfCompiledPrograms) {
  const auto modules = compiledSamples();
  if (modules.empty()) GTEST_SKIP() << "needs clang-22";
  for (const ir::OwnedModule& module : modules) {
    const std::string printed = ir::print(*module);
    const TextModule text = readText(printed);
    std::map<std::string, std::int64_t> expected;
    for (const TextBlock& block : text.blocks) {
      for (const std::string& instruction : block.instructions) ++expected[opcodeName(mnemonic(instruction))];
    }
    expected["totalfuncs"] = text.functions;
    expected["totalblocks"] = std::ssize(text.blocks);
    expected["totalinsts"] = module->getInstructionCount();
    for (const auto& [name, value] : named("inst_count_native", *module)) {
      std::string lower(name.substr(0, name.size() - std::string_view("Count").size()));
      std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) { return std::tolower(c); });
      ASSERT_EQ(value, expected[lower]) << name << "\n" << printed;
      expected.erase(lower);
    }
    EXPECT_THAT(expected, testing::IsEmpty()) << "mnemonics that no element counts";
  }
}

TEST(InstCountTest, OpcodesOfCompiledProgramsAddUpToTheInstructions) {
  const auto modules = compiledSamples();
  if (modules.empty()) GTEST_SKIP() << "needs clang-22";
  for (const ir::OwnedModule& module : modules) {
    for (const std::string_view feature : {"inst_count", "inst_count_native"}) {
      const Values values = named(feature, *module);
      const std::int64_t all =
          std::accumulate(values.begin(), values.end(), std::int64_t{0},
                          [](std::int64_t sum, const auto& value) { return sum + value.second; });
      const std::int64_t instructions = values.at("TotalInstsCount");
      EXPECT_EQ(instructions, module->getInstructionCount());
      EXPECT_EQ(all - values.at("TotalBlocksCount") - values.at("TotalFuncsCount"), 2 * instructions);
    }
  }
}

}  // namespace
}  // namespace ordo::features
