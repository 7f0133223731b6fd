// bwt - a block-sorting compressor's front half, there and back.
//
// Takes standard input in blocks, applies the Burrows-Wheeler transform, move-to-front coding and run-length
// coding of the zeros, and reports how large each stage is and its entropy class. It then undoes all three
// stages and checks that the block came back. With -p it prints the transformed text of each block, with
// line ends shown as '|'; with -n COUNT it repeats the transform that often, for timing.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kBlockSize = 2048 };

typedef struct {
  uint8_t data[2 * kBlockSize];
  int size;
} Bytes;

// Sorting needs the text and its ranks; qsort has no context argument.
static const int* sort_rank;
static int sort_size;
static int sort_step;

static int second_rank(int i) {
  int j = i + sort_step;
  return sort_rank[j < sort_size ? j : j - sort_size];
}

static int compare_rotations(const void* pa, const void* pb) {
  int a = *(const int*)pa;
  int b = *(const int*)pb;
  if (sort_rank[a] != sort_rank[b]) return sort_rank[a] < sort_rank[b] ? -1 : 1;
  int ra = second_rank(a), rb = second_rank(b);
  if (ra != rb) return ra < rb ? -1 : 1;
  return a < b ? -1 : a > b;  // equal so far: any fixed order will do
}

// Sorts all rotations by doubling the compared prefix. Rotations of a periodic text may stay equal.
static void sort_rotations(const uint8_t* text, int size, int* order) {
  static int rank[kBlockSize], next[kBlockSize];
  for (int i = 0; i < size; i++) {
    order[i] = i;
    rank[i] = text[i];
  }
  sort_rank = rank;
  sort_size = size;
  for (sort_step = size > 1 ? 1 : 0; sort_step < size; sort_step *= 2) {
    qsort(order, (size_t)size, sizeof *order, compare_rotations);
    int classes = 0;
    for (int i = 0; i < size; i++) {
      if (i > 0) {
        int a = order[i - 1], b = order[i];
        classes += rank[a] != rank[b] || second_rank(a) != second_rank(b);
      }
      next[order[i]] = classes;
    }
    memcpy(rank, next, sizeof(int) * (size_t)size);
    if (classes == size - 1 || sort_step == 0) break;
  }
}

// Returns the row of the sorted rotations that holds the original text.
static int bwt_forward(const Bytes* in, Bytes* out) {
  static int order[kBlockSize];
  int primary = 0;
  sort_rotations(in->data, in->size, order);
  for (int i = 0; i < in->size; i++) {
    out->data[i] = in->data[order[i] ? order[i] - 1 : in->size - 1];
    if (order[i] == 0) primary = i;
  }
  out->size = in->size;
  return primary;
}

static void bwt_inverse(const Bytes* in, int primary, Bytes* out) {
  static int follow[kBlockSize];
  int start[257] = {0};
  for (int i = 0; i < in->size; i++) start[in->data[i] + 1]++;
  for (int c = 0; c < 256; c++) start[c + 1] += start[c];
  for (int i = 0; i < in->size; i++) follow[start[in->data[i]]++] = i;
  int row = primary;
  for (int i = 0; i < in->size; i++) {
    row = follow[row];
    out->data[i] = in->data[row];
  }
  out->size = in->size;
}

static void fill_alphabet(uint8_t alphabet[256]) {
  for (int c = 0; c < 256; c++) alphabet[c] = (uint8_t)c;
}

static void move_to_front(uint8_t alphabet[256], int index) {
  uint8_t c = alphabet[index];
  memmove(alphabet + 1, alphabet, (size_t)index);
  alphabet[0] = c;
}

static void mtf_forward(Bytes* b) {
  uint8_t alphabet[256];
  fill_alphabet(alphabet);
  for (int i = 0; i < b->size; i++) {
    int index = 0;
    while (alphabet[index] != b->data[i]) index++;
    b->data[i] = (uint8_t)index;
    move_to_front(alphabet, index);
  }
}

static void mtf_inverse(Bytes* b) {
  uint8_t alphabet[256];
  fill_alphabet(alphabet);
  for (int i = 0; i < b->size; i++) {
    int index = b->data[i];
    b->data[i] = alphabet[index];
    move_to_front(alphabet, index);
  }
}

// A zero is followed by how many more zeros there are, at most 255.
static void rle_forward(const Bytes* in, Bytes* out) {
  out->size = 0;
  for (int i = 0; i < in->size;) {
    uint8_t c = in->data[i++];
    out->data[out->size++] = c;
    if (c != 0) continue;
    int run = 0;
    while (run < 255 && i < in->size && in->data[i] == 0) run++, i++;
    out->data[out->size++] = (uint8_t)run;
  }
}

static int rle_inverse(const Bytes* in, Bytes* out) {
  out->size = 0;
  for (int i = 0; i < in->size;) {
    uint8_t c = in->data[i++];
    int copies = 1;
    if (c == 0) {
      if (i == in->size) return 0;
      copies += in->data[i++];
    }
    if (out->size + copies > kBlockSize) return 0;
    memset(out->data + out->size, c, (size_t)copies);
    out->size += copies;
  }
  return 1;
}

static int distinct(const Bytes* b) {
  uint8_t seen[256] = {0};
  int n = 0;
  for (int i = 0; i < b->size; i++) {
    n += !seen[b->data[i]];
    seen[b->data[i]] = 1;
  }
  return n;
}

static int count_below(const Bytes* b, int limit) {
  int n = 0;
  for (int i = 0; i < b->size; i++) n += b->data[i] < limit;
  return n;
}

static void print_text(const Bytes* b) {
  for (int i = 0; i < b->size; i++) {
    int c = b->data[i];
    putchar(c == '\n' ? '|' : c < 32 || c > 126 ? '?' : c);
  }
  putchar('\n');
}

static int round_trip(const Bytes* block, int print, long times) {
  static Bytes sorted, packed, unpacked, restored;
  int primary = bwt_forward(block, &sorted);
  while (--times > 0) primary = bwt_forward(block, &sorted);
  if (print) print_text(&sorted);
  mtf_forward(&sorted);
  rle_forward(&sorted, &packed);
  printf("block %d primary %d symbols %d small %d packed %d\n", block->size, primary, distinct(block),
         count_below(&sorted, 4), packed.size);
  if (!rle_inverse(&packed, &unpacked)) return 0;
  mtf_inverse(&unpacked);
  bwt_inverse(&unpacked, primary, &restored);
  return restored.size == block->size && memcmp(restored.data, block->data, (size_t)block->size) == 0;
}

int main(int argc, char** argv) {
  static Bytes block;
  int print = argc > 1 && strcmp(argv[1], "-p") == 0;
  long times = argc > 2 && strcmp(argv[1], "-n") == 0 ? strtol(argv[2], NULL, 10) : 1;
  int blocks = 0;
  while ((block.size = (int)fread(block.data, 1, kBlockSize, stdin)) > 0) {
    if (!round_trip(&block, print, times)) {
      printf("block %d did not survive\n", blocks);
      return 1;
    }
    blocks++;
  }
  printf("%d blocks ok\n", blocks);
  return blocks == 0;
}
