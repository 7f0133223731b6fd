#include "web/telling.h"

namespace ordo::web {

std::vector<std::size_t> chosenPoints(std::size_t count) {
  const std::size_t shown = std::min(count, kMostPoints);
  std::vector<std::size_t> chosen(shown);
  for (std::size_t i = 0; i < shown; ++i) chosen[i] = shown < 2 ? i : i * (count - 1) / (shown - 1);
  return chosen;
}

void Telling::ends(std::string failure) {
  ended_ = true;
  failure_ = std::move(failure);
}

}  // namespace ordo::web
