// eventsim - a discrete-event simulation of a small post office.
//
// Customers arrive, queue for one of several counters, may lose patience, and are served; counters take
// breaks. Everything that can happen is an Event with a virtual fire(), kept in a binary heap ordered by time
// and then by age. Time is in whole seconds and the random numbers come from a fixed generator, so a run is
// exact. Standard input has lines "NAME NUMBER": seed, hours, counters, arrival, service, patience, pause,
// trace.

#include <cstdint>
#include <cstdio>
#include <cstring>

namespace {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 6364136223846793005ull + 1442695040888963407ull) {}

  uint32_t next() {
    state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<uint32_t>(state_ >> 33);
  }

  // The sum of three uniform draws: a bell-shaped spread around the mean, never below a tenth of it.
  int around(int mean) {
    if (mean < 1) return 1;
    uint32_t span = static_cast<uint32_t>(2 * mean) / 3 + 1;
    int value = static_cast<int>(next() % span + next() % span + next() % span);
    return value < mean / 10 + 1 ? mean / 10 + 1 : value;
  }

 private:
  uint64_t state_;
};

class Office;

class Event {
 public:
  virtual ~Event() = default;
  virtual void fire(Office& office) = 0;

  int time = 0;
  int serial = 0;  // age, to break ties
};

class EventQueue {
 public:
  ~EventQueue() {
    for (int i = 0; i < size_; i++) delete heap_[i];
  }

  bool push(Event* event, int time) {
    if (size_ == kCapacity) {
      delete event;
      return false;
    }
    event->time = time;
    event->serial = serial_++;
    int i = size_++;
    for (; i > 0 && before(event, heap_[(i - 1) / 2]); i = (i - 1) / 2) heap_[i] = heap_[(i - 1) / 2];
    heap_[i] = event;
    return true;
  }

  Event* pop() {
    if (size_ == 0) return nullptr;
    Event* top = heap_[0];
    Event* last = heap_[--size_];
    int i = 0;
    for (;;) {
      int child = 2 * i + 1;
      if (child >= size_) break;
      if (child + 1 < size_ && before(heap_[child + 1], heap_[child])) child++;
      if (!before(heap_[child], last)) break;
      heap_[i] = heap_[child];
      i = child;
    }
    heap_[i] = last;
    return top;
  }

 private:
  static constexpr int kCapacity = 1024;

  static bool before(const Event* a, const Event* b) {
    return a->time != b->time ? a->time < b->time : a->serial < b->serial;
  }

  Event* heap_[kCapacity];
  int size_ = 0;
  int serial_ = 0;
};

struct Settings {
  int seed = 1;
  int hours = 8;
  int counters = 2;
  int arrival = 60;  // mean seconds between customers
  int service = 110;
  int patience = 600;
  int pause = 900;  // length of a break; 0 for none
  int trace = 0;    // print the first so many happenings
};

struct Customer {
  int number = 0;
  int arrived = 0;
  int hurry = 0;  // leaves when not served within this time
};

// A ring buffer; the front is served first, but anyone may leave.
class Line {
 public:
  bool join(const Customer& c) {
    if (size_ == kCapacity) return false;
    place(size_++) = c;
    if (size_ > longest_) longest_ = size_;
    return true;
  }

  bool take(Customer& out) {
    if (size_ == 0) return false;
    out = place(0);
    head_ = (head_ + 1) % kCapacity;
    size_--;
    return true;
  }

  bool leave(int number, Customer& out) {
    for (int i = 0; i < size_; i++) {
      if (place(i).number != number) continue;
      out = place(i);
      for (; i + 1 < size_; i++) place(i) = place(i + 1);
      size_--;
      return true;
    }
    return false;
  }

  int size() const { return size_; }
  int longest() const { return longest_; }

 private:
  static constexpr int kCapacity = 40;

  Customer& place(int i) { return ring_[(head_ + i) % kCapacity]; }

  Customer ring_[kCapacity];
  int head_ = 0;
  int size_ = 0;
  int longest_ = 0;
};

