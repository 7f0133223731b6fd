// Options go by the name that all of their spellings stand for (frontend/options.h), and "-fno-x" by that of
// "-fx". What an option does to code need not be known here: it is part of the key of what is made, and
// clang's driver is asked about it (builds/target.h). It must not read or write files, and what it makes
// must be an object.
#include "builds/understood.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "notation/pass_options.h"

namespace ordo::builds {
namespace {

using frontend::Argument;

template <std::size_t N>
bool isOneOf(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::ranges::find(words, word) != words.end();
}

// clang-format off
constexpr auto kFrontEnd = std::to_array<std::string_view>({
    // What is included and defined, and where from. What came of it is in the module.
    "-D", "-U", "-I", "-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-isystem-after",
    "-cxx-isystem", "-stdlib++-isystem", "-iprefix", "-iwithprefix", "-iwithprefixbefore", "-isysroot",
    "-iwithsysroot", "--sysroot=", "-nostdinc", "-nostdinc++", "-nostdlibinc", "-nobuiltininc", "-undef",
    "-std=", "-ansi", "-ftrigraphs", "--embed-dir=", "-resource-dir=", "-resource-dir", "--gcc-toolchain=",
    "--gcc-install-dir=", "-B",
    // How paths are written there.
    "-fdebug-compilation-dir=", "-ffile-compilation-dir=", "-fdebug-prefix-map=", "-ffile-prefix-map=",
    "-fmacro-prefix-map=",
    // Dependency files, which clang writes before there is a module.
    "-MD", "-MMD", "-MF", "-MT", "-MQ", "-MP", "-MV",
    // Messages. What depends on the code has its mark in the module (llvm/ir/spoken.h).
    "-W", "-Wall", "-Wdeprecated", "-Wno-deprecated", "-Wsystem-headers", "-Wno-system-headers",
    "-Wwrite-strings", "-Wno-write-strings", "-Winvalid-constexpr", "-Wno-invalid-constexpr",
    "-Wlarge-by-value-copy=", "-Wlarger-than=", "-Wframe-larger-than=", "-w", "-pedantic", "-pedantic-errors",
    "-no-pedantic", "-Qunused-arguments", "--start-no-unused-arguments", "--end-no-unused-arguments",
    "-fcolor-diagnostics", "-fansi-escape-codes", "-fcaret-diagnostics", "-fdiagnostics-absolute-paths",
    "-fdiagnostics-color=", "-fdiagnostics-fixit-info", "-fdiagnostics-format=", "-fdiagnostics-parseable-fixits",
    "-fdiagnostics-print-source-range-info", "-fdiagnostics-show-category=", "-fdiagnostics-show-line-numbers",
    "-fdiagnostics-show-note-include-stack", "-fdiagnostics-show-option", "-fdiagnostics-show-template-tree",
    "-fno-elide-type", "-ferror-limit=", "-fmacro-backtrace-limit=", "-ftemplate-backtrace-limit=",
    "-fconstexpr-backtrace-limit=", "-fcaret-diagnostics-max-lines=", "-fspell-checking",
    "-fspell-checking-limit=", "-fmessage-length=", "-fshow-column", "-fshow-source-location",
    "-fshow-overloads=", "-ftabstop=",
    // How the work is done; a seed is GCC's.
    "-pipe", "-frandom-seed="});

// -fNAME and -fno-NAME.
constexpr auto kCode = std::to_array<std::string_view>({
    "-fPIC", "-fpic", "-fPIE", "-fpie", "-fplt", "-fsemantic-interposition", "-fdirect-access-external-data",
    // The language.
    "-faccess-control", "-faligned-allocation", "-fasm", "-fasm-blocks", "-fassume-sane-operator-new",
    "-fassume-unique-vtables", "-fassume-nothrow-exception-dtor", "-fblocks", "-fborland-extensions", "-fbuiltin",
    "-fc++-static-destructors", "-fchar8_t", "-fcheck-new", "-fcommon", "-fcoroutines", "-fcoro-aligned-allocation",
    "-fcxx-exceptions", "-fdeclspec", "-fdefault-inline", "-fdelayed-template-parsing", "-fdigraphs",
    "-fdollars-in-identifiers", "-fdouble-square-bracket-attributes", "-felide-constructors", "-fexceptions",
    "-fextended-identifiers", "-ffor-scope", "-fforce-enable-int128", "-ffreestanding", "-ffriend-injection",
    "-fgnu-inline-asm", "-fgnu-keywords", "-fgnu89-inline", "-fhosted", "-fimplicit-templates",
    "-fimplement-inlines", "-fkeep-inline-functions", "-flax-vector-conversions", "-fms-compatibility",
    "-fms-extensions", "-fnew-infallible", "-fno-knr-functions", "-fnon-call-exceptions", "-foperator-names",
    "-fpack-struct", "-fpascal-strings", "-fraw-string-literals", "-frtti", "-frtti-data",
    "-fshort-enums", "-fshort-wchar", "-fsigned-bitfields", "-fsigned-char", "-fsized-deallocation",
    "-fstrict-enums", "-fthreadsafe-statics", "-funsigned-bitfields", "-funsigned-char",
    "-fuse-cxa-atexit", "-fvisibility-global-new-delete-hidden", "-fvisibility-inlines-hidden",
    "-fvisibility-inlines-hidden-static-local-var", "-fvisibility-ms-compat", "-fwritable-strings",
    "-fexperimental-library", "-fregister-global-dtors-with-atexit", "-funsigned-char", "-fopenmp-simd",
    // Arithmetic.
    "-fapprox-func", "-fassociative-math", "-fcx-fortran-rules", "-fcx-limited-range", "-ffast-math",
    "-ffinite-math-only", "-ffloat-store", "-fhonor-infinities", "-fhonor-nans", "-fmath-errno",
    "-fprotect-parens", "-freciprocal-math", "-frounding-math", "-fsignaling-math", "-fsignaling-nans",
    "-fsigned-zeros", "-fsingle-precision-constant", "-fstrict-float-cast-overflow", "-ftrapping-math",
    "-funsafe-math-optimizations", "-fstrict-overflow", "-ftrapv", "-fwrapv", "-fwrapv-pointer",
    // What may be assumed, and what is made.
    "-faddrsig", "-falign-functions", "-falign-jumps", "-falign-labels", "-falign-loops",
    "-fasynchronous-unwind-tables", "-fcf-protection", "-fdata-sections", "-fdelete-null-pointer-checks",
    "-fdwarf2-cfi-asm", "-fdwarf-directory-asm", "-femit-all-decls", "-femulated-tls", "-ffinite-loops",
    "-fforce-emit-vtables", "-ffunction-sections", "-fjump-tables", "-fkeep-static-consts",
    "-fkeep-persistent-storage-variables", "-fmerge-all-constants", "-fmerge-constants",
    "-fomit-frame-pointer", "-foptimize-sibling-calls", "-fpcc-struct-return", "-freg-struct-return",
    "-fseparate-named-sections", "-fsplit-stack", "-fstack-check", "-fstack-clash-protection",
    "-fstack-protector", "-fstack-protector-all", "-fstack-protector-strong", "-fstack-size-section",
    "-fstrict-aliasing", "-fstrict-return", "-fstrict-vtable-pointers", "-fstruct-path-tbaa", "-fpointer-tbaa",
    "-funique-section-names", "-funique-internal-linkage-names", "-funwind-tables", "-fuse-init-array",
    "-fverbose-asm", "-fzero-initialized-in-bss", "-Qy", "-Qn", "-fno-lto",
    // Passes.
    "-fexpensive-optimizations", "-finline", "-finline-functions", "-finline-hint-functions",
    "-finline-small-functions", "-finline-functions-called-once", "-floop-interchange", "-fslp-vectorize",
    "-funroll-all-loops", "-funroll-loops", "-fvectorize",
    // GCC's, which clang takes and does not heed.
    "-fbranch-count-reg", "-fcaller-saves", "-fdefer-pop", "-fdevirtualize", "-fdevirtualize-speculatively",
    "-feliminate-unused-debug-symbols", "-feliminate-unused-debug-types", "-fgcse",
    "-fgcse-after-reload", "-fgcse-las", "-fgcse-sm", "-fipa-cp", "-fivopts", "-fmodulo-sched",
    "-fmodulo-sched-allow-regmoves", "-fpeel-loops", "-fprefetch-loop-arrays", "-frename-registers",
    "-freorder-blocks", "-fsched-interblock", "-fschedule-insns", "-fschedule-insns2", "-fsee",
    "-fstrength-reduce", "-ftracer", "-ftree-dce", "-ftree-salias", "-ftree-ter",
    "-ftree-vrp", "-funit-at-a-time", "-funsafe-loop-optimizations", "-funswitch-loops",
    "-fuse-linker-plugin", "-fvariable-expansion-in-unroller", "-fvect-cost-model", "-fweb",
    "-fno-var-tracking"});

constexpr auto kCodeWithValue = std::to_array<std::string_view>({
    "-falign-functions=", "-falign-jumps=", "-falign-labels=", "-falign-loops=", "-faligned-new=",
    "-fbracket-depth=", "-fc++-abi=", "-fc++-static-destructors=", "-fcf-protection=", "-fclang-abi-compat=",
    "-fcomplex-arithmetic=", "-fconstexpr-depth=", "-fconstexpr-steps=",
    "-fdebug-default-version=", "-fdenormal-fp-math=", "-femit-dwarf-unwind=",
    "-fexcess-precision=", "-fexec-charset=",
    "-ffp-contract=", "-ffp-eval-method=", "-ffp-exception-behavior=", "-ffp-model=", "-fgnuc-version=",
    "-finline-limit=", "-finline-max-stacksize=", "-finput-charset=", "-flax-vector-conversions=",
    "-fmax-type-align=", "-fms-compatibility-version=", "-fnew-alignment=",
    "-fno-builtin-", "-foperator-arrow-depth=", "-fpack-struct=", "-fpatchable-function-entry=",
    "-fstrict-flex-arrays=", "-ftemplate-depth=", "-ftls-model=", "-ftrap-function=",
    "-ftrivial-auto-var-init-max-size=", "-ftrivial-auto-var-init-stop-after=", "-ftrivial-auto-var-init=",
    "-fvisibility-global-new-delete=", "-fvisibility=", "-fzero-call-used-regs=", "--param", "-stdlib=",
    "--target=", "-pthread", "-no-pthread", "-rtlib=", "-unwindlib="});

// Where a link begins. Clang says that it has no use for them.
constexpr auto kLink = std::to_array<std::string_view>({
    "-L", "-l", "-Wl,", "-Xlinker", "-fuse-ld=", "-pie", "-no-pie", "-nopie", "-shared", "-static",
    "-static-pie", "-static-libgcc", "-static-libstdc++", "-shared-libgcc", "-rdynamic", "-s", "-nostdlib",
    "-nostdlib++", "-nodefaultlibs", "-nostartfiles", "-nolibc", "-rpath", "-u", "-z", "-T", "-e"});

// -g, and what it may be followed by. What is not here writes files of its own or another format.
constexpr auto kDebug = std::to_array<std::string_view>({
    "-g", "-g0", "-g1", "-g2", "-g3", "-ggdb", "-ggdb0", "-ggdb1", "-ggdb2", "-ggdb3", "-glldb", "-gdwarf",
    "-gdwarf-2", "-gdwarf-3", "-gdwarf-4", "-gdwarf-5", "-gdwarf32", "-gdwarf64", "-gline-tables-only",
    "-gline-directives-only", "-gcolumn-info", "-gno-column-info", "-gstrict-dwarf", "-gno-strict-dwarf",
    "-gno-record-command-line", "-gz", "-gz=", "-gpubnames", "-gno-pubnames", "-ggnu-pubnames",
    "-gno-gnu-pubnames", "-ginline-line-tables", "-gno-inline-line-tables", "-gno-split-dwarf", "-gfull",
    "-gused", "-fdebug-macro", "-fdebug-types-section", "-fdebug-info-for-profiling",
    "-fdebug-ranges-base-address", "-fstandalone-debug", "-fsplit-dwarf-inlining"});

// Options that begin with -m and are not about code, but about what else is read, linked and done.
constexpr auto kNotMachine = std::to_array<std::string_view>({
    "-mllvm", "-mmlir", "-multi-lib-config=", "-multiply_defined", "-multiply_defined_unused", "-mlinker-version=",
    "-module-dependency-dir", "-moslib=", "-mincremental-linker-compatible", "-mconsole", "-mdll", "-municode",
    "-mwindows", "-mthreads"});

// The sanitizers that the front end alone puts in.
constexpr auto kSanitizers = std::to_array<std::string_view>({
    "undefined", "alignment", "bool", "bounds", "array-bounds", "enum", "float-cast-overflow",
    "float-divide-by-zero", "function", "integer", "integer-divide-by-zero", "null", "pointer-overflow",
    "return", "shift", "signed-integer-overflow", "unreachable", "unsigned-integer-overflow", "vla-bound",
    "vptr"});
constexpr auto kSanitize = std::to_array<std::string_view>({
    "-fsanitize=", "-fno-sanitize=", "-fsanitize-trap=", "-fno-sanitize-trap=", "-fsanitize-recover=",
    "-fno-sanitize-recover="});
// clang-format on

// As isOneOf(), and "-fno-x" where there is "-fx".
template <std::size_t N>
bool hasEither(std::string_view name, const std::array<std::string_view, N>& words) {
  constexpr std::string_view kNo = "-fno-";
  if (isOneOf(name, words)) return true;
  return name.starts_with(kNo) && isOneOf("-f" + std::string(name.substr(kNo.size())), words);
}

// What -Wp, hands to the preprocessor: macros, and dependency files in its own spelling.
bool isPreprocessing(const std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "-MD" || words[i] == "-MMD") {
      ++i;  // the file
    } else if (!(words[i].size() > 2 && (words[i].starts_with("-D") || words[i].starts_with("-U"))) &&
               words[i] != "-MP") {
      return false;
    }
  }
  return true;
}

