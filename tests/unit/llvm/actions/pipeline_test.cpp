#include "llvm/actions/pipeline.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>

#include "support/rng.h"
#include "tests/unit/llvm/actions/stock.h"

namespace ordo::actions {
namespace {

using testing::HasSubstr;

constexpr std::string_view kPrograms[][2] = {
    {"c", R"(
#include <stdio.h>
#include <string.h>
static int table[64];
static int classify(int c) {
  switch (c) {
    case 'a': case 'e': case 'i': return 1;
    case 10: return table[c & 63];
    default: return c > 100 ? -c : c / 3;
  }
}
static double horner(const double* c, int n, double x) {
  double y = 0;
  for (int i = n; i-- > 0;) y = y * x + c[i];
  return y;
}
unsigned hash(const unsigned char* s, int n) {
  unsigned h = 2166136261u;
  for (int i = 0; i < n; i++) h = (h ^ s[i]) * 16777619u;
  return h << 3 | h >> 29;
}
static int depth(int n) { return n < 2 ? n : depth(n / 2) + depth(n % 2 + n / 3); }
int main(int argc, char** argv) {
  const double c[] = {1, 2, 3, 4};
  for (int i = 0; i < 64; i++)
    for (int j = i; j < 64; j++) table[i] ^= (i * j + argc) >> 2;
  printf("%d %g %u\n", classify(argc), horner(c, 4, argc), hash((unsigned char*)argv[0], (int)strlen(argv[0])));
  return depth(argc);
})"},
    {"c++", R"(
struct Shape { virtual ~Shape() {} virtual int area() const = 0; };
struct Square final : Shape { int n; explicit Square(int n) : n(n) {} int area() const override { return n * n; } };
int risky(int);
template <typename T> T sum(const T* values, int n) { T s{}; for (int i = 0; i < n; i++) s += values[i]; return s; }
int total(int n) {
  const long longs[] = {1, 2, 3, n};
  const float floats[] = {1, 2, 3, 4};
  Shape* shape = new Square(n);
  int result = shape->area() + (int)sum(longs, 4) + (int)sum(floats, 4);
  try { result += risky(n); } catch (int e) { result -= e; }
  delete shape;
  return result;
})"},
};

// From all levels, and with passes that keep analyses as well as those that drop them.
const std::vector<std::string>& passes() {
  static const std::vector<std::string> kPasses{"function(sroa<modify-cfg>)",
                                                "function(early-cse<memssa>)",
                                                "function(simplifycfg)",
                                                "function(gvn)",
                                                "function(instcombine<no-verify-fixpoint>)",
                                                "function(instsimplify)",
                                                "function(reassociate)",
                                                "function(sccp)",
                                                "function(bdce)",
                                                "function(adce)",
                                                "function(dse)",
                                                "function(memcpyopt)",
                                                "function(mem2reg)",
                                                "function(newgvn)",
                                                "function(jump-threading)",
                                                "function(correlated-propagation)",
                                                "function(tailcallelim)",
                                                "function(loop-mssa(licm<allowspeculation>))",
                                                "function(loop(loop-rotate))",
                                                "function(loop(indvars))",
                                                "function(loop(loop-deletion))",
                                                "function(loop(loop-idiom))",
                                                "function(loop(loop-unroll-full))",
                                                "function(loop-mssa(simple-loop-unswitch))",
                                                "function(loop-unroll<O2>)",
                                                "function(loop-vectorize)",
                                                "function(slp-vectorizer)",
                                                "function(vector-combine)",
                                                "function(loop-simplify,lcssa)",
                                                "function(sink)",
                                                "function(div-rem-pairs)",
                                                "function(float2int)",
                                                "function(mergeicmps)",
                                                "function(constraint-elimination)",
                                                "cgscc(inline)",
                                                "cgscc(function-attrs)",
                                                "cgscc(argpromotion)",
                                                "ipsccp",
                                                "globalopt",
                                                "globaldce",
                                                "deadargelim",
                                                "mergefunc",
                                                "constmerge",
                                                "called-value-propagation",
                                                "rpo-function-attrs",
                                                "always-inline"};
  return kPasses;
}

std::string joined(const std::vector<std::string>& texts) { return fmt::format("{}", fmt::join(texts, ",")); }

// Every parameter of every pass, which no printed pipeline has.
TEST(PipelineRunnerTest, TheHalvesOfAPipelineMakeWhatTheWholeMakes) {
  for (const auto& [language, text] : kPrograms) {
    for (const char* level : {"O2", "O3"}) {
      const std::string program = clangBitcode(language, text, fmt::format("-{}", level));
      const auto made = [&](const std::vector<std::string>& pipelines) {
        const ir::OwnedModule module = parsed(program);
        const auto machine = machineFor(module);
        PipelineRunner runner(*module, *machine);
        for (const std::string& pipeline : pipelines) EXPECT_TRUE(runner.run(pipeline)) << pipeline;
        return ir::writeBitcode(*module);
      };
      EXPECT_TRUE(made({fmt::format("default<{}>", level)}) ==
                  made({fmt::format("annotation2metadata,forceattrs,ordo-simplification<{}>", level),
                        fmt::format("ordo-optimization<{}>,function(annotation-remarks)", level)}));
    }
  }
}

// It is another thing than that of loops, and a builder has it only if it is told the level.
TEST(PipelineRunnerTest, TheHalvesVectoriseStraightCode) {
  const ir::OwnedModule module =
      parsed(clangBitcode("c",
                          "void add(int* restrict to, const int* restrict from) {"
                          "  to[0] += from[0], to[1] += from[1], to[2] += from[2], to[3] += from[3]; }",
                          "-O3"));
  const auto machine = machineFor(module);
  PipelineRunner runner(*module, *machine);
  ASSERT_TRUE(runner.run("ordo-simplification<O3>"));
  EXPECT_EQ(ir::print(*module).find("<4 x i32>"), std::string::npos);
  ASSERT_TRUE(runner.run("ordo-optimization<O3>"));
  EXPECT_NE(ir::print(*module).find("<4 x i32>"), std::string::npos);
}

TEST(PipelineRunnerTest, WithoutSlpOnlyLoopsAreVectorised) {
  const auto vectorised = [](std::string_view body) {
    const ir::OwnedModule module = parsed(clangBitcode(
        "c", fmt::format("void add(int* restrict to, const int* restrict from, int n) {{ {} }}", body),
        "-O3"));
    const auto machine = machineFor(module);
    PipelineRunner runner(*module, *machine);
    EXPECT_TRUE(runner.run("ordo-simplification<O3>,ordo-optimization<O3;no-slp>"));
    return ir::print(*module).find("<4 x i32>") != std::string::npos;
  };
  EXPECT_FALSE(vectorised("to[0] += from[0], to[1] += from[1], to[2] += from[2], to[3] += from[3];"));
  EXPECT_TRUE(vectorised("for (int i = 0; i < n; i++) to[i] += from[i];"));
}

TEST(PipelineRunnerTest, OneByOneAndAtOnceAndStockOptAreTheSame) {
  Rng rng(22);
  for (const auto& [language, text] : kPrograms) {
    for (const char* level : {"-O2", "-Oz"}) {
      const std::string program = clangBitcode(language, text, level);
      for (int round = 0; round < 4; ++round) {
        std::vector<std::string> order = passes();
        rng.shuffle(std::span(order));
        SCOPED_TRACE(joined(order));

        const ir::OwnedModule stepped = parsed(program);
        {
          const auto machine = machineFor(stepped);
          PipelineRunner runner(*stepped, *machine);
          for (const std::string& pass : order) {
            const Result<bool> changed = runner.run(pass);
            ASSERT_TRUE(changed) << changed.error().message;
          }
        }
        const ir::OwnedModule whole = parsed(program);
        {
          const auto machine = machineFor(whole);
          ASSERT_TRUE(PipelineRunner(*whole, *machine).run(joined(order)));
        }
        EXPECT_EQ(ir::verify(*stepped), "");
        EXPECT_TRUE(ir::writeBitcode(*stepped) == ir::writeBitcode(*whole));
        // opt keeps local names while it works, so only what is read back can be compared.
        EXPECT_TRUE(asRead(ir::writeBitcode(*stepped)) == asRead(opt(program, {"-passes=" + joined(order)})));
      }
    }
  }
}

TEST(PipelineRunnerTest, SaysWhetherAnythingChanged) {
  const ir::OwnedModule module = parsed(clangBitcode("c", kPrograms[0][1], "-Oz"));
  const auto machine = machineFor(module);
  PipelineRunner runner(*module, *machine);
  EXPECT_TRUE(runner.run("function(mem2reg)").value());
  EXPECT_FALSE(runner.run("function(mem2reg)").value());
}

TEST(PipelineRunnerTest, TextThatDoesNotParseRunsNothing) {
  const ir::OwnedModule module = parsed(clangBitcode("c", kPrograms[0][1], "-Oz"));
  const auto machine = machineFor(module);
  const std::string before = ir::writeBitcode(*module);
  PipelineRunner runner(*module, *machine);
  for (const char* text :
       {"", "no-such-pass", "function(mem2reg", "mem2reg,no-such-pass", "function(globaldce)",
        "simplifycfg<no-such-option>", "default<O9>", ",", "loop(mem2reg)"}) {
    const Result<bool> changed = runner.run(text);
    ASSERT_FALSE(changed) << text;
    EXPECT_EQ(changed.error().code, ErrorCode::kInvalidArgument) << text;
    EXPECT_FALSE(changed.error().message.empty()) << text;
  }
  EXPECT_THAT(runner.run("no-such-pass").error().message, HasSubstr("no-such-pass"));
  EXPECT_EQ(ir::writeBitcode(*module), before);
}

TEST(PipelineRunnerTest, OptnoneFunctionsAreLeftAlone) {
  const std::string program = clangBitcode("c", kPrograms[0][1], "-O0");
  for (const char* pass : {"function(mem2reg)", "default<O2>"}) {
    const ir::OwnedModule module = parsed(program);
    const auto machine = machineFor(module);
    ASSERT_TRUE(PipelineRunner(*module, *machine).run(pass));
    EXPECT_THAT(ir::print(*module), HasSubstr("alloca")) << pass;
    EXPECT_TRUE(asRead(ir::writeBitcode(*module)) == asRead(opt(program, {fmt::format("-passes={}", pass)})))
        << pass;
  }
}

// The names below each heading of `opt-22 --print-passes`, without their parameters.
std::map<std::string, std::set<std::string>> listedByOpt() {
  std::map<std::string, std::set<std::string>> sections;
  std::istringstream lines(runTool({"opt-22", "--print-passes"}));
  std::string heading;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("  "))
      sections[heading].insert(line.substr(2, line.find('<', 2) - 2));
    else
      heading = line.substr(0, line.find(':'));
  }
  return sections;
}