// Counts values in doubling buckets, for a rough distribution.
class Histogram {
 public:
  void add(int value) {
    int bucket = 0;
    for (int limit = 15; value > limit && bucket + 1 < kBuckets; limit = 2 * limit + 1) bucket++;
    count_[bucket]++;
    total_++;
    sum_ += value;
    if (value > largest_) largest_ = value;
  }

  void print(const char* name) const {
    std::printf("%s: %d, mean %lld, largest %d\n", name, total_, total_ ? sum_ / total_ : 0ll, largest_);
    int low = 0, high = 15;
    for (int i = 0; i < kBuckets; i++) {
      if (count_[i]) {
        std::printf("  %5d-%-5d %4d ", low, high, count_[i]);
        for (int k = 0; k < count_[i] * 40 / total_; k++) std::putchar('*');
        std::putchar('\n');
      }
      low = high + 1;
      high = 2 * high + 1;
    }
  }

 private:
  static constexpr int kBuckets = 10;
  int count_[kBuckets] = {};
  int total_ = 0;
  long long sum_ = 0;
  int largest_ = 0;
};

class Office {
 public:
  explicit Office(const Settings& settings)
      : settings_(settings), random_(static_cast<uint64_t>(settings.seed)), closing_(settings.hours * 3600) {}

  bool run();
  void report() const;

  void customer_arrives();
  void patience_ends(int number);
  void service_ends(int counter, int duration);
  void break_starts(int counter);
  void break_ends(int counter);

 private:
  static constexpr int kMaxCounters = 16;
  enum CounterState { kIdle, kBusy, kAway };

  struct Counter {
    CounterState state = kIdle;
    bool break_due = false;
    int served = 0;
    int busy_seconds = 0;
  };

  void schedule(Event* event, int delay) {
    if (!events_.push(event, now_ + delay)) overflowed_ = true;
  }

  void start_service(int counter, const Customer& customer);
  void next_for(int counter);
  void trace(const char* what, int number);

  Settings settings_;
  Random random_;
  EventQueue events_;
  Line line_;
  Counter counters_[kMaxCounters];
  Histogram waits_;
  Histogram lost_;
  int closing_;
  int now_ = 0;
  int customers_ = 0;
  int turned_away_ = 0;
  int traced_ = 0;
  bool overflowed_ = false;
};

class Arrival : public Event {
 public:
  void fire(Office& office) override { office.customer_arrives(); }
};

class PatienceEnds : public Event {
 public:
  explicit PatienceEnds(int number) : number_(number) {}
  void fire(Office& office) override { office.patience_ends(number_); }

 private:
  int number_;
};

class CounterEvent : public Event {
 public:
  explicit CounterEvent(int counter) : counter_(counter) {}

 protected:
  int counter_;
};

class ServiceEnds : public CounterEvent {
 public:
  ServiceEnds(int counter, int duration) : CounterEvent(counter), duration_(duration) {}
  void fire(Office& office) override { office.service_ends(counter_, duration_); }

 private:
  int duration_;
};

class BreakStarts : public CounterEvent {
 public:
  using CounterEvent::CounterEvent;
  void fire(Office& office) override { office.break_starts(counter_); }
};

class BreakEnds : public CounterEvent {
 public:
  using CounterEvent::CounterEvent;
  void fire(Office& office) override { office.break_ends(counter_); }
};

bool Office::run() {
  schedule(new Arrival, random_.around(settings_.arrival));
  if (settings_.pause > 0) {
    for (int i = 0; i < settings_.counters; i++)
      schedule(new BreakStarts(i), closing_ * (i + 1) / (settings_.counters + 2));
  }
  while (Event* event = events_.pop()) {
    now_ = event->time;
    event->fire(*this);
    delete event;
  }
  return !overflowed_;
}

void Office::trace(const char* what, int number) {
  if (traced_ >= settings_.trace) return;
  traced_++;
  std::printf("%02d:%02d:%02d %s %d, %d waiting\n", 8 + now_ / 3600, now_ / 60 % 60, now_ % 60, what, number,
              line_.size());
}

