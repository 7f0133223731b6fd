// containers - a key-value store on hand-written containers.
//
// Commands on standard input drive three structures at once: an open-addressing hash map (robin hood order,
// backward-shift deletion), a red-black tree, and a least-recently-used cache in front of the map. After
// every command the structures must agree, and "check" walks the tree to verify its invariants.
//
//   put KEY NUMBER | get KEY | del KEY | range LOW HIGH | sum | check | stats | fill SEED COUNT
//
// The exit status is 1 when a command was malformed and 2 when an invariant broke.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

uint64_t hash_of(std::string_view key) {
  uint64_t h = 14695981039346656037ull;
  for (unsigned char c : key) h = (h ^ c) * 1099511628211ull;
  return h ^ h >> 29;
}

// ---- hash map ---------------------------------------------------------------------------------------------

template <typename Value>
class HashMap {
 public:
  HashMap() : slots_(8) {}

  size_t size() const { return size_; }
  size_t capacity() const { return slots_.size(); }

  Value* find(std::string_view key) {
    size_t i = home(key);
    for (uint32_t distance = 1; slots_[i].distance >= distance; distance++) {
      if (slots_[i].key == key) return &slots_[i].value;
      i = next(i);
    }
    return nullptr;
  }

  void put(std::string_view key, Value value) {
    if (Value* found = find(key)) {
      *found = std::move(value);
      return;
    }
    if ((size_ + 1) * 5 > slots_.size() * 4) grow();
    insert_new({std::string(key), std::move(value), 1});
    size_++;
  }

  bool erase(std::string_view key) {
    size_t i = home(key);
    for (uint32_t distance = 1;; distance++, i = next(i)) {
      if (slots_[i].distance < distance) return false;
      if (slots_[i].key == key) break;
    }
    // Pull the followers back until one is at its home, so that no tombstones are needed.
    for (size_t j = next(i); slots_[j].distance > 1; i = std::exchange(j, next(j))) {
      slots_[i] = std::move(slots_[j]);
      slots_[i].distance--;
    }
    slots_[i] = Slot{};
    size_--;
    return true;
  }

  uint32_t longest_probe() const {
    uint32_t longest = 0;
    for (const Slot& s : slots_) longest = s.distance > longest ? s.distance : longest;
    return longest;
  }

 private:
  struct Slot {
    std::string key;
    Value value{};
    uint32_t distance = 0;  // 0 for an empty slot, else 1 + the distance from home
  };

  size_t home(std::string_view key) const { return hash_of(key) & (slots_.size() - 1); }
  size_t next(size_t i) const { return (i + 1) & (slots_.size() - 1); }

  void insert_new(Slot slot) {
    size_t i = home(slot.key);
    slot.distance = 1;
    while (slots_[i].distance != 0) {
      if (slots_[i].distance < slot.distance) std::swap(slots_[i], slot);
      slot.distance++;
      i = next(i);
    }
    slots_[i] = std::move(slot);
  }

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (Slot& s : old) {
      if (s.distance != 0) insert_new(std::move(s));
    }
  }

  std::vector<Slot> slots_;
  size_t size_ = 0;
};

// ---- red-black tree ---------------------------------------------------------------------------------------

// Nodes live in one vector and link by index; index 0 is the black sentinel that stands for every leaf.
template <typename Value>
class RedBlackTree {
 public:
  RedBlackTree() : nodes_(1) {}

  size_t size() const { return size_; }

  Value* find(std::string_view key) {
    uint32_t n = locate(key);
    return n ? &nodes_[n].value : nullptr;
  }

  void put(std::string_view key, Value value) {
    uint32_t parent = 0, at = root_;
    bool left = false;
    while (at) {
      int c = key.compare(nodes_[at].key);
      if (c == 0) {
        nodes_[at].value = std::move(value);
        return;
      }
      parent = at;
      left = c < 0;
      at = left ? nodes_[at].left : nodes_[at].right;
    }
    uint32_t n = allocate();
    nodes_[n].key = std::string(key);
    nodes_[n].value = std::move(value);
    nodes_[n].parent = parent;
    nodes_[n].red = true;
    if (!parent) {
      root_ = n;
    } else if (left) {
      nodes_[parent].left = n;
    } else {
      nodes_[parent].right = n;
    }
    size_++;
    repair_insert(n);
  }

