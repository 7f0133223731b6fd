// Holds observations to judges that share no code with them: autophase, inst_count and program_graph to
// tests/oracle/ir_counts.py, which counts from the text of a module, and the ir2vec family to stock
// llvm-ir2vec-22. The modules are random ones from llvm-stress and the programs of the suite as clang
// hands them to its passes and after three pipelines.
//
// All of them, 120 random and 4 times the suite, take a minute: ORDO_FULL=1. Otherwise 20 random ones and
// each program of the suite but the large ones once, at a stage that depends on its place.
#include <gtest/gtest.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "engine/input.h"
#include "frontend/opt.h"
#include "llvm/features/builtin/program_graph.h"
#include "tests/unit/llvm/features/ir2vec_oracle.h"

namespace ordo::features {
namespace {

using Counts = std::map<std::string, std::int64_t>;

const bool kFull = std::getenv("ORDO_FULL") != nullptr;

// A stage of a program: what clang hands over, what clang makes of it, and what nobody makes of it.
constexpr std::array kStages = {"none", "Oz", "O3", "odd"};
constexpr const char* kOdd =
    "function(sroa,instcombine<no-verify-fixpoint>,loop-simplify,loop-unroll<O3;full-unroll-max=4>,"
    "scalarizer,"
    "lower-switch,reg2mem,break-crit-edges),mergefunc";

struct Sample {
  std::string name;
  std::string bytes;
};

std::vector<Sample> randomModules() {
  std::vector<Sample> samples;
  for (int seed = 1; seed <= (kFull ? 120 : 20); ++seed) {
    const auto run = runProcess({"llvm-stress-22", fmt::format("-seed={}", seed),
                                 fmt::format("-size={}", 100 + seed % 4 * 150), "-o", "-"});
    ORDO_CHECK(run.has_value() && run->ok(), "llvm-stress-22 failed");
    samples.push_back({fmt::format("llvm-stress {}", seed), run->out});
  }
  return samples;
}

Sample suiteModule(const std::filesystem::path& program, const std::string& stage) {
  const auto level = stage == "O3" ? frontend::Level::kO3 : frontend::Level::kOz;
  const auto input = engine::prepareInput(program.string(), engine::Baseline{level, false}, {});
  ORDO_CHECK(input.has_value(), "{}", input.error().message);
  const std::string name = fmt::format("{} {}", program.filename().string(), stage);
  if (stage == "none") return {name, input->compiled.bytes};
  frontend::Pipeline pipeline = input->pipeline;
  if (stage == "odd") pipeline.text = kOdd;
  const auto optimised = frontend::runOpt(input->compiled.bytes, pipeline, input->codegen);
  ORDO_CHECK(optimised.has_value(), "{}", optimised.error().message);
  return {name, *optimised};
}

std::vector<Sample> suiteModules() {
  std::vector<std::filesystem::path> programs;
  for (const auto& entry : std::filesystem::directory_iterator(ORDO_SOURCE_DIR "/suite")) {
    if (exists(entry.path() / "program.toml")) programs.push_back(entry.path());
  }
  std::sort(programs.begin(), programs.end());
  constexpr std::array kLarge = {"chess", "containers", "lzh", "minivm", "sat", "shapes", "textsearch"};
  std::erase_if(programs, [&](const std::filesystem::path& program) {
    return !kFull && std::ranges::count(kLarge, program.filename()) > 0;
  });
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    for (std::size_t stage = 0; stage < kStages.size(); ++stage) {
      if (kFull || stage == i % kStages.size()) samples.push_back(suiteModule(programs[i], kStages[stage]));
    }
  }
  return samples;
}

Counts countsOf(std::string_view feature, const llvm::Module& module) {
  Counts counts;
  for (const auto& [name, value] : named(feature, module)) counts[std::string(name)] = value;
  return counts;
}

// The graph as the oracle counts it: nodes by kind, edges by what they join.
struct GraphCounts {
  Counts nodes, edges;
};

GraphCounts graphOf(const llvm::Module& module) {
  const std::string bytes = extract("program_graph", module);
  graph::Header header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  const auto* nodes = reinterpret_cast<const graph::Node*>(bytes.data() + sizeof(header));
  const auto* edges = reinterpret_cast<const graph::Edge*>(nodes + header.nodes);
  const auto kind = [&](std::int64_t node) {
    return graph::kindNames()[static_cast<std::size_t>(nodes[node].kind)];
  };
  constexpr const char* kFlows[] = {"control", "data", "call"};
  GraphCounts counts;
  for (std::int64_t i = 0; i < header.nodes; ++i) ++counts.nodes[std::string(kind(i))];
  for (std::int64_t i = 0; i < header.edges; ++i) {
    const graph::Edge& edge = edges[i];
    ++counts.edges[fmt::format("{} {} {} {}", kFlows[static_cast<std::size_t>(edge.flow)], edge.position,
                               kind(edge.source), kind(edge.target))];
  }
  return counts;
}

// What is not the same, a line each.
std::string difference(const Counts& ours, const Counts& theirs) {
  std::string lines;
  Counts all = ours;
  all.insert(theirs.begin(), theirs.end());
  for (const auto& [name, ignored] : all) {
    const std::int64_t our = ours.contains(name) ? ours.at(name) : 0;
    const std::int64_t their = theirs.contains(name) ? theirs.at(name) : 0;
    if (our != their) lines += fmt::format("{}: {}, not {}\n", name, our, their);
  }
  return lines;
}

void expectAgreement(const std::vector<Sample>& samples) {
  if (!findProgram({"python3"})) GTEST_SKIP() << "needs python3";
  const TempDir dir = TempDir::create().value();
  std::vector<ir::OwnedModule> modules;
  std::vector<std::string> command = {"python3", "-B", ORDO_SOURCE_DIR "/tests/oracle/ir_counts.py"};
  for (const Sample& sample : samples) {
    auto module = ir::parse(sample.bytes, sample.name);
    ASSERT_TRUE(module) << module.error().message;
    modules.push_back(*std::move(module));
    command.push_back((dir.path() / fmt::format("{}.ll", modules.size())).string());
    ASSERT_TRUE(writeFile(command.back(), ir::print(*modules.back())));
  }
  const auto run = runProcess(command);
  ASSERT_TRUE(run && run->ok()) << (run ? run->err : run.error().message);
  std::istringstream lines(run->out);
  const Ir2VecOracle ir2vec;
  std::int64_t instructions = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    SCOPED_TRACE(samples[i].name);
    std::string line;
    ASSERT_TRUE(std::getline(lines, line));
    const Json theirs = *parseJson(line, samples[i].name);
    const llvm::Module& module = *modules[i];
    instructions += module.getInstructionCount();
    EXPECT_EQ(difference(countsOf("autophase", module), theirs["autophase"].get<Counts>()), "");
    EXPECT_EQ(difference(countsOf("inst_count", module), theirs["inst_count"].get<Counts>()), "");
    const GraphCounts graph = graphOf(module);
    EXPECT_EQ(difference(graph.nodes, theirs["nodes"].get<Counts>()), "");
    EXPECT_EQ(difference(graph.edges, theirs["edges"].get<Counts>()), "");
    EXPECT_EQ(ir2vec.disagreement(module), "");
  }
  testing::Test::RecordProperty("modules", static_cast<int>(samples.size()));
  fmt::print("{} modules, {} instructions\n", samples.size(), instructions);
}

TEST(OracleTest, ObservationsOfRandomModulesAreWhatTheirTextSays) { expectAgreement(randomModules()); }

TEST(OracleTest, ObservationsOfTheSuiteAreWhatTheirTextSays) { expectAgreement(suiteModules()); }

}  // namespace
}  // namespace ordo::features
