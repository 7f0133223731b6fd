// lzh - an LZ77 and Huffman compressor and its decompressor.
//
// Default mode reads standard input, compresses it, decompresses the result, compares, and prints the sizes
// and a checksum of the compressed form; "-n" repeats that a number of times. "-c" writes the compressed
// bytes as hex, "-d" reads such hex and writes the text. Damaged input is reported with exit status 1.
//
// Format: blocks of a 1-bit "last" flag, two Huffman codes given by their code lengths, then symbols up to
// an end mark. Literals and match lengths share one code, distances have their own, and both use the usual
// buckets with extra bits.

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  kWindow = 1 << 13,
  kMinMatch = 3,
  kMaxMatch = 130,
  kHashBits = 12,
  kMaxChain = 48,
  kEndMark = 256,
  kLengthBase = 257,
  kLengthBuckets = 14,
  kMainSymbols = kLengthBase + kLengthBuckets,
  kDistanceSymbols = 26,
  kMaxBits = 13,
  kBlockTokens = 4096,
};

typedef struct {
  uint8_t* data;
  size_t size;
  size_t capacity;
} Buffer;

static void* checked(void* p) {
  if (!p) {
    fprintf(stderr, "lzh: out of memory\n");
    exit(3);
  }
  return p;
}

static void append(Buffer* b, uint8_t byte) {
  if (b->size == b->capacity) {
    b->capacity = b->capacity ? 2 * b->capacity : 1024;
    b->data = checked(realloc(b->data, b->capacity));
  }
  b->data[b->size++] = byte;
}

// ---- bits -------------------------------------------------------------------------------------------------

typedef struct {
  Buffer* out;
  uint32_t hold;
  int count;
} BitWriter;

typedef struct {
  const Buffer* in;
  size_t next;
  uint32_t hold;
  int count;
  int overran;
} BitReader;

static void put_bits(BitWriter* w, unsigned value, int count) {
  w->hold |= (uint32_t)value << w->count;
  w->count += count;
  while (w->count >= 8) {
    append(w->out, (uint8_t)w->hold);
    w->hold >>= 8;
    w->count -= 8;
  }
}

static void flush_bits(BitWriter* w) {
  if (w->count > 0) append(w->out, (uint8_t)w->hold);
  w->hold = 0;
  w->count = 0;
}

static unsigned get_bits(BitReader* r, int count) {
  while (r->count < count) {
    uint8_t byte = 0;
    if (r->next < r->in->size) {
      byte = r->in->data[r->next++];
    } else {
      r->overran = 1;
    }
    r->hold |= (uint32_t)byte << r->count;
    r->count += 8;
  }
  unsigned value = r->hold & ((1u << count) - 1);
  r->hold >>= count;
  r->count -= count;
  return value;
}

// ---- Huffman codes ----------------------------------------------------------------------------------------

typedef struct {
  int symbols;
  uint8_t length[kMainSymbols];
  uint16_t code[kMainSymbols];  // bit-reversed, ready for the little-endian bit stream
} Code;

typedef struct {
  uint16_t count[kMaxBits + 1];
  uint16_t sorted[kMainSymbols];
} Decoder;

typedef struct {
  uint32_t weight;
  int left, right;  // children, or -1 and the symbol
} Node;

// A binary heap of node numbers, the lightest on top; ties go to the older node, so that the result does not
// depend on the order in which equal weights meet.
typedef struct {
  int item[kMainSymbols];
  int size;
  const Node* nodes;
} Heap;

static int lighter(const Heap* h, int a, int b) {
  uint32_t wa = h->nodes[a].weight, wb = h->nodes[b].weight;
  return wa != wb ? wa < wb : a < b;
}

static void heap_push(Heap* h, int node) {
  int i = h->size++;
  while (i > 0 && lighter(h, node, h->item[(i - 1) / 2])) {
    h->item[i] = h->item[(i - 1) / 2];
    i = (i - 1) / 2;
  }
  h->item[i] = node;
}

static int heap_pop(Heap* h) {
  int top = h->item[0];
  int last = h->item[--h->size];
  int i = 0;
  for (;;) {
    int child = 2 * i + 1;
    if (child >= h->size) break;
    if (child + 1 < h->size && lighter(h, h->item[child + 1], h->item[child])) child++;
    if (!lighter(h, h->item[child], last)) break;
    h->item[i] = h->item[child];
    i = child;
  }
  h->item[i] = last;
  return top;
}

