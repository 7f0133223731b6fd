#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "tests/unit/llvm/features/sample.h"

namespace ordo::features {
namespace {

using Values = std::map<std::string_view, std::int64_t>;

// The elements that are not zero, for comparison with a count by hand.
Values nonzero(std::string_view text) {
  Values values = named("autophase", *parseText(text));
  std::erase_if(values, [](const auto& element) { return element.second == 0; });
  return values;
}

// Trained models know elements by position. This is CompilerGym's list, not ours.
TEST(AutophaseTest, KeepsThePublishedOrder) {
  EXPECT_THAT(
      find("autophase")->element_names,
      testing::ElementsAre(
          "BBNumArgsHi", "BBNumArgsLo", "onePred", "onePredOneSuc", "onePredTwoSuc", "oneSuccessor",
          "twoPred", "twoPredOneSuc", "twoEach", "twoSuccessor", "morePreds", "BB03Phi", "BBHiPhi", "BBNoPhi",
          "BeginPhi", "BranchCount", "returnInt", "CriticalCount", "NumEdges", "const32Bit", "const64Bit",
          "numConstZeroes", "numConstOnes", "UncondBranches", "binaryConstArg", "NumAShrInst", "NumAddInst",
          "NumAllocaInst", "NumAndInst", "BlockMid", "BlockLow", "NumBitCastInst", "NumBrInst", "NumCallInst",
          "NumGetElementPtrInst", "NumICmpInst", "NumLShrInst", "NumLoadInst", "NumMulInst", "NumOrInst",
          "NumPHIInst", "NumRetInst", "NumSExtInst", "NumSelectInst", "NumShlInst", "NumStoreInst",
          "NumSubInst", "NumTruncInst", "NumXorInst", "NumZExtInst", "TotalBlocks", "TotalInsts",
          "TotalMemInst", "TotalFuncs", "ArgsPhi", "testUnary"));
}

// A loop. Constants are marked: `;32=0` is a 32-bit zero.
constexpr std::string_view kLoop = R"(
declare i32 @log(i32, i64)

define i32 @sum(ptr %p, i32 %n) {
entry:                                                ; 0 predecessors, 2 successors
  %slot = alloca i32                                  ;32=1, the implied array size
  store i32 0, ptr %slot                              ;32=0
  %empty = icmp eq i32 %n, 0                          ;32=0
  br i1 %empty, label %exit, label %loop              ; both critical
loop:                                                 ; 2 predecessors, 2 successors
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]        ;32=0
  %acc = phi i32 [ 0, %entry ], [ %more, %loop ]      ;32=0
  %wide = zext i32 %i to i64
  %at = getelementptr i32, ptr %p, i64 %wide
  %x = load i32, ptr %at
  %more = add i32 %acc, %x
  %next = add i32 %i, 1                               ;32=1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %exit, label %loop               ; both critical
exit:                                                 ; 2 predecessors, 0 successors
  %r = phi i32 [ 0, %entry ], [ %more, %loop ]        ;32=0
  %c = call i32 @log(i32 %r, i64 64)                  ;64
  ret i32 %c
}
)";

TEST(AutophaseTest, CountsALoopAsByHand) {
  const Values expected = {
      {"TotalFuncs", 2},  // sum, and the declaration of log
      {"TotalBlocks", 3},   {"TotalInsts", 4 + 9 + 3}, {"BlockLow", 3},
      {"NumEdges", 4},      {"CriticalCount", 4},      {"twoPred", 2},      // loop, exit
      {"twoSuccessor", 2},                                                  // entry, loop
      {"twoEach", 1},                                                       // loop
      {"BBNoPhi", 1},                                                       // entry
      {"BB03Phi", 2},                                                       // loop, exit
      {"BeginPhi", 2},      {"ArgsPhi", 2 + 2 + 2},    {"BBNumArgsLo", 2},  // loop with 4, exit with 2
      {"const32Bit", 7},    {"const64Bit", 1},         {"numConstZeroes", 5},
      {"numConstOnes", 2},  {"binaryConstArg", 1},  // next, not more
      {"returnInt", 1},     {"testUnary", 3},       // slot, wide, x
      {"TotalMemInst", 5},                          // slot, the store, at, x, c
      {"BranchCount", 2},   {"NumBrInst", 2},          {"NumAddInst", 2},
      {"NumAllocaInst", 1}, {"NumCallInst", 1},        {"NumGetElementPtrInst", 1},
      {"NumICmpInst", 2},   {"NumLoadInst", 1},        {"NumPHIInst", 3},
      {"NumRetInst", 1},    {"NumStoreInst", 1},       {"NumZExtInst", 1},
  };
  EXPECT_THAT(nonzero(kLoop), testing::ContainerEq(expected));
}

