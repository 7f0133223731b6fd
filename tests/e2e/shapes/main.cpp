#include <cstdio>

#include "shapes.h"

int main() {
  std::vector<std::unique_ptr<Shape>> shapes;
  for (const char* line : {"circle 2", "box 3 5", "box 1 -1", "line 3"}) {
    try {
      shapes.push_back(parseShape(line));
      std::printf("%s %g\n", shapes.back()->name().c_str(), shapes.back()->area());
    } catch (const std::invalid_argument& error) {
      std::printf("%s\n", error.what());
    }
  }
  std::printf("%g\n", largest<double>(shapes, [](const Shape& shape) { return shape.area(); }));
  try {
    return largest<int>({}, [](const Shape&) { return 1; });
  } catch (const std::out_of_range&) {
    return 0;
  }
}
