// Part of the probe corpus: exceptions, virtual calls, static constructors, thread-locals and atomics, of
// which the suite has little. What it prints does not matter; it is never run.
#include <atomic>
#include <cstdio>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>
struct Shape {
  virtual ~Shape() = default;
  virtual double area() const = 0;
};
struct Square : Shape {
  double s;
  explicit Square(double v) : s(v) {
    if (v < 0) throw std::invalid_argument("negative");
  }
  double area() const override { return s * s; }
};
struct Circle : Shape {
  double r;
  explicit Circle(double v) : r(v) {}
  double area() const override { return 3.14159 * r * r; }
};
static std::map<std::string, int> counts{{"a", 1}, {"b", 2}};
static thread_local int depth = 0;
static std::atomic<int> total{0};
struct Guard {
  Guard() { ++depth; }
  ~Guard() {
    --depth;
    total.fetch_add(1);
  }
};
int nested(int n) {
  Guard g;
  if (n == 0) throw n;
  try {
    return nested(n - 1);
  } catch (int v) {
    if (n % 2) throw;
    return v + n;
  }
}
int main(int argc, char** argv) {
  std::vector<std::unique_ptr<Shape>> shapes;
  for (int i = -2; i < 5; ++i) {
    try {
      if (i % 2)
        shapes.push_back(std::make_unique<Square>(i));
      else
        shapes.push_back(std::make_unique<Circle>(i));
    } catch (const std::exception& e) {
      counts[e.what()]++;
    }
  }
  double sum = 0;
  for (auto& s : shapes) {
    sum += s->area();
    if (dynamic_cast<Square*>(s.get())) ++total;
  }
  for (int i = 1; i < 10; ++i) {
    try {
      sum += nested(i);
    } catch (...) {
      sum -= 1;
    }
  }
  for (auto& [k, v] : counts) std::printf("%s %d\n", k.c_str(), v);
  std::printf("%.3f %d %d\n", sum, total.load(), depth);
  return argc > 100 ? argv[0][0] : 0;
}
