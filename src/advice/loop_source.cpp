#include "advice/loop_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "support/rng.h"

namespace ordo::advice {
namespace {

constexpr long kElements = 4096;  // of an array; there are some more for who begins later

constexpr std::string_view kBegin = R"(typedef signed char i8; typedef unsigned char u8; typedef short i16;
typedef unsigned short u16; typedef int i32; typedef unsigned u32; typedef long i64; typedef unsigned long u64;
typedef float f32; typedef double f64;
)";

struct Type {
  std::string_view name;
  unsigned bits;
  bool is_signed, is_float;
};
constexpr std::array kTypes{Type{"i8", 8, true, false},   Type{"u8", 8, false, false},
                            Type{"i16", 16, true, false}, Type{"u16", 16, false, false},
                            Type{"i32", 32, true, false}, Type{"u32", 32, false, false},
                            Type{"i64", 64, true, false}, Type{"u64", 64, false, false},
                            Type{"f32", 32, true, true},  Type{"f64", 64, true, true}};
constexpr std::size_t kI32 = 4, kU32 = 5, kI64 = 6, kU64 = 7, kF32 = 8, kF64 = 9;

enum class Sink { kStore, kUpdate, kReduce, kCount, kStoreIf, kReduceIf, kTwoStores, kTwoSums, kCarried };

// One of the numbers from 0, as often as its weight says.
std::size_t pickBy(Rng& rng, std::span<const int> weights) {
  int sum = 0;
  for (const int weight : weights) sum += weight;
  auto left = static_cast<int>(rng.below(static_cast<std::uint64_t>(sum)));
  std::size_t i = 0;
  for (; left >= weights[i]; ++i) left -= weights[i];
  return i;
}

class Maker {
 public:
  explicit Maker(Rng rng) : rng_(rng) {}

  // Nothing that is one of the held-out kernels.
  LoopSource make() {
    for (;;) {
      choose();
      const std::string body = makeBody();
      if (!isHeldOut()) return finish(body);
    }
  }

 private:
  std::size_t pick(std::initializer_list<int> weights) {
    return pickBy(rng_, {weights.begin(), weights.size()});
  }
  bool chance(double probability) { return rng_.chance(probability); }

  std::size_t pickInt() {
    const std::size_t chosen = pick({14, 22, 16, 12, 18, 10, 4, 4});
    return chosen;
  }

  void choose() {
    is_float_ = chance(0.15);
    sink_ = static_cast<Sink>(pick({34, 10, 26, 8, 7, 6, 4, 4, 1}));
    loads_.clear();
    const std::size_t count = 1 + pick({40, 48, 12});
    for (std::size_t i = 0; i < count; ++i) {
      loads_.push_back(i > 0 && chance(0.75) ? loads_[0]
                       : is_float_           ? (chance(0.65) ? kF32 : kF64)
                                             : pickInt());
    }
    if (is_float_ && chance(0.1)) loads_[0] = pickInt();
    way_ = pick({74, 10, 5, 8, 3});
    if (is_float_ && way_ == 3) loads_[0] = pickInt();
    stride_ = way_ == 1 ? 2 + static_cast<long>(pick({60, 20, 20})) : 1;
    const bool sums = sink_ == Sink::kReduce || sink_ == Sink::kReduceIf || sink_ == Sink::kTwoSums ||
                      sink_ == Sink::kCarried;
    if (is_float_) {
      out_ = chance(0.9) ? loads_.back() : chance(0.5) ? kF64 : kI32;
    } else if (sums || sink_ == Sink::kCount) {
      out_ = pick({3, 3, 4, 4, 30, 28, 12, 16});
      if (sink_ == Sink::kReduce && chance(0.1)) out_ = loads_[0];
    } else {
      out_ = chance(0.55) ? loads_[0] : pickInt();
    }
    reduction_ = pick({66, 12, 8, 5, 4, 3, 2});
    if (is_float_ && reduction_ > 2) reduction_ = 0;
    work_ =
        is_float_
            ? (kTypes[out_].is_float && kTypes[loads_.back()].is_float ? std::max(loads_.back(), out_) : kF64)
        : kTypes[out_].bits == 64 || kTypes[loads_[0]].bits == 64 ? (chance(0.5) ? kI64 : kU64)
        : chance(0.1) && kTypes[loads_[0]].bits == 16             ? loads_[0]
        : chance(0.7)                                             ? kI32
                                                                  : kU32;
    if (!is_float_ && kTypes[out_].bits == 64 && kTypes[loads_[0]].bits < 32 && chance(0.4)) work_ = kI32;
    store_stride_ = way_ == 1 && chance(0.25) ? 2 : 1;
    nested_ = chance(0.1);
    idiom_ = "";
  }

