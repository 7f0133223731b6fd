#include "agent/permissions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/files.h"

namespace ordo::agent {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class PermissionsTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(root() / "inc");
    fs::create_directories(outside() / "inc");
    write(root() / "a.c", "#include \"a.h\"\nint f(void) { return A; }\n");
    write(root() / "inc/a.h", "#define A 1\n");
    write(outside() / "secret.h", "#define SECRET 1\n");
    write(outside() / "b.c", "int f;\n");
  }

  fs::path root() const { return dir_.path() / "root"; }
  fs::path outside() const { return dir_.path() / "outside"; }
  static void write(const fs::path& file, std::string_view text) { ASSERT_TRUE(writeFile(file, text)); }

  std::string refusal(const std::string& file, const std::vector<std::string>& flags = {}) const {
    const Result<datasets::Program> program = permissions_.program(file, flags);
    return program ? "" : program.error().message;
  }
  std::string refusedFlag(const std::vector<std::string>& flags) const {
    return refusal((root() / "a.c").string(), flags);
  }

  const TempDir dir_ = *TempDir::create();
  const Permissions permissions_ = [this] {
    fs::create_directories(root());
    return *Permissions::within({root()});
  }();
};

TEST_F(PermissionsTest, AFileBelowARootMayBeOpened) {
  EXPECT_EQ(
      refusal((root() / "a.c").string(), {"-I" + (root() / "inc").string(), "-DX=1", "-std=c11", "-Wall"}),
      "");
  // Relative names are below the root, too.
  EXPECT_EQ(refusal("a.c", {"-I" + (root() / "inc").string()}), "");
  EXPECT_EQ(refusal("suite/crc32"), "");
}

TEST_F(PermissionsTest, NoOtherFileMay) {
  for (const std::string& file :
       {(outside() / "b.c").string(), (root() / "../outside/b.c").string(), std::string("/etc/passwd"),
        std::string("../outside/b.c"), "file:" + (root() / "a.c").string(), "dir:" + root().string(),
        std::string("compilergym/cbench-v1/crc32")})
    EXPECT_NE(refusal(file), "") << file;
  // Links are what they lead to.
  fs::create_symlink(outside() / "b.c", root() / "link.c");
  EXPECT_THAT(refusal((root() / "link.c").string()), HasSubstr("outside of the roots"));
  fs::create_directory_symlink(outside(), root() / "linked");
  EXPECT_THAT(refusal((root() / "linked/b.c").string()), HasSubstr("outside of the roots"));
}

TEST_F(PermissionsTest, AFileThatIsNotThereIsSaidToBeMissingAndNotOutside) {
  for (const std::string& file : {std::string("no.c"), std::string("inc/no.c"), (root() / "no.c").string(),
                                  std::string("no/such/folder/x.c"), std::string("no")})
    EXPECT_THAT(refusal(file), HasSubstr("no such file: " + file)) << file;
  const Result<datasets::Program> program = permissions_.program("no.c", {});
  EXPECT_EQ(program.error().code, ErrorCode::kNotFound);
  // Outside nothing is said of what is there.
  for (const char* name : {"b.c", "no.c"}) {
    EXPECT_THAT(refusal((outside() / name).string()), HasSubstr("outside of the roots")) << name;
    EXPECT_THAT(refusal(fmt::format("../outside/{}", name)), HasSubstr("outside of the roots")) << name;
  }
}

