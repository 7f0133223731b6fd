// What a generated loop does in an iteration: the first half of advice/loop_source.h.
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "support/rng.h"

namespace ordo::advice {

struct ElementType {
  std::string_view name;
  unsigned bits;
  bool is_signed, is_float;
};
inline constexpr std::array kTypes{ElementType{"i8", 8, true, false},   ElementType{"u8", 8, false, false},
                                   ElementType{"i16", 16, true, false}, ElementType{"u16", 16, false, false},
                                   ElementType{"i32", 32, true, false}, ElementType{"u32", 32, false, false},
                                   ElementType{"i64", 64, true, false}, ElementType{"u64", 64, false, false},
                                   ElementType{"f32", 32, true, true},  ElementType{"f64", 64, true, true}};
constexpr std::size_t kI32 = 4, kU32 = 5, kI64 = 6, kU64 = 7, kF32 = 8, kF64 = 9;

// What becomes of what is computed, and the way through memory.
enum class Sink { kStore, kUpdate, kReduce, kCount, kStoreIf, kReduceIf, kTwoStores, kTwoSums, kCarried };
enum class Way { kNext, kStrided, kReversed, kTable, kNeighbours };

struct LoopBody {
  std::string text;  // statements in i, p, q, f, x0…, to, too, table, s and s2
  Sink sink = Sink::kStore;
  Way way = Way::kNext;
  std::vector<std::size_t> loads;            // types of x0…, by number in kTypes
  std::size_t out = 0, work = 0, table = 0;  // types: of what is stored or summed, of the work, of the table
  std::size_t reduction = 0;                 // 5: and, 6: product, which do not begin with 0
  long stride = 1, store_stride = 1;
  bool is_float = false, is_nested = false;
};

// One of the numbers from 0, as often as its weight says.
std::size_t pickBy(Rng& rng, std::initializer_list<int> weights);

// None of bench/loops/. A plain one is of the few operations that most loops have.
LoopBody loopBody(Rng& rng, bool plain);

}  // namespace ordo::advice