TEST(KnownPassesTest, AreThoseThatOptPrints) {
  const auto sections = listedByOpt();
  std::size_t listed = 0;
  for (const auto& [heading, names] : sections) listed += names.size();
  ASSERT_GT(listed, 300u);

  std::set<std::pair<std::string, std::string>> known;
  for (const KnownPass& pass : knownPasses()) {
    EXPECT_NE(pass.level, "unknown") << pass.name;
    EXPECT_TRUE(pass.params.empty() || pass.params.starts_with("<")) << pass.params;
    // Alias analyses are listed among the others of their level.
    known.insert({pass.name, fmt::format("{}{}", pass.level, pass.analysis ? " analysis" : "")});
  }
  const auto expectLevel = [&](const std::string& heading, const std::string& level) {
    ASSERT_TRUE(sections.contains(heading)) << heading;
    for (const std::string& name : sections.at(heading))
      EXPECT_TRUE(known.contains({name, level})) << name << " " << level;
  };
  expectLevel("Module passes", "module");
  expectLevel("Module passes with params", "module");
  expectLevel("Module analyses", "module analysis");
  expectLevel("Module alias analyses", "module analysis");
  expectLevel("CGSCC passes", "cgscc");
  expectLevel("CGSCC passes with params", "cgscc");
  expectLevel("CGSCC analyses", "cgscc analysis");
  expectLevel("Function passes", "function");
  expectLevel("Function passes with params", "function");
  expectLevel("Function analyses", "function analysis");
  expectLevel("Function alias analyses", "function analysis");
  expectLevel("LoopNest passes", "loopnest");
  expectLevel("Loop passes", "loop");
  expectLevel("Loop passes with params", "loop");
  expectLevel("Loop analyses", "loop analysis");
  expectLevel("Machine function passes (WIP)", "machine-function");
}

TEST(KnownPassesTest, ParametersAreLlvmsOwnSummary) {
  const std::vector<KnownPass> known = knownPasses();
  const auto licm =
      std::find_if(known.begin(), known.end(), [](const KnownPass& pass) { return pass.name == "licm"; });
  ASSERT_NE(licm, known.end());
  EXPECT_EQ(licm->level, "loop");
  EXPECT_EQ(licm->params, "<allowspeculation;no-allowspeculation>");
}

}  // namespace
}  // namespace ordo::actions
