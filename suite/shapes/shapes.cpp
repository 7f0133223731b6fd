// shapes - a drawing of nested shapes, processed by visitors.
//
// Reads a drawing in a small text form, one shape per line, with "group NAME" ... "end" for nesting and
// "move DX DY" or "scale N" acting on what was drawn last. Visitors then measure it (area in exact halves and
// thousandths), find its bounds, count the kinds, and print it as SVG or as an indented outline. The argument
// selects what to print: outline, svg, or report. Malformed drawings are reported with their line.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace {

struct Point {
  int64_t x = 0;
  int64_t y = 0;
};

class Circle;
class Rectangle;
class Polygon;
class Label;
class Group;

class Visitor {
 public:
  virtual ~Visitor() = default;
  virtual void visit(const Circle&) = 0;
  virtual void visit(const Rectangle&) = 0;
  virtual void visit(const Polygon&) = 0;
  virtual void visit(const Label&) = 0;
  virtual void visit(const Group&) = 0;
};

class Shape {
 public:
  virtual ~Shape() = default;
  virtual void accept(Visitor&) const = 0;
  virtual void move(Point by) = 0;
  virtual void scale(int64_t factor) = 0;
  virtual std::unique_ptr<Shape> clone() const = 0;
};

// Supplies what every concrete shape would otherwise repeat.
template <typename Self>
class Visitable : public Shape {
 public:
  void accept(Visitor& v) const override { v.visit(static_cast<const Self&>(*this)); }
  std::unique_ptr<Shape> clone() const override {
    return std::make_unique<Self>(static_cast<const Self&>(*this));
  }
};

class Circle : public Visitable<Circle> {
 public:
  Circle(Point center, int64_t radius) : center_(center), radius_(radius) {}
  Point center() const { return center_; }
  int64_t radius() const { return radius_; }
  void move(Point by) override { center_ = {center_.x + by.x, center_.y + by.y}; }
  void scale(int64_t f) override {
    center_ = {center_.x * f, center_.y * f};
    radius_ *= f;
  }

 private:
  Point center_;
  int64_t radius_;
};

class Rectangle : public Visitable<Rectangle> {
 public:
  Rectangle(Point corner, int64_t width, int64_t height) : corner_(corner), width_(width), height_(height) {}
  Point corner() const { return corner_; }
  int64_t width() const { return width_; }
  int64_t height() const { return height_; }
  void move(Point by) override { corner_ = {corner_.x + by.x, corner_.y + by.y}; }
  void scale(int64_t f) override {
    corner_ = {corner_.x * f, corner_.y * f};
    width_ *= f;
    height_ *= f;
  }

 private:
  Point corner_;
  int64_t width_, height_;
};

class Polygon : public Visitable<Polygon> {
 public:
  explicit Polygon(std::vector<Point> points) : points_(std::move(points)) {}
  const std::vector<Point>& points() const { return points_; }
  void move(Point by) override {
    for (Point& p : points_) p = {p.x + by.x, p.y + by.y};
  }
  void scale(int64_t f) override {
    for (Point& p : points_) p = {p.x * f, p.y * f};
  }

 private:
  std::vector<Point> points_;
};

class Label : public Visitable<Label> {
 public:
  Label(Point at, std::string text) : at_(at), text_(std::move(text)) {}
  Point at() const { return at_; }
  const std::string& text() const { return text_; }
  void move(Point by) override { at_ = {at_.x + by.x, at_.y + by.y}; }
  void scale(int64_t f) override { at_ = {at_.x * f, at_.y * f}; }

 private:
  Point at_;
  std::string text_;
};

class Group : public Visitable<Group> {
 public:
  explicit Group(std::string name) : name_(std::move(name)) {}
  Group(const Group& other) : Visitable(other), name_(other.name_) {
    for (const auto& child : other.children_) children_.push_back(child->clone());
  }
  const std::string& name() const { return name_; }
  const std::vector<std::unique_ptr<Shape>>& children() const { return children_; }
  Shape* last() { return children_.empty() ? nullptr : children_.back().get(); }
  void add(std::unique_ptr<Shape> shape) { children_.push_back(std::move(shape)); }
  void move(Point by) override {
    for (auto& child : children_) child->move(by);
  }
  void scale(int64_t f) override {
    for (auto& child : children_) child->scale(f);
  }

 private:
  std::string name_;
  std::vector<std::unique_ptr<Shape>> children_;
};

// ---- visitors ---------------------------------------------------------------------------------------------

// Areas in thousandths: pi is taken as 3141593 / 10^6, which keeps the sum exact and reproducible.
class AreaVisitor : public Visitor {
 public:
  int64_t thousandths() const { return total_; }
  void visit(const Circle& c) override { total_ += c.radius() * c.radius() * 3141593 / 1000; }
  void visit(const Rectangle& r) override { total_ += r.width() * r.height() * 1000; }
  void visit(const Polygon& p) override {
    int64_t twice = 0;
    for (size_t i = 0; i < p.points().size(); i++) {
      const Point& a = p.points()[i];
      const Point& b = p.points()[(i + 1) % p.points().size()];
      twice += a.x * b.y - b.x * a.y;
    }
    total_ += (twice < 0 ? -twice : twice) * 500;
  }
  void visit(const Label&) override {}
  void visit(const Group& g) override {
    for (const auto& child : g.children()) child->accept(*this);
  }

