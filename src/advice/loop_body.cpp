#include "advice/loop_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace ordo::advice {
namespace {

class Maker {
 public:
  Maker(Rng& rng, bool plain) : rng_(rng), plain_(plain) {}

  // Nothing that is one of the held-out kernels.
  LoopBody make() {
    for (;;) {
      choose();
      body_.text = makeBody();
      if (!isHeldOut()) return body_;
    }
  }

 private:
  std::size_t pick(std::initializer_list<int> weights) { return pickBy(rng_, weights); }
  bool chance(double probability) { return rng_.chance(probability); }

  std::size_t pickInt() {
    return plain_ ? pick({14, 30, 18, 12, 15, 9, 1, 1}) : pick({14, 22, 16, 12, 18, 10, 4, 4});
  }

  void choose() {
    body_.is_float = chance(plain_ ? 0.12 : 0.15);
    body_.sink = static_cast<Sink>(plain_ ? pick({30, 8, 34, 9, 7, 5, 2, 4, 1})
                                          : pick({34, 10, 26, 8, 7, 6, 4, 4, 1}));
    body_.loads.clear();
    const std::size_t count = 1 + (plain_ ? pick({45, 50, 5}) : pick({40, 48, 12}));
    for (std::size_t i = 0; i < count; ++i) {
      body_.loads.push_back(i > 0 && chance(plain_ ? 0.88 : 0.75) ? body_.loads[0]
                            : body_.is_float                      ? (chance(0.65) ? kF32 : kF64)
                                                                  : pickInt());
    }
    if (body_.is_float && chance(0.1)) body_.loads[0] = pickInt();
    body_.way = static_cast<Way>(plain_ ? pick({80, 9, 2, 7, 2}) : pick({74, 10, 5, 8, 3}));
    if (body_.is_float && body_.way == Way::kTable) body_.loads[0] = pickInt();
    body_.stride = body_.way == Way::kStrided ? 2 + static_cast<long>(pick({60, 20, 20})) : 1;
    const bool sums = body_.sink == Sink::kReduce || body_.sink == Sink::kReduceIf ||
                      body_.sink == Sink::kTwoSums || body_.sink == Sink::kCarried;
    if (body_.is_float) {
      body_.out = chance(0.9) ? body_.loads.back() : chance(0.5) ? kF64 : kI32;
    } else if (sums || body_.sink == Sink::kCount) {
      body_.out = pick({3, 3, 4, 4, 30, 28, 12, 16});
      if (body_.sink == Sink::kReduce && chance(0.1)) body_.out = body_.loads[0];
    } else {
      body_.out = chance(0.55) ? body_.loads[0] : pickInt();
    }
    body_.reduction = plain_ ? pick({74, 10, 8, 3, 3, 1, 1}) : pick({66, 12, 8, 5, 4, 3, 2});
    if (body_.is_float && body_.reduction > 2) body_.reduction = 0;
    body_.work = body_.is_float ? (kTypes[body_.out].is_float && kTypes[body_.loads.back()].is_float
                                       ? std::max(body_.loads.back(), body_.out)
                                       : kF64)
                 : kTypes[body_.out].bits == 64 || kTypes[body_.loads[0]].bits == 64
                     ? (chance(0.5) ? kI64 : kU64)
                 : chance(0.1) && kTypes[body_.loads[0]].bits == 16 ? body_.loads[0]
                 : chance(0.7)                                      ? kI32
                                                                    : kU32;
    if (!body_.is_float && kTypes[body_.out].bits == 64 && kTypes[body_.loads[0]].bits < 32 && chance(0.4))
      body_.work = kI32;
    body_.store_stride = body_.way == Way::kStrided && chance(0.25) ? 2 : 1;
    body_.is_nested = chance(plain_ ? 0.05 : 0.1);
    idiom_ = "";
  }

  std::string name(std::size_t type) const { return std::string(kTypes[type].name); }
  // A new name for `expression`, in the type that is worked in.
  std::string let(std::string_view expression) {
    const std::string made = fmt::format("t{}", temporaries_++);
    lines_ +=
        fmt::format("    const {} {} = ({})({});\n", name(body_.work), made, name(body_.work), expression);
    return made;
  }

  std::string index(std::size_t load) {
    if (body_.way == Way::kStrided)
      return fmt::format("{} * i + {}", body_.stride, load % static_cast<std::size_t>(body_.stride));
    if (body_.way == Way::kReversed) return "n - 1 - i";
    if (body_.way == Way::kNeighbours) return fmt::format("i + {}", load);
    return "i";
  }

  std::string loaded(std::size_t load) {
    // Strided and neighbouring elements are those of one array.
    const std::size_t array = body_.way == Way::kStrided || body_.way == Way::kNeighbours ? 0 : load;
    const std::string element = fmt::format("x{}[{}]", array, index(load));
    if (body_.way == Way::kTable && load == 0)
      return kTypes[body_.loads[0]].bits == 8 ? "table[(u8)" + element + "]" : "table[" + element + " & 255]";
    return element;
  }
  std::string operand(std::span<const std::string> terms) {
    const std::size_t which = pick({70, 16, 14});
    if (which == 1) return body_.is_float ? "f" : chance(0.5) ? "p" : "q";
    if (which == 2) return body_.is_float ? "0.5f" : fmt::format("{}", 1 + rng_.below(100));
    return terms[rng_.below(terms.size())];
  }

