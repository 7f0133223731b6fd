// ordo-cc as a build runs it: beside clang-22, from which it may differ in nothing but the code.
#include "builds/compiler.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>

#include "builds/cache.h"
#include "builds/locking.h"
#include "builds/log.h"
#include "builds/object.h"
#include "notation/action.h"
#include "notation/codegen.h"
#include "recipe/lock.h"
#include "recipe/order.h"
#include "support/files.h"
#include "support/process.h"
#include "support/sqlite.h"

namespace ordo::builds {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr const char* kSource =
    "#include \"a.h\"\n"
    "int f(int* a, int n) { int s = 0; for (int i = 0; i < n; i++) { a[i] *= K; s += a[i] % 7; } return s; "
    "}\n"
    "int g(int* a, int n) { int unused; return f(a, n) + f(a + 1, n - 1); }\n";

class CompilerTest : public testing::Test {
 protected:
  void SetUp() override {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "stock clang, which has no sanitizer, cannot load a plugin that needs one";
#endif
    for (const char* name : {"plain", "ours"}) {
      fs::create_directories(dir_.path() / name);
      std::ofstream(dir_.path() / name / "a.h") << "#define K 3\n";
      std::ofstream(dir_.path() / name / "a.c") << kSource;
      std::ofstream(dir_.path() / name / "bad.c") << "int f( {\n";
    }
  }

  ProcessResult run(const std::string& where, std::vector<std::string> argv,
                    const std::vector<std::string>& environment = {}) {
    ProcessOptions options;
    options.dir = dir_.path() / where;
    options.environment = {"PATH=/usr/bin:/bin", "ORDO_CACHE=" + (dir_.path() / "cache").string(),
                           "ORDO_BUDGET=0"};
    // The first of a name counts.
    options.environment->insert(options.environment->begin(), environment.begin(), environment.end());
    return *runProcess(argv, options);
  }

  ProcessResult ours(std::vector<std::string> arguments, const std::vector<std::string>& environment = {}) {
    arguments.insert(arguments.begin(), std::string(ORDO_BIN_DIR) + "/ordo-cc");
    return run("ours", std::move(arguments), environment);
  }

  // The same of both, but for the program; of their files, too, unless they are objects.
  void expectSame(const std::vector<std::string>& arguments) {
    std::vector<std::string> plain{"clang-22"};
    plain.insert(plain.end(), arguments.begin(), arguments.end());
    const ProcessResult expected = run("plain", plain);
    const ProcessResult result = ours(arguments);
    const std::string what = shellQuote(arguments);
    EXPECT_EQ(result.exit_code, expected.exit_code) << what;
    EXPECT_EQ(result.out, expected.out) << what;
    EXPECT_EQ(result.err, expected.err) << what;
    for (const auto& entry : fs::directory_iterator(dir_.path() / "plain")) {
      const fs::path twin = dir_.path() / "ours" / entry.path().filename();
      EXPECT_TRUE(fs::exists(twin)) << what << ": " << twin;
      if (entry.path().extension() != ".o") {
        EXPECT_EQ(*readFile(twin), *readFile(entry.path())) << what;
      }
    }
  }

  std::vector<LogLine> lines() { return *readLog(dir_.path() / "cache" / "builds.jsonl"); }

