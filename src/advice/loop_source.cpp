#include "advice/loop_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "advice/loop_body.h"

namespace ordo::advice {
namespace {

constexpr long kElements = 4096;  // of an array; there are some more for who begins later

constexpr std::string_view kBegin = R"(typedef signed char i8; typedef unsigned char u8; typedef short i16;
typedef unsigned short u16; typedef int i32; typedef unsigned u32; typedef long i64; typedef unsigned long u64;
typedef float f32; typedef double f64;
)";

std::string nameOf(std::size_t type) { return std::string(kTypes[type].name); }

bool stores(const LoopBody& body) {
  return body.sink == Sink::kStore || body.sink == Sink::kUpdate || body.sink == Sink::kStoreIf ||
         body.sink == Sink::kTwoStores;
}

// Puts a function and a driver around it.
LoopSource finish(const LoopBody& body, Rng& rng, bool plain) {
  LoopSource made;
  made.shape = fmt::format("{} way{} {} {}\n", static_cast<int>(body.sink), static_cast<int>(body.way),
                           body.store_stride, nameOf(body.out));
  for (const char c : body.text)
    if (c < '0' || c > '9') made.shape += c;
  for (const std::size_t load : body.loads) made.shape += nameOf(load) + " ";

  const bool offset = rng.chance(0.4), restricted = rng.chance(0.65);
  constexpr std::array<std::string_view, 3> kCounters{"int", "long", "unsigned"};
  const std::string_view counter = kCounters[pickBy(rng, {60, 25, 15})];
  const long most = kElements / std::max(body.stride, body.store_stride) - 8;
  const std::string_view pointer = restricted ? "*restrict" : "*";
  // How often it runs, as the driver says it: known, known within bounds, or not known at all.
  std::string count;
  const std::size_t knowledge = body.is_nested ? 1 + pickBy(rng, {50, 50})
                                : plain        ? pickBy(rng, {22, 64, 14})
                                               : pickBy(rng, {36, 46, 18});
  long rows = body.is_nested ? 4 + static_cast<long>(rng.below(12)) : 1;
  if (knowledge == 0) {
    count = "n";
    made.counts = {5 + static_cast<long>(rng.below(28)), 40 + static_cast<long>(rng.below(160)),
                   std::min(most, 600 + static_cast<long>(rng.below(2400)))};
  } else if (knowledge == 1) {
    const long mask = (4L << pickBy(rng, {30, 40, 20, 10})) - 1;
    const bool is_short = body.is_nested || rng.chance(0.6);
    const long base = is_short ? 3 + static_cast<long>(rng.below(rng.chance(0.6) ? 48 : 150)) : 0;
    count = is_short ? fmt::format("{} + (r & {})", base, mask)
                     : fmt::format("{} - (r & 7)", std::min(most, 300L << pickBy(rng, {20, 25, 30, 25})));
    made.counts = {0};
  } else {
    constexpr std::array<long, 14> kCounts{8, 12, 16, 20, 24, 31, 48, 64, 100, 128, 256, 500, 1024, 2048};
    const std::size_t last = body.is_nested ? 10 : kCounts.size();
    count = fmt::format("{}", std::min(most, kCounts[rng.below(last)]));
    made.counts = {0};
  }
  rows = std::min(rows, 15L);

  std::string parameters, arguments, arrays, filled, hashes;
  const auto array = [&](std::string_view as, std::size_t type, bool is_read_only) {
    parameters += fmt::format("{}{} {} {}, ", is_read_only ? "const " : "", nameOf(type), pointer, as);
    arguments += fmt::format("a_{}{}, ", as, offset ? " + (r & 63)" : "");
    arrays += fmt::format("static {} a_{}[{}];\n", nameOf(type), as, kElements + 128);
    filled += fmt::format("  for (int i = 0; i < {}; i++) a_{}[i] = ({})({});\n", kElements + 128, as,
                          nameOf(type), kTypes[type].is_float ? "chance() & 15" : "chance()");
    hashes += fmt::format("  for (int i = 0; i < {}; i++) h = (h ^ (u64)(i64)a_{}[i]) * 1099511628211u;\n",
                          kElements + 128, as);
  };
  const std::size_t inputs =
      body.way == Way::kStrided || body.way == Way::kNeighbours ? 1 : body.loads.size();
  for (std::size_t i = 0; i < inputs; ++i) array(fmt::format("x{}", i), body.loads[i], true);
  if (body.way == Way::kTable) {
    parameters += fmt::format("const {} {} table, ", nameOf(body.table), pointer);
    arguments += "a_table, ";
    arrays += fmt::format("static {} a_table[256];\n", nameOf(body.table));
    filled += fmt::format("  for (int i = 0; i < 256; i++) a_table[i] = ({})(chance() & 127);\n",
                          nameOf(body.table));
  }
  if (stores(body)) array("to", body.out, false);
  if (body.sink == Sink::kTwoStores) array("too", body.out, false);
  const bool reassociates = body.is_float && rng.chance(0.5);
  std::string function =
      fmt::format("__attribute__((noinline)) static {} kernel({}{} p, {} q, f32 f, {} n{}) {{\n",
                  nameOf(body.out), parameters, body.is_float ? "i32" : nameOf(body.work),
                  body.is_float ? "i32" : nameOf(body.work), counter, body.is_nested ? ", int rows" : "");
  if (reassociates) function += "#pragma clang fp reassociate(on)\n";
  const std::string first = body.reduction == 5 ? "-1" : body.reduction == 6 ? "1" : "0";
  function += fmt::format("  {0} s = ({0}){1}, s2 = ({0}){1};\n", nameOf(body.out), first);
  std::string loop = fmt::format("  for ({} i = 0; i < n; i++) {{\n{}  }}\n", counter, body.text);
  if (body.is_nested) {
    std::string moves;
    for (std::size_t i = 0; i < inputs; ++i) moves += fmt::format("x{} += n, ", i);
    if (stores(body)) moves += "to += n, ";
    loop = fmt::format("  for (int j = 0; j < rows; {}j++) {{\n{}  }}\n", body.way == Way::kNext ? moves : "",
                       loop);
  }
  function += loop + "  (void)s2;\n  return s + s2;\n}\n";
  made.text = std::string(kBegin) + arrays + R"(static u32 state;
static u32 chance(void) { state = state * 1664525u + 1013904223u; return state >> 8; }
__attribute__((optnone, noinline)) void prepare(void) {
  state = 12345;
)" + filled + "}\n__attribute__((optnone, noinline)) u64 hashed(void) {\n  u64 h = 1469598103934665603u;\n" +
              hashes + "  return h;\n}\n" + function +
              fmt::format(R"(u64 work(long rounds, long n) {{
  u64 total = 0;
  for (long r = rounds; r > 0; r--) {{
    total = total * 31 + (u64)(i64)kernel({}({})(r & 63), ({})(r & 31), (r & 1) ? 0.5f : 2.0f, ({})({}){});
    __asm__ volatile("" ::: "memory");
  }}
  return total;
}}
)",
                          arguments, body.is_float ? "i32" : nameOf(body.work),
                          body.is_float ? "i32" : nameOf(body.work), counter, count,
                          body.is_nested ? fmt::format(", {}", rows) : "");
  return made;
}

}  // namespace

LoopSource loopSource(std::uint64_t seed, std::uint64_t number) {
  Rng rng = Rng(seed).stream(number);
  const bool plain = seed % 2 == 0;
  const LoopBody body = loopBody(rng, plain);
  return finish(body, rng, plain);
}

}  // namespace ordo::advice