  // One more operation on `with`.
  std::string operate(const std::string& with, std::span<const std::string> terms) {
    const std::string other = operand(terms);
    if (body_.is_float) {
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
    if (chance(plain_ ? 0.85 : 0.45)) {
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
          return body_.is_float ? let(x + " * f + " + y + " * (1 - f)")
                                : let(x + " * (256 - p) + " + y + " * p >> 8");
        case 3:
          return body_.is_float ? let(x + " * f") : let(fmt::format("{} * p >> {}", x, 4 + rng_.below(10)));
        case 4: {
          const std::string scaled =
              body_.is_float ? let(x + " * f") : let(fmt::format("{} * p >> {}", x, rng_.below(10)));
          return let(fmt::format("{} < 0 ? 0 : {} > 200 ? 200 : {}", scaled, scaled, scaled));
        }
        case 5:
          return x;
        case 6:
          return body_.is_float ? let(x + " + " + y) : let(x + " + " + y + " + 1 >> 1");
        default:
          return let(x + " + " + y);
      }
    }
    std::string result = terms[rng_.below(terms.size())];
    for (std::size_t left = 1 + (plain_ ? pick({60, 30, 10}) : pick({20, 30, 24, 14, 8, 4})); left > 0;
         --left)
      result = operate(result, terms);
    return result;
  }

  std::string condition(std::span<const std::string> terms) {
    constexpr std::array<std::string_view, 4> kCompare{"<", ">", "==", "!="};
    compare_ = pick({36, 36, 18, 10});
    return fmt::format("{} {} {}", terms[rng_.below(terms.size())], kCompare[compare_],
                       body_.is_float ? "f"
                       : chance(0.5)  ? "p"
                                      : "37");
  }

  std::string reduce(std::string_view into, const std::string& value) {
    switch (body_.reduction) {
      case 1:
        return fmt::format("    {0} = ({2}){1} > {0} ? ({2}){1} : {0};\n", into, value, name(body_.out));
      case 2:
        return fmt::format("    {0} = ({2}){1} < {0} ? ({2}){1} : {0};\n", into, value, name(body_.out));
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
    body_.table = body_.is_float ? kF32 : pickInt();
    std::vector<std::string> terms;
    for (std::size_t i = 0; i < body_.loads.size(); ++i) terms.push_back(let(loaded(i)));
    const std::string at = body_.store_stride == 2                      ? "2 * i"
                           : body_.way == Way::kReversed && chance(0.5) ? "n - 1 - i"
                                                                        : "i";
    const auto stored = [&](std::string_view to, const std::string& value) {
      return fmt::format("    {}[{}] = ({}){};\n", to, at, name(body_.out), value);
    };
    std::string end;
    switch (body_.sink) {
      case Sink::kStore:
        end = stored("to", expression(terms));
        break;
      case Sink::kUpdate: {
        const std::string value = expression(terms);
        constexpr std::array<std::string_view, 4> kHow{"+", "-", "*", "^"};
        how_ = body_.is_float ? pick({65, 35}) : pick({60, 20, 10, 10});
        end = fmt::format("    to[{0}] = ({1})(to[{0}] {2} {3});\n", at, name(body_.out), kHow[how_], value);
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
        end = fmt::format("    s = ({})(s * 3 + {});\n", name(body_.out), expression(terms));
        break;
    }
    return lines_ + end;
  }

  // Whether it is one of bench/loops/, whatever the constants.
  bool isHeldOut() const {
    const auto are = [&](unsigned bits) {
      return std::ranges::all_of(body_.loads, [&](std::size_t load) { return kTypes[load].bits == bits; });
    };
    const unsigned out = kTypes[body_.out].bits;
    const bool two = body_.loads.size() >= 2, simple = body_.way == Way::kNext;
    const bool sum = body_.sink == Sink::kReduce && body_.reduction == 0 && !body_.is_float;
    const bool product = idiom_ == "idiom0";
    return (sum && simple && two && are(8) && out == 32 && (product || idiom_ == "idiom1")) ||  // dot, sad
           (sum && simple && are(16) && out == 32 && temporaries_ <= 4 && two) ||               // dot_i16
           (body_.sink == Sink::kReduce && body_.reduction == 1 && are(32) && out == 32 &&
            idiom_ == "idiom5") ||
           (simple && are(32) && out == 32 && temporaries_ <= 3 && !body_.is_float &&
            (body_.sink == Sink::kUpdate || body_.sink == Sink::kStore)) ||  // add_i32_short
           (simple && body_.is_float && body_.sink == Sink::kUpdate && out == 32 &&
            how_ == 0) ||  // saxpy_f32
           (body_.sink == Sink::kCount && simple && ((are(8) && out == 32) || (are(16) && out == 64))) ||
           (body_.way == Way::kStrided && are(8) && out == 8 && body_.stride == 3) ||     // gray_u8
           (body_.way == Way::kStrided && are(16) && out == 32 && idiom_ == "idiom7") ||  // pairs_i16
           (body_.way == Way::kTable && are(8) && sum && out == 64) ||                    // lookup_u8
           (simple && are(16) && out == 8 && idiom_ == "idiom4") ||                       // clamp_i16
           (simple && are(8) && out == 8 && idiom_ == "idiom2") ||                        // blend_u8_short
           (body_.sink == Sink::kStoreIf && simple && out == 32 &&
            kTypes[body_.loads[0]].bits == 8);  // masked_i32
  }

  Rng& rng_;
  bool plain_;
  LoopBody body_;
  std::size_t how_ = 0, compare_ = 0;
  std::string idiom_, lines_;
  std::size_t temporaries_ = 0;
};

}  // namespace

std::size_t pickBy(Rng& rng, std::initializer_list<int> weights) {
  int sum = 0;
  for (const int weight : weights) sum += weight;
  auto left = static_cast<int>(rng.below(static_cast<std::uint64_t>(sum)));
  std::size_t i = 0;
  for (const int weight : weights) {
    if (left < weight) break;
    left -= weight;
    ++i;
  }
  return i;
}

LoopBody loopBody(Rng& rng, bool plain) { return Maker(rng, plain).make(); }

}  // namespace ordo::advice