  const TempDir dir_ = *TempDir::create();
};

TEST_F(CompilerTest, EverythingButTheCodeIsClangs) {
  for (int twice = 0; twice < 2; ++twice) {  // cold and warm
    expectSame({"-Oz", "-c", "a.c", "-o", "a.o"});
    expectSame({"-Oz", "-Wall", "-MD", "-MP", "-c", "a.c"});
    expectSame({"-Oz", "-Wall", "-Werror", "-c", "a.c", "-o", "werror.o"});
    expectSame({"-Oz", "-MMD", "-MF", "deps", "-MT", "target", "-c", "a.c"});
    expectSame({"-Oz", "-c", "bad.c"});
    expectSame({"-Oz", "-c", "missing.c"});
    expectSame({"-Oz", "-c", "a.c", "--no-such-option"});
  }
}

TEST_F(CompilerTest, WhatIsNotForOrdoIsClangs) {
  std::ofstream(dir_.path() / "plain" / "flags") << "-Oz -c a.c -o r.o\n";
  std::ofstream(dir_.path() / "ours" / "flags") << "-Oz -c a.c -o r.o\n";
  expectSame({"--version"});
  expectSame({"-E", "a.c"});
  expectSame({"-M", "a.c"});
  expectSame({"-Oz", "-S", "a.c", "-o", "a.s"});
  expectSame({"-Oz", "-c", "a.s", "-o", "s.o"});
  expectSame({"@flags"});
  expectSame({"-Oz", "-c", "a.c", "bad.c"});
  expectSame({"-print-search-dirs"});
  expectSame({"-Oz", "-shared", "-fPIC", "a.c", "-o", "a.so"});
  expectSame({});
  // What makes objects is counted, with the reason.
  ASSERT_EQ(lines().size(), 2u);
  for (const LogLine& line : lines()) {
    EXPECT_EQ(line.outcome, Outcome::kPlain);
    EXPECT_NE(line.reason, "");
  }
}

// What an object depends on is in the module, or the compilation is clang's own.
TEST_F(CompilerTest, AssemblyThatReadsFilesIsClangs) {
  for (int version = 0; version < 2; ++version) {
    for (const char* name : {"plain", "ours"}) {
      std::ofstream(dir_.path() / name / "data.bin") << "version " << version;
      std::ofstream(dir_.path() / name / "i.c")
          << "__asm__(\"blob: .incbin \\\"data.bin\\\"\");\nint f(int x) { return x / 3; }\n";
    }
    for (int twice = 0; twice < 2; ++twice) {
      expectSame({"-Oz", "-c", "i.c"});
      EXPECT_EQ(*readFile(dir_.path() / "ours" / "i.o"), *readFile(dir_.path() / "plain" / "i.o"));
      EXPECT_EQ(lines().back().outcome, Outcome::kPlain);
      EXPECT_THAT(lines().back().reason, HasSubstr(".incbin"));
    }
  }
}

TEST_F(CompilerTest, AssemblyThatPutsDirectivesTogetherIsClangs) {
  const std::string begin = "extern char nc; void f(void) { __asm__ volatile(\".pushsection .rodata\\nd: ";
  const std::string end = " \\\"data.bin\\\"\\n.popsection\" :: \"i\"(&nc)); }\n";
  for (const char* spelled : {".in{c|c}bin", ".i%c0bin", ".inc%=lude", "{.incbin|nop #}"}) {
    for (const char* name : {"plain", "ours"}) {
      std::ofstream(dir_.path() / name / "data.bin") << spelled;
      std::ofstream(dir_.path() / name / "i.c") << begin << spelled << end;
    }
    for (int twice = 0; twice < 2; ++twice) {
      expectSame({"-Oz", "-fno-pie", "-c", "i.c"});
      EXPECT_NE(lines().empty() ? Outcome::kPlain : lines().back().outcome, Outcome::kCached) << spelled;
    }
  }
}

// As distributions have them: a script of clang's name that adds words from its environment.
class WrappedCompilerTest : public CompilerTest {
 protected:
  void SetUp() override {
    CompilerTest::SetUp();
    wrap("exec /usr/bin/clang-22 \"$@\" $EXTRA");
  }

  void wrap(const std::string& command) {
    fs::create_directories(dir_.path() / "bin");
    std::ofstream(dir_.path() / "bin" / "clang-22") << "#!/bin/sh\n" << command << "\n";
    fs::permissions(dir_.path() / "bin" / "clang-22", fs::perms::owner_all);
  }