bool all(const std::vector<std::string>& values, auto&& is) { return std::ranges::all_of(values, is); }

}  // namespace

std::optional<Meaning> meaningOf(const Argument& argument) {
  if (argument.option == nullptr || !argument.complete) return std::nullopt;
  const std::string_view name = argument.option->canonical;
  if (name == "-c") return Meaning::kCompile;
  if (name == "-o") return Meaning::kOutput;
  if (name == "-x") return Meaning::kLanguage;
  if (name == "-O" || name == "-O0" || name == "-O4" || name == "-Ofast") return Meaning::kLevel;
  if (name == "-fsave-optimization-record" || name == "-foptimization-record-file=") return Meaning::kRemarks;
  if (name == "-fsave-optimization-record=")
    return argument.values[0] == "yaml" ? std::optional(Meaning::kRemarks) : std::nullopt;
  if (hasEither(name, kFrontEnd)) return Meaning::kFrontEnd;
  if (isOneOf(name, kLink)) return Meaning::kLink;
  if (name == "-Wp,")
    return isPreprocessing(argument.values) ? std::optional(Meaning::kFrontEnd) : std::nullopt;
  const bool code =
      hasEither(name, kCode) || isOneOf(name, kCodeWithValue) || hasEither(name, kDebug) ||
      (name.starts_with("-m") && !isOneOf(name, kNotMachine)) ||
      (name == "-mllvm" && notation::isPassOption(argument.values[0])) ||
      (name == "-Wa," && all(argument.values, [](const auto& word) { return word == "--noexecstack"; })) ||
      (isOneOf(name, kSanitize) &&
       all(argument.values, [](const auto& word) { return isOneOf(word, kSanitizers); })) ||
      // As it is without; its opposite is another program's work.
      name == "-fintegrated-as";
  return code ? std::optional(Meaning::kCode) : std::nullopt;
}

}  // namespace ordo::builds
