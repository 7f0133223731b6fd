#include "frontend/clang.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "support/files.h"
#include "support/process.h"

namespace ordo::frontend {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

constexpr std::string_view kHello = R"(
#include <stdio.h>
int main(void) { return puts("hello") < 0; }
)";

class ClangTest : public testing::Test {
 protected:
  Source source(const std::string& file, std::string_view text, std::string language,
                std::vector<std::string> flags = {}) {
    EXPECT_TRUE(writeFile(dir_.path() / file, text));
    return {file, std::move(language), std::move(flags), dir_.path()};
  }

  // Bitcode as text.
  std::string disassembled(std::string_view bitcode) {
    ProcessOptions options;
    options.input = bitcode;
    const auto run = runProcess({"llvm-dis-22", "-", "-o", "-"}, options);
    EXPECT_TRUE(run && run->ok());
    return run->out;
  }

  TempDir dir_ = *TempDir::create();
};

TEST_F(ClangTest, TheLevelSetsTheAttributes) {
  const Source hello = source("hello.c", kHello, "c");
  EXPECT_THAT(disassembled(compileToBitcode(hello, Level::kOz)->bytes),
              AllOf(HasSubstr("minsize"), HasSubstr("optsize")));
  EXPECT_THAT(disassembled(compileToBitcode(hello, Level::kO0)->bytes),
              AllOf(HasSubstr("noinline"), HasSubstr("optnone")));
  EXPECT_THAT(disassembled(compileToBitcode(hello, Level::kO2)->bytes),
              AllOf(Not(HasSubstr("size ")), Not(HasSubstr("optnone"))));
}

TEST_F(ClangTest, TheCommandsReplayTheBytes) {
  const Source hello = source("hello.c", kHello, "c", {"-std=c17", "-O1"});
  const auto bitcode = compileToBitcode(hello, Level::kOz);
  ASSERT_TRUE(bitcode) << bitcode.error().message;
  EXPECT_THAT(bitcode->commands,
              ElementsAre(ElementsAre("clang-22", "-Oz", "-std=c17", "-Xclang", "-disable-llvm-passes",
                                      "-emit-llvm", "-c", "hello.c")));
  EXPECT_THAT(bitcode->notes, ElementsAre(HasSubstr("'-O1'")));

  ProcessOptions options;
  options.dir = dir_.path();
  ASSERT_TRUE(runProcess(bitcode->commands.back(), options)->ok());
  EXPECT_EQ(readFile(dir_.path() / "hello.bc").value(), bitcode->bytes);

  const auto emit = emitCommand(Level::kOz, hello, "hello.bc", "hello.o");
  ASSERT_TRUE(emit) << emit.error().message;
  ASSERT_TRUE(runProcess(*emit, options)->ok());
  EXPECT_EQ(readFile(dir_.path() / "hello.o").value(), emitObject(bitcode->bytes, Level::kOz, hello).value());

  const auto stock = compileStock(hello, Level::kOz);
  ASSERT_TRUE(stock) << stock.error().message;
  ASSERT_TRUE(runProcess(stock->commands.back(), options)->ok());
  EXPECT_EQ(readFile(dir_.path() / "hello.o").value(), stock->bytes);
}

TEST_F(ClangTest, SeveralSourcesBecomeOneModule) {
  Source two =
      source("main.c", "int other(int);\nint main(int c, char** v) { (void)v; return other(c); }", "c");
  std::filesystem::create_directory(dir_.path() / "lib");
  source("lib/other.c", "static int same(int x) { return x + 6; }\nint other(int c) { return same(c); }",
         "c");
  two.more = {"lib/other.c"};
  const auto bitcode = compileToBitcode(two, Level::kO2);
  ASSERT_TRUE(bitcode) << bitcode.error().message;
  EXPECT_THAT(disassembled(bitcode->bytes),
              AllOf(HasSubstr("@main("), HasSubstr("define dso_local i32 @other(")));

  // As the optimiser sees both: the call is inlined, and what is called stays for others.
  const auto stock = compileStock(two, Level::kO2);
  ASSERT_TRUE(stock) << stock.error().message;
  ASSERT_TRUE(linkExecutable(stock->bytes, two, {}, dir_.path() / "two"));
  EXPECT_EQ(runProcess({(dir_.path() / "two").string()})->exit_code, 7);

  ProcessOptions options;
  options.dir = dir_.path();
  ASSERT_EQ(bitcode->commands.size(), 2u);
  ASSERT_TRUE(runProcess(bitcode->commands.front(), options)->ok());
  EXPECT_EQ(runProcess(bitcode->commands.back(), options)->out, bitcode->bytes);
  for (const auto& command : stock->commands) ASSERT_TRUE(runProcess(command, options)->ok());
  EXPECT_EQ(readFile(dir_.path() / "linked.o").value(), stock->bytes);
}