  // Compiles a.c and returns the object's sections of code.
  std::size_t sections(const std::string& extra, std::vector<std::string> more = {}) {
    more.insert(more.end(), {"EXTRA=" + extra, "PATH=" + (dir_.path() / "bin").string() + ":/usr/bin:/bin"});
    const ProcessResult result = ours({"-Oz", "-c", "a.c"}, more);
    if (result.exit_code != 0) return 0;
    const std::string list = run("ours", {"llvm-readelf-22", "-S", "-W", "a.o"}).out;
    std::size_t count = 0;
    for (std::size_t at = list.find(" .text"); at != std::string::npos; at = list.find(" .text", at + 1))
      ++count;
    return count;
  }
};

TEST_F(WrappedCompilerTest, WhatAWrapperAddsCounts) {
  const std::size_t one = sections(""), many = sections("-ffunction-sections");
  EXPECT_GT(many, one);
  for (int twice = 0; twice < 2; ++twice) {
    EXPECT_EQ(sections("-ffunction-sections"), many);
    EXPECT_EQ(lines().back().outcome, Outcome::kCached);
    EXPECT_EQ(sections(""), one);
    EXPECT_EQ(lines().back().outcome, Outcome::kCached);
  }
  for (const char* not_ours : {"-O2", "-flto", "-mllvm -debug-pass-manager", "-o b.o", "-emit-llvm"}) {
    sections(not_ours);
    EXPECT_EQ(lines().back().outcome, Outcome::kPlain) << not_ours << ": " << lines().back().reason;
  }
}

TEST_F(WrappedCompilerTest, WhatAWrapperPutsIntoTheEnvironmentCounts) {
  wrap("CCC_OVERRIDE_OPTIONS='#+-ffunction-sections' exec /usr/bin/clang-22 \"$@\"");
  sections("");
  EXPECT_EQ(lines().back().outcome, Outcome::kPlain);
  EXPECT_THAT(lines().back().reason, HasSubstr("CCC_OVERRIDE_OPTIONS"));
}

TEST_F(WrappedCompilerTest, WithoutThePluginNothingIsOrdosNorLocked) {
  wrap(
      "for word; do shift; case $word in -fpass-plugin=*) ;; *) set -- \"$@\" \"$word\";; esac; done\n"
      "exec /usr/bin/clang-22 \"$@\"");
  EXPECT_EQ(sections(""), 1u);
  EXPECT_EQ(lines().back().outcome, Outcome::kPlain);
  EXPECT_THAT(lines().back().reason, HasSubstr("did not load the plugin"));
  std::ofstream(dir_.path() / "lock") << R"({"format":3,"files":[]})";
  EXPECT_EQ(sections("", {"ORDO_LOCK=" + (dir_.path() / "lock").string()}), 0u);
}

TEST_F(WrappedCompilerTest, ALockedBuildHasTheFlagsThatWereLocked) {
  const std::size_t many = sections("-ffunction-sections");
  Cache cache = *Cache::open(dir_.path() / "cache", 1 << 20);
  const fs::path lock = dir_.path() / "ours" / "ordo.lock";
  const Result<recipe::Lock> locked = lockFrom(lines(), cache, lock);
  ASSERT_TRUE(locked && writeFile(lock, recipe::writeLock(*locked)));
  EXPECT_EQ(sections("-ffunction-sections", {"ORDO_LOCK=" + lock.string()}), many);
  EXPECT_EQ(sections("", {"ORDO_LOCK=" + lock.string()}), 0u);
  EXPECT_FALSE(fs::exists(dir_.path() / "ours" / "a.o"));
}

TEST_F(CompilerTest, OfOneModuleTheKindThatIsAskedForIsMade) {
  for (const char* kind : {"-O3", "-emit-llvm", "-emit-llvm", "-Oz", "-emit-llvm"}) {
    EXPECT_EQ(ours({"-Oz", kind, "-c", "a.c", "-o", "a"}).exit_code, 0);
    const bool bitcode = kind == std::string("-emit-llvm");
    EXPECT_TRUE(readFile(dir_.path() / "ours" / "a")->starts_with(bitcode ? "BC" : "\x7f"));
  }
}

TEST_F(CompilerTest, ALockedBuildTakesNothingFromTheCache) {
  ASSERT_EQ(ours({"-Oz", "-c", "a.c"}).exit_code, 0);
  const std::string object = *readFile(dir_.path() / "ours" / "a.o");
  Cache cache = *Cache::open(dir_.path() / "cache", 1 << 20);
  const fs::path lock = dir_.path() / "ours" / "ordo.lock";
  const Result<recipe::Lock> locked = lockFrom(lines(), cache, lock);
  ASSERT_TRUE(locked && writeFile(lock, recipe::writeLock(*locked)));
  // Whoever has got a wrong object into the cache, and its hash as well.
  Database database = *Database::open(dir_.path() / "cache" / "builds.sqlite", Database::Access::kWrite);
  Result<Statement> keys = database.prepare("SELECT key FROM object_v2");
  ASSERT_TRUE(keys && *keys->row());
  ASSERT_TRUE(cache.storeObject(keys->text(0), "wrong"));
  EXPECT_EQ(ours({"-Oz", "-c", "a.c"}, {"ORDO_LOCK=" + lock.string()}).exit_code, 0);
  EXPECT_EQ(*readFile(dir_.path() / "ours" / "a.o"), object);
}

TEST_F(CompilerTest, CodeForAnotherMachineIsClangsAlsoInALockedBuild) {
  ASSERT_EQ(ours({"-Oz", "-c", "a.c"}).exit_code, 0);
  Cache cache = *Cache::open(dir_.path() / "cache", 1 << 20);
  const fs::path lock = dir_.path() / "ours" / "ordo.lock";
  const Result<recipe::Lock> locked = lockFrom(lines(), cache, lock);
  ASSERT_TRUE(locked && writeFile(lock, recipe::writeLock(*locked)));
  for (const std::string& variable : {std::string("ORDO_LOCK="), "ORDO_LOCK=" + lock.string()}) {
    EXPECT_EQ(ours({"-Oz", "-m32", "-c", "a.c"}, {variable}).exit_code, 0) << variable;
    EXPECT_EQ(lines().back().outcome, Outcome::kPlain) << lines().back().reason;
    EXPECT_THAT(lines().back().reason, HasSubstr("i386"));
  }
}

// What clang can do, it does.
TEST_F(CompilerTest, TightLimitsAreNoReasonToFail) {
  for (const char* limit : {"-f 16", "-f 64", "-f 8192", "-n 4", "-n 5", "-n 6", "-n 8", "-n 12", "-n 16",
                            "-n 24", "-s 128", "-s 192", "-s 256", "-s 512", "-s 1024"}) {
    for (const char* budget : {"ORDO_BUDGET=0", "ORDO_BUDGET=20ms"}) {
      const auto under = [&](const std::string& compiler) {
        return std::vector<std::string>{
            "/bin/sh", "-c", fmt::format("ulimit {} && exec {} -Oz -c a.c -o l.o", limit, compiler)};
      };
      const ProcessResult plain = run("plain", under("clang-22"));
      const ProcessResult result = run("ours", under(std::string(ORDO_BIN_DIR) + "/ordo-cc"), {budget});
      if (plain.ok()) EXPECT_TRUE(result.ok()) << limit << ": " << result.ending() << ": " << result.err;
    }
  }
}

TEST_F(CompilerTest, NobodyWaitsForAPipe) {
  const fs::path pipe = dir_.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const ProcessResult locked = ours({"-Oz", "-c", "a.c"}, {"ORDO_LOCK=" + pipe.string()});
  EXPECT_NE(locked.exit_code, 0);
  EXPECT_THAT(locked.err, HasSubstr("not a regular file"));
  EXPECT_TRUE(ours({"-Oz", "-c", "a.c"}, {"ORDO_LOG=" + pipe.string()}).ok());
  fs::remove_all(dir_.path() / "cache");
  fs::create_directory(dir_.path() / "cache");
  fs::permissions(dir_.path() / "cache", fs::perms::owner_all);
  for (const char* name : {"builds.sqlite", "builds.jsonl"})
    ASSERT_EQ(::mkfifo((dir_.path() / "cache" / name).c_str(), 0600), 0);
  EXPECT_TRUE(ours({"-Oz", "-c", "a.c"}).ok());
}

TEST_F(CompilerTest, TheTimeOfASearchIsPartOfWhatIsLogged) {
  ASSERT_TRUE(ours({"-Oz", "-c", "a.c"}, {"ORDO_BUDGET=500ms"}).ok());
  // Of half a second a processor's time is spent, unless the machine is busy; the plain compiler takes less.
  EXPECT_GT(lines().back().processor_seconds, 0.1);
  EXPECT_LT(lines().back().processor_seconds, 60);
}

TEST_F(CompilerTest, OptionsOfPassesHoldForClangsObjectAndOurs) {
  for (const char* name : {"plain", "ours"})
    std::ofstream(dir_.path() / name / "p.c")
        << "static int t(int x) { return x * x + 3 * x - (x >> 2); }\n"
           "int f(int a) { return t(a) + t(a + 1); }\nint g(int a) { return t(a - 1); }\n";
  const std::vector<std::string> never{"-Oz", "-mllvm", "-inline-threshold=-100000", "-c", "p.c"};
  for (const char* budget : {"ORDO_BUDGET=0", "ORDO_BUDGET=0", "ORDO_BUDGET=20ms"}) {
    std::vector<std::string> plain{"clang-22"};
    plain.insert(plain.end(), never.begin(), never.end());
    run("plain", plain);
    const double own = static_cast<double>(bytesOf(*readFile(dir_.path() / "plain" / "p.o"))->text);
    EXPECT_TRUE(ours(never, {budget}).ok());
    const LogLine line = lines().back();
    EXPECT_TRUE(line.outcome == Outcome::kTuned || line.outcome == Outcome::kCached) << line.reason;
    EXPECT_EQ(line.baseline, own) << budget;
    EXPECT_LE(line.tuned, own) << budget;
  }
  // Another module to the cache, since another object to clang.
  EXPECT_TRUE(ours({"-Oz", "-c", "p.c"}).ok());
  EXPECT_EQ(lines().back().outcome, Outcome::kTuned);
  for (const char* other : {"-time-passes", "-inline-threshold=x", "-enable-machine-outliner=always"}) {
    ours({"-Oz", "-mllvm", other, "-c", "p.c"});
    if (other != std::string("-inline-threshold=x"))
      EXPECT_EQ(lines().back().outcome, Outcome::kPlain) << other;
  }
}

TEST_F(CompilerTest, VariablesThatChangeClangsCommandAreClangs) {
  EXPECT_EQ(ours({"-Oz", "-c", "a.c"}, {"CCC_OVERRIDE_OPTIONS=# +-g"}).exit_code, 0);
  EXPECT_EQ(lines().back().outcome, Outcome::kPlain);
  EXPECT_THAT(lines().back().reason, HasSubstr("CCC_OVERRIDE_OPTIONS"));
}

TEST_F(CompilerTest, TheObjectIsNeverLargerAndTheSameWhenWarm) {
  run("plain", {"clang-22", "-Oz", "-c", "a.c"});
  std::string first;
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(ours({"-Oz", "-c", "a.c"}).exit_code, 0);
    const std::string object = *readFile(dir_.path() / "ours" / "a.o");
    EXPECT_LE(bytesOf(object)->text, bytesOf(*readFile(dir_.path() / "plain" / "a.o"))->text);
    if (i == 0) first = object;
    EXPECT_EQ(object, first);
  }
  ASSERT_EQ(lines().size(), 3u);
  EXPECT_EQ(lines()[0].outcome, Outcome::kTuned) << lines()[0].reason;
  EXPECT_EQ(lines()[2].outcome, Outcome::kCached);
  EXPECT_EQ(lines()[2].tuned, bytesOf(first)->text);
  EXPECT_EQ(lines()[2].source, (dir_.path() / "ours" / "a.c").string());
}