// A switch with two cases for one block, many phis, and constants that count and that do not.
constexpr std::string_view kSwitch = R"(
@g = global i32 0
declare i1 @bit(i128)
declare float @real()
declare void @llvm.assume(i1)

define i64 @route(i32 %k, ptr %fn) {
entry:                                                ; 0 predecessors, 4 successors
  switch i32 %k, label %other [
    i32 0, label %low                                 ;32=0, critical
    i32 1, label %low                                 ;32=1, critical
    i32 7, label %high                                ;32
  ]
low:                                                  ; 2 predecessors, 1 successor
  br label %join
high:                                                 ; 1 predecessor, 1 successor
  br label %join
other:                                                ; 1 predecessor, 2 successors
  %odd = trunc i32 %k to i1
  br i1 %odd, label %join, label %last                ; both critical
join:                                                 ; 3 predecessors, 1 successor
  %a = phi i32 [ 1, %low ], [ 2, %high ], [ 3, %other ]           ;32=1 32 32
  %b = phi i64 [ 0, %low ], [ 1, %high ], [ 2, %other ]           ;64=0 64=1 64
  %c = phi i1 [ true, %low ], [ false, %high ], [ %odd, %other ]  ;1=1 1=0
  %d = phi i8 [ 0, %low ], [ 1, %high ], [ 2, %other ]            ;8=0 8=1 8
  br label %last
last:                                                 ; 2 predecessors, 0 successors
  %e = phi i32 [ %k, %other ], [ %a, %join ]
  %s0 = shl i32 %e, 3                                 ;32
  %s1 = lshr i32 %s0, 1                               ;32=1
  %s2 = ashr i32 %s1, %k
  %s3 = and i32 %s2, 255                              ;32
  %s4 = or i32 %s3, %e
  %s5 = xor i32 -1, %s4                               ;32
  %s6 = mul i32 %s5, %s5
  %s7 = sub i32 %s6, ptrtoint (ptr @g to i32)         ; a Constant, not a ConstantInt
  %w = sext i32 %s7 to i64
  %v = bitcast i64 %w to <2 x i32>
  %v1 = add <2 x i32> %v, splat (i32 1)               ; a Constant, not a ConstantInt
  %pick = select i1 true, i64 %w, i64 0               ;1=1 64=0
  %ind = call i32 %fn(i32 1)                          ;32=1, indirect
  call void @llvm.assume(i1 true)                     ;1=1
  %tiny = call i1 @bit(i128 0)                        ;128=0
  %fl = call float @real()
  ret i64 %pick
}
)";

TEST(AutophaseTest, CountsASwitchAsByHand) {
  const Values expected = {
      {"TotalFuncs", 4},
      {"TotalBlocks", 6},
      {"TotalInsts", 1 + 1 + 1 + 2 + 5 + 18},
      {"BlockLow", 5},
      {"BlockMid", 1},  // last
      {"NumEdges", 4 + 1 + 1 + 2 + 1},
      {"CriticalCount", 4},
      {"onePred", 2},        // high, other
      {"twoPred", 2},        // low, last
      {"morePreds", 1},      // join
      {"oneSuccessor", 3},   // low, high, join
      {"twoSuccessor", 1},   // other
      {"onePredOneSuc", 1},  // high
      {"onePredTwoSuc", 1},  // other
      {"twoPredOneSuc", 1},  // low
      {"BBNoPhi", 4},
      {"BB03Phi", 1},  // last
      {"BBHiPhi", 1},  // join
      {"BeginPhi", 2},
      {"ArgsPhi", 4 * 3 + 2},
      {"BBNumArgsLo", 1},  // last with 2
      {"BBNumArgsHi", 1},  // join with 12
      {"const32Bit", 3 + 3 + 4 + 1},
      {"const64Bit", 3 + 1},
      {"numConstZeroes", 6},
      {"numConstOnes", 9},
      {"binaryConstArg", 6},  // s0, s1, s3, s5, s7, v1
      {"returnInt", 1},       // tiny
      {"testUnary", 3},       // odd, w, v
      {"TotalMemInst", 4},    // the calls
      {"BranchCount", 4},
      {"NumBrInst", 4},
      {"UncondBranches", 3},
      {"NumAShrInst", 1},
      {"NumAddInst", 1},
      {"NumAndInst", 1},
      {"NumBitCastInst", 1},
      {"NumCallInst", 4},
      {"NumLShrInst", 1},
      {"NumMulInst", 1},
      {"NumOrInst", 1},
      {"NumPHIInst", 5},
      {"NumRetInst", 1},
      {"NumSExtInst", 1},
      {"NumSelectInst", 1},
      {"NumShlInst", 1},
      {"NumSubInst", 1},
      {"NumTruncInst", 1},
      {"NumXorInst", 1},
  };
  EXPECT_THAT(nonzero(kSwitch), testing::ContainerEq(expected));
}

