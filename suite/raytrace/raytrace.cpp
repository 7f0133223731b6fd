// raytrace - a small ray tracer in fixed point.
//
// Reads a scene of spheres, checkered planes, boxes and lights, and renders it in 16.16 fixed-point
// arithmetic, so that the picture is the same on every machine. The picture is printed as characters, darkest
// to brightest, or as a plain PGM file with "-pgm". Shadows, a highlight and mirrors are included.
//
//   size 72 36            columns and rows
//   sphere 0 0 5 1 80 30  centre, radius, brightness and mirror in percent
//   box -1 -1 4 1 1 6 60 0
//   floor -1 70 10        height, brightness, mirror
//   light 5 8 -3 90       position, strength in percent

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

namespace {

class Fixed {
 public:
  constexpr Fixed() = default;
  constexpr Fixed(int value) : raw_(static_cast<int64_t>(value) << 16) {}

  static constexpr Fixed from_raw(int64_t raw) {
    Fixed f;
    f.raw_ = raw;
    return f;
  }
  static constexpr Fixed ratio(int a, int b) { return from_raw((static_cast<int64_t>(a) << 16) / b); }

  constexpr int64_t raw() const { return raw_; }
  constexpr int floor() const { return static_cast<int>(raw_ >> 16); }

  constexpr Fixed operator-() const { return from_raw(-raw_); }
  constexpr Fixed operator+(Fixed o) const { return from_raw(raw_ + o.raw_); }
  constexpr Fixed operator-(Fixed o) const { return from_raw(raw_ - o.raw_); }
  constexpr Fixed operator*(Fixed o) const { return from_raw((raw_ * o.raw_) >> 16); }
  constexpr Fixed operator/(Fixed o) const { return from_raw(raw_ * 65536 / o.raw_); }
  constexpr auto operator<=>(const Fixed&) const = default;

 private:
  int64_t raw_ = 0;
};

constexpr Fixed kEpsilon = Fixed::from_raw(655);  // a hundredth, so that a surface does not shadow itself
constexpr Fixed kFar = 200;

Fixed square_root(Fixed value) {
  if (value <= 0) return 0;
  uint64_t n = static_cast<uint64_t>(value.raw()) << 16;
  uint64_t root = 0;
  for (uint64_t bit = 1ull << 31; bit != 0; bit >>= 1) {
    uint64_t tried = root | bit;
    if (tried * tried <= n) root = tried;
  }
  return Fixed::from_raw(static_cast<int64_t>(root));
}

struct Vector {
  Fixed x, y, z;

  Vector operator+(const Vector& o) const { return {x + o.x, y + o.y, z + o.z}; }
  Vector operator-(const Vector& o) const { return {x - o.x, y - o.y, z - o.z}; }
  Vector operator*(Fixed s) const { return {x * s, y * s, z * s}; }
  Fixed dot(const Vector& o) const { return x * o.x + y * o.y + z * o.z; }
  Fixed length() const { return square_root(dot(*this)); }
  Vector unit() const {
    Fixed n = length();
    return n == 0 ? *this : Vector{x / n, y / n, z / n};
  }
};

struct Ray {
  Vector origin;
  Vector direction;  // of unit length
  Vector at(Fixed distance) const { return origin + direction * distance; }
};

struct Material {
  Fixed brightness;
  Fixed mirror;
};

class Thing {
 public:
  explicit Thing(Material material) : material_(material) {}
  virtual ~Thing() = default;
  // The distance to the nearest hit beyond kEpsilon, or kFar.
  virtual Fixed hit(const Ray& ray) const = 0;
  virtual Vector normal(const Vector& point) const = 0;
  virtual Fixed brightness(const Vector&) const { return material_.brightness; }
  Fixed mirror() const { return material_.mirror; }

 protected:
  Material material_;
};

class Sphere : public Thing {
 public:
  Sphere(Vector center, Fixed radius, Material material)
      : Thing(material), center_(center), radius_(radius) {}

  Fixed hit(const Ray& ray) const override {
    Vector to_center = center_ - ray.origin;
    Fixed along = to_center.dot(ray.direction);
    Vector offset = to_center - ray.direction * along;
    Fixed inside = radius_ * radius_ - offset.dot(offset);
    if (inside < 0) return kFar;
    Fixed half = square_root(inside);
    if (along - half > kEpsilon) return along - half;
    return along + half > kEpsilon ? along + half : kFar;
  }

  Vector normal(const Vector& point) const override { return (point - center_).unit(); }

 private:
  Vector center_;
  Fixed radius_;
};

class Floor : public Thing {
 public:
  Floor(Fixed height, Material material) : Thing(material), height_(height) {}

