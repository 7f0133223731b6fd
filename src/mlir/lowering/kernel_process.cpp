// The program reads the inputs from its standard input and writes how long the call took and the outputs to
// its standard output. Memory that the stock lowering asks for on the way comes from the same guarded pages:
// with use-generic-functions it calls the functions below for it.
#include "mlir/lowering/kernel_process.h"

#include <fmt/ranges.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>

#include <cstring>

#include "mlir/lowering/context.h"
#include "mlir/model/transform_text.h"
#include "support/process.h"

namespace ordo::lowering {
namespace {

constexpr double kMostSeconds = 300;
constexpr int kWroteBeyond = 3, kOtherEachTime = 4, kNoMemory = 5;

// {0}: parameters' types, {1}: the function's name, {2}: bytes of each buffer, {3}: how many are inputs,
// {4}: arguments; then the codes above.
constexpr const char* kProgram = R"(#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

void {1}({0});

enum {{ kPage = 4096, kInputs = {3}, kPaint = 0xa5, kNothing = 0xff }};
static const size_t kBytes[] = {{{2}}};
enum {{ kBuffers = sizeof kBytes / sizeof *kBytes }};

struct Block {{ unsigned char *map, *data; size_t mapped; struct Block* next; }};
static struct Block* blocks;

static void end(int code, const char* what) {{
  fprintf(stderr, "%s\n", what);
  _exit(code);
}}

static struct Block* guarded(size_t bytes) {{
  const size_t inside = (bytes + kPage) / kPage * kPage;
  struct Block* block = malloc(sizeof *block);
  block->mapped = inside + 2 * kPage;
  block->map = mmap(0, block->mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (block->map == MAP_FAILED || mprotect(block->map + kPage, inside, PROT_READ | PROT_WRITE) != 0)
    end({7}, "there is not enough memory");
  block->data = block->map + kPage + inside - bytes;
  memset(block->map + kPage, kPaint, inside - bytes);
  memset(block->data, kNothing, bytes);
  block->next = blocks;
  return blocks = block;
}}

static void look(const struct Block* block) {{
  for (const unsigned char* byte = block->map + kPage; byte < block->data; ++byte)
    if (*byte != kPaint) end({5}, "it writes in front of a buffer");
}}

void* _mlir_memref_to_llvm_alloc(uint64_t bytes) {{ return guarded(bytes)->data; }}
void* _mlir_memref_to_llvm_aligned_alloc(uint64_t alignment, uint64_t bytes) {{
  return guarded((bytes + alignment - 1) / alignment * alignment)->data;
}}
void _mlir_memref_to_llvm_free(void* data) {{
  for (struct Block** at = &blocks; *at; at = &(*at)->next) {{
    struct Block* const block = *at;
    if (block->data != data) continue;
    look(block);
    *at = block->next;
    munmap(block->map, block->mapped);
    free(block);
    return;
  }}
}}

static double now(void) {{
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}}

int main(int count, char** words) {{
  struct Block* all[kBuffers];
  unsigned char *at[kBuffers], *first[kBuffers];
  const int times = count > 1 ? atoi(words[1]) : 1;
  double least = 1e300;
  for (int i = 0; i < kBuffers; ++i) {{
    all[i] = guarded(kBytes[i]);
    at[i] = all[i]->data;
    first[i] = malloc(kBytes[i] + 1);
    if (!first[i]) end({7}, "there is not enough memory");
    if (i >= kInputs) continue;
    if (fread(at[i], 1, kBytes[i], stdin) != kBytes[i]) end(2, "the inputs are not whole");
    mprotect(all[i]->map + kPage, all[i]->mapped - 2 * kPage, PROT_READ);
  }}
  for (int time = 0; time < times; ++time) {{
    for (int i = kInputs; i < kBuffers; ++i) memset(at[i], kNothing, kBytes[i]);
    const double start = now();
    {1}({4});
    const double took = now() - start;
    if (took < least) least = took;
    for (const struct Block* block = blocks; block; block = block->next) look(block);
    for (int i = kInputs; i < kBuffers; ++i) {{
      if (time && memcmp(first[i], at[i], kBytes[i])) end({6}, "the second call gives something else");
      memcpy(first[i], at[i], kBytes[i]);
    }}
  }}
  fwrite(&least, sizeof least, 1, stdout);
  for (int i = kInputs; i < kBuffers; ++i) fwrite(at[i], 1, kBytes[i], stdout);
  return fflush(stdout) != 0;
}}
)";

std::string programOf(const Payload& payload) {
  std::vector<std::string> types, bytes, arguments;
  for (const auto* some : {&payload.inputs, &payload.outputs}) {
    for (const Tensor& tensor : *some) {
      arguments.push_back(fmt::format("at[{}]", types.size()));
      types.emplace_back("void*");
      bytes.push_back(fmt::format("{}u", tensor.size()));
    }
  }
  return fmt::format(kProgram, fmt::join(types, ", "), payload.symbol, fmt::join(bytes, ", "),
                     payload.inputs.size(), fmt::join(arguments, ", "), kWroteBeyond, kOtherEachTime,
                     kNoMemory);
}

Result<std::string> find(const char* program, const char* package) {
  if (std::optional<std::string> found = findProgram({program})) return *std::move(found);
  return fail(ErrorCode::kUnavailable, "{} is not installed: apt-get install -y {}", program, package);
}

// What a tool writes; `otherwise` with its first words if it fails.
Result<std::string> outputOf(const std::vector<std::string>& words, std::string input, const Payload& payload,
                             ErrorCode otherwise) {
  ORDO_TRY_ASSIGN(
      ProcessResult result,
      runProcess(words,
                 {.input = std::move(input), .dir = {}, .timeout_s = kMostSeconds, .repeatable = true}));
  if (result.ok()) return std::move(result.out);
  std::string said = result.err.substr(0, std::min(result.err.find('\n'), std::size_t{300}));
  return fail(otherwise, "{}: {} {}: {}", payload.name,
              std::filesystem::path(words.front()).filename().string(), result.ending(), said);
}

// Every operation as loops, results as further arguments: the same function of C as ours.
std::string stockPasses(const std::string& sequence) {
  return "builtin.module(" +
         (sequence.empty() ? ""
                           : fmt::format("transform-preload-library{{transform-library-paths={}}},"
                                         "transform-interpreter,",
                                         sequence)) +
         "one-shot-bufferize{bufferize-function-boundaries "
         "function-boundary-type-conversion=identity-layout-map},"
         "buffer-results-to-out-params{hoist-static-allocs=true "
         "modify-public-functions=true},func.func(convert-linalg-to-loops,"
         "scf-forall-to-for),expand-strided-metadata,lower-affine,convert-scf-to-cf,"
         "convert-complex-to-standard,convert-math-to-llvm,convert-math-to-libm,convert-index-to-llvm,"
         "convert-arith-to-llvm,finalize-memref-to-llvm{use-aligned-alloc=true use-generic-functions=true},"
         "convert-func-to-llvm{use-bare-ptr-memref-call-conv=true},convert-cf-to-llvm,convert-ub-to-llvm,"
         "reconcile-unrealized-casts)";
}

// The text for stock tools, with the function's name as C has it, and arguments that are not written to.
Result<std::string> textOf(Workshop& workshop, const Payload& payload) {
  return withContext(workshop, payload.text, [&](Workshop::Context& context) -> Result<std::string> {
    ORDO_TRY_ASSIGN(mlir::OwningOpRef<mlir::ModuleOp> module, parse(context, payload.name, payload.text));
    renameFor(*module, payload);
    keepInputs(*module->getOps<mlir::func::FuncOp>().begin());
    std::string text;
    llvm::raw_string_ostream out(text);
    module->print(out);
    return text;
  });
}

}  // namespace

Result<KernelProcess> KernelProcess::link(const Payload& payload, std::string_view code, Form form,
                                          unsigned threads) {
  ORDO_TRY_ASSIGN(const std::string clang, find("clang-22", "clang-22"));
  ORDO_TRY_ASSIGN(TempDir dir, TempDir::create());
  const std::filesystem::path program = dir.path() / "call.c",
                              kernel = dir.path() / (form == Form::kIr ? "kernel.ll" : "kernel.o");
  ORDO_TRY(writeFile(program, programOf(payload)));
  ORDO_TRY(writeFile(kernel, code));
  std::vector<std::string> words = {clang, "-O2", "-w", "-march=native", program.string(), kernel.string()};
  words.insert(words.end(), {"-o", (dir.path() / "call").string(), "-lm"});
  if (threads > 1) words.emplace_back("-fopenmp");
  if (form == Form::kIr) {
    // Copies whose rows lie apart are a function of MLIR's own.
    ORDO_TRY_ASSIGN(const std::string opt, find("mlir-opt-22", "mlir-22-tools"));
    const std::string lib =
        (std::filesystem::canonical(opt).parent_path().parent_path() / "lib").lexically_normal().string();
    words.insert(words.end(), {"-L" + lib, "-Wl,--as-needed", "-lmlir_c_runner_utils", "-Wl,-rpath," + lib});
  }
  ORDO_TRY(outputOf(words, "", payload, ErrorCode::kInternal));
  std::size_t bytes = 0;
  for (const Tensor& tensor : payload.outputs) bytes += tensor.size();
  return KernelProcess(std::move(dir), bytes);
}

Result<KernelProcess::Ran> KernelProcess::run(std::string inputs, int times) const {
  ProcessOptions options{.input = std::move(inputs),
                         .dir = {},
                         .timeout_s = kMostSeconds,
                         .max_output_bytes = output_bytes_ + (std::size_t{1} << 20),
                         .repeatable = true};
  ORDO_TRY_ASSIGN(const ProcessResult result,
                  runProcess({(dir_->path() / "call").string(), fmt::format("{}", times)}, options));
  Ran ran;
  if (!result.ok()) {
    ran.problem = result.exit_code >= kWroteBeyond && result.exit_code <= kNoMemory
                      ? result.err.substr(0, result.err.find('\n'))
                      : "a process of its own " + result.ending();
    return ran;
  }
  if (result.out.size() != sizeof ran.seconds + output_bytes_)
    return fail(ErrorCode::kInternal, "a kernel's process wrote {} bytes instead of {}", result.out.size(),
                sizeof ran.seconds + output_bytes_);
  std::memcpy(&ran.seconds, result.out.data(), sizeof ran.seconds);
  ran.outputs = result.out.substr(sizeof ran.seconds);
  return ran;
}

Result<KernelProcess> lowerByStock(Workshop& workshop, const Payload& payload) {
  ORDO_TRY_ASSIGN(const std::string opt, find("mlir-opt-22", "mlir-22-tools"));
  ORDO_TRY_ASSIGN(const std::string translate, find("mlir-translate-22", "mlir-22-tools"));
  ORDO_TRY_ASSIGN(std::string text, textOf(workshop, payload));
  ORDO_TRY_ASSIGN(const TempDir dir, TempDir::create());
  std::string sequence;
  if (payload.kernel.aggregates) {
    sequence = (dir.path() / "decompose.mlir").string();
    model::Kernel renamed = payload.kernel;
    renamed.function = payload.symbol;
    ORDO_TRY(writeFile(sequence, model::decompositionText(renamed)));
  }
  const auto said = [&](std::vector<std::string> words, std::string input) {
    return outputOf(words, std::move(input), payload, ErrorCode::kUnsupported);
  };
  ORDO_TRY_ASSIGN(std::string lowered,
                  said({opt, "--pass-pipeline=" + stockPasses(sequence), "-"}, std::move(text)));
  ORDO_TRY_ASSIGN(const std::string ir, said({translate, "--mlir-to-llvmir", "-"}, std::move(lowered)));
  return KernelProcess::link(payload, ir, KernelProcess::Form::kIr);
}

}  // namespace ordo::lowering