TEST(AutophaseTest, TheHandCountsTouchEveryElement) {
  Values seen = nonzero(kLoop);
  seen.merge(nonzero(kSwitch));
  EXPECT_EQ(seen.size(), 56u);
}

TEST(AutophaseTest, AnInvokeIsAMemoryInstructionButNotACallThatReturnsAnInteger) {
  const Values expected = {
      {"TotalFuncs", 3},     {"TotalBlocks", 3}, {"TotalInsts", 1 + 1 + 3}, {"BlockLow", 3},
      {"NumEdges", 2},       {"onePred", 2},     {"twoSuccessor", 1},       {"BBNoPhi", 3},
      {"TotalMemInst", 1},   {"NumRetInst", 1},  {"testUnary", 1},  // the extractvalue
      {"numConstZeroes", 1}, {"const32Bit", 1},                     // the argument of f
  };
  EXPECT_THAT(nonzero(R"(
declare i32 @f(i32)
declare i32 @__gxx_personality_v0(...)

define void @g() personality ptr @__gxx_personality_v0 {
  invoke i32 @f(i32 0) to label %fine unwind label %caught
fine:
  ret void
caught:
  %pad = landingpad { ptr, i32 } cleanup
  %object = extractvalue { ptr, i32 } %pad, 0
  resume { ptr, i32 } %pad
})"),
              testing::ContainerEq(expected));
}

TEST(AutophaseTest, AnAliasOrAnotherTypeMakesACallIndirect) {
  const Values values = nonzero(R"(
@alias = alias i32 (), ptr @f
define i32 @f() {
  %direct = call i32 @f()
  %through_alias = call i32 @alias()
  %other_type = call i16 @f()
  ret i32 %direct
})");
  EXPECT_EQ(values.at("NumCallInst"), 3);
  EXPECT_EQ(values.at("returnInt"), 1);
}

// A block of `phis` phis with `incoming` values each and of `size` instructions in all.
Values block(int phis, int incoming, int size) {
  std::string text = fmt::format("define void @f(i32 %x) {{\n  switch i32 %x, label %join [\n");
  for (int i = 1; i < incoming; ++i) text += fmt::format("    i32 {}, label %join\n", i);
  text += "  ]\njoin:\n";
  for (int i = 0; i < phis; ++i) {
    text += fmt::format("  %p{} = phi i32 [ %x, %0 ]", i);
    for (int j = 1; j < incoming; ++j) text += ", [ %x, %0 ]";
    text += '\n';
  }
  for (int i = phis; i < size - 1; ++i) text += fmt::format("  %a{} = add i32 %x, %x\n", i);
  return named("autophase", *parseText(text + "  ret void\n}\n"));
}

TEST(AutophaseTest, LowBlocksHaveLessThan15InstructionsAndMiddleOnesUpTo500) {
  struct Case {
    int size, low, mid;
  };
  for (const auto [size, low, mid] : {Case{14, 1, 0}, {15, 0, 1}, {500, 0, 1}, {501, 0, 0}}) {
    const Values values = block(0, 1, size);
    EXPECT_EQ(values.at("BlockLow"), 1 + low) << size;  // the entry is a low block too
    EXPECT_EQ(values.at("BlockMid"), mid) << size;
    EXPECT_EQ(values.at("TotalInsts"), 1 + size);
  }
}