TEST_F(CompilerTest, WhatIsTriedBesideIsWhatItsRecipeMakes) {
  fs::copy(fs::path(ORDO_SOURCE_DIR) / "suite" / "regex" / "regex.c", dir_.path() / "ours" / "r.c");
  for (const std::string flag : {"-g", "-ffunction-sections", "-fno-pic", "-march=x86-64-v3", "-gz"}) {
    SCOPED_TRACE(flag);
    const std::vector<std::string> may{"ORDO_LIMIT=code_bytes=any"};  // of some its text shrinks alone
    EXPECT_EQ(ours({"-Oz", flag, "-c", "r.c"}, may).exit_code, 0);
    ASSERT_EQ(lines().back().outcome, Outcome::kTuned) << lines().back().reason;
    ASSERT_LT(lines().back().tuned, lines().back().baseline);
    const std::string beside = *readFile(dir_.path() / "ours" / "r.o");
    // Without the object, clang carries out the recipe.
    Result<Database> cache =
        Database::open(dir_.path() / "cache" / "builds.sqlite", Database::Access::kWrite);
    ASSERT_TRUE(cache && cache->run("DELETE FROM object_v2"));
    EXPECT_EQ(ours({"-Oz", flag, "-c", "r.c"}, may).exit_code, 0);
    EXPECT_EQ(lines().back().outcome, Outcome::kCached);
    EXPECT_EQ(*readFile(dir_.path() / "ours" / "r.o"), beside);
  }
}