  std::string name(std::size_t type) const { return std::string(kTypes[type].name); }
  // A new name for `expression`, in the type that is worked in.
  std::string let(std::string_view expression) {
    const std::string made = fmt::format("t{}", temporaries_++);
    lines_ += fmt::format("    const {} {} = ({})({});\n", name(work_), made, name(work_), expression);
    return made;
  }

  std::string index(std::size_t load) {
    if (way_ == 1) return fmt::format("{} * i + {}", stride_, load % static_cast<std::size_t>(stride_));
    if (way_ == 2) return "n - 1 - i";
    if (way_ == 4) return fmt::format("i + {}", load);
    return "i";
  }

  std::string loaded(std::size_t load) {
    // Strided and neighbouring elements are those of one array.
    const std::size_t array = way_ == 1 || way_ == 4 ? 0 : load;
    const std::string element = fmt::format("x{}[{}]", array, index(load));
    if (way_ == 3 && load == 0)
      return kTypes[loads_[0]].bits == 8 ? "table[(u8)" + element + "]" : "table[" + element + " & 255]";
    return element;
  }
  std::string operand(std::span<const std::string> terms) {
    const std::size_t which = pick({70, 16, 14});
    if (which == 1) return is_float_ ? "f" : chance(0.5) ? "p" : "q";
    if (which == 2) return is_float_ ? "0.5f" : fmt::format("{}", 1 + rng_.below(100));
    return terms[rng_.below(terms.size())];
  }

  // One more operation on `with`.
  std::string operate(const std::string& with, std::span<const std::string> terms) {
    const std::string other = operand(terms);
    if (is_float_) {
      switch (pick({30, 18, 34, 3, 8, 7})) {
        case 0:
          return let(with + " + " + other);
        case 1:
          return let(with + " - " + other);
        case 2:
          return let(with + " * " + other);
        case 3:
          return let(with + " / (" + other + " + 3)");
        case 4:
          return let(with + " < " + other + " ? " + with + " : " + other);
        default:
          return let(with + " < 0 ? -" + with + " : " + with);
      }
    }
    switch (pick({26, 14, 20, 10, 4, 6, 4, 6, 8, 5, 4, 3})) {
      case 0:
        return let(with + " + " + other);
      case 1:
        return let(with + " - " + other);
      case 2:
        return let(with + " * " + other);
      case 3:
        return let(fmt::format("{} >> {}", with, 1 + rng_.below(12)));
      case 4:
        return let(fmt::format("{} << {}", with, 1 + rng_.below(4)));
      case 5:
        return let(with + " & " + other);
      case 6:
        return let(with + " | " + other);
      case 7:
        return let(with + " ^ " + other);
      case 8:
        return let(fmt::format("{} {} {} ? {} : {}", with, chance(0.5) ? "<" : ">", other, with, other));
      case 9:
        return let(with + " < 0 ? -" + with + " : " + with);
      case 10:
        return let(fmt::format("{} > {} ? {} : {}", with, other, operand(terms), with));
      default:
        return let(fmt::format("{} + ({} == {})", with, with, other));
    }
  }