 private:
  int64_t total_ = 0;
};

struct Box {
  Point low, high;
};

class BoundsVisitor : public Visitor {
 public:
  const std::optional<Box>& bounds() const { return box_; }
  void visit(const Circle& c) override {
    cover({c.center().x - c.radius(), c.center().y - c.radius()});
    cover({c.center().x + c.radius(), c.center().y + c.radius()});
  }
  void visit(const Rectangle& r) override {
    cover(r.corner());
    cover({r.corner().x + r.width(), r.corner().y + r.height()});
  }
  void visit(const Polygon& p) override {
    for (const Point& point : p.points()) cover(point);
  }
  void visit(const Label& l) override { cover(l.at()); }
  void visit(const Group& g) override {
    for (const auto& child : g.children()) child->accept(*this);
  }

 private:
  void cover(Point p) {
    if (!box_) box_ = Box{p, p};
    box_->low = {std::min(box_->low.x, p.x), std::min(box_->low.y, p.y)};
    box_->high = {std::max(box_->high.x, p.x), std::max(box_->high.y, p.y)};
  }

  std::optional<Box> box_;
};

class CountVisitor : public Visitor {
 public:
  const std::map<std::string, int>& counts() const { return counts_; }
  int deepest() const { return deepest_; }
  void visit(const Circle&) override { counts_["circle"]++; }
  void visit(const Rectangle& r) override { counts_[r.width() == r.height() ? "square" : "rectangle"]++; }
  void visit(const Polygon& p) override { counts_[p.points().size() == 3 ? "triangle" : "polygon"]++; }
  void visit(const Label&) override { counts_["label"]++; }
  void visit(const Group& g) override {
    counts_["group"]++;
    deepest_ = std::max(deepest_, ++depth_);
    for (const auto& child : g.children()) child->accept(*this);
    depth_--;
  }

 private:
  std::map<std::string, int> counts_;
  int depth_ = 0;
  int deepest_ = 0;
};

class OutlineVisitor : public Visitor {
 public:
  void visit(const Circle& c) override {
    indent() << "circle at " << c.center().x << "," << c.center().y << " radius " << c.radius() << "\n";
  }
  void visit(const Rectangle& r) override {
    indent() << "rectangle at " << r.corner().x << "," << r.corner().y << " size " << r.width() << "x"
             << r.height() << "\n";
  }
  void visit(const Polygon& p) override {
    indent() << "polygon";
    for (const Point& point : p.points()) std::cout << " " << point.x << "," << point.y;
    std::cout << "\n";
  }
  void visit(const Label& l) override {
    indent() << "label at " << l.at().x << "," << l.at().y << " \"" << l.text() << "\"\n";
  }
  void visit(const Group& g) override {
    AreaVisitor area;
    g.accept(area);
    indent() << "group " << g.name() << ", area " << area.thousandths() / 1000 << "\n";
    depth_++;
    for (const auto& child : g.children()) child->accept(*this);
    depth_--;
  }

 private:
  std::ostream& indent() {
    for (int i = 0; i < depth_; i++) std::cout << "  ";
    return std::cout;
  }

  int depth_ = 0;
};

class SvgVisitor : public Visitor {
 public:
  void visit(const Circle& c) override {
    std::cout << "<circle cx=\"" << c.center().x << "\" cy=\"" << c.center().y << "\" r=\"" << c.radius()
              << "\"/>\n";
  }
  void visit(const Rectangle& r) override {
    std::cout << "<rect x=\"" << r.corner().x << "\" y=\"" << r.corner().y << "\" width=\"" << r.width()
              << "\" height=\"" << r.height() << "\"/>\n";
  }
  void visit(const Polygon& p) override {
    std::cout << "<polygon points=\"";
    const char* separator = "";
    for (const Point& point : p.points()) {
      std::cout << separator << point.x << "," << point.y;
      separator = " ";
    }
    std::cout << "\"/>\n";
  }
  void visit(const Label& l) override {
    std::cout << "<text x=\"" << l.at().x << "\" y=\"" << l.at().y << "\">" << escape(l.text())
              << "</text>\n";
  }
  void visit(const Group& g) override {
    std::cout << "<g id=\"" << escape(g.name()) << "\">\n";
    for (const auto& child : g.children()) child->accept(*this);
    std::cout << "</g>\n";
  }

 private:
  static std::string escape(const std::string& text) {
    std::string out;
    for (char c : text) {
      switch (c) {
        case '<':
          out += "&lt;";
          break;
        case '&':
          out += "&amp;";
          break;
        case '"':
          out += "&quot;";
          break;
        default:
          out += c;
      }
    }
    return out;
  }
};