  Fixed hit(const Ray& ray) const override {
    if (ray.direction.y > -kEpsilon && ray.direction.y < kEpsilon) return kFar;
    Fixed distance = (height_ - ray.origin.y) / ray.direction.y;
    return distance > kEpsilon && distance < kFar ? distance : kFar;
  }

  Vector normal(const Vector&) const override { return {0, 1, 0}; }

  Fixed brightness(const Vector& point) const override {
    bool dark = (point.x.floor() + point.z.floor()) & 1;
    return dark ? material_.brightness * Fixed::ratio(1, 3) : material_.brightness;
  }

 private:
  Fixed height_;
};

class Box : public Thing {
 public:
  Box(Vector low, Vector high, Material material) : Thing(material), low_(low), high_(high) {}

  Fixed hit(const Ray& ray) const override {
    Fixed enter = -kFar, leave = kFar;
    bool missed = !clip(ray.origin.x, ray.direction.x, low_.x, high_.x, enter, leave) ||
                  !clip(ray.origin.y, ray.direction.y, low_.y, high_.y, enter, leave) ||
                  !clip(ray.origin.z, ray.direction.z, low_.z, high_.z, enter, leave);
    if (missed || enter > leave) return kFar;
    if (enter > kEpsilon) return enter;
    return leave > kEpsilon ? leave : kFar;
  }

  // The face that is nearest to the point.
  Vector normal(const Vector& p) const override {
    const std::array<std::pair<Fixed, Vector>, 6> faces = {{
        {p.x - low_.x, {-1, 0, 0}},
        {high_.x - p.x, {1, 0, 0}},
        {p.y - low_.y, {0, -1, 0}},
        {high_.y - p.y, {0, 1, 0}},
        {p.z - low_.z, {0, 0, -1}},
        {high_.z - p.z, {0, 0, 1}},
    }};
    const auto* best = &faces[0];
    for (const auto& face : faces) {
      if (magnitude(face.first) < magnitude(best->first)) best = &face;
    }
    return best->second;
  }

 private:
  static Fixed magnitude(Fixed x) { return x < 0 ? -x : x; }

  // Narrows [enter, leave] to the part of the ray between two parallel planes.
  static bool clip(Fixed origin, Fixed direction, Fixed low, Fixed high, Fixed& enter, Fixed& leave) {
    if (magnitude(direction) < Fixed::from_raw(16)) return origin >= low && origin <= high;
    Fixed a = (low - origin) / direction;
    Fixed b = (high - origin) / direction;
    if (a > b) std::swap(a, b);
    if (a > enter) enter = a;
    if (b < leave) leave = b;
    return enter <= leave;
  }

  Vector low_, high_;
};

struct Light {
  Vector position;
  Fixed strength;
};

class Scene {
 public:
  int width = 64;
  int height = 32;

  const char* read(FILE* in) {
    char word[16];
    while (std::fscanf(in, "%15s", word) == 1) {
      if (const char* problem = read_item(in, word)) return problem;
    }
    return things_.empty() ? "nothing in the scene" : nullptr;
  }

  Fixed trace(const Ray& ray, int bounces) const {
    const Thing* thing = nullptr;
    Fixed distance = nearest(ray, kFar, thing);
    if (!thing) return sky(ray);
    Vector point = ray.at(distance);
    Vector normal = thing->normal(point);
    if (normal.dot(ray.direction) > 0) normal = normal * -1;
    Fixed own = shade(ray, point, normal, thing->brightness(point));
    if (bounces == 0 || thing->mirror() == 0) return own;
    Ray mirrored{point, reflect(ray.direction, normal)};
    return own * (Fixed(1) - thing->mirror()) + trace(mirrored, bounces - 1) * thing->mirror();
  }

 private:
  const char* read_item(FILE* in, const char* word) {
    std::array<Fixed, 8> v;
    if (std::strcmp(word, "size") == 0) {
      if (!read_numbers(in, v, 2)) return "bad size";
      width = v[0].floor();
      height = v[1].floor();
      return width < 1 || width > 200 || height < 1 || height > 200 ? "bad size" : nullptr;
    }
    if (std::strcmp(word, "sphere") == 0) {
      if (!read_numbers(in, v, 6) || v[3] <= 0) return "bad sphere";
      things_.push_back(std::make_unique<Sphere>(Vector{v[0], v[1], v[2]}, v[3], material(v[4], v[5])));
    } else if (std::strcmp(word, "box") == 0) {
      if (!read_numbers(in, v, 8) || v[0] >= v[3] || v[1] >= v[4] || v[2] >= v[5]) return "bad box";
      things_.push_back(
          std::make_unique<Box>(Vector{v[0], v[1], v[2]}, Vector{v[3], v[4], v[5]}, material(v[6], v[7])));
    } else if (std::strcmp(word, "floor") == 0) {
      if (!read_numbers(in, v, 3)) return "bad floor";
      things_.push_back(std::make_unique<Floor>(v[0], material(v[1], v[2])));
    } else if (std::strcmp(word, "light") == 0) {
      if (!read_numbers(in, v, 4)) return "bad light";
      lights_.push_back({{v[0], v[1], v[2]}, v[3] / 100});
    } else {
      return "unknown item";
    }
    return nullptr;
  }