  std::string expression(std::span<const std::string> terms) {
    const std::string& x = terms[0];
    const std::string& y = terms[terms.size() - 1];
    if (chance(0.45)) {
      const std::size_t which = pick({18, 12, 10, 10, 10, 12, 8, 12});
      idiom_ = fmt::format("idiom{}", which);
      switch (which) {
        case 0:
          return let(x + " * " + y);
        case 1: {
          const std::string difference = let(x + " - " + y);
          return let(difference + " < 0 ? -" + difference + " : " + difference);
        }
        case 2:
          return is_float_ ? let(x + " * f + " + y + " * (1 - f)")
                           : let(x + " * (256 - p) + " + y + " * p >> 8");
        case 3:
          return is_float_ ? let(x + " * f") : let(fmt::format("{} * p >> {}", x, 4 + rng_.below(10)));
        case 4: {
          const std::string scaled =
              is_float_ ? let(x + " * f") : let(fmt::format("{} * p >> {}", x, rng_.below(10)));
          return let(fmt::format("{} < 0 ? 0 : {} > 200 ? 200 : {}", scaled, scaled, scaled));
        }
        case 5:
          return x;
        case 6:
          return is_float_ ? let(x + " + " + y) : let(x + " + " + y + " + 1 >> 1");
        default:
          return let(x + " + " + y);
      }
    }
    std::string result = terms[rng_.below(terms.size())];
    for (std::size_t left = 1 + pick({20, 30, 24, 14, 8, 4}); left > 0; --left)
      result = operate(result, terms);
    return result;
  }

  std::string condition(std::span<const std::string> terms) {
    constexpr std::array<std::string_view, 4> kCompare{"<", ">", "==", "!="};
    compare_ = pick({36, 36, 18, 10});
    return fmt::format("{} {} {}", terms[rng_.below(terms.size())], kCompare[compare_],
                       is_float_     ? "f"
                       : chance(0.5) ? "p"
                                     : "37");
  }

  std::string reduce(std::string_view into, const std::string& value) {
    switch (reduction_) {
      case 1:
        return fmt::format("    {0} = ({2}){1} > {0} ? ({2}){1} : {0};\n", into, value, name(out_));
      case 2:
        return fmt::format("    {0} = ({2}){1} < {0} ? ({2}){1} : {0};\n", into, value, name(out_));
      case 3:
        return fmt::format("    {} ^= {};\n", into, value);
      case 4:
        return fmt::format("    {} |= {};\n", into, value);
      case 5:
        return fmt::format("    {} &= {};\n", into, value);
      case 6:
        return fmt::format("    {} *= {};\n", into, value);
      default:
        return fmt::format("    {} += {};\n", into, value);
    }
  }

  std::string makeBody() {
    lines_.clear();
    temporaries_ = 0;
    table_ = is_float_ ? kF32 : pickInt();
    std::vector<std::string> terms;
    for (std::size_t i = 0; i < loads_.size(); ++i) terms.push_back(let(loaded(i)));
    const std::string at = store_stride_ == 2 ? "2 * i" : way_ == 2 && chance(0.5) ? "n - 1 - i" : "i";
    const auto stored = [&](std::string_view to, const std::string& value) {
      return fmt::format("    {}[{}] = ({}){};\n", to, at, name(out_), value);
    };
    std::string end;
    switch (sink_) {
      case Sink::kStore:
        end = stored("to", expression(terms));
        break;
      case Sink::kUpdate: {
        const std::string value = expression(terms);
        constexpr std::array<std::string_view, 4> kHow{"+", "-", "*", "^"};
        how_ = is_float_ ? pick({65, 35}) : pick({60, 20, 10, 10});
        end = fmt::format("    to[{0}] = ({1})(to[{0}] {2} {3});\n", at, name(out_), kHow[how_], value);
        break;
      }
      case Sink::kReduce:
        end = reduce("s", expression(terms));
        break;
      case Sink::kCount:
        end = fmt::format("    s += {};\n", condition(terms));
        break;
      case Sink::kStoreIf: {
        const std::string value = expression(terms);
        end = fmt::format("    if ({}) {}", condition(terms), stored("to", value).substr(4));
        break;
      }
      case Sink::kReduceIf: {
        const std::string value = expression(terms);
        end = fmt::format("    if ({}) {}", condition(terms), reduce("s", value).substr(4));
        break;
      }
      case Sink::kTwoStores: {
        const std::string first = expression(terms), second = expression(terms);
        end = stored("to", first) + stored("too", second);
        break;
      }
      case Sink::kTwoSums: {
        const std::string first = expression(terms), second = expression(terms);
        end = reduce("s", first) + reduce("s2", second);
        break;
      }
      case Sink::kCarried:
        end = fmt::format("    s = ({})(s * 3 + {});\n", name(out_), expression(terms));
        break;
    }
    return lines_ + end;
  }