// ---- reading ----------------------------------------------------------------------------------------------

class Reader {
 public:
  // Returns the whole drawing as a group, or nothing after setting error().
  std::unique_ptr<Group> read(std::istream& in) {
    open_.push_back(std::make_unique<Group>("drawing"));
    for (std::string text; std::getline(in, text);) {
      line_++;
      std::istringstream words(text);
      std::string command;
      if (!(words >> command) || command[0] == '#') continue;
      if (!run(command, words)) {
        if (error_.empty()) error_ = "malformed " + command;
        error_ = "line " + std::to_string(line_) + ": " + error_;
        return nullptr;
      }
    }
    if (open_.size() > 1) {
      error_ = "group " + open_.back()->name() + " has no end";
      return nullptr;
    }
    return std::move(open_.back());
  }

  const std::string& error() const { return error_; }

 private:
  bool run(const std::string& command, std::istream& in) {
    if (command == "group") return open_group(in);
    if (command == "end") return close_group();
    if (command == "move" || command == "scale" || command == "copy") return change_last(command, in);
    std::unique_ptr<Shape> shape = make_shape(command, in);
    if (!shape) return false;
    open_.back()->add(std::move(shape));
    return true;
  }

  bool open_group(std::istream& in) {
    std::string name;
    if (!(in >> name)) return false;
    open_.push_back(std::make_unique<Group>(name));
    return true;
  }

  bool close_group() {
    if (open_.size() < 2) {
      error_ = "end without a group";
      return false;
    }
    std::unique_ptr<Group> done = std::move(open_.back());
    open_.pop_back();
    open_.back()->add(std::move(done));
    return true;
  }

  bool change_last(const std::string& command, std::istream& in) {
    Shape* last = open_.back()->last();
    if (!last) {
      error_ = "nothing to " + command;
      return false;
    }
    Point by;
    int64_t factor;
    if (command == "scale") {
      if (!(in >> factor) || factor < 1 || factor > 100) return false;
      last->scale(factor);
      return true;
    }
    if (!(in >> by.x >> by.y)) return false;
    if (command == "copy") {
      open_.back()->add(last->clone());
      last = open_.back()->last();
    }
    last->move(by);
    return true;
  }

  std::unique_ptr<Shape> make_shape(const std::string& command, std::istream& in) {
    Point at;
    int64_t a, b;
    if (command == "circle") {
      if (in >> at.x >> at.y >> a && a > 0) return std::make_unique<Circle>(at, a);
    } else if (command == "rect") {
      if (in >> at.x >> at.y >> a >> b && a > 0 && b > 0) return std::make_unique<Rectangle>(at, a, b);
    } else if (command == "polygon") {
      std::vector<Point> points;
      while (in >> at.x >> at.y) points.push_back(at);
      if (points.size() >= 3) return std::make_unique<Polygon>(std::move(points));
    } else if (command == "label") {
      std::string text;
      if (in >> at.x >> at.y && std::getline(in >> std::ws, text)) return std::make_unique<Label>(at, text);
    } else {
      error_ = "unknown command " + command;
    }
    return nullptr;
  }

  std::vector<std::unique_ptr<Group>> open_;
  std::string error_;
  int line_ = 0;
};

void print_report(const Shape& drawing) {
  AreaVisitor area;
  BoundsVisitor bounds;
  CountVisitor counts;
  for (Visitor* v : std::initializer_list<Visitor*>{&area, &bounds, &counts}) drawing.accept(*v);
  std::printf("area %lld.%03lld\n", static_cast<long long>(area.thousandths() / 1000),
              static_cast<long long>(area.thousandths() % 1000));
  if (const auto& box = bounds.bounds()) {
    std::printf("bounds %lld,%lld to %lld,%lld\n", static_cast<long long>(box->low.x),
                static_cast<long long>(box->low.y), static_cast<long long>(box->high.x),
                static_cast<long long>(box->high.y));
  }
  for (const auto& [kind, count] : counts.counts()) std::printf("%s %d\n", kind.c_str(), count);
  std::printf("depth %d\n", counts.deepest());
}

}  // namespace

int main(int argc, char** argv) {
  std::string mode = argc > 1 ? argv[1] : "report";
  Reader reader;
  std::unique_ptr<Group> drawing = reader.read(std::cin);
  if (!drawing) {
    std::cout << reader.error() << "\n";
    return 1;
  }
  if (mode == "outline") {
    OutlineVisitor outline;
    drawing->accept(outline);
  } else if (mode == "svg") {
    std::cout << "<svg xmlns=\"http://www.w3.org/2000/svg\">\n";
    SvgVisitor svg;
    drawing->accept(svg);
    std::cout << "</svg>\n";
  } else if (mode == "report") {
    print_report(*drawing);
  } else {
    std::cout << "usage: shapes [outline|svg|report]\n";
    return 2;
  }
  return 0;
}
