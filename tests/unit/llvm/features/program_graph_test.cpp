#include "llvm/features/builtin/program_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/llvm/features/sample.h"

namespace ordo::features::graph {
namespace {

struct Graph {
  Header header{};
  std::vector<Node> nodes;
  std::vector<Edge> edges;
};

Graph read(const llvm::Module& module) {
  const std::string bytes = extract("program_graph", module);
  Graph graph;
  std::memcpy(&graph.header, bytes.data(), sizeof(Header));
  graph.nodes.resize(static_cast<std::size_t>(graph.header.nodes));
  graph.edges.resize(static_cast<std::size_t>(graph.header.edges));
  const std::size_t node_bytes = graph.nodes.size() * sizeof(Node);
  const std::size_t edge_bytes = graph.edges.size() * sizeof(Edge);
  ORDO_CHECK(bytes.size() == sizeof(Header) + node_bytes + edge_bytes, "{} bytes", bytes.size());
  // Not memcpy, which takes no null pointer, not even for no edges.
  const auto nodes_end = bytes.begin() + static_cast<std::ptrdiff_t>(sizeof(Header) + node_bytes);
  std::copy(bytes.begin() + sizeof(Header), nodes_end, reinterpret_cast<char*>(graph.nodes.data()));
  std::copy(nodes_end, bytes.end(), reinterpret_cast<char*>(graph.edges.data()));
  return graph;
}

// Rows as a person writes them: "instruction Add f0 b0", "3 -> 7 data 1".
std::vector<std::string> nodeRows(const Graph& graph) {
  static constexpr const char* kTypes[] = {"instruction", "variable", "constant"};
  std::vector<std::string> rows;
  for (const Node& node : graph.nodes) {
    rows.push_back(fmt::format("{} {} f{} b{}", kTypes[static_cast<std::size_t>(node.type)],
                               kindNames()[static_cast<std::size_t>(node.kind)], node.function, node.block));
  }
  return rows;
}

std::vector<std::string> edgeRows(const Graph& graph) {
  static constexpr const char* kFlows[] = {"control", "data", "call"};
  std::vector<std::string> rows;
  for (const Edge& edge : graph.edges) {
    rows.push_back(fmt::format("{} -> {} {} {}", edge.source, edge.target,
                               kFlows[static_cast<std::size_t>(edge.flow)], edge.position));
  }
  return rows;
}

TEST(ProgramGraphTest, AModuleWithoutFunctionsIsTheOutsideAlone) {
  const Graph graph = read(*parseText("@a = global i32 1"));
  EXPECT_THAT(nodeRows(graph), testing::ElementsAre("instruction external f-1 b-1"));
  EXPECT_TRUE(graph.edges.empty());
  EXPECT_EQ(graph.header.header_elements, 8);
  EXPECT_EQ(graph.header.functions, 0);
  EXPECT_EQ(graph.header.kinds, 85);
}

TEST(ProgramGraphTest, ALoopIsWhatItIsByHand) {
  const Graph graph = read(*parseText(R"(
@g = global i32 0
declare i32 @ext(i32)
define i32 @f(i32 %n, i32 %unused) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, %n
  %c = call i32 @ext(i32 %next)
  %done = icmp eq i32 %next, %n
  br i1 %done, label %out, label %loop
out:
  store i32 0, ptr @g
  ret i32 %c
})"));
  EXPECT_THAT(nodeRows(graph), testing::ElementsAre("instruction external f-1 b-1",       // 0
                                                    "instruction declaration f0 b-1",     // 1
                                                    "variable VariableInteger f1 b-1",    // 2  n
                                                    "instruction Br f1 b0",               // 3
                                                    "instruction PHI f1 b1",              // 4
                                                    "variable VariableInteger f1 b1",     // 5  next in i
                                                    "instruction Add f1 b1",              // 6
                                                    "variable VariableInteger f1 b1",     // 7  i in next
                                                    "instruction Call f1 b1",             // 8
                                                    "variable VariableInteger f1 b1",     // 9  next in c
                                                    "instruction ICmp f1 b1",             // 10
                                                    "variable VariableInteger f1 b1",     // 11 next in done
                                                    "instruction Br f1 b1",               // 12
                                                    "variable VariableInteger f1 b1",     // 13 done
                                                    "instruction Store f1 b2",            // 14
                                                    "instruction Ret f1 b2",              // 15
                                                    "variable VariableInteger f1 b2",     // 16 c in ret
                                                    "constant ConstantZero f-1 b-1",      // 17
                                                    "constant ConstantGlobal f-1 b-1"));  // 18
  // LLVM's operand order: a conditional branch is (condition, false, true), a store (value, address).
  EXPECT_THAT(edgeRows(graph),
              testing::ElementsAre("0 -> 1 call 0", "1 -> 0 call 0",                      // ext
                                   "0 -> 3 call 0", "15 -> 0 call 0",                     // f
                                   "3 -> 4 control 0",                                    // entry to loop
                                   "17 -> 4 data 0", "6 -> 5 data 0",                     // i
                                   "5 -> 4 data 1",                                       //
                                   "4 -> 6 control 0", "4 -> 7 data 0", "7 -> 6 data 0",  // next
                                   "2 -> 6 data 1",                                       //
                                   "6 -> 8 control 0", "6 -> 9 data 0", "9 -> 8 data 0",  // c
                                   "8 -> 1 call 0", "1 -> 8 call 0",                      //
                                   "8 -> 10 control 0", "6 -> 11 data 0",                 // done
                                   "11 -> 10 data 0", "2 -> 10 data 1",                   //
                                   "10 -> 12 control 0", "10 -> 13 data 0",               // br
                                   "13 -> 12 data 0",                                     //
                                   "12 -> 14 control 0", "12 -> 4 control 1",             //
                                   "17 -> 14 data 0", "18 -> 14 data 1",                  // store
                                   "14 -> 15 control 0", "8 -> 16 data 0", "16 -> 15 data 0"));
}

TEST(ProgramGraphTest, ConstantsAreOneNodePerValueAndNamedByWhatTheyAre) {
  const Graph graph = read(*parseText(R"(
@g = global [2 x i32] zeroinitializer
define void @f(ptr %p, i1 %b) {
  store i32 1, ptr %p
  store i32 1, ptr %p
  store i32 5, ptr %p
  store float 1.0, ptr %p
  store ptr null, ptr %p
  store i32 poison, ptr %p
  store <2 x i32> splat (i32 1), ptr %p
  store ptr getelementptr (i8, ptr @g, i64 4), ptr %p
  store ptr blockaddress(@f, %end), ptr %p
  br label %end
end:
  ret void
})"));
  std::vector<std::string> names;
  for (const Node& node : graph.nodes) {
    if (node.type == NodeType::kConstant)
      names.emplace_back(kindNames()[static_cast<std::size_t>(node.kind)]);
  }
  EXPECT_THAT(names, testing::ElementsAre("ConstantOne", "ConstantInteger", "ConstantFloat", "ConstantNull",
                                          "ConstantUndefined", "ConstantAggregate", "ConstantExpression",
                                          "ConstantOther"));
}

TEST(ProgramGraphTest, InvokesCallAndEveryTerminatorWithoutSuccessorsReturns) {
  const Graph graph = read(*parseText(R"(
declare i32 @__gxx_personality_v0(...)
define internal void @callee(i1 %b) {
  br i1 %b, label %x, label %y
x:
  ret void
y:
  unreachable
}
define void @caller(ptr %fn) personality ptr @__gxx_personality_v0 {
  invoke void @callee(i1 true) to label %fine unwind label %caught
fine:
  call void %fn()
  call void asm "nop", ""()
  ret void
caught:
  %pad = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %pad
})"));
  std::vector<std::string> calls;
  for (const std::string& row : edgeRows(graph)) {
    if (row.find("call") != std::string::npos) calls.push_back(row);
  }
  // 1 the personality; 2 b, 3 br, 4 ret, 5 unreachable; 6 fn, 7 invoke, 8 call, 9 asm, 10 ret,
  // 11 landingpad, 12 resume.
  const auto rows = nodeRows(graph);
  ASSERT_EQ(rows[7], "instruction Invoke f2 b3");
  EXPECT_THAT(calls,
              testing::ElementsAre("0 -> 1 call 0", "1 -> 0 call 0", "0 -> 3 call 0", "4 -> 0 call 0",
                                   "5 -> 0 call 0", "0 -> 7 call 0", "10 -> 0 call 0", "12 -> 0 call 0",
                                   "7 -> 3 call 0", "4 -> 7 call 0", "5 -> 7 call 0"));
}

// What must hold of any graph.
void expectSound(const Graph& graph) {
  const Header& header = graph.header;
  for (const Node& node : graph.nodes) {
    ASSERT_TRUE(node.kind >= 0 && node.kind < header.kinds);
    ASSERT_TRUE(node.function >= -1 && node.function < header.functions);
    ASSERT_TRUE(node.block >= -1 && node.block < header.blocks);
  }
  std::vector<int> inputs(graph.nodes.size()), outputs(graph.nodes.size());
  for (const Edge& edge : graph.edges) {
    ASSERT_TRUE(edge.source >= 0 && edge.source < header.nodes);
    ASSERT_TRUE(edge.target >= 0 && edge.target < header.nodes);
    ASSERT_GE(edge.position, 0);
    const Node& source = graph.nodes[static_cast<std::size_t>(edge.source)];
    const Node& target = graph.nodes[static_cast<std::size_t>(edge.target)];
    if (edge.flow == Flow::kData) {
      // Instruction to variable, or variable or constant to instruction.
      ASSERT_NE(source.type == NodeType::kInstruction, target.type == NodeType::kInstruction);
      ASSERT_NE(target.type, NodeType::kConstant);
    } else {
      ASSERT_TRUE(source.type == NodeType::kInstruction && target.type == NodeType::kInstruction);
      ASSERT_TRUE(edge.flow == Flow::kCall || source.function == target.function);
    }
    ++outputs[static_cast<std::size_t>(edge.source)];
    ++inputs[static_cast<std::size_t>(edge.target)];
  }
  for (std::size_t i = 1; i < graph.nodes.size(); ++i) {
    if (graph.nodes[i].type == NodeType::kInstruction) continue;
    EXPECT_GE(outputs[i], 1) << "data that nobody uses";
    const bool computed = graph.nodes[i].type == NodeType::kVariable && graph.nodes[i].block >= 0;
    EXPECT_EQ(inputs[i], computed ? 1 : 0);
  }
}

TEST(ProgramGraphTest, GraphsOfCompiledProgramsAreSoundAndSurviveARoundTrip) {
  const auto modules = compiledSamples();
  if (modules.empty()) GTEST_SKIP() << "needs clang-22";
  for (const ir::OwnedModule& module : modules) {
    const Graph graph = read(*module);
    expectSound(graph);
    const auto instructions = std::ranges::count(graph.nodes, NodeType::kInstruction, &Node::type);
    const auto declarations = std::ranges::count(graph.nodes, 1, &Node::kind);
    EXPECT_EQ(instructions, 1 + declarations + module->getInstructionCount());
    const ir::OwnedModule again = parseText(ir::print(*module));
    EXPECT_EQ(extract("program_graph", *again), extract("program_graph", *module));
  }
}

TEST(ProgramGraphTest, KindsKeepTheirPublishedPlaces) {
  const auto names = kindNames();
  ASSERT_EQ(names.size(), 85u);
  const auto counts = find("inst_count")->element_names.subspan(3);
  for (std::size_t i = 0; i < counts.size(); ++i) EXPECT_EQ(fmt::format("{}Count", names[2 + i]), counts[i]);
  EXPECT_EQ(names[69], "VariableInteger");
  EXPECT_EQ(names[75], "ConstantZero");
  EXPECT_EQ(names[84], "ConstantOther");
}

}  // namespace
}  // namespace ordo::features::graph