  bool erase(std::string_view key) {
    uint32_t n = locate(key);
    if (!n) return false;
    uint32_t removed = n;
    if (nodes_[n].left && nodes_[n].right) {
      removed = nodes_[n].right;
      while (nodes_[removed].left) removed = nodes_[removed].left;
      std::swap(nodes_[n].key, nodes_[removed].key);
      std::swap(nodes_[n].value, nodes_[removed].value);
    }
    uint32_t child = nodes_[removed].left ? nodes_[removed].left : nodes_[removed].right;
    nodes_[child].parent = nodes_[removed].parent;  // the sentinel's parent matters to the repair
    replace_child(nodes_[removed].parent, removed, child);
    if (!nodes_[removed].red) repair_erase(child);
    nodes_[0] = Node{};
    nodes_[removed] = Node{};
    free_.push_back(removed);
    size_--;
    return true;
  }

  // Calls visit(key, value) for the keys in [low, high], in order.
  template <typename Visit>
  void range(std::string_view low, std::string_view high, Visit visit) const {
    range_below(root_, low, high, visit);
  }

  template <typename Visit>
  void each(Visit visit) const {
    each_below(root_, visit);
  }

  // The black height, or -1 when a red node has a red child, the order is off or heights differ.
  int check() const { return nodes_[root_].red ? -1 : check_below(root_, nullptr, nullptr); }

 private:
  struct Node {
    std::string key;
    Value value{};
    uint32_t left = 0, right = 0, parent = 0;
    bool red = false;
  };

  uint32_t allocate() {
    if (!free_.empty()) {
      uint32_t n = free_.back();
      free_.pop_back();
      return n;
    }
    nodes_.emplace_back();
    return static_cast<uint32_t>(nodes_.size() - 1);
  }

  uint32_t locate(std::string_view key) const {
    uint32_t at = root_;
    while (at) {
      int c = key.compare(nodes_[at].key);
      if (c == 0) break;
      at = c < 0 ? nodes_[at].left : nodes_[at].right;
    }
    return at;
  }

  void replace_child(uint32_t parent, uint32_t old, uint32_t child) {
    if (!parent) {
      root_ = child;
    } else if (nodes_[parent].left == old) {
      nodes_[parent].left = child;
    } else {
      nodes_[parent].right = child;
    }
  }

  // Turns n down to one side; its child on the other side takes its place.
  void rotate(uint32_t n, bool to_left) {
    uint32_t up = to_left ? nodes_[n].right : nodes_[n].left;
    uint32_t moved = to_left ? nodes_[up].left : nodes_[up].right;
    (to_left ? nodes_[n].right : nodes_[n].left) = moved;
    if (moved) nodes_[moved].parent = n;
    nodes_[up].parent = nodes_[n].parent;
    replace_child(nodes_[n].parent, n, up);
    (to_left ? nodes_[up].left : nodes_[up].right) = n;
    nodes_[n].parent = up;
  }

  void repair_insert(uint32_t n) {
    while (nodes_[nodes_[n].parent].red) {
      uint32_t parent = nodes_[n].parent;
      uint32_t grand = nodes_[parent].parent;
      bool left = nodes_[grand].left == parent;
      uint32_t uncle = left ? nodes_[grand].right : nodes_[grand].left;
      if (nodes_[uncle].red) {
        nodes_[parent].red = nodes_[uncle].red = false;
        nodes_[grand].red = true;
        n = grand;
        continue;
      }
      if (n == (left ? nodes_[parent].right : nodes_[parent].left)) {
        rotate(parent, left);
        parent = n;
      }
      nodes_[parent].red = false;
      nodes_[grand].red = true;
      rotate(grand, !left);
      break;
    }
    nodes_[root_].red = false;
  }

  void repair_erase(uint32_t n) {
    while (n != root_ && !nodes_[n].red) {
      uint32_t parent = nodes_[n].parent;
      bool left = nodes_[parent].left == n;
      uint32_t sibling = left ? nodes_[parent].right : nodes_[parent].left;
      if (nodes_[sibling].red) {
        nodes_[sibling].red = false;
        nodes_[parent].red = true;
        rotate(parent, left);
        sibling = left ? nodes_[parent].right : nodes_[parent].left;
      }
      uint32_t near = left ? nodes_[sibling].left : nodes_[sibling].right;
      uint32_t far = left ? nodes_[sibling].right : nodes_[sibling].left;
      if (!nodes_[near].red && !nodes_[far].red) {
        nodes_[sibling].red = true;
        n = parent;
        continue;
      }
      if (!nodes_[far].red) {
        nodes_[near].red = false;
        nodes_[sibling].red = true;
        rotate(sibling, !left);
        far = sibling;
        sibling = near;
      }
      nodes_[sibling].red = nodes_[parent].red;
      nodes_[parent].red = false;
      nodes_[far].red = false;
      rotate(parent, left);
      n = root_;
    }
    nodes_[n].red = false;
  }