TEST_F(ClangTest, AFailureNamesTheSourceAmongSeveral) {
  Source two = source("main.c", "int main(void) { return 0; }", "c");
  source("other.c", "int f( { return 1; }", "c");
  two.more = {"other.c"};
  const auto bitcode = compileToBitcode(two, Level::kO2);
  ASSERT_FALSE(bitcode);
  EXPECT_THAT(bitcode.error().message, HasSubstr("other.c:1:8: error:"));
}

TEST_F(ClangTest, WarningsArePassedOnOnce) {
  const Source source =
      this->source("w.c", "int f(void) { int unused; return 1; }", "c", {"-Wall", "-Werror=return-type"});
  const auto bitcode = compileToBitcode(source, Level::kOz);
  ASSERT_TRUE(bitcode) << bitcode.error().message;
  EXPECT_THAT(bitcode->warnings, HasSubstr("w.c:1:19: warning: unused variable"));
  EXPECT_TRUE(emitObject(bitcode->bytes, Level::kOz, source));
}

TEST_F(ClangTest, ASyntaxErrorIsReportedInTheWordsOfClang) {
  const auto bitcode = compileToBitcode(source("bad.c", "int f( { return 1; }", "c"), Level::kOz);
  ASSERT_FALSE(bitcode);
  EXPECT_EQ(bitcode.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(bitcode.error().message,
              AllOf(HasSubstr("bad.c:1:8: error:"), StartsWith("clang-22 rejected ")));
}

TEST_F(ClangTest, FlagsForHeadersAndLanguagesDoNotDisturbTheEmission) {
  ASSERT_TRUE(writeFile(dir_.path() / "extra.h", "#define EXTRA 1\n"));
  const Source source =
      this->source("a.cpp", "#include <stddef.h>\nstatic_assert(EXTRA); int f() { return 1; }", "c++",
                   {"-std=c++20", "-I.", "-include", "extra.h", "-DX", "-Wall", "-Werror", "-fno-exceptions",
                    "-fno-rtti", "-lm", "-pthread", "-g"});
  const auto bitcode = compileToBitcode(source, Level::kOz);
  ASSERT_TRUE(bitcode) << bitcode.error().message;
  const auto object = emitObject(bitcode->bytes, Level::kOz, source);
  ASSERT_TRUE(object) << object.error().message;
  EXPECT_THAT(*object, StartsWith("\177ELF"));
  const auto assembly = emitAssembly(bitcode->bytes, Level::kOz, source);
  ASSERT_TRUE(assembly) << assembly.error().message;
  EXPECT_THAT(*assembly, HasSubstr("_Z1fv:"));
}

TEST_F(ClangTest, BitcodeIsTakenAsItIs) {
  const Source hello = source("hello.c", kHello, "c");
  const std::string bitcode = compileToBitcode(hello, Level::kO2)->bytes;
  const auto again = compileToBitcode(source("hello.bc", bitcode, "ir"), Level::kO2);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->bytes, bitcode);
  EXPECT_THAT(again->commands, IsEmpty());
}

// Through llvm-as and back, the text says the same: no attribute or layout was added.
TEST_F(ClangTest, IrTextIsOnlyAssembled) {
  const auto bitcode = compileToBitcode(
      source("a.ll", "target triple = \"x86_64-linux\"\ndefine i32 @f(i32 %x) {\n  ret i32 %x\n}\n", "ir"),
      Level::kO3);
  ASSERT_TRUE(bitcode) << bitcode.error().message;
  EXPECT_THAT(disassembled(bitcode->bytes), AllOf(HasSubstr("define i32 @f(i32 %x) {"),
                                                  Not(HasSubstr("attributes")), Not(HasSubstr("layout"))));
  EXPECT_THAT(bitcode->commands, ElementsAre(ElementsAre("llvm-as-22", "a.ll")));
}

// Harvested bitcode is as -O2 has it. Its clang-Oz must be what clang -Oz makes of the source.
TEST_F(ClangTest, IrGetsTheSizeAttributesOfTheLevel) {
  const std::string bitcode = compileToBitcode(source("hello.c", kHello, "c"), Level::kO2)->bytes;
  const Source ir = source("hello.bc", bitcode, "ir");
  const auto oz = compileToBitcode(ir, Level::kOz);
  ASSERT_TRUE(oz) << oz.error().message;
  EXPECT_THAT(disassembled(oz->bytes), AllOf(HasSubstr("minsize"), HasSubstr("optsize")));
  EXPECT_THAT(oz->commands,
              ElementsAre(ElementsAre("opt-22", "-passes=forceattrs", "-force-attribute=optsize",
                                      "-force-attribute=minsize", "hello.bc")));
  EXPECT_THAT(disassembled(compileToBitcode(ir, Level::kOs)->bytes),
              AllOf(Not(HasSubstr("minsize")), HasSubstr("optsize")));
}

