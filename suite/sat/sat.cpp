// sat - a small conflict-driven SAT solver.
//
// Reads a formula in DIMACS form ("p cnf VARIABLES CLAUSES", then clauses that end in 0) and decides it with
// two watched literals per clause, first-UIP clause learning, activity-ordered decisions, phase saving and
// restarts. It prints SATISFIABLE with a model that it has checked, or UNSATISFIABLE, and the statistics.
// Exit status 10 and 20, as is the custom; 1 for malformed input.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

// A growable array of plain values; the solver needs no more than this.
template <typename T>
class Array {
 public:
  Array() = default;
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  Array(Array&& o) noexcept : data_(o.data_), size_(o.size_), capacity_(o.capacity_) {
    o.data_ = nullptr;
    o.size_ = o.capacity_ = 0;
  }
  ~Array() {
    clear();
    std::free(data_);
  }

  int size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](int i) { return data_[i]; }
  const T& operator[](int i) const { return data_[i]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  T& back() { return data_[size_ - 1]; }

  void push(T value) {
    if (size_ == capacity_) grow();
    new (&data_[size_++]) T(static_cast<T&&>(value));
  }
  void pop() { data_[--size_].~T(); }
  void shrink(int size) {
    while (size_ > size) pop();
  }
  void clear() { shrink(0); }

 private:
  void grow() {
    int capacity = capacity_ ? 2 * capacity_ : 8;
    T* data = static_cast<T*>(std::malloc(sizeof(T) * static_cast<size_t>(capacity)));
    if (!data) std::abort();
    for (int i = 0; i < size_; i++) {
      new (&data[i]) T(static_cast<T&&>(data_[i]));
      data_[i].~T();
    }
    std::free(data_);
    data_ = data;
    capacity_ = capacity;
  }

  T* data_ = nullptr;
  int size_ = 0;
  int capacity_ = 0;
};

// Variable v is literal 2v, its negation 2v + 1.
using Literal = int;
Literal negate(Literal l) { return l ^ 1; }
int variable(Literal l) { return l >> 1; }
int sign(Literal l) { return l & 1; }

enum Value : signed char { kFalse = 0, kTrue = 1, kOpen = 2 };

struct Clause {
  Array<Literal> literals;  // the first two are watched
};

struct Watch {
  int clause;
  Literal blocker;  // when this one is true, the clause needs no look
};

struct Statistics {
  long decisions = 0, propagations = 0, conflicts = 0, restarts = 0, learned = 0;
};

class Solver {
 public:
  explicit Solver(int variables) : variables_(variables) {
    for (int v = 0; v < variables; v++) {
      value_.push(kOpen);
      level_.push(0);
      reason_.push(-1);
      activity_.push(0);
      phase_.push(0);
      seen_.push(0);
      heap_position_.push(-1);
      watches_.push({});
      watches_.push({});
    }
    for (int v = 0; v < variables; v++) heap_insert(v);
  }

  void add_clause(const Array<Literal>& literals) {
    Clause clause;
    for (Literal l : literals) {
      if (contains(clause.literals, negate(l))) return;  // always true
      if (!contains(clause.literals, l)) clause.literals.push(l);
    }
    if (clause.literals.empty()) {
      contradiction_ = true;
    } else if (clause.literals.size() == 1) {
      Literal l = clause.literals[0];
      if (value(l) == kFalse) contradiction_ = true;
      if (value(l) == kOpen) assign(l, -1);
    } else {
      attach(static_cast<Clause&&>(clause));
    }
  }

  bool solve() {
    if (contradiction_ || propagate() >= 0) return false;
    long budget = 50;
    for (;;) {
      int conflict = propagate();
      if (conflict >= 0) {
        stats.conflicts++;
        if (current_level() == 0) return false;
        learn(conflict);
        decay();
        budget--;
        continue;
      }
      if (budget <= 0) {
        stats.restarts++;
        budget = 50 + 20 * stats.restarts;
        backtrack(0);
      }
      int v = choose();
      if (v < 0) return true;
      stats.decisions++;
      level_start_.push(trail_.size());
      assign(2 * v + !phase_[v], -1);
    }
  }

  bool model(int v) const { return value_[v] == kTrue; }

  Statistics stats;

 private:
  static bool contains(const Array<Literal>& list, Literal l) {
    for (Literal x : list) {
      if (x == l) return true;
    }
    return false;
  }

  int current_level() const { return level_start_.size(); }

  Value value(Literal l) const {
    Value v = value_[variable(l)];
    return v == kOpen ? kOpen : static_cast<Value>(v ^ sign(l));
  }

