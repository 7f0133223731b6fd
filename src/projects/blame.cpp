#include "projects/blame.h"

#include <numeric>

namespace ordo::projects {
namespace {

std::vector<std::size_t> range(std::size_t begin, std::size_t end) {
  std::vector<std::size_t> numbers(end - begin);
  std::iota(numbers.begin(), numbers.end(), begin);
  return numbers;
}

}  // namespace

Result<std::optional<std::size_t>> blame(std::size_t count, const Works& works) {
  std::size_t begin = 0, end = count;
  while (end - begin > 1) {
    const std::size_t middle = begin + (end - begin) / 2;
    ORDO_TRY_ASSIGN(const bool well, works(range(begin, middle)));
    (well ? begin : end) = middle;
  }
  if (count == 0) return std::nullopt;
  std::vector<std::size_t> others = range(0, count);
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(begin));
  ORDO_TRY_ASSIGN(const bool well, works(others));
  if (!well) return std::nullopt;
  return begin;
}

}  // namespace ordo::projects