TEST_F(CompilerTest, WhatIsTriedBesideMayFailWithoutHarm) {
  ASSERT_EQ(ours({"-Oz", "-c", "a.c"}).exit_code, 0);  // remembers what is tried
  int number = 0;
  for (const auto& [pass, reason] :
       {std::pair("trigger-crash-module", "ended without a word"),
        std::pair("trigger-verifier-error", "not a valid program"), std::pair("no-such-pass", "no-such-pass"),
        std::pair("internalize", "g")}) {
    SCOPED_TRACE(pass);
    const std::string order = recipe::writeOrder({{{pass, notation::kPipeline, pass}}, notation::write({})});
    Result<Database> cache =
        Database::open(dir_.path() / "cache" / "builds.sqlite", Database::Access::kWrite);
    ASSERT_TRUE(cache);
    Result<Statement> keys = cache->prepare("SELECT key FROM target_v3 WHERE text LIKE '%actions%'");
    ASSERT_TRUE(keys && *keys->row());
    ASSERT_TRUE(Cache::open(dir_.path() / "cache", 1 << 30)->storeNote(keys->text(0), order));
    for (const char* name : {"plain", "ours"})
      std::ofstream(dir_.path() / name / "b.c") << "int g(int x) { return x + " << number << "; }\n";
    ++number;
    expectSame({"-Oz", "-c", "b.c", "-o", "b.o"});
    EXPECT_EQ(*readFile(dir_.path() / "ours" / "b.o"), *readFile(dir_.path() / "plain" / "b.o"));
    EXPECT_EQ(lines().back().outcome, Outcome::kTuned);
    EXPECT_EQ(lines().back().tuned, lines().back().baseline);
    EXPECT_THAT(lines().back().reason, HasSubstr(reason));
  }
  for (const auto& entry : fs::directory_iterator(dir_.path() / "ours"))
    EXPECT_NE(entry.path().extension(), ".tmp") << entry.path();
}