void Office::customer_arrives() {
  if (now_ >= closing_) return;
  // The hour around noon is twice as busy.
  bool rush = now_ > closing_ * 3 / 8 && now_ < closing_ / 2;
  schedule(new Arrival, random_.around(rush ? settings_.arrival / 2 : settings_.arrival));
  Customer customer{++customers_, now_, random_.around(settings_.patience)};
  if (!line_.join(customer)) {
    turned_away_++;
    trace("turned away", customer.number);
    return;
  }
  trace("arrives", customer.number);
  for (int i = 0; i < settings_.counters; i++) {
    if (counters_[i].state == kIdle) {
      next_for(i);
      return;
    }
  }
  schedule(new PatienceEnds(customer.number), customer.hurry);
}

void Office::patience_ends(int number) {
  Customer customer;
  if (!line_.leave(number, customer)) return;  // was served in time
  lost_.add(now_ - customer.arrived);
  trace("leaves", number);
}

void Office::start_service(int counter, const Customer& customer) {
  int duration = random_.around(settings_.service);
  counters_[counter].state = kBusy;
  waits_.add(now_ - customer.arrived);
  trace("is served", customer.number);
  schedule(new ServiceEnds(counter, duration), duration);
}

void Office::next_for(int counter) {
  Counter& c = counters_[counter];
  if (c.break_due) {
    c.break_due = false;
    c.state = kAway;
    trace("break at counter", counter + 1);
    schedule(new BreakEnds(counter), settings_.pause);
    return;
  }
  Customer customer;
  c.state = kIdle;
  if (line_.take(customer)) start_service(counter, customer);
}

void Office::service_ends(int counter, int duration) {
  counters_[counter].served++;
  counters_[counter].busy_seconds += duration;
  next_for(counter);
}

void Office::break_starts(int counter) {
  counters_[counter].break_due = true;
  if (counters_[counter].state == kIdle) next_for(counter);
}

void Office::break_ends(int counter) {
  trace("back at counter", counter + 1);
  next_for(counter);
}

void Office::report() const {
  std::printf("closed after %d:%02d, %d customers, %d turned away, longest line %d\n", now_ / 3600,
              now_ / 60 % 60, customers_, turned_away_, line_.longest());
  waits_.print("waits");
  lost_.print("lost after");
  for (int i = 0; i < settings_.counters; i++) {
    const Counter& c = counters_[i];
    std::printf("counter %d served %d, busy %d%%\n", i + 1, c.served,
                now_ ? c.busy_seconds / (now_ / 100 + 1) : 0);
  }
}

struct SettingName {
  const char* name;
  int Settings::* field;
  int low, high;
};

constexpr SettingName kNames[] = {
    {"seed", &Settings::seed, 0, 1000000},    {"hours", &Settings::hours, 1, 500},
    {"counters", &Settings::counters, 1, 16}, {"arrival", &Settings::arrival, 2, 3600},
    {"service", &Settings::service, 1, 7200}, {"patience", &Settings::patience, 1, 7200},
    {"pause", &Settings::pause, 0, 7200},     {"trace", &Settings::trace, 0, 1000},
};

const char* set(Settings& settings, const char* name, int value) {
  for (const SettingName& s : kNames) {
    if (std::strcmp(s.name, name) != 0) continue;
    if (value < s.low || value > s.high) return "value out of range";
    settings.*s.field = value;
    return nullptr;
  }
  return "unknown setting";
}

}  // namespace

int main() {
  Settings settings;
  char name[32];
  int value;
  int got;
  while ((got = std::scanf("%31s %d", name, &value)) == 2) {
    if (const char* problem = set(settings, name, value)) {
      std::printf("eventsim: %s: %s\n", name, problem);
      return 1;
    }
  }
  if (got != EOF) {
    std::printf("eventsim: %s needs a number\n", name);
    return 1;
  }
  Office office(settings);
  if (!office.run()) {
    std::puts("eventsim: too many events");
    return 2;
  }
  office.report();
  return 0;
}