TEST_F(PermissionsTest, FlagsAreAllowedByAList) {
  for (const std::vector<std::string>& flags :
       std::vector<std::vector<std::string>>{{"-fplugin=/tmp/x.so"},
                                             {"-fpass-plugin=/tmp/x.so"},
                                             {"-Xclang", "-load", "-Xclang", "/tmp/x.so"},
                                             {"-mllvm", "-load=/tmp/x.so"},
                                             {"-B/tmp"},
                                             {"-specs=/tmp/x"},
                                             {"@/tmp/x"},
                                             {"-wrapper", "/bin/sh"},
                                             {"-o", "/tmp/x"},
                                             {"-MD"},
                                             {"-MF", "/tmp/x"},
                                             {"-save-temps"},
                                             {"--sysroot=/tmp"},
                                             {"-isysroot", "/tmp"},
                                             {"-Wa,-I/etc"},
                                             {"-Wp,-MD,/tmp/x"},
                                             {"-Wl,-T,/tmp/x"},
                                             {"-fuse-ld=/tmp/ld"},
                                             {"-fprofile-use=/tmp/x"},
                                             {"-fmodules"},
                                             {"-ftime-trace"},
                                             {"--config=/tmp/x"},
                                             {"-resource-dir", "/tmp"},
                                             {"-resource-dir=/tmp"},
                                             {"-B/tmp"},
                                             {"--gcc-toolchain=/tmp"},
                                             {"--gcc-install-dir=/tmp"},
                                             {"-mllvm", "-pgo-test-profile-file=/tmp/x"},
                                             {"-fno-integrated-as"},
                                             {"-include-pch", "/tmp/x"},
                                             {"-ivfsoverlay", "/tmp/x"},
                                             {"-working-directory", "/etc"},
                                             {"-cc1"},
                                             {"-x", "ir"},
                                             {"b.c"},
                                             {"-"},
                                             {"--"},
                                             {""},
                                             {"-E"},
                                             {"-S"},
                                             {"-###"},
                                             {"-dumpdir", "/tmp"},
                                             {"--embed-dir=/etc"},
                                             {"-fdebug-prefix-map=a=b"},
                                             {"-idirafter", "=/etc"}})
    EXPECT_NE(refusedFlag(flags), "") << flags.front();
}

TEST_F(PermissionsTest, PathsInFlagsStayBelowTheRoots) {
  for (const char* option : {"-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros"}) {
    EXPECT_THAT(refusedFlag({option, outside().string()}), HasSubstr("leaves the roots")) << option;
    EXPECT_THAT(refusedFlag({option, "../outside"}), HasSubstr("leaves the roots")) << option;
  }
  EXPECT_THAT(refusedFlag({"-I/etc"}), HasSubstr("leaves the roots"));
}

TEST_F(PermissionsTest, WhatAProgramIncludesIsLookedAt) {
  const std::string secret = (outside() / "secret.h").string();
  write(root() / "include.c", fmt::format("#include \"{}\"\n", secret));
  EXPECT_THAT(refusal((root() / "include.c").string()), HasSubstr("outside of the roots"));
  write(root() / "embed.c", fmt::format("const char x[] = {{\n#embed \"{}\"\n}};\n", secret));
  EXPECT_NE(refusal((root() / "embed.c").string(), {"-std=c23"}), "");
  write(root() / "system.c", "#include <stdio.h>\n#include <stddef.h>\nint f(void) { return 0; }\n");
  EXPECT_EQ(refusal((root() / "system.c").string()), "");
  write(root() / "missing.c", "#include \"nothing.h\"\n");
  EXPECT_THAT(refusal((root() / "missing.c").string()), HasSubstr("does not find 'nothing.h'"));
}

TEST_F(PermissionsTest, NothingOfAFileOutsideIsSaid) {
  write(outside() / "words.txt", "#error the-secret-word\n");
  write(root() / "leak.c", fmt::format("#include \"{}\"\n", (outside() / "words.txt").string()));
  EXPECT_THAT(refusal((root() / "leak.c").string()), testing::Not(HasSubstr("the-secret-word")));
}

TEST_F(PermissionsTest, AProgramFolderIsHeldToTheSame) {
  const auto folder = [&](const char* name, const std::string& more) {
    fs::create_directories(root() / name);
    write(root() / name / "main.c", "int main(void) { return 0; }\n");
    write(root() / name / "program.toml",
          fmt::format(
              "format = 1\nname = \"{}\"\nsummary = \"x\"\nlanguage = \"c\"\nsources = [\"main.c\"]\n{}",
              name, more));
    return (root() / name).string();
  };
  EXPECT_EQ(refusal(folder("good", "ldflags = [\"-lm\"]\n")), "");
  EXPECT_THAT(refusal(folder("plugin", "cflags = [\"-fplugin=/tmp/x.so\"]\n")), HasSubstr("not allowed"));
  EXPECT_THAT(refusal(folder("link", "ldflags = [\"-Wl,-T,/tmp/x\"]\n")), HasSubstr("not allowed"));
  EXPECT_THAT(refusal(folder("library", "ldflags = [\"-l:/tmp/x.so\"]\n")), HasSubstr("not allowed"));
}