TEST_F(CompilerTest, AWarningOfTheCodeGeneratorIsGivenAgain) {
  for (const char* name : {"plain", "ours"}) {
    std::ofstream(dir_.path() / name / "w.c") << "void use(char*); void f(void) { char b[999]; use(b); }\n";
  }
  for (int i = 0; i < 3; ++i) expectSame({"-Oz", "-Wframe-larger-than=100", "-c", "w.c"});
  EXPECT_THAT(ours({"-Oz", "-Wframe-larger-than=100", "-c", "w.c"}).err, HasSubstr("stack frame size"));
}

// What is said of code is said of clang's own: cold, warm, with a search, and locked.
TEST_F(CompilerTest, WhatMayBeReportedIsClangs) {
  for (const char* name : {"plain", "ours"}) {
    std::ofstream(dir_.path() / name / "w.c")
        << "void use(char*); int f(int n) { char b[999]; use(b); return b[n]; }\n"
           "void gone(void) __attribute__((warning(\"it remains\")));\n"
           "void g(int* a, int n) {\n#ifdef LOOP\n#pragma clang loop vectorize(enable)\n#endif\n"
           "  for (int i = 0; i < n && a[i]; i++) a[i + 1] = a[i] * 3;\n#ifdef CALL\n  if (n) "
           "gone();\n#endif\n}\n";
  }
  for (const char* flag : {"-Wframe-larger-than=100", "-Wframe-larger-than=1006", "-DLOOP", "-DCALL"}) {
    const std::vector<std::string> command{"-Oz", flag, "-c", "w.c"};
    const std::string plain = run("plain", {"clang-22", "-Oz", flag, "-c", "w.c"}).err;
    for (const char* budget : {"ORDO_BUDGET=0", "ORDO_BUDGET=0", "ORDO_BUDGET=20ms", "ORDO_BUDGET=20ms"})
      EXPECT_EQ(ours(command, {budget}).err, plain) << flag << " " << budget;
    EXPECT_EQ(*readFile(dir_.path() / "ours" / "w.o"), *readFile(dir_.path() / "plain" / "w.o")) << flag;
  }
}

