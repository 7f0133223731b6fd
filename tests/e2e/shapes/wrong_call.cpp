// Calls an object through a class that it is not of, which -fsanitize=cfi stops.
#include <cstdio>

struct Clock {
  virtual int hours() const { return 12; }
};
struct Bell {
  virtual int tone() const { return 440; }
};

__attribute__((noinline)) int ask(const Clock* clock) { return clock->hours(); }

int main() {
  const Bell bell;
  std::printf("%d\n", ask(reinterpret_cast<const Clock*>(&bell)));
}