  template <typename Visit>
  void range_below(uint32_t n, std::string_view low, std::string_view high, Visit& visit) const {
    if (!n) return;
    const Node& node = nodes_[n];
    if (low < node.key) range_below(node.left, low, high, visit);
    if (low <= node.key && node.key <= high) visit(node.key, node.value);
    if (node.key < high) range_below(node.right, low, high, visit);
  }

  template <typename Visit>
  void each_below(uint32_t n, Visit& visit) const {
    if (!n) return;
    each_below(nodes_[n].left, visit);
    visit(nodes_[n].key, nodes_[n].value);
    each_below(nodes_[n].right, visit);
  }

  int check_below(uint32_t n, const std::string* low, const std::string* high) const {
    if (!n) return 1;
    const Node& node = nodes_[n];
    if ((low && node.key <= *low) || (high && node.key >= *high)) return -1;
    if (node.red && (nodes_[node.left].red || nodes_[node.right].red)) return -1;
    int left = check_below(node.left, low, &node.key);
    int right = check_below(node.right, &node.key, high);
    return left < 0 || left != right ? -1 : left + !node.red;
  }

  std::vector<Node> nodes_;
  std::vector<uint32_t> free_;
  uint32_t root_ = 0;
  size_t size_ = 0;
};

// ---- cache ------------------------------------------------------------------------------------------------

// A fixed ring of entries in a doubly linked list, most recent first, indexed by the hash map.
class LruCache {
 public:
  explicit LruCache(int capacity) : entries_(static_cast<size_t>(capacity) + 1) {}

  const long* find(std::string_view key) {
    int* at = index_.find(key);
    if (!at) {
      misses_++;
      return nullptr;
    }
    hits_++;
    unlink(*at);
    link_first(*at);
    return &entry(*at).value;
  }

  void put(std::string_view key, long value) {
    if (int* at = index_.find(key)) {
      entry(*at).value = value;
      unlink(*at);
      link_first(*at);
      return;
    }
    int at = take_entry();
    entry(at).key = std::string(key);
    entry(at).value = value;
    link_first(at);
    index_.put(key, at);
  }

  void erase(std::string_view key) {
    int* found = index_.find(key);
    if (!found) return;
    int at = *found;
    index_.erase(key);
    unlink(at);
    spare_.push_back(at);
  }

  void print_stats() const {
    std::printf("cache %zu, %lu hits, %lu misses, newest %s, oldest %s\n", index_.size(), hits_, misses_,
                entry(entry(0).next).key.c_str(), entry(entry(0).previous).key.c_str());
  }

 private:
  struct Entry {
    std::string key;
    long value = 0;
    int previous = 0, next = 0;  // entry 0 is the list head
  };

  Entry& entry(int i) { return entries_[static_cast<size_t>(i)]; }
  const Entry& entry(int i) const { return entries_[static_cast<size_t>(i)]; }

  int take_entry() {
    if (!spare_.empty()) {
      int at = spare_.back();
      spare_.pop_back();
      return at;
    }
    if (used_ + 1 < static_cast<int>(entries_.size())) return ++used_;
    int oldest = entry(0).previous;
    index_.erase(entry(oldest).key);
    unlink(oldest);
    return oldest;
  }

  void unlink(int i) {
    entry(entry(i).previous).next = entry(i).next;
    entry(entry(i).next).previous = entry(i).previous;
  }

  void link_first(int i) {
    entry(i).previous = 0;
    entry(i).next = entry(0).next;
    entry(entry(0).next).previous = i;
    entry(0).next = i;
  }

  std::vector<Entry> entries_;
  std::vector<int> spare_;
  HashMap<int> index_;
  int used_ = 0;
  unsigned long hits_ = 0, misses_ = 0;
};

// ---- store ------------------------------------------------------------------------------------------------