TEST(AutophaseTest, FewPhisAreAtMostThreeAndFewArgumentsAtMostFivePerBlock) {
  struct Case {
    int phis, incoming, few, many, low, high;
  };
  for (const auto& c : {Case{0, 1, 0, 0, 0, 0},
                        {1, 1, 1, 0, 1, 0},
                        {1, 5, 1, 0, 1, 0},
                        {1, 6, 1, 0, 0, 1},
                        {3, 1, 1, 0, 1, 0},
                        {3, 2, 1, 0, 0, 1},
                        {4, 1, 0, 1, 1, 0},
                        {4, 9, 0, 1, 0, 1}}) {
    SCOPED_TRACE(fmt::format("{} phis with {} values", c.phis, c.incoming));
    const Values values = block(c.phis, c.incoming, 20);
    EXPECT_EQ(values.at("BB03Phi"), c.few);
    EXPECT_EQ(values.at("BBHiPhi"), c.many);
    EXPECT_EQ(values.at("BeginPhi"), c.phis > 0);
    EXPECT_EQ(values.at("BBNumArgsLo"), c.low);
    EXPECT_EQ(values.at("BBNumArgsHi"), c.high);
    EXPECT_EQ(values.at("ArgsPhi"), c.phis * c.incoming);
    EXPECT_EQ(values.at("onePred"), c.incoming == 1);
    EXPECT_EQ(values.at("twoPred"), c.incoming == 2);
    EXPECT_EQ(values.at("morePreds"), c.incoming > 2);
    // Every edge of a switch that goes to one block twice is critical.
    EXPECT_EQ(values.at("CriticalCount"), c.incoming > 1 ? c.incoming : 0);
  }
}

// What an instruction counts for by its mnemonic alone.
std::vector<std::string_view> elements(const std::string& mnemonic) {
  static const std::map<std::string, std::vector<std::string_view>> table = {
      {"add", {"NumAddInst"}},
      {"addrspacecast", {"testUnary"}},
      {"alloca", {"NumAllocaInst", "TotalMemInst", "testUnary"}},
      {"and", {"NumAndInst"}},
      {"ashr", {"NumAShrInst"}},
      {"bitcast", {"NumBitCastInst", "testUnary"}},
      {"br", {"NumBrInst", "BranchCount"}},
      {"call", {"NumCallInst", "TotalMemInst"}},
      {"extractvalue", {"testUnary"}},
      {"fneg", {"testUnary"}},
      {"fpext", {"testUnary"}},
      {"fptosi", {"testUnary"}},
      {"fptoui", {"testUnary"}},
      {"fptrunc", {"testUnary"}},
      {"freeze", {"testUnary"}},
      {"getelementptr", {"NumGetElementPtrInst", "TotalMemInst"}},
      {"icmp", {"NumICmpInst"}},
      {"inttoptr", {"testUnary"}},
      {"invoke", {"TotalMemInst"}},
      {"load", {"NumLoadInst", "TotalMemInst", "testUnary"}},
      {"lshr", {"NumLShrInst"}},
      {"mul", {"NumMulInst"}},
      {"or", {"NumOrInst"}},
      {"phi", {"NumPHIInst"}},
      {"ptrtoaddr", {"testUnary"}},
      {"ptrtoint", {"testUnary"}},
      {"ret", {"NumRetInst"}},
      {"select", {"NumSelectInst"}},
      {"sext", {"NumSExtInst", "testUnary"}},
      {"shl", {"NumShlInst"}},
      {"sitofp", {"testUnary"}},
      {"store", {"NumStoreInst", "TotalMemInst"}},
      {"sub", {"NumSubInst"}},
      {"trunc", {"NumTruncInst", "testUnary"}},
      {"uitofp", {"testUnary"}},
      {"va_arg", {"testUnary"}},
      {"xor", {"NumXorInst"}},
      {"zext", {"NumZExtInst", "testUnary"}},
  };
  const auto row = table.find(mnemonic);
  return row == table.end() ? std::vector<std::string_view>() : row->second;
}

void countTextEdges(const TextBlock& block, Values& n) {
  const int succs = static_cast<int>(block.successors.size());
  const int preds = block.predecessors;
  n["NumEdges"] += succs;
  n["CriticalCount"] += block.critical_edges;
  n["onePred"] += preds == 1;
  n["twoPred"] += preds == 2;
  n["morePreds"] += preds > 2;
  n["oneSuccessor"] += succs == 1;
  n["twoSuccessor"] += succs == 2;
  n["onePredOneSuc"] += preds == 1 && succs == 1;
  n["onePredTwoSuc"] += preds == 1 && succs == 2;
  n["twoPredOneSuc"] += preds == 2 && succs == 1;
  n["twoEach"] += preds == 2 && succs == 2;
  n["UncondBranches"] += succs == 1 && mnemonic(block.instructions.back()) == "br";
}