TEST_F(CompilerTest, WhatWasDecidedIsAmongTheRemarks) {
  for (int i = 0; i < 2; ++i) {  // cold and warm
    EXPECT_EQ(ours({"-Oz", "-fsave-optimization-record", "-c", "a.c"}).exit_code, 0);
    const ProcessResult counted =
        run("ours", {"llvm-remarkutil-22", "count", "--pass-name=ordo", "a.opt.yaml"});
    EXPECT_EQ(counted.out, "Source,Count\na.c,1\n") << counted.err;
    // The passes of the recipe have said what they did, too.
    EXPECT_THAT(*readFile(dir_.path() / "ours" / "a.opt.yaml"), HasSubstr("Function:        g"));
  }
  EXPECT_EQ(lines().back().outcome, Outcome::kCached) << lines().back().reason;
}

TEST_F(CompilerTest, ARecordedCompilationIsPlainAndKeepsItsModule) {
  run("plain", {"clang-22", "-Oz", "-c", "a.c"});
  const std::string folder = (dir_.path() / "cache").string();
  EXPECT_EQ(ours({"-Oz", "-c", "a.c"}, {"ORDO_RECORD=" + folder}).exit_code, 0);
  EXPECT_EQ(*readFile(dir_.path() / "ours" / "a.o"), *readFile(dir_.path() / "plain" / "a.o"));
  EXPECT_EQ(lines().back().outcome, Outcome::kPlain);
  EXPECT_EQ(lines().back().command, (std::vector<std::string>{"clang-22", "-Oz", "-c", "a.c"}));
  EXPECT_TRUE(fs::exists(dir_.path() / "cache" / (lines().back().key + ".bc")));
}

TEST_F(CompilerTest, OtherLevelsAreLeftAloneAndSaySo) {
  expectSame({"-O2", "-c", "a.c"});
  EXPECT_EQ(*readFile(dir_.path() / "ours" / "a.o"), *readFile(dir_.path() / "plain" / "a.o"));
  ASSERT_EQ(lines().size(), 1u);
  EXPECT_EQ(lines()[0].outcome, Outcome::kPlain);
  EXPECT_THAT(lines()[0].reason, HasSubstr("ORDO_OBJECTIVE"));
  EXPECT_EQ(ours({"-O2", "-c", "a.c"}, {"ORDO_OBJECTIVE=ir_instructions"}).exit_code, 0);
  EXPECT_EQ(lines()[1].objective, "ir_instructions") << lines()[1].reason;
}

