// What the feature tests share: modules from text and from clang, features as named numbers, and a
// second opinion that reads printed IR and knows nothing of LLVM's classes.
#pragma once

#include <llvm/IR/Module.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "llvm/features/feature.h"
#include "llvm/ir/module.h"
#include "support/process.h"

namespace ordo::features {

// REQUIRES: `text` is valid IR.
inline ir::OwnedModule parseText(std::string_view text) {
  Result<ir::OwnedModule> module = ir::parse(text, "sample.ll");
  ORDO_CHECK(module.has_value(), "{}", module.error().message);
  const std::string complaints = ir::verify(**module);
  ORDO_CHECK(complaints.empty(), "{}", complaints);
  return *std::move(module);
}

inline std::string extract(std::string_view feature, const llvm::Module& module) {
  const FeatureInfo* info = find(feature);
  if (info->prepare != nullptr) {
    const Status prepared = info->prepare();
    ORDO_CHECK(prepared.has_value(), "{}", prepared.error().message);
  }
  std::string bytes;
  info->extract(module, bytes);
  return bytes;
}

// The elements by name. REQUIRES: T is the element type of `feature`.
template <typename T = std::int64_t>
std::map<std::string_view, T> named(std::string_view feature, const llvm::Module& module) {
  const std::string bytes = extract(feature, module);
  const auto names = find(feature)->element_names;
  ORDO_CHECK(bytes.size() == names.size() * sizeof(T), "{} bytes", bytes.size());
  std::map<std::string_view, T> values;
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::memcpy(&values[names[i]], bytes.data() + i * sizeof(T), sizeof(T));
  }
  return values;
}

// Programs that reach most of the instruction set.
struct Source {
  std::string_view language;  // as clang's -x takes it
  std::string_view text;
};

inline constexpr Source kSources[] = {
    {"c", R"(
#include <stdarg.h>
#include <stdio.h>
enum { N = 64 };
static int table[N];
long total(int n, ...) {
  va_list list;
  long sum = 0;
  va_start(list, n);
  while (n-- > 0) sum += va_arg(list, int);
  va_end(list);
  return sum;
}
int classify(int c) {
  switch (c) {
    case 'a': case 'b': return 1;
    case 10: return table[c & 63];
    case 200: return 3;
    default: return c > 100 ? -c : c / 3;
  }
}
int threaded(const unsigned char* code, int x) {
  static void* const labels[] = {&&add, &&mul, &&stop};
  goto *labels[*code++];
add: x += 3; goto *labels[*code++];
mul: x *= x; goto *labels[*code++];
stop: return x;
}
int probe(int x) {
  asm goto("# %0" : : "r"(x) : : odd);
  return 0;
odd:
  return 1;
}
int main(int argc, char** argv) {
  for (int i = 0; i < N; i++)
    for (int j = i; j < N; j++) table[i] ^= (i * j + argc) >> 2;
  printf("%d %ld %s\n", classify(argc), total(3, 1, 2, argc), argv[0]);
  const unsigned char code[] = {0, 1, 2};
  return threaded(code, argc) % 7u + probe(argc);
})"},
    {"c", R"(
typedef float vec __attribute__((vector_size(16)));
typedef union { double d; unsigned long long u; } bits;
_Atomic int shared;
vec blend(vec a, vec b, int lane) {
  a[lane] = b[0];
  return a * b - __builtin_shufflevector(a, b, 0, 5, 2, 7);
}
double horner(const double* c, int n, double x) {
  double y = 0;
  for (int i = n; i-- > 0;) y = y * x + c[i];
  return -y;
}
unsigned hash(const unsigned char* s) {
  unsigned h = 2166136261u;
  while (*s) h = (h ^ *s++) * 16777619u;
  return h << 3 | h >> 29;
}
int exchange(int old, int now) {
  __c11_atomic_compare_exchange_strong(&shared, &old, now, 5, 5);
  __c11_atomic_thread_fence(5);
  return __c11_atomic_fetch_add(&shared, 1, 5) + old;
}
long convert(float f, int i, unsigned short s, bits b) {
  return (long)f + (unsigned)(double)i + (char)i + s + (long)&shared + (b.u >> 52 & 2047) + (short)-f;
}
void* round_up(unsigned long p) { return (void*)((p + 15) & ~15ul); }
)"},
    {"c++", R"(
struct Base { virtual ~Base(); virtual int value() const = 0; };
struct Error { int code; };
struct Guard { int* slot; ~Guard(); };
struct Leaf final : Base { int n; explicit Leaf(int n) : n(n) {} int value() const override { return n; } };
int risky(int);
int careful(int x) {
  Guard guard{&x};
  try {
    return risky(x) + risky(x + 1);
  } catch (const Error& error) {
    return error.code;
  } catch (...) {
    throw;
  }
}
template <typename T, int N> T sum(const T (&values)[N]) { T s{}; for (T v : values) s += v; return s; }
int use(int n) {
  Base* base = new Leaf(n);
  const long values[] = {1, 2, 3, n};
  const int result = base->value() + static_cast<int>(sum(values)) + careful(n);
  delete base;
  return result;
})"},
};