TEST_F(PermissionsTest, AssemblyMayHaveNoDirectives) {
  EXPECT_TRUE(permissions_.checkAssembly(
      "define void @f() {\n  call void asm sideeffect \"nop\", \"~{dirflag}\"()\n}"));
  EXPECT_TRUE(permissions_.checkAssembly("@x = constant [9 x i8] c\".incbin \\00\""));
  EXPECT_FALSE(permissions_.checkAssembly("module asm \".incbin \\22/etc/passwd\\22\""));
  EXPECT_FALSE(permissions_.checkAssembly("  call void asm sideeffect \"nop; .INCLUDE \\22x\\22\", \"\"()"));
  EXPECT_FALSE(permissions_.checkAssembly("module asm \".macro m a\""));
  EXPECT_TRUE(Permissions::everything().checkAssembly("module asm \".incbin \\22/etc/passwd\\22\""));
}

// What an assembler is given once alternatives and operands are put in.
TEST_F(PermissionsTest, AssemblyMayNotBecomeADirective) {
  const auto allowed = [&](const std::string& assembly, const std::string& more = "") {
    return permissions_
        .checkAssembly(more + "  call void asm sideeffect alignstack inteldialect \"" + assembly +
                       " \\22/etc/passwd\\22\", \"i,~{dirflag},~{fpsr}\"(ptr @x.y) #1, !srcloc !2\n")
        .has_value();
  };
  EXPECT_FALSE(allowed(".$(incbin$|incbin$)"));
  EXPECT_FALSE(allowed("$(.$|.$)incbin"));
  EXPECT_FALSE(allowed(".${0:P}"));
  EXPECT_FALSE(allowed("lock .$0"));
  EXPECT_FALSE(allowed("nop\\0A.\\09.\\0A.incbin"));
  EXPECT_FALSE(allowed("${:private}oc"));
  EXPECT_TRUE(allowed("jmp .+2\\0A1: nop\\0A jmp 1b; jmp ."));
  EXPECT_TRUE(allowed("rep bsf $1, $0; mov $$0.5, ${2:k}"));

  const std::string operand = "${0:P}";
  EXPECT_TRUE(allowed(operand));
  EXPECT_TRUE(allowed(operand, "@.str.1 = private unnamed_addr constant [2 x i8] c\"x\\00\"\n"));
  EXPECT_TRUE(allowed(operand, "@.compoundliteral.3 = internal global i32 1\n"));
  EXPECT_FALSE(allowed(operand, "@.incbin = external global i8\n"));
  EXPECT_FALSE(allowed(operand, "@\".\" = external global i8\n"));
  EXPECT_FALSE(allowed(operand, "@\"\\01.incbin\" = external hidden global i8\n"));
  EXPECT_FALSE(allowed(operand, "@\".x = private \" = external global i8\n"));
  EXPECT_FALSE(allowed(operand, "declare %\"@t\" @.incbin()\n"));
  EXPECT_TRUE(allowed("nop", "declare void @.incbin()\n"));
}

TEST_F(PermissionsTest, StringsAndNamesAreNoAssembly) {
  EXPECT_TRUE(
      permissions_.checkAssembly("@s = constant [5 x i8] c\"asm \", align 1\n"
                                 "@t = constant [9 x i8] c\"\\22.incbin\\22\""));
  EXPECT_TRUE(permissions_.checkAssembly("!0 = !{!\"asm \", !\".incbin\"}"));
}

TEST_F(PermissionsTest, ThereAreNoBlocksOfAssembly) {
  for (const char* flag : {"-fasm-blocks", "-fms-extensions", "-fms-compatibility"})
    EXPECT_THAT(refusedFlag({"-I" + (root() / "inc").string(), flag}), HasSubstr("is not allowed here"));
  EXPECT_EQ(refusedFlag({"-I" + (root() / "inc").string(), "-fno-ms-extensions"}), "");
}