  int attach(Clause&& clause) {
    int number = clauses_.size();
    Literal a = clause.literals[0], b = clause.literals[1];
    watches_[negate(a)].push({number, b});
    watches_[negate(b)].push({number, a});
    clauses_.push(static_cast<Clause&&>(clause));
    return number;
  }

  void assign(Literal l, int reason) {
    int v = variable(l);
    value_[v] = sign(l) ? kFalse : kTrue;
    level_[v] = current_level();
    reason_[v] = reason;
    trail_.push(l);
  }

  // Follows all consequences; returns the clause that became false, or -1.
  int propagate() {
    while (next_ < trail_.size()) {
      Literal l = trail_[next_++];
      stats.propagations++;
      int conflict = visit_watches(l);
      if (conflict >= 0) return conflict;
    }
    return -1;
  }

  int visit_watches(Literal l) {
    Array<Watch>& list = watches_[l];
    int kept = 0;
    int conflict = -1;
    for (int i = 0; i < list.size(); i++) {
      Watch w = list[i];
      if (conflict >= 0 || value(w.blocker) == kTrue) {
        list[kept++] = w;
        continue;
      }
      Array<Literal>& c = clauses_[w.clause].literals;
      Literal falsified = negate(l);
      if (c[0] == falsified) swap(c[0], c[1]);
      if (value(c[0]) == kTrue) {
        list[kept++] = {w.clause, c[0]};
        continue;
      }
      if (move_watch(w.clause, c)) continue;
      list[kept++] = w;
      if (value(c[0]) == kFalse) {
        conflict = w.clause;
      } else {
        assign(c[0], w.clause);
      }
    }
    list.shrink(kept);
    return conflict;
  }

  // Finds another literal to watch instead of c[1].
  bool move_watch(int clause, Array<Literal>& c) {
    for (int k = 2; k < c.size(); k++) {
      if (value(c[k]) == kFalse) continue;
      swap(c[1], c[k]);
      watches_[negate(c[1])].push({clause, c[0]});
      return true;
    }
    return false;
  }

  template <typename T>
  static void swap(T& a, T& b) {
    T t = a;
    a = b;
    b = t;
  }

  // Resolves backwards along the trail until one literal of the current level is left, learns that clause,
  // and goes back to where it has a consequence.
  void learn(int conflict) {
    Clause learned;
    learned.literals.push(0);  // room for the asserting literal
    int open = 0;
    int at = trail_.size();
    Literal pivot = -1;
    do {
      for (Literal l : clauses_[conflict].literals) {
        int v = variable(l);
        if (l == pivot || seen_[v] || level_[v] == 0) continue;
        seen_[v] = 1;
        bump(v);
        if (level_[v] == current_level()) {
          open++;
        } else {
          learned.literals.push(l);
        }
      }
      do pivot = trail_[--at];
      while (!seen_[variable(pivot)]);
      seen_[variable(pivot)] = 0;
      conflict = reason_[variable(pivot)];
    } while (--open > 0);
    learned.literals[0] = negate(pivot);
    stats.learned += learned.literals.size();

    int back = 0;
    for (int i = 1; i < learned.literals.size(); i++) {
      int v = variable(learned.literals[i]);
      seen_[v] = 0;
      if (level_[v] > back) {
        back = level_[v];
        swap(learned.literals[1], learned.literals[i]);
      }
    }
    backtrack(back);
    Literal asserting = learned.literals[0];
    assign(asserting, learned.literals.size() > 1 ? attach(static_cast<Clause&&>(learned)) : -1);
  }

  void backtrack(int level) {
    if (current_level() <= level) return;
    int start = level_start_[level];
    for (int i = trail_.size() - 1; i >= start; i--) {
      int v = variable(trail_[i]);
      phase_[v] = value_[v] == kTrue;
      value_[v] = kOpen;
      if (heap_position_[v] < 0) heap_insert(v);
    }
    trail_.shrink(start);
    level_start_.shrink(level);
    next_ = start;
  }

  // ---- order of decisions: a heap of variables by activity, kept in integers to be exact

  void bump(int v) {
    activity_[v] += increment_;
    if (heap_position_[v] >= 0) heap_up(heap_position_[v]);
  }

  void decay() {
    increment_ += increment_ / 16 + 1;
    if (increment_ < 1ll << 40) return;
    for (long long& a : activity_) a >>= 30;
    increment_ = (increment_ >> 30) + 1;
    heap_.clear();  // equal activities may have swapped places: build it again
    for (int v = 0; v < variables_; v++) heap_position_[v] = -1;
    for (int v = 0; v < variables_; v++) {
      if (value_[v] == kOpen) heap_insert(v);
    }
  }

