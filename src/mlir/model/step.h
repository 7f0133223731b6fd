// One decision of a schedule, as people read and recipes keep it: a type and numbers chosen after it.
//
//   interchange<l>   loop l is the next, from the outside, in the order of the operation's loops
//   parallel<l,s>    loop l is dealt out to threads in pieces of s
//   fuse<l,s>        loop l in pieces of s, and what the operation reads is computed piece by piece with it
//   tile<l,s>        loop l in pieces of s, inside of the loops so far
//   pack<i>          what of input i the loops so far leave is copied to one place, row by row
//   decompose        a row of a two-dimensional window becomes a window of one dimension
//   vectorize<r,c,d> registers hold r rows of c columns, of which d products are summed up at a time; rows
//   and
//                    columns that are left over at the edges get smaller ones
//   unroll<n>        the innermost loop around that takes n steps at once
//   stop             nothing more is done to this operation; the one before it is next
//   greedy           all that is left: registers filled as the model of costs (cost.h) likes it best
//   fair             all that is left: loops in the order in which LLVM vectorizes them by itself
//
// Loops count from 0 in the order of the operation as written, whatever was interchanged.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ordo::model {

enum class StepType : std::uint8_t {
  kInterchange,
  kParallel,
  kFuse,
  kTile,
  kPack,
  kDecompose,
  kVectorize,
  kUnroll,
  kStop,
  kGreedy,
  kFair,
};

struct Step {
  StepType type = StepType::kStop;
  std::array<std::int64_t, 3> numbers{};  // as many as its type has, the others 0

  bool operator==(const Step&) const = default;
  std::string text() const;
  // Nothing if it is no step; numbers are 0 to 2^30.
  static std::optional<Step> parse(std::string_view text);
};

// "tile", and how many numbers it has.
std::string_view name(StepType type);
std::size_t numbersOf(StepType type);

// What such a number may be where it is a size, in ascending order; empty for a loop or an input.
std::span<const int> sizesOf(StepType type, std::size_t number);

// All that a search chooses from, whatever the kernel.
const std::vector<Step>& allSteps();

// Steps with ';' between them, as text() writes them. Nothing if one is none.
std::optional<std::vector<Step>> parseSteps(std::string_view text);
std::string stepsText(std::span<const Step> steps);

}  // namespace ordo::model