TEST_F(ClangTest, IrThatCannotHaveThemStaysAsItIsAndThatIsSaid) {
  const auto bitcode = compileToBitcode(
      source("a.ll", "define void @f() noinline optnone {\n  ret void\n}\n", "ir"), Level::kOz);
  ASSERT_TRUE(bitcode) << bitcode.error().message;
  EXPECT_THAT(disassembled(bitcode->bytes), Not(HasSubstr("minsize")));
  EXPECT_THAT(bitcode->notes, ElementsAre(HasSubstr("optnone")));
}

TEST_F(ClangTest, BrokenIrTextIsReportedInTheWordsOfTheAssembler) {
  const auto bitcode =
      compileToBitcode(source("a.ll", "define i32 @f() {\n  ret i64 0\n}\n", "ir"), Level::kOz);
  ASSERT_FALSE(bitcode);
  EXPECT_THAT(bitcode.error().message, HasSubstr("value doesn't match function result type"));
}

TEST_F(ClangTest, StockCompilesIrToo) {
  EXPECT_TRUE(compileStock(source("a.ll", "define i32 @f() {\n  ret i32 0\n}\n", "ir"), Level::kOz));
}

TEST_F(ClangTest, LinkedProgramsRun) {
  const Source hello = source("hello.c", kHello, "c");
  const std::filesystem::path out = dir_.path() / "hello";
  const auto linked = linkExecutable(compileStock(hello, Level::kOz)->bytes, hello, {"-lm"}, out);
  ASSERT_TRUE(linked) << linked.error().message;
  EXPECT_EQ(runProcess({out.string()})->out, "hello\n");
}

TEST_F(ClangTest, AShiftMovesTheCodeAndChangesNothingElse) {
  const Source hello = source("hello.c", kHello, "c");
  const std::string object = compileStock(hello, Level::kO3)->bytes;
  const auto addressOfMain = [&](std::size_t shift) {
    const std::filesystem::path out = dir_.path() / "shifted";
    const auto linked = linkExecutable(object, hello, {"-Wl,--gc-sections"}, out, shift);
    EXPECT_TRUE(linked) << linked.error().message;
    EXPECT_EQ(runProcess({out.string()})->out, "hello\n");
    const std::string symbols = runProcess({"llvm-nm-22", out.string()})->out;
    const std::size_t end = symbols.find(" T main\n");
    return std::stoull(symbols.substr(symbols.rfind('\n', end) + 1, 16), nullptr, 16);
  };
  EXPECT_EQ(addressOfMain(1040), addressOfMain(0) + 1040);
}

TEST_F(ClangTest, CxxAndIrAreLinkedWithTheCxxLibrary) {
  const Source source = this->source("a.cpp",
                                     "#include <cstdio>\n#include <string>\nint main(int n, char**) { "
                                     "std::string s(n, 'x'); std::puts(s.c_str()); }",
                                     "c++");
  const std::string object = compileStock(source, Level::kOz)->bytes;
  for (const std::string language : {"c++", "ir"}) {
    const std::filesystem::path out = dir_.path() / language;
    const auto linked = linkExecutable(object, {"a.cpp", language, {}, dir_.path()}, {}, out);
    ASSERT_TRUE(linked) << linked.error().message;
    EXPECT_EQ(runProcess({out.string()})->out, "x\n");
  }
}

TEST_F(ClangTest, AnUndefinedSymbolIsReportedInTheWordsOfTheLinker) {
  const Source source = this->source("a.c", "int missing(void); int main(void) { return missing(); }", "c");
  const auto linked = linkExecutable(compileStock(source, Level::kOz)->bytes, source, {}, dir_.path() / "a");
  ASSERT_FALSE(linked);
  EXPECT_THAT(linked.error().message, HasSubstr("missing"));
}

TEST_F(ClangTest, ThreadsDoNotDisturbEachOther) {
  const Source hello = source("hello.c", kHello, "c");
  const std::string expected = compileStock(hello, Level::kOz)->bytes;
  std::vector<std::string> got(4);
  std::vector<std::thread> threads;
  for (std::string& bytes : got) {
    threads.emplace_back([&] { bytes = compileStock(hello, Level::kOz)->bytes; });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(got, testing::Each(expected));
}

}  // namespace
}  // namespace ordo::frontend