class Store {
 public:
  Store() : cache_(16) {}

  void put(std::string_view key, long value) {
    map_.put(key, value);
    tree_.put(key, value);
    cache_.put(key, value);
  }

  bool erase(std::string_view key) {
    bool in_map = map_.erase(key);
    if (in_map != tree_.erase(key)) fail("map and tree disagree on a deletion");
    cache_.erase(key);
    return in_map;
  }

  const long* get(std::string_view key) {
    const long* in_map = map_.find(key);
    const long* in_tree = tree_.find(key);
    if (!in_map != !in_tree || (in_map && *in_map != *in_tree)) fail("map and tree disagree on a value");
    const long* cached = cache_.find(key);
    if (cached && (!in_map || *cached != *in_map)) fail("stale cache");
    if (in_map && !cached) cache_.put(key, *in_map);
    return in_map;
  }

  void print_range(std::string_view low, std::string_view high) const {
    int count = 0;
    tree_.range(low, high, [&](const std::string& key, long value) {
      if (count++ < 8) std::printf("%s=%ld ", key.c_str(), value);
    });
    std::printf("(%d in range)\n", count);
  }

  void print_sum() const {
    long sum = 0;
    tree_.each([&](const std::string&, long value) { sum += value; });
    std::printf("sum %ld\n", sum);
  }

  void check() {
    int height = tree_.check();
    if (height < 0) fail("tree invariant broken");
    size_t seen = 0;
    tree_.each([&](const std::string& key, long value) {
      const long* found = map_.find(key);
      if (!found || *found != value) fail("key of the tree is not in the map");
      seen++;
    });
    if (seen != map_.size() || seen != tree_.size()) fail("sizes differ");
    std::printf("ok, %zu keys, black height %d\n", seen, height);
  }

  void print_stats() const {
    std::printf("map %zu of %zu, longest probe %u\n", map_.size(), map_.capacity(), map_.longest_probe());
    cache_.print_stats();
  }

  // Puts, overwrites and deletes keys in a pseudo-random order.
  void fill(uint64_t seed, long count) {
    uint64_t x = seed * 2 + 1;
    for (long i = 0; i < count; i++) {
      x ^= x << 13;
      x ^= x >> 7;
      x ^= x << 17;
      std::string key = "k" + std::to_string(x % 2003);
      if (x >> 40 & 1) {
        put(key, static_cast<long>(x >> 50));
      } else if (x >> 41 & 1) {
        erase(key);
      } else {
        get(key);
      }
    }
  }

 private:
  [[noreturn]] static void fail(const char* what) {
    std::printf("BROKEN: %s\n", what);
    std::exit(2);
  }

  HashMap<long> map_;
  RedBlackTree<long> tree_;
  LruCache cache_;
};

bool run_command(Store& store, char* line) {
  std::vector<char*> word;
  for (char* w = std::strtok(line, " \r\n"); w; w = std::strtok(nullptr, " \r\n")) word.push_back(w);
  if (word.empty() || word[0][0] == '#') return true;
  std::string_view name = word[0];
  size_t count = word.size() - 1;
  if (name == "put" && count == 2) {
    store.put(word[1], std::strtol(word[2], nullptr, 10));
  } else if (name == "get" && count == 1) {
    if (const long* value = store.get(word[1])) {
      std::printf("%s = %ld\n", word[1], *value);
    } else {
      std::printf("%s is not set\n", word[1]);
    }
  } else if (name == "del" && count == 1) {
    std::printf("%s %s\n", word[1], store.erase(word[1]) ? "deleted" : "was not set");
  } else if (name == "range" && count == 2) {
    store.print_range(word[1], word[2]);
  } else if (name == "fill" && count == 2) {
    store.fill(std::strtoull(word[1], nullptr, 10), std::strtol(word[2], nullptr, 10));
  } else if (name == "sum" && count == 0) {
    store.print_sum();
  } else if (name == "check" && count == 0) {
    store.check();
  } else if (name == "stats" && count == 0) {
    store.print_stats();
  } else {
    return false;
  }
  return true;
}

}  // namespace

int main() {
  Store store;
  char line[256];
  int status = 0;
  while (std::fgets(line, sizeof line, stdin)) {
    if (!run_command(store, line)) {
      std::printf("malformed command\n");
      status = 1;
    }
  }
  return status;
}
