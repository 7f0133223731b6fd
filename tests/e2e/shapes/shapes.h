// Shapes that know their area, and may refuse to tell.
#pragma once
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

class Shape {
 public:
  virtual ~Shape() = default;
  virtual double area() const = 0;
  virtual std::string name() const { return "shape"; }
};

std::unique_ptr<Shape> parseShape(const std::string& line);  // throws std::invalid_argument

template <typename T, typename Measure>
T largest(const std::vector<std::unique_ptr<Shape>>& shapes, Measure measure) {
  if (shapes.empty()) throw std::out_of_range("no shapes");
  T best = measure(*shapes.front());
  for (const auto& shape : shapes) best = measure(*shape) > best ? measure(*shape) : best;
  return best;
}