void countTextPhis(const TextBlock& block, Values& n) {
  int phis = 0;
  int incoming = 0;
  for (const std::string& instruction : block.instructions) {
    if (mnemonic(instruction) != "phi") continue;
    ++phis;
    for (std::size_t at = 0; (at = instruction.find("[ ", at)) != std::string::npos; ++at) ++incoming;
  }
  n["BeginPhi"] += mnemonic(block.instructions.front()) == "phi";
  n["BBNoPhi"] += phis == 0;
  n["BB03Phi"] += phis >= 1 && phis <= 3;
  n["BBHiPhi"] += phis > 3;
  n["ArgsPhi"] += incoming;
  n["BBNumArgsLo"] += incoming >= 1 && incoming <= 5;
  n["BBNumArgsHi"] += incoming > 5;
}

// All elements but those about constants, which cannot be told from other numbers in the text.
Values countText(const std::string& printed) {
  // `call`, attributes, an integer type, the types of the arguments if they vary, a global name.
  static const std::regex direct_integer_call(R"(^[^@]*\bcall [^@]*\bi\d+ (\([^@]*\) )?@)");

  Values n;
  for (const std::string_view name : find("autophase")->element_names) n[name] = 0;
  for (const char* constants :
       {"const32Bit", "const64Bit", "numConstZeroes", "numConstOnes", "binaryConstArg"}) {
    n.erase(constants);
  }
  const TextModule module = readText(printed);
  n["TotalFuncs"] = module.functions;
  for (const TextBlock& block : module.blocks) {
    const std::size_t size = block.instructions.size();
    ++n["TotalBlocks"];
    n["TotalInsts"] += static_cast<int>(size);
    n["BlockLow"] += size < 15;
    n["BlockMid"] += size >= 15 && size <= 500;
    countTextEdges(block, n);
    countTextPhis(block, n);
    for (const std::string& instruction : block.instructions) {
      const std::string word = mnemonic(instruction);
      for (const std::string_view element : elements(word)) ++n[element];
      n["returnInt"] += word == "call" && std::regex_search(instruction, direct_integer_call);
    }
  }
  return n;
}

TEST(AutophaseTest, AgreesWithTheTextOfCompiledPrograms) {
  const auto modules = compiledSamples();
  if (modules.empty()) GTEST_SKIP() << "needs clang-22";
  for (const ir::OwnedModule& module : modules) {
    const std::string printed = ir::print(*module);
    const Values values = named("autophase", *module);
    for (const auto& [name, expected] : countText(printed)) {
      ASSERT_EQ(values.at(name), expected) << name << "\n" << printed;
    }
  }
}

TEST(AutophaseTest, ElementsOfCompiledProgramsFitTogether) {
  const auto modules = compiledSamples();
  if (modules.empty()) GTEST_SKIP() << "needs clang-22";
  for (const ir::OwnedModule& module : modules) {
    Values n = named("autophase", *module);
    EXPECT_EQ(n["BBNoPhi"] + n["BB03Phi"] + n["BBHiPhi"], n["TotalBlocks"]);
    EXPECT_EQ(n["BB03Phi"] + n["BBHiPhi"], n["BeginPhi"]);
    EXPECT_EQ(n["BBNumArgsLo"] + n["BBNumArgsHi"], n["BeginPhi"]);
    EXPECT_EQ(n["NumBrInst"], n["BranchCount"]);
    EXPECT_LE(n["UncondBranches"], n["BranchCount"]);
    EXPECT_LE(n["CriticalCount"], n["NumEdges"]);
    EXPECT_LE(n["onePredOneSuc"] + n["onePredTwoSuc"], n["onePred"]);
    EXPECT_LE(n["twoPredOneSuc"] + n["twoEach"], n["twoPred"]);
    EXPECT_LE(n["BlockLow"] + n["BlockMid"], n["TotalBlocks"]);
    EXPECT_GE(n["testUnary"], n["NumAllocaInst"] + n["NumLoadInst"] + n["NumBitCastInst"] + n["NumSExtInst"] +
                                  n["NumTruncInst"] + n["NumZExtInst"]);
    // The two features that count opcodes agree.
    Values counts = named("inst_count", *module);
    EXPECT_EQ(n["TotalInsts"], counts["TotalInstsCount"]);
    EXPECT_EQ(n["TotalBlocks"], counts["TotalBlocksCount"]);
    EXPECT_EQ(n["TotalFuncs"], counts["TotalFuncsCount"]);
    EXPECT_EQ(n["NumICmpInst"], counts["ICmpCount"]);
  }
}

}  // namespace
}  // namespace ordo::features