  bool before(int a, int b) const {
    return activity_[a] != activity_[b] ? activity_[a] > activity_[b] : a < b;
  }

  void heap_place(int i, int v) {
    heap_[i] = v;
    heap_position_[v] = i;
  }

  void heap_up(int i) {
    int v = heap_[i];
    for (; i > 0 && before(v, heap_[(i - 1) / 2]); i = (i - 1) / 2) heap_place(i, heap_[(i - 1) / 2]);
    heap_place(i, v);
  }

  void heap_down(int i) {
    int v = heap_[i];
    for (;;) {
      int child = 2 * i + 1;
      if (child >= heap_.size()) break;
      if (child + 1 < heap_.size() && before(heap_[child + 1], heap_[child])) child++;
      if (!before(heap_[child], v)) break;
      heap_place(i, heap_[child]);
      i = child;
    }
    heap_place(i, v);
  }

  void heap_insert(int v) {
    heap_.push(v);
    heap_position_[v] = heap_.size() - 1;
    heap_up(heap_.size() - 1);
  }

  int choose() {
    while (!heap_.empty()) {
      int v = heap_[0];
      heap_position_[v] = -1;
      int last = heap_.back();
      heap_.pop();
      if (!heap_.empty()) {
        heap_place(0, last);
        heap_down(0);
      }
      if (value_[v] == kOpen) return v;
    }
    return -1;
  }

  int variables_;
  Array<Clause> clauses_;
  Array<Array<Watch>> watches_;
  Array<Value> value_;
  Array<int> level_, reason_, heap_, heap_position_;
  Array<long long> activity_;
  Array<char> phase_, seen_;
  Array<Literal> trail_;
  Array<int> level_start_;
  int next_ = 0;
  long long increment_ = 16;
  bool contradiction_ = false;
};

struct Formula {
  int variables = 0;
  Array<Array<Literal>> clauses;
};

const char* read_formula(FILE* in, Formula& f) {
  char word[32];
  int announced = -1;
  Array<Literal> clause;
  while (std::fscanf(in, "%31s", word) == 1) {
    if (word[0] == 'c') {
      int c;
      while ((c = std::getc(in)) != '\n' && c != EOF) {
      }
    } else if (word[0] == 'p') {
      if (std::fscanf(in, " cnf %d %d", &f.variables, &announced) != 2) return "malformed header";
      if (f.variables < 0 || f.variables > 5000) return "too many variables";
    } else {
      char* rest;
      long number = std::strtol(word, &rest, 10);
      if (announced < 0) return "clause before the header";
      if (*rest || number > f.variables || -number > f.variables) return "bad literal";
      if (number == 0) {
        f.clauses.push(static_cast<Array<Literal>&&>(clause));
      } else {
        clause.push(static_cast<int>(2 * ((number < 0 ? -number : number) - 1) + (number < 0)));
      }
    }
  }
  if (announced < 0) return "no header";
  if (!clause.empty()) return "last clause has no 0";
  return f.clauses.size() == announced ? nullptr : "wrong number of clauses";
}

bool satisfies(const Solver& solver, const Formula& f) {
  for (const Array<Literal>& clause : f.clauses) {
    bool good = false;
    for (Literal l : clause) good |= solver.model(variable(l)) != sign(l);
    if (!good) return false;
  }
  return true;
}

void print_model(const Solver& solver, int variables) {
  int column = 0;
  for (int v = 0; v < variables; v++) {
    column += std::printf("%s%d", column ? " " : "v ", solver.model(v) ? v + 1 : -(v + 1));
    if (column > 70) {
      std::printf("\n");
      column = 0;
    }
  }
  std::printf(column ? " 0\n" : "v 0\n");
}

}  // namespace

int main() {
  Formula formula;
  if (const char* problem = read_formula(stdin, formula)) {
    std::printf("sat: %s\n", problem);
    return 1;
  }
  Solver solver(formula.variables);
  for (const Array<Literal>& clause : formula.clauses) solver.add_clause(clause);
  bool satisfiable = solver.solve();
  const Statistics& s = solver.stats;
  std::printf("c %ld decisions, %ld propagations, %ld conflicts, %ld restarts, %ld literals learned\n",
              s.decisions, s.propagations, s.conflicts, s.restarts, s.learned);
  if (!satisfiable) {
    std::puts("s UNSATISFIABLE");
    return 20;
  }
  if (!satisfies(solver, formula)) {
    std::puts("sat: the model is wrong");
    return 2;
  }
  std::puts("s SATISFIABLE");
  print_model(solver, formula.variables);
  return 10;
}