// The samples compiled at -O0, -O2 and -Oz, with and without debug info; empty without clang-22.
inline std::vector<ir::OwnedModule> compiledSamples() {
  std::vector<ir::OwnedModule> modules;
  const auto clang = findProgram({"clang-22"});
  if (!clang) return modules;
  for (const Source& source : kSources) {
    for (const char* level : {"-O0", "-O2", "-Oz"}) {
      for (const char* debug : {"-g0", "-g"}) {
        const auto run = runProcess(
            {*clang, "-x", std::string(source.language), level, debug, "-S", "-emit-llvm", "-o", "-", "-"},
            {.input = std::string(source.text), .dir = {}});
        ORDO_CHECK(run.has_value() && run->ok(), "{}", run ? run->err : run.error().message);
        modules.push_back(parseText(run->out));
      }
    }
  }
  return modules;
}

// One block as its text says it is.
struct TextBlock {
  std::vector<std::string> instructions;  // each on one line, whatever the printer broke it into
  std::vector<std::string> successors;    // labels, once per edge
  int predecessors = 0;
  int critical_edges = 0;  // out of here
};

struct TextModule {
  int functions = 0;
  std::vector<TextBlock> blocks;
};

// The word that names the operation: "load" in "%3 = load i32, ptr %2".
inline std::string mnemonic(const std::string& instruction) {
  std::istringstream words(instruction);
  std::string word;
  words >> word;
  if (word.starts_with("%")) words >> word >> word;
  if (word == "tail" || word == "musttail" || word == "notail") words >> word;
  return word.substr(0, word.find(','));  // "unreachable, !dbg !7"
}

// The labels that a terminator names.
inline std::vector<std::string> targets(const std::string& instruction) {
  constexpr std::string_view kMark = "label %";
  std::vector<std::string> labels;
  for (std::size_t at = instruction.find(kMark); at != std::string::npos; at = instruction.find(kMark, at)) {
    at += kMark.size();
    labels.push_back(instruction.substr(at, instruction.find_first_not_of("0123456789", at) - at));
  }
  return labels;
}

// Takes printed IR apart by its layout: instructions are indented by two columns, what belongs to the
// instruction above by more, and labels by none. Local values must be nameless, as ir::parse leaves them.
inline TextModule readText(const std::string& printed) {
  TextModule module;
  std::map<std::string, TextBlock> blocks;  // of the current function, by label
  std::string label;
  std::istringstream lines(printed);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("declare ")) ++module.functions;
    if (line.starts_with("define ")) {
      ++module.functions;
      blocks.clear();
      blocks[label = "entry"];  // its own label is a number that is not printed
    } else if (line == "}") {
      for (auto& [from, block] : blocks) block.successors = targets(block.instructions.back());
      for (const auto& [from, block] : blocks) {
        for (const std::string& to : block.successors) ++blocks.at(to).predecessors;
      }
      for (auto& [from, block] : blocks) {
        if (block.successors.size() < 2) continue;
        for (const std::string& to : block.successors) block.critical_edges += blocks.at(to).predecessors > 1;
      }
      for (auto& [name, block] : blocks) module.blocks.push_back(block);
      label.clear();
    } else if (label.empty() || line.empty() || line.starts_with("    #dbg_")) {
      continue;
    } else if (line[0] != ' ') {
      blocks[label = line.substr(0, line.find(':'))];
    } else if (line.starts_with("   ") || line.starts_with("  ]")) {
      blocks[label].instructions.back() += line;
    } else {
      blocks[label].instructions.push_back(line.substr(2));
    }
  }
  return module;
}

}  // namespace ordo::features