TEST_F(CompilerTest, FlagsThatNoSearchSeesAreNoTrouble) {
  expectSame({"-Oz", "-femulated-tls", "-c", "a.c"});
  EXPECT_EQ(*readFile(dir_.path() / "ours" / "a.o"), *readFile(dir_.path() / "plain" / "a.o"));
  EXPECT_EQ(lines().back().outcome, Outcome::kPlain);
  EXPECT_THAT(lines().back().reason, HasSubstr("-femulated-tls"));
}

TEST_F(CompilerTest, DisabledItIsClang) {
  run("plain", {"clang-22", "-Oz", "-c", "a.c"});
  EXPECT_EQ(ours({"-Oz", "-c", "a.c"}, {"ORDO_DISABLE=1"}).exit_code, 0);
  EXPECT_EQ(*readFile(dir_.path() / "ours" / "a.o"), *readFile(dir_.path() / "plain" / "a.o"));
  EXPECT_FALSE(fs::exists(dir_.path() / "cache"));
}

TEST_F(CompilerTest, TroubleGivesThePlainObjectAndALine) {
  run("plain", {"clang-22", "-Oz", "-c", "a.c"});
  const std::string plain = *readFile(dir_.path() / "plain" / "a.o");
  // A cache that cannot be; data that is not there; an objective that nobody knows.
  std::ofstream(dir_.path() / "file") << "x";
  const std::string log = "ORDO_LOG=" + (dir_.path() / "cache" / "builds.jsonl").string();
  for (const std::string& trouble :
       {"ORDO_CACHE=" + (dir_.path() / "file").string(), std::string("ORDO_DATA=/nowhere"),
        std::string("ORDO_OBJECTIVE=beauty")}) {
    fs::remove(dir_.path() / "ours" / "a.o");
    const ProcessResult result = ours({"-Oz", "-c", "a.c"}, {trouble, log});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(*readFile(dir_.path() / "ours" / "a.o"), plain);
    EXPECT_EQ(lines().back().outcome, Outcome::kFallback) << trouble;
    EXPECT_NE(lines().back().reason, "");
  }
}

TEST_F(CompilerTest, WithoutThePluginTheObjectIsPlainAndWarningsComeOnce) {
  const ProcessResult plain = run("plain", {"clang-22", "-Oz", "-Wall", "-c", "a.c"});
  // A copy elsewhere, which finds something else in the place of its plugin.
  fs::create_directories(dir_.path() / "bin");
  fs::create_directories(dir_.path() / "lib");
  fs::copy(std::string(ORDO_BIN_DIR) + "/ordo-cc", dir_.path() / "bin" / "ordo-cc");
  std::ofstream(dir_.path() / "lib" / "libordo-plugin.so") << "nonsense";
  const ProcessResult result =
      run("ours", {(dir_.path() / "bin" / "ordo-cc").string(), "-Oz", "-Wall", "-c", "a.c"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, testing::EndsWith(plain.err));
  EXPECT_EQ(*readFile(dir_.path() / "ours" / "a.o"), *readFile(dir_.path() / "plain" / "a.o"));
  EXPECT_EQ(lines().back().outcome, Outcome::kFallback);
}

TEST_F(CompilerTest, AnotherCompilerIsLaunchedAsItIs) {
  const std::string launch = std::string(ORDO_BIN_DIR) + "/ordo-launch";
  EXPECT_EQ(run("ours", {launch, "sh", "-c", "exit 7"}).exit_code, 7);
  EXPECT_EQ(run("ours", {launch, "clang-22", "-Oz", "-c", "a.c"}).exit_code, 0);
  EXPECT_EQ(lines().back().outcome, Outcome::kTuned) << lines().back().reason;
  EXPECT_EQ(run("ours", {launch}).exit_code, 64);
}

}  // namespace
}  // namespace ordo::builds