// Returns the depth of the deepest leaf.
static int assign_depths(const Node* nodes, int node, int depth, uint8_t* length) {
  if (nodes[node].left < 0) {
    length[nodes[node].right] = (uint8_t)(depth ? depth : 1);
    return depth;
  }
  int a = assign_depths(nodes, nodes[node].left, depth + 1, length);
  int b = assign_depths(nodes, nodes[node].right, depth + 1, length);
  return a > b ? a : b;
}

static int try_lengths(const uint32_t* weight, int symbols, uint8_t* length) {
  static Node nodes[2 * kMainSymbols];
  Heap heap = {.size = 0, .nodes = nodes};
  int used = 0;
  memset(length, 0, (size_t)symbols);
  for (int s = 0; s < symbols; s++) {
    if (weight[s] == 0) continue;
    nodes[used] = (Node){weight[s], -1, s};
    heap_push(&heap, used++);
  }
  if (used == 0) return 0;
  while (heap.size > 1) {
    int a = heap_pop(&heap);
    int b = heap_pop(&heap);
    nodes[used] = (Node){nodes[a].weight + nodes[b].weight, a, b};
    heap_push(&heap, used++);
  }
  return assign_depths(nodes, heap_pop(&heap), 0, length);
}

// Flattens the weights until no code is longer than kMaxBits. Not optimal, but close and simple.
static void build_lengths(uint32_t* weight, int symbols, uint8_t* length) {
  while (try_lengths(weight, symbols, length) > kMaxBits) {
    for (int s = 0; s < symbols; s++) {
      if (weight[s]) weight[s] = weight[s] / 4 + 1;
    }
  }
}

static unsigned reverse_bits(unsigned value, int count) {
  unsigned r = 0;
  for (; count > 0; count--, value >>= 1) r = r << 1 | (value & 1);
  return r;
}

static void assign_codes(Code* c) {
  unsigned next = 0;
  for (int bits = 1; bits <= kMaxBits; bits++, next <<= 1) {
    for (int s = 0; s < c->symbols; s++) {
      if (c->length[s] == bits) c->code[s] = (uint16_t)reverse_bits(next++, bits);
    }
  }
}

// Returns 0 when the lengths do not describe a prefix code.
static int build_decoder(const uint8_t* length, int symbols, Decoder* d) {
  memset(d, 0, sizeof *d);
  for (int s = 0; s < symbols; s++) d->count[length[s]]++;
  d->count[0] = 0;
  int room = 1;
  int filled = 0;
  for (int bits = 1; bits <= kMaxBits; bits++) {
    room = 2 * room - d->count[bits];
    if (room < 0) return 0;
    for (int s = 0; s < symbols; s++) {
      if (length[s] == bits) d->sorted[filled++] = (uint16_t)s;
    }
  }
  return 1;
}

static int decode_symbol(BitReader* r, const Decoder* d) {
  int code = 0, first = 0, index = 0;
  for (int bits = 1; bits <= kMaxBits; bits++) {
    code |= (int)get_bits(r, 1);
    int count = d->count[bits];
    if (code - first < count) return d->sorted[index + code - first];
    index += count;
    first = (first + count) << 1;
    code <<= 1;
  }
  return -1;
}

// Code lengths are sent in four bits each, a zero being followed by a six-bit run.
static void put_lengths(BitWriter* w, const Code* c) {
  for (int s = 0; s < c->symbols; s++) {
    put_bits(w, c->length[s], 4);
    if (c->length[s] != 0) continue;
    int run = 0;
    while (run < 63 && s + 1 < c->symbols && c->length[s + 1] == 0) run++, s++;
    put_bits(w, (unsigned)run, 6);
  }
}

static int get_lengths(BitReader* r, uint8_t* length, int symbols) {
  for (int s = 0; s < symbols; s++) {
    length[s] = (uint8_t)get_bits(r, 4);
    if (length[s] > kMaxBits) return 0;
    if (length[s] != 0) continue;
    int run = (int)get_bits(r, 6);
    if (s + run >= symbols) return 0;
    for (; run > 0; run--) length[++s] = 0;
  }
  return !r->overran;
}

// ---- buckets ----------------------------------------------------------------------------------------------

// Values 0 to 3 have buckets of their own; after that two buckets cover each power of two.
typedef struct {
  int bucket;
  int extra_bits;
  unsigned extra;
} Bucket;

static Bucket bucket_of(unsigned value) {
  Bucket b = {(int)value, 0, 0};
  if (value < 4) return b;
  int top = 31;
  while (!(value >> top)) top--;
  b.extra_bits = top - 1;
  b.bucket = 2 * top + (int)(value >> b.extra_bits & 1);
  b.extra = value & ((1u << b.extra_bits) - 1);
  return b;
}

