// stencil - heat spreading through a plate, on integer and floating-point grids.
//
// Reads "plate STEPS" and a picture: letters a to z are heaters at fixed temperatures, '.' is metal, '#' is
// an insulator. It runs an explicit five-point stencil in fixed point and in double precision, checks that
// the two stay close, and prints the plate in ten shades with the mean, the hottest free cell and the heat
// flow. One template serves both number types, as a numeric library would do it.

#include <cstdint>
#include <cstdio>
#include <cstring>

namespace {

constexpr int kMaxRows = 64;
constexpr int kMaxColumns = 96;

// 16 fractional bits and truncating division, exact on every machine.
struct Fixed {
  int32_t raw = 0;
  static Fixed from(int degrees) { return {degrees * 65536}; }
  friend Fixed operator+(Fixed a, Fixed b) { return {a.raw + b.raw}; }
  friend Fixed operator-(Fixed a, Fixed b) { return {a.raw - b.raw}; }
  Fixed eighth() const { return {raw / 8}; }
  double value() const { return raw / 65536.0; }
};

struct Real {
  double raw = 0;
  static Real from(int degrees) { return {static_cast<double>(degrees)}; }
  friend Real operator+(Real a, Real b) { return {a.raw + b.raw}; }
  friend Real operator-(Real a, Real b) { return {a.raw - b.raw}; }
  Real eighth() const { return {raw * 0.125}; }
  double value() const { return raw; }
};

struct Picture {
  int rows = 0;
  int columns = 0;
  char cell[kMaxRows][kMaxColumns + 2];

  bool is_heater(int r, int c) const { return cell[r][c] >= 'a' && cell[r][c] <= 'z'; }
  bool conducts(int r, int c) const {
    return r >= 0 && r < rows && c >= 0 && c < columns && cell[r][c] != '#';
  }
  int heater(int r, int c) const { return (cell[r][c] - 'a') * 4; }
};

const char* read_picture(FILE* in, Picture& p) {
  char line[256];
  while (std::fgets(line, sizeof line, in)) {
    int length = static_cast<int>(std::strcspn(line, "\r\n"));
    if (length == 0) break;
    if (length > kMaxColumns || p.rows == kMaxRows) return "plate too large";
    if (p.rows > 0 && length != p.columns) return "ragged plate";
    p.columns = length;
    for (int c = 0; c < length; c++) {
      char x = line[c];
      if (x != '.' && x != '#' && (x < 'a' || x > 'z')) return "unknown cell";
      p.cell[p.rows][c] = x;
    }
    p.rows++;
  }
  return p.rows > 0 ? nullptr : "empty plate";
}

template <typename Number>
class Plate {
 public:
  explicit Plate(const Picture& picture) : picture_(picture) {
    for (int r = 0; r < picture.rows; r++) {
      for (int c = 0; c < picture.columns; c++) {
        if (picture.is_heater(r, c)) now()[r][c] = Number::from(picture.heater(r, c));
      }
    }
    std::memcpy(next(), now(), sizeof grid_[0]);
  }

  void step() {
    for (int r = 0; r < picture_.rows; r++) {
      for (int c = 0; c < picture_.columns; c++) {
        if (picture_.cell[r][c] == '.') next()[r][c] = spread(r, c);
      }
    }
    current_ = !current_;
  }

  Number at(int r, int c) const { return grid_[current_][r][c]; }

  // Net heat that leaves the heaters in one step; zero once everything is settled.
  double flow() const {
    Number total{};
    for (int r = 0; r < picture_.rows; r++) {
      for (int c = 0; c < picture_.columns; c++) {
        if (!picture_.is_heater(r, c)) continue;
        each_neighbour(r, c, [&](int nr, int nc) {
          if (!picture_.is_heater(nr, nc)) total = total + (at(r, c) - at(nr, nc)).eighth();
        });
      }
    }
    return total.value();
  }

 private:
  using Grid = Number[kMaxRows][kMaxColumns];

  Grid& now() { return grid_[current_]; }
  Grid& next() { return grid_[!current_]; }

  template <typename Visit>
  void each_neighbour(int r, int c, Visit visit) const {
    if (picture_.conducts(r - 1, c)) visit(r - 1, c);
    if (picture_.conducts(r + 1, c)) visit(r + 1, c);
    if (picture_.conducts(r, c - 1)) visit(r, c - 1);
    if (picture_.conducts(r, c + 1)) visit(r, c + 1);
  }

  Number spread(int r, int c) const {
    Number here = at(r, c);
    Number gained{};
    each_neighbour(r, c, [&](int nr, int nc) { gained = gained + (at(nr, nc) - here); });
    return here + gained.eighth();
  }

  const Picture& picture_;
  Grid grid_[2] = {};
  int current_ = 0;
};

template <typename Number>
double hottest_free(const Picture& picture, const Plate<Number>& plate, int& row, int& column) {
  double best = -1.0;
  for (int r = 0; r < picture.rows; r++) {
    for (int c = 0; c < picture.columns; c++) {
      if (picture.cell[r][c] != '.' || plate.at(r, c).value() <= best) continue;
      best = plate.at(r, c).value();
      row = r;
      column = c;
    }
  }
  return best;
}

template <typename Number>
double mean(const Picture& picture, const Plate<Number>& plate) {
  double sum = 0.0;
  int count = 0;
  for (int r = 0; r < picture.rows; r++) {
    for (int c = 0; c < picture.columns; c++) {
      if (picture.cell[r][c] == '#') continue;
      sum += plate.at(r, c).value();
      count++;
    }
  }
  return count > 0 ? sum / count : 0.0;
}

double largest_difference(const Picture& picture, const Plate<Fixed>& a, const Plate<Real>& b) {
  double worst = 0.0;
  for (int r = 0; r < picture.rows; r++) {
    for (int c = 0; c < picture.columns; c++) {
      double d = a.at(r, c).value() - b.at(r, c).value();
      if (d < 0) d = -d;
      if (d > worst) worst = d;
    }
  }
  return worst;
}

// Shades come from the fixed-point grid, so that no rounding can move a border.
void print_plate(const Picture& picture, const Plate<Fixed>& plate) {
  for (int r = 0; r < picture.rows; r++) {
    for (int c = 0; c < picture.columns; c++) {
      int shade = plate.at(r, c).raw / (10 * 65536);
      std::putchar(picture.cell[r][c] == '#' ? '#' : " .:-=+*oO@"[shade > 9 ? 9 : shade]);
    }
    std::putchar('\n');
  }
}

int run(const Picture& picture, int steps) {
  static Plate<Fixed> fixed(picture);
  static Plate<Real> real(picture);
  for (int i = 0; i < steps; i++) {
    fixed.step();
    real.step();
  }
  print_plate(picture, fixed);
  int row = 0, column = 0;
  double hottest = hottest_free(picture, fixed, row, column);
  std::printf("mean %.2f, hottest %.2f at %d,%d, flow %.2f\n", mean(picture, fixed), hottest, row, column,
              fixed.flow());
  bool close = largest_difference(picture, fixed, real) < 0.5;
  std::printf("fixed and floating point %s\n", close ? "agree" : "differ");
  return close ? 0 : 1;
}

}  // namespace

int main() {
  static Picture picture;
  char line[64];
  int steps = 0;
  if (!std::fgets(line, sizeof line, stdin) || std::sscanf(line, "plate %d", &steps) != 1 || steps < 0) {
    std::puts("stencil: 'plate STEPS' wanted");
    return 2;
  }
  if (const char* problem = read_picture(stdin, picture)) {
    std::printf("stencil: %s\n", problem);
    return 2;
  }
  return run(picture, steps);
}
