#include "shapes.h"

#include <sstream>

namespace {

class Circle final : public Shape {
 public:
  explicit Circle(double radius) : radius_(radius) {}
  double area() const override { return 3 * radius_ * radius_; }
  std::string name() const override { return "circle"; }

 private:
  double radius_;
};

class Box : public Shape {
 public:
  Box(double width, double height) : width_(width), height_(height) {}
  double area() const override { return width_ * height_; }

 private:
  double width_, height_;
};

template <typename T>
T positive(std::istringstream& in) {
  T value{};
  if (!(in >> value) || value <= 0) throw std::invalid_argument("not a size: " + in.str());
  return value;
}

}  // namespace

std::unique_ptr<Shape> parseShape(const std::string& line) {
  std::istringstream in(line);
  std::string kind;
  in >> kind;
  if (kind == "circle") return std::make_unique<Circle>(positive<double>(in));
  if (kind == "box") {
    const double width = positive<int>(in);
    return std::make_unique<Box>(width, positive<float>(in));
  }
  throw std::invalid_argument("no shape: " + kind);
}