  // Reads decimal numbers such as -12.25 without going through floating point.
  static bool read_numbers(FILE* in, std::array<Fixed, 8>& out, size_t count) {
    for (size_t i = 0; i < count; i++) {
      char text[16];
      if (std::fscanf(in, "%15s", text) != 1) return false;
      const char* p = text + (text[0] == '-');
      int64_t value = 0, scale = 1;
      bool fraction = false;
      for (; *p; p++) {
        if (*p == '.' && !fraction) {
          fraction = true;
        } else if (*p >= '0' && *p <= '9' && value < 100000000) {
          value = value * 10 + (*p - '0');
          if (fraction) scale *= 10;
        } else {
          return false;
        }
      }
      if (value / scale > 100) return false;  // keeps every square within range
      out[i] = Fixed::from_raw(value * 65536 / scale * (text[0] == '-' ? -1 : 1));
    }
    return true;
  }

  static Material material(Fixed brightness, Fixed mirror) { return {brightness / 100, mirror / 100}; }

  static Vector reflect(const Vector& v, const Vector& normal) {
    return (v - normal * (normal.dot(v) * 2)).unit();
  }

  static Fixed sky(const Ray& ray) {
    Fixed up = ray.direction.y > 0 ? ray.direction.y : Fixed(0);
    return Fixed::ratio(1, 10) + up * Fixed::ratio(3, 10);
  }

  Fixed nearest(const Ray& ray, Fixed limit, const Thing*& found) const {
    for (const auto& thing : things_) {
      Fixed distance = thing->hit(ray);
      if (distance < limit) {
        limit = distance;
        found = thing.get();
      }
    }
    return limit;
  }

  Fixed shade(const Ray& ray, const Vector& point, const Vector& normal, Fixed brightness) const {
    Fixed total = brightness * Fixed::ratio(1, 8);
    for (const Light& light : lights_) {
      Vector to_light = light.position - point;
      Fixed distance = to_light.length();
      Ray shadow{point, to_light.unit()};
      Fixed slope = normal.dot(shadow.direction);
      const Thing* blocker = nullptr;
      if (slope <= 0) continue;
      nearest(shadow, distance, blocker);
      if (blocker) continue;
      Fixed highlight = reflect(ray.direction, normal).dot(shadow.direction);
      total = total + brightness * slope * light.strength;
      if (highlight > 0) {
        for (int i = 0; i < 4; i++) highlight = highlight * highlight;
        total = total + highlight * light.strength * Fixed::ratio(1, 2);
      }
    }
    return total;
  }

  std::vector<std::unique_ptr<Thing>> things_;
  std::vector<Light> lights_;
};

int level(Fixed brightness, int levels) {
  int n = (brightness * levels).floor();
  return n < 0 ? 0 : n >= levels ? levels - 1 : n;
}

void render(const Scene& scene, bool pgm) {
  static const char kShades[] = " .:-=+*%#@";
  if (pgm) std::printf("P2\n%d %d\n255\n", scene.width, scene.height);
  for (int row = 0; row < scene.height; row++) {
    for (int column = 0; column < scene.width; column++) {
      // Characters are about twice as tall as wide, pixels are square.
      Fixed x = Fixed::ratio(2 * column - scene.width + 1, scene.width);
      Fixed y = Fixed::ratio(scene.height - 2 * row - 1, scene.width) * (pgm ? 1 : 2);
      Ray ray{{0, 0, -4}, Vector{x, y, Fixed::ratio(3, 2)}.unit()};
      Fixed brightness = scene.trace(ray, 3);
      if (pgm) {
        std::printf("%d%c", level(brightness, 256), column + 1 < scene.width ? ' ' : '\n');
      } else {
        std::putchar(kShades[level(brightness, 10)]);
      }
    }
    if (!pgm) std::putchar('\n');
  }
}

}  // namespace

int main(int argc, char** argv) {
  Scene scene;
  if (const char* problem = scene.read(stdin)) {
    std::printf("raytrace: %s\n", problem);
    return 1;
  }
  render(scene, argc > 1 && std::strcmp(argv[1], "-pgm") == 0);
  return 0;
}