// What is in a folder "suite" goes before Ordo's own, wherever a client has one.
TEST_F(PermissionsTest, OnlyOrdosOwnSuiteIsTrusted) {
  const fs::path here = fs::current_path();
  fs::create_directories(root() / "suite/evil");
  write(root() / "suite/evil/a.c", "int f;\n");
  write(root() / "suite/evil/program.toml",
        "format = 1\nname = \"evil\"\nsummary = \"s\"\nlanguage = \"c\"\nsource = \"a.c\"\n"
        "cflags = [\"-fplugin=x.so\"]\nldflags = []\n");
  fs::create_symlink(outside(), root() / "suite/peek");
  fs::current_path(root());
  const std::string plugin = refusal("suite/evil"), peek = refusal("suite/peek/b.c");
  const std::string around = refusal("suite/" + (outside() / "b.c").string());
  const std::string up = refusal("suite/../../outside/b.c"), own = refusal("suite/crc32");
  fs::current_path(here);
  EXPECT_THAT(plugin, HasSubstr("'-fplugin=x.so' is not allowed"));
  EXPECT_THAT(peek, HasSubstr("outside of the roots"));
  EXPECT_NE(around, "");
  EXPECT_NE(up, "");
  EXPECT_EQ(own, "");
  // What its flags have included is looked at as well.
  write(root() / "leads.h", "#include \"../outside/secret.h\"\n");
  EXPECT_THAT(refusal("suite/crc32", {"-include", (root() / "leads.h").string()}), HasSubstr("outside"));
  EXPECT_EQ(refusal("suite/crc32", {"-include", (root() / "inc/a.h").string()}), "");
}

TEST_F(PermissionsTest, FilesOfTestsAreBelowTheRootsAndOutputIsNotQuoted) {
  fs::create_directories(root() / "tested");
  for (const char* name : {"a.c", "in", "want"}) write(root() / "tested" / name, "int f;\n");
  write(root() / "tested/program.toml",
        "format = 1\nname = \"tested\"\nsummary = \"s\"\nlanguage = \"c\"\nsource = \"a.c\"\n"
        "cflags = []\nldflags = []\n[[test]]\nname = \"t\"\nargs = []\nstdin = \"in\"\nstdout = \"want\"\n");
  const std::string tested = (root() / "tested").string();
  const Result<datasets::Program> program = permissions_.program(tested, {});
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_FALSE(permissions_.mayQuote(*program));
  EXPECT_TRUE(Permissions::everything().mayQuote(*program));
  EXPECT_TRUE(permissions_.mayQuote(*permissions_.program("suite/crc32", {})));
  for (const char* name : {"in", "want", "program.toml"}) {
    const fs::path file = root() / "tested" / name;
    fs::rename(file, root() / "kept");
    fs::create_symlink(outside() / "b.c", file);
    EXPECT_THAT(refusal(tested), HasSubstr("outside of the roots")) << name;
    fs::remove(file);
    fs::rename(root() / "kept", file);
  }
}

TEST_F(PermissionsTest, FoldersToWriteToAreBelowTheRoots) {
  EXPECT_TRUE(permissions_.folder(root().string()));
  EXPECT_FALSE(permissions_.folder(outside().string()));
  EXPECT_FALSE(permissions_.folder((root() / "..").string()));
  EXPECT_FALSE(permissions_.folder((root() / "none").string()));
  EXPECT_FALSE(permissions_.folder((root() / "a.c").string()));
  EXPECT_TRUE(Permissions::everything().folder(outside().string()));
}

TEST_F(PermissionsTest, RootsCanOnlyBeNarrowed) {
  const auto opens = [&](const Permissions& permissions, const fs::path& file) {
    return permissions.folder(file.string()).has_value();
  };
  const Permissions inner = permissions_.narrowedTo({root() / "inc", outside(), root() / "none"});
  EXPECT_TRUE(opens(inner, root() / "inc"));
  EXPECT_FALSE(opens(inner, root()));
  EXPECT_FALSE(opens(inner, outside() / "inc"));
  // Who may have more keeps what we give.
  EXPECT_TRUE(opens(permissions_.narrowedTo({dir_.path()}), root()));
  EXPECT_FALSE(opens(permissions_.narrowedTo({dir_.path()}), outside()));
  EXPECT_FALSE(opens(permissions_.narrowedTo({}), root()));
}

TEST_F(PermissionsTest, WithoutRootsThereAreOnlyDatasets) {
  const Permissions none = *Permissions::within({});
  EXPECT_FALSE(none.program((root() / "a.c").string(), {}));
  EXPECT_TRUE(none.program("suite/crc32", {}));
  EXPECT_FALSE(none.program("suite/../../etc/passwd", {}));
  EXPECT_FALSE(Permissions::within({root() / "none"}));
}

}  // namespace
}  // namespace ordo::agent
