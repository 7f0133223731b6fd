#include "llvm/ir/target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <sstream>

#include "llvm/ir/module.h"
#include "support/files.h"
#include "support/process.h"

namespace ordo::ir {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// Every kind of section: code in comdats, unwind and exception tables, constants, strings that the
// linker merges, data, zeros, thread-local data, constructors.
constexpr std::string_view kPrograms[][2] = {
    {"c", "int twice(int x) { return 2 * x; }"},
    {"c", R"(
#include <stdio.h>
static const int squares[] = {0, 1, 4, 9, 16, 25, 36};
int counts[1000];
int seen = 3;
_Thread_local int mine = 4;
_Thread_local char zeros[100];
double half(double x) { return x * 0.5 + counts[seen]; }
int name(int n) {
  switch (n) {
    case 0: return puts("none");
    case 1: return puts("one");
    case 2: return printf("%d\n", mine);
    case 3: return printf("%s\n", zeros);
    case 4: return puts("many");
    default: return squares[n % 7];
  }
})"},
    {"c++", R"(
#include <map>
#include <stdexcept>
#include <string>
#include <vector>
struct Shape { virtual ~Shape() = default; virtual double area() const = 0; };
struct Square final : Shape { double side = 1; double area() const override { return side * side; } };
static std::map<std::string, std::vector<double>> areas;
double total(const std::string& name) {
  double sum = 0;
  try {
    for (double area : areas.at(name)) sum += area;
  } catch (const std::out_of_range&) {
    areas[name].push_back(Square().area());
  }
  return sum;
})"},
};

ProcessResult run(const std::vector<std::string>& argv, std::string_view input = "") {
  const auto result = runProcess(argv, {.input = std::string(input), .dir = {}});
  EXPECT_TRUE(result) << result.error().message;
  EXPECT_TRUE(result->ok()) << result->err;
  return *result;
}

std::string clang(std::string_view language, std::string_view text, const std::vector<std::string>& flags) {
  std::vector<std::string> argv{"clang-22", "-x", std::string(language)};
  argv.insert(argv.end(), flags.begin(), flags.end());
  for (const char* word : {"-c", "-", "-o", "-"}) argv.emplace_back(word);
  return run(argv, text).out;
}

OwnedModule parsed(std::string_view bytes) {
  Result<OwnedModule> module = parse(bytes, "sample");
  EXPECT_TRUE(module) << module.error().message;
  return *std::move(module);
}

std::unique_ptr<llvm::TargetMachine> machineFor(const OwnedModule& module,
                                                const TargetOptions& options = {}) {
  auto machine = makeTargetMachine(*module, options);
  EXPECT_TRUE(machine) << machine.error().message;
  return *std::move(machine);
}

std::string emitted(const OwnedModule& module, llvm::TargetMachine& machine,
                    EmitKind kind = EmitKind::kObject) {
  const Result<std::string> object = emit(*module, machine, kind);
  EXPECT_TRUE(object) << object.error().message;
  return *object;
}

// llvm-size-22's columns text, data and bss.
ObjectSizes sizesByTool(std::string_view object) {
  std::istringstream lines(run({"llvm-size-22", "-"}, object).out);
  std::string headings;
  std::getline(lines, headings);
  ObjectSizes sizes;
  lines >> sizes.text >> sizes.data >> sizes.bss;
  return sizes;
}

TEST(TargetTest, AModuleWithoutATargetIsToldWhatToAdd) {
  const auto machine = makeTargetMachine(*parsed(""), {});
  ASSERT_FALSE(machine);
  EXPECT_EQ(machine.error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(machine.error().message, HasSubstr("target triple = \""));
}

TEST(TargetTest, ATargetWithoutACodeGeneratorIsNamed) {
  const auto machine = makeTargetMachine(*parsed("target triple = \"kalimba-unknown-unknown\"\n"), {});
  ASSERT_FALSE(machine);
  EXPECT_EQ(machine.error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(machine.error().message,
              AllOf(HasSubstr("kalimba-unknown-unknown"), HasSubstr("makes no code")));
}

TEST(TargetTest, ADataLayoutThatIsNotTheTargetsIsRefused) {
  const auto machine = makeTargetMachine(
      *parsed("target datalayout = \"E-p:32:32\"\ntarget triple = \"x86_64-pc-linux-gnu\"\n"), {});
  ASSERT_FALSE(machine);
  EXPECT_EQ(machine.error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(machine.error().message, AllOf(HasSubstr("E-p:32:32"), HasSubstr("x86_64")));
}

// The code generator goes on after it, and gives an object with something else in that place.
TEST(TargetTest, AnErrorOfTheCodeGeneratorIsNoObject) {
  for (const std::string_view text :
       {"module asm \".bogus directive\"\n",
        "define void @f() {\n  call void asm sideeffect \"mov r0, #1\", \"\"()\n  ret void\n}\n",
        "define i32 @f() {\n  %r = call i32 asm \"\", \"={r99}\"()\n  ret i32 %r\n}\n"}) {
    const OwnedModule module = parsed(fmt::format("target triple = \"x86_64-pc-linux-gnu\"\n{}", text));
    const auto machine = machineFor(module);
    const Result<std::string> object = emit(*module, *machine, EmitKind::kObject);
    ASSERT_FALSE(object) << text;
    EXPECT_EQ(object.error().code, ErrorCode::kUnsupported);
    EXPECT_THAT(object.error().message, HasSubstr("LLVM makes no code of it: "));
  }
}

TEST(TargetTest, SizesAreThoseOfLlvmSize) {
  for (const auto& [language, text] : kPrograms) {
    for (const std::vector<std::string>& flags :
         {std::vector<std::string>{"-O0"}, {"-Oz"}, {"-O2", "-g"}, {"-O2", "-ffunction-sections"}}) {
      const std::string object = clang(language, text, flags);
      const ObjectSizes expected = sizesByTool(object);
      const Result<ObjectSizes> sizes = objectSizes(object);
      ASSERT_TRUE(sizes) << sizes.error().message;
      EXPECT_EQ(sizes->text, expected.text);
      EXPECT_EQ(sizes->data, expected.data);
      EXPECT_EQ(sizes->bss, expected.bss);
    }
  }
}

constexpr std::string_view kTables = R"(
extern int read(int);
static const int squares[] = {0, 1, 4, 9, 16, 25, 36};
int counts[1000];
int seen = 3;
const char* name(int n) { return n ? "one" : "none"; }
int square(int n) { return read(squares[read(n) % 7]) + counts[seen]; })";

TEST(TargetTest, SizesOfMachOAreThoseOfLlvmSize) {
  for (const std::string triple :
       {"x86_64-apple-macosx10.15.0", "x86_64-apple-ios11.2.0", "arm64-apple-macosx11"}) {
    for (const char* level : {"-O0", "-Oz"}) {
      const std::string object = clang("c", kTables, {"--target=" + triple, level, "-g"});
      const ObjectSizes expected = sizesByTool(object);
      const Result<ObjectSizes> sizes = objectSizes(object);
      ASSERT_TRUE(sizes) << sizes.error().message;
      EXPECT_EQ(sizes->text, expected.text) << triple;
      EXPECT_EQ(sizes->text, sizes->code + sizes->rodata + sizes->unwind);
      EXPECT_GT(sizes->code, 0U);
      EXPECT_GE(sizes->rodata, 28U + 4 + 5);  // squares, "one", "none"
      // There it has zeros among the data.
      EXPECT_EQ(sizes->data + sizes->bss, expected.data) << triple;
      EXPECT_EQ(sizes->bss, 4000U);
    }
  }
}

TEST(TargetTest, ReadOnlyDataOfCoffIsText) {
  const std::string object = clang("c", kTables, {"--target=x86_64-pc-windows-msvc", "-Oz"});
  const ObjectSizes by_tool = sizesByTool(object);
  const Result<ObjectSizes> sizes = objectSizes(object);
  ASSERT_TRUE(sizes) << sizes.error().message;
  EXPECT_EQ(sizes->code, by_tool.text);
  EXPECT_EQ(sizes->text, sizes->code + sizes->rodata + sizes->unwind);
  EXPECT_EQ(sizes->data, 4U);
  EXPECT_EQ(sizes->bss, by_tool.bss);
  EXPECT_GT(sizes->unwind, 0U);
  EXPECT_GE(sizes->rodata, 28U + 4 + 5);
}

TEST(TargetTest, ACallingConventionThatTheFlagsContradictIsRefused) {
  const OwnedModule module = parsed(
      "target triple = \"riscv32-unknown-unknown-elf\"\n!llvm.module.flags = !{!0}\n"
      "!0 = !{i32 1, !\"target-abi\", !\"ilp32d\"}\n");
  TargetOptions options;
  options.abi = "ilp32";
  const auto machine = makeTargetMachine(*module, options);
  ASSERT_FALSE(machine);
  EXPECT_EQ(machine.error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(machine.error().message, HasSubstr("-mabi=ilp32d"));
  options.abi = "ilp32d";
  EXPECT_TRUE(makeTargetMachine(*module, options));
}

// Julia's garbage collector has some.
TEST(TargetTest, AddressSpacesThatAreNoIntegersAreThePassesBusiness) {
  constexpr std::string_view kLayout =
      "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";
  EXPECT_TRUE(makeTargetMachine(
      *parsed(fmt::format("target datalayout = \"{}-ni:10:11\"\ntarget triple = \"x86_64-linux-gnu\"\n",
                          kLayout)),
      {}));
}

TEST(TargetTest, SizesOfSomethingElseAreAnError) {
  for (const std::string_view bytes : {"", "not an object", "\177ELF"}) {
    const Result<ObjectSizes> sizes = objectSizes(bytes);
    ASSERT_FALSE(sizes);
    EXPECT_EQ(sizes.error().code, ErrorCode::kCorrupt);
  }
}

struct Level {
  const char* flag;
  int level;
};

TEST(TargetTest, ObjectsAreThoseOfClang) {
  for (const auto& [language, text] : kPrograms) {
    for (const Level& level : {Level{"-O0", 0}, {"-O1", 1}, {"-Oz", 2}, {"-O3", 3}}) {
      const std::string bitcode = clang(language, text, {level.flag, "-emit-llvm"});
      const OwnedModule module = parsed(bitcode);
      const auto machine = machineFor(module, {.level = level.level, .code_model = {}});
      EXPECT_TRUE(emitted(module, *machine) ==
                  clang("ir", bitcode, {level.flag, "-Xclang", "-disable-llvm-passes"}))
          << language << " at " << level.flag;
    }
  }
}

TEST(TargetTest, OptionsMeanWhatTheyMeanToClang) {
  struct Case {
    TargetOptions options;
    std::vector<std::string> flags;
  };
  const std::vector<Case> cases{
      {{.level = 2, .relocation = "static", .code_model = {}}, {"-fno-pic"}},
      {{.level = 2, .code_model = "large"}, {"-mcmodel=large"}},
      {{.level = 2, .code_model = "medium"}, {"-mcmodel=medium"}},
      {{.level = 2, .code_model = {}, .function_sections = true, .data_sections = true},
       {"-ffunction-sections", "-fdata-sections"}},
  };
  for (const Case& c : cases) {
    for (const auto& [language, text] : kPrograms) {
      std::vector<std::string> flags = c.flags;
      flags.insert(flags.end(), {"-O2", "-emit-llvm"});
      const std::string bitcode = clang(language, text, flags);
      flags.back() = "-Xclang";
      flags.push_back("-disable-llvm-passes");
      const OwnedModule module = parsed(bitcode);
      EXPECT_TRUE(emitted(module, *machineFor(module, c.options)) == clang("ir", bitcode, flags))
          << c.flags[0];
    }
  }
}

TEST(TargetTest, TextualIrWithoutAttributesIsCompiledAsByClang) {
  const std::string text =
      "source_filename = \"sample\"\ntarget triple = \"x86_64-pc-linux-gnu\"\n"
      "define double @f(double %x, i64 %n) {\n  %y = uitofp i64 %n to double\n"
      "  %z = fmul double %x, %y\n  ret double %z\n}\n"
      "define i32 @g(i32 %a, i32 %b) {\n  %c = icmp slt i32 %a, %b\n"
      "  %m = select i1 %c, i32 %a, i32 %b\n  ret i32 %m\n}\n";
  const OwnedModule module = parsed(text);
  EXPECT_TRUE(emitted(module, *machineFor(module)) ==
              clang("ir", text, {"-O2", "-Xclang", "-disable-llvm-passes"}));
}

TEST(TargetTest, AssemblyIsText) {
  const OwnedModule module = parsed(clang("c", kPrograms[0][1], {"-O2", "-emit-llvm"}));
  EXPECT_THAT(emitted(module, *machineFor(module), EmitKind::kAssembly), HasSubstr("twice:"));
}

// A machine remembers the globals of @llvm.used by address, so what it emitted before must not show
// in what it emits next. Modules of one shape follow each other at the same addresses.
TEST(TargetTest, AMachineCanBeUsedAgain) {
  std::string kept, plain;
  for (int i = 0; i < 20; ++i) {
    const std::string define =
        fmt::format("@v{0} = global i32 {0}\ndefine i32 @f{0}(i32 %x) {{\n  ret i32 %x\n}}\n", i);
    kept += define;
    plain += define;
  }
  const std::string head = "target triple = \"x86_64-pc-linux-gnu\"\n";
  kept =
      head + "@llvm.used = appending global [2 x ptr] [ptr @f3, ptr @v4], section \"llvm.metadata\"\n" + kept;
  plain =
      head + "@llvm.xxxx = private global [2 x ptr] [ptr @f3, ptr @v4], section \"llvm.metadata\"\n" + plain;
  const std::string expected = [&] {
    const OwnedModule module = parsed(plain);
    return emitted(module, *machineFor(module));
  }();
  const auto machine = machineFor(parsed(plain));
  for (int i = 0; i < 20; ++i) {
    emitted(parsed(kept), *machine);
    EXPECT_TRUE(emitted(parsed(plain), *machine) == expected) << "round " << i;
  }
}

}  // namespace
}  // namespace ordo::ir