  // Whether it is one of bench/loops/, whatever the constants.
  bool isHeldOut() const {
    const auto are = [&](unsigned bits) {
      return std::ranges::all_of(loads_, [&](std::size_t load) { return kTypes[load].bits == bits; });
    };
    const unsigned out = kTypes[out_].bits;
    const bool two = loads_.size() >= 2, simple = way_ == 0;
    const bool sum = sink_ == Sink::kReduce && reduction_ == 0 && !is_float_;
    const bool product = idiom_ == "idiom0";
    return (sum && simple && two && are(8) && out == 32 && (product || idiom_ == "idiom1")) ||  // dot, sad
           (sum && simple && are(16) && out == 32 && temporaries_ <= 4 && two) ||               // dot_i16
           (sink_ == Sink::kReduce && reduction_ == 1 && are(32) && out == 32 && idiom_ == "idiom5") ||
           (simple && are(32) && out == 32 && temporaries_ <= 3 && !is_float_ &&
            (sink_ == Sink::kUpdate || sink_ == Sink::kStore)) ||                        // add_i32_short
           (simple && is_float_ && sink_ == Sink::kUpdate && out == 32 && how_ == 0) ||  // saxpy_f32
           (sink_ == Sink::kCount && simple && ((are(8) && out == 32) || (are(16) && out == 64))) ||
           (way_ == 1 && are(8) && out == 8 && stride_ == 3) ||                              // gray_u8
           (way_ == 1 && are(16) && out == 32 && idiom_ == "idiom7") ||                      // pairs_i16
           (way_ == 3 && are(8) && sum && out == 64) ||                                      // lookup_u8
           (simple && are(16) && out == 8 && idiom_ == "idiom4") ||                          // clamp_i16
           (simple && are(8) && out == 8 && idiom_ == "idiom2") ||                           // blend_u8_short
           (sink_ == Sink::kStoreIf && simple && out == 32 && kTypes[loads_[0]].bits == 8);  // masked_i32
  }

  bool stores() const {
    return sink_ == Sink::kStore || sink_ == Sink::kUpdate || sink_ == Sink::kStoreIf ||
           sink_ == Sink::kTwoStores;
  }