static unsigned bucket_value(int bucket, BitReader* r) {
  if (bucket < 4) return (unsigned)bucket;
  int extra_bits = bucket / 2 - 1;
  return (2u | (unsigned)(bucket & 1)) << extra_bits | get_bits(r, extra_bits);
}

// ---- compression ------------------------------------------------------------------------------------------

typedef struct {
  uint16_t length;    // 0 for a literal
  uint16_t distance;  // or the literal
} Token;

typedef struct {
  const uint8_t* data;
  int size;
  int* head;  // newest position for each hash, or -1
  int* previous;
} Matcher;

static unsigned hash3(const uint8_t* p) {
  uint32_t v = (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16;
  return v * 2654435761u >> (32 - kHashBits);
}

static void insert(Matcher* m, int at) {
  if (at + kMinMatch > m->size) return;
  unsigned h = hash3(m->data + at);
  m->previous[at] = m->head[h];
  m->head[h] = at;
}

static Token longest_match(const Matcher* m, int at) {
  Token best = {0, m->data[at]};
  int limit = m->size - at < kMaxMatch ? m->size - at : kMaxMatch;
  if (limit < kMinMatch) return best;
  int chain = kMaxChain;
  for (int p = m->head[hash3(m->data + at)]; p >= 0 && at - p <= kWindow && chain-- > 0; p = m->previous[p]) {
    int n = 0;
    while (n < limit && m->data[p + n] == m->data[at + n]) n++;
    if (n >= kMinMatch && n > best.length) {
      best.length = (uint16_t)n;
      best.distance = (uint16_t)(at - p);
      if (n == limit) break;
    }
  }
  return best;
}

static void put_token(BitWriter* w, const Code* lengths, const Code* distances, Token t) {
  if (t.length == 0) {
    put_bits(w, lengths->code[t.distance], lengths->length[t.distance]);
    return;
  }
  Bucket b = bucket_of(t.length - kMinMatch);
  put_bits(w, lengths->code[kLengthBase + b.bucket], lengths->length[kLengthBase + b.bucket]);
  put_bits(w, b.extra, b.extra_bits);
  b = bucket_of(t.distance - 1u);
  put_bits(w, distances->code[b.bucket], distances->length[b.bucket]);
  put_bits(w, b.extra, b.extra_bits);
}

static void put_block(BitWriter* w, const Token* tokens, int count, int last) {
  uint32_t main_weight[kMainSymbols] = {0};
  uint32_t distance_weight[kDistanceSymbols] = {0};
  Code lengths = {.symbols = kMainSymbols};
  Code distances = {.symbols = kDistanceSymbols};
  for (int i = 0; i < count; i++) {
    if (tokens[i].length == 0) {
      main_weight[tokens[i].distance]++;
    } else {
      main_weight[kLengthBase + bucket_of(tokens[i].length - kMinMatch).bucket]++;
      distance_weight[bucket_of(tokens[i].distance - 1u).bucket]++;
    }
  }
  main_weight[kEndMark] = 1;
  build_lengths(main_weight, kMainSymbols, lengths.length);
  build_lengths(distance_weight, kDistanceSymbols, distances.length);
  assign_codes(&lengths);
  assign_codes(&distances);
  put_bits(w, (unsigned)last, 1);
  put_lengths(w, &lengths);
  put_lengths(w, &distances);
  for (int i = 0; i < count; i++) put_token(w, &lengths, &distances, tokens[i]);
  put_bits(w, lengths.code[kEndMark], lengths.length[kEndMark]);
}

static void compress(const Buffer* in, Buffer* out) {
  static Token tokens[kBlockTokens];
  BitWriter w = {out, 0, 0};
  Matcher m = {in->data, (int)in->size, NULL, NULL};
  m.head = checked(malloc(sizeof(int) << kHashBits));
  m.previous = checked(malloc(sizeof(int) * (in->size + 1)));
  for (int i = 0; i < 1 << kHashBits; i++) m.head[i] = -1;
  int count = 0;
  for (int at = 0; at < m.size;) {
    if (count == kBlockTokens) {
      put_block(&w, tokens, count, 0);
      count = 0;
    }
    Token t = longest_match(&m, at);
    insert(&m, at);
    // Lazy matching: give up this match for a literal when the next position has a longer one.
    if (t.length > 0 && t.length < 32 && longest_match(&m, at + 1 < m.size ? at + 1 : at).length > t.length) {
      t = (Token){0, in->data[at]};
    }
    tokens[count++] = t;
    int advance = t.length ? t.length : 1;
    for (int i = 1; i < advance; i++) insert(&m, at + i);
    at += advance;
  }
  put_block(&w, tokens, count, 1);
  flush_bits(&w);
  free(m.head);
  free(m.previous);
}

// ---- decompression ----------------------------------------------------------------------------------------

static const char* expand_block(BitReader* r, Buffer* out) {
  Decoder main_code, distance_code;
  uint8_t length[kMainSymbols];
  if (!get_lengths(r, length, kMainSymbols)) return "bad code lengths";
  if (!build_decoder(length, kMainSymbols, &main_code)) return "bad literal code";
  if (!get_lengths(r, length, kDistanceSymbols)) return "bad code lengths";
  if (!build_decoder(length, kDistanceSymbols, &distance_code)) return "bad distance code";
  for (;;) {
    int symbol = decode_symbol(r, &main_code);
    if (r->overran) return "data ends early";
    if (symbol < 0) return "bad symbol";
    if (symbol == kEndMark) return NULL;
    if (symbol < kEndMark) {
      append(out, (uint8_t)symbol);
      continue;
    }
    unsigned count = bucket_value(symbol - kLengthBase, r) + kMinMatch;
    int bucket = decode_symbol(r, &distance_code);
    if (bucket < 0) return "bad distance";
    size_t distance = bucket_value(bucket, r) + 1u;
    if (distance > out->size) return "distance before the start";
    for (; count > 0; count--) append(out, out->data[out->size - distance]);
  }
}

static const char* expand(const Buffer* in, Buffer* out) {
  BitReader r = {in, 0, 0, 0, 0};
  for (int last = 0; !last;) {
    last = (int)get_bits(&r, 1);
    const char* problem = expand_block(&r, out);
    if (problem) return problem;
  }
  return r.next == in->size ? NULL : "data after the end";
}

// ---- command line -----------------------------------------------------------------------------------------

static void read_all(Buffer* b) {
  for (int c; (c = getchar()) != EOF;) append(b, (uint8_t)c);
}

static const char* read_hex(Buffer* b) {
  int value = 1;  // the leading one counts the digits
  for (int c; (c = getchar()) != EOF;) {
    if (isspace(c)) continue;
    if (!isxdigit(c)) return "not a hex digit";
    value = value * 16 + (isdigit(c) ? c - '0' : tolower(c) - 'a' + 10);
    if (value >= 256) {
      append(b, (uint8_t)value);
      value = 1;
    }
  }
  return value == 1 ? NULL : "odd number of hex digits";
}

static uint32_t fnv1a(const Buffer* b) {
  uint32_t h = 2166136261u;
  for (size_t i = 0; i < b->size; i++) h = (h ^ b->data[i]) * 16777619u;
  return h;
}

static int round_trip(long times) {
  Buffer plain = {0}, packed = {0}, again = {0};
  read_all(&plain);
  const char* problem = NULL;
  do {
    packed.size = again.size = 0;
    compress(&plain, &packed);
    problem = expand(&packed, &again);
  } while (!problem && --times > 0);
  if (!problem &&
      (again.size != plain.size || (plain.size && memcmp(again.data, plain.data, plain.size) != 0))) {
    problem = "round trip differs";
  }
  printf("%zu -> %zu bytes, checksum %08x, %s\n", plain.size, packed.size, (unsigned)fnv1a(&packed),
         problem ? problem : "ok");
  free(plain.data);
  free(packed.data);
  free(again.data);
  return problem != NULL;
}

static int compress_to_hex(void) {
  Buffer plain = {0}, packed = {0};
  read_all(&plain);
  compress(&plain, &packed);
  for (size_t i = 0; i < packed.size; i++) {
    printf("%02x%s", packed.data[i], i % 40 == 39 || i + 1 == packed.size ? "\n" : "");
  }
  free(plain.data);
  free(packed.data);
  return 0;
}

static int expand_from_hex(void) {
  Buffer packed = {0}, plain = {0};
  const char* problem = read_hex(&packed);
  if (!problem) problem = expand(&packed, &plain);
  if (plain.size) fwrite(plain.data, 1, plain.size, stdout);
  if (problem) printf("\nlzh: %s\n", problem);
  free(packed.data);
  free(plain.data);
  return problem != NULL;
}

int main(int argc, char** argv) {
  if (argc == 1) return round_trip(1);
  if (argc == 3 && strcmp(argv[1], "-n") == 0) return round_trip(strtol(argv[2], NULL, 10));
  if (argc == 2 && strcmp(argv[1], "-c") == 0) return compress_to_hex();
  if (argc == 2 && strcmp(argv[1], "-d") == 0) return expand_from_hex();
  fprintf(stderr, "usage: lzh [-c | -d | -n COUNT] < data\n");
  return 2;
}