  LoopSource finish(const std::string& body) {
    LoopSource made;
    made.shape = fmt::format("{} way{} {} {}\n", static_cast<int>(sink_), way_, store_stride_, name(out_));
    for (const char c : body)
      if (c < '0' || c > '9') made.shape += c;
    for (const std::size_t load : loads_) made.shape += name(load) + " ";

    const bool offset = chance(0.4), restricted = chance(0.65);
    constexpr std::array<std::string_view, 3> kCounters{"int", "long", "unsigned"};
    const std::string_view counter = kCounters[pick({60, 25, 15})];
    const long most = kElements / std::max(stride_, store_stride_) - 8;
    const std::string_view pointer = restricted ? "*restrict" : "*";
    // How often it runs, as the driver says it: known, known within bounds, or not known at all.
    std::string count;
    const std::size_t knowledge = nested_ ? 1 + pick({50, 50}) : pick({36, 46, 18});
    long rows = nested_ ? 4 + static_cast<long>(rng_.below(12)) : 1;
    if (knowledge == 0) {
      count = "n";
      made.counts = {5 + static_cast<long>(rng_.below(28)), 40 + static_cast<long>(rng_.below(160)),
                     std::min(most, 600 + static_cast<long>(rng_.below(2400)))};
    } else if (knowledge == 1) {
      const long mask = (4L << pick({30, 40, 20, 10})) - 1;
      const bool is_short = nested_ || chance(0.6);
      const long base = is_short ? 3 + static_cast<long>(rng_.below(chance(0.6) ? 48 : 150)) : 0;
      count = is_short ? fmt::format("{} + (r & {})", base, mask)
                       : fmt::format("{} - (r & 7)", std::min(most, 300L << pick({20, 25, 30, 25})));
      made.counts = {0};
    } else {
      constexpr std::array<long, 14> kCounts{8, 12, 16, 20, 24, 31, 48, 64, 100, 128, 256, 500, 1024, 2048};
      const std::size_t last = nested_ ? 10 : kCounts.size();
      count = fmt::format("{}", std::min(most, kCounts[rng_.below(last)]));
      made.counts = {0};
    }
    rows = std::min(rows, 15L);

    std::string parameters, arguments, arrays, filled, hashes;
    const auto array = [&](std::string_view as, std::size_t type, bool is_read_only) {
      parameters += fmt::format("{}{} {} {}, ", is_read_only ? "const " : "", name(type), pointer, as);
      arguments += fmt::format("a_{}{}, ", as, offset ? " + (r & 63)" : "");
      arrays += fmt::format("static {} a_{}[{}];\n", name(type), as, kElements + 128);
      filled += fmt::format("  for (int i = 0; i < {}; i++) a_{}[i] = ({})({});\n", kElements + 128, as,
                            name(type), kTypes[type].is_float ? "chance() & 15" : "chance()");
      hashes += fmt::format("  for (int i = 0; i < {}; i++) h = (h ^ (u64)(i64)a_{}[i]) * 1099511628211u;\n",
                            kElements + 128, as);
    };
    const std::size_t inputs = way_ == 1 || way_ == 4 ? 1 : loads_.size();
    for (std::size_t i = 0; i < inputs; ++i) array(fmt::format("x{}", i), loads_[i], true);
    if (way_ == 3) {
      parameters += fmt::format("const {} {} table, ", name(table_), pointer);
      arguments += "a_table, ";
      arrays += fmt::format("static {} a_table[256];\n", name(table_));
      filled +=
          fmt::format("  for (int i = 0; i < 256; i++) a_table[i] = ({})(chance() & 127);\n", name(table_));
    }
    if (stores()) array("to", out_, false);
    if (sink_ == Sink::kTwoStores) array("too", out_, false);
    const bool reassociates = is_float_ && chance(0.5);
    std::string function =
        fmt::format("__attribute__((noinline)) static {} kernel({}{} p, {} q, f32 f, {} n{}) {{\n",
                    name(out_), parameters, is_float_ ? "i32" : name(work_), is_float_ ? "i32" : name(work_),
                    counter, nested_ ? ", int rows" : "");
    if (reassociates) function += "#pragma clang fp reassociate(on)\n";
    const std::string first = reduction_ == 5 ? "-1" : reduction_ == 6 ? "1" : "0";
    function += fmt::format("  {0} s = ({0}){1}, s2 = ({0}){1};\n", name(out_), first);
    std::string loop = fmt::format("  for ({} i = 0; i < n; i++) {{\n{}  }}\n", counter, body);
    if (nested_) {
      std::string moves;
      for (std::size_t i = 0; i < inputs; ++i) moves += fmt::format("x{} += n, ", i);
      if (stores()) moves += "to += n, ";
      loop = fmt::format("  for (int j = 0; j < rows; {}j++) {{\n{}  }}\n", way_ == 0 ? moves : "", loop);
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
                            arguments, is_float_ ? "i32" : name(work_), is_float_ ? "i32" : name(work_),
                            counter, count, nested_ ? fmt::format(", {}", rows) : "");
    return made;
  }

  Rng rng_;
  bool is_float_ = false, nested_ = false;
  Sink sink_ = Sink::kStore;
  std::vector<std::size_t> loads_;  // types
  std::size_t way_ = 0;             // through memory: next, strided, reversed, by a table, neighbours
  long stride_ = 1, store_stride_ = 1;
  std::size_t out_ = 0, work_ = 0, table_ = 0, reduction_ = 0, how_ = 0, compare_ = 0;
  std::string idiom_, lines_;
  std::size_t temporaries_ = 0;
};

}  // namespace

LoopSource loopSource(std::uint64_t seed, std::uint64_t number) {
  return Maker(Rng(seed).stream(number)).make();
}

}  // namespace ordo::advice
