#include "fft.h"

// A quarter of a wave.
static const int16_t kSine[kPoints / 4 + 1] = {0,     3212,  6393,  9512,  12539, 15446, 18204, 20787, 23170,
                                               25329, 27245, 28898, 30273, 31356, 32137, 32609, 32767};

int16_t sine(unsigned turn) {
  const unsigned quarter = kPoints / 4;
  turn %= kPoints;
  const unsigned in = turn % quarter;
  switch (turn / quarter) {
    case 0:
      return kSine[in];
    case 1:
      return kSine[quarter - in];
    case 2:
      return (int16_t)-kSine[in];
    default:
      return (int16_t)-kSine[quarter - in];
  }
}

static void swap(int16_t* a, int16_t* b) {
  const int16_t kept = *a;
  *a = *b;
  *b = kept;
}

void fft(int16_t re[kPoints], int16_t im[kPoints]) {
  for (unsigned i = 1, j = 0; i < kPoints; ++i) {
    unsigned bit = kPoints / 2;
    for (; j & bit; bit /= 2) j ^= bit;
    j ^= bit;
    if (i < j) {
      swap(&re[i], &re[j]);
      swap(&im[i], &im[j]);
    }
  }
  for (unsigned length = 2; length <= kPoints; length *= 2) {
    for (unsigned start = 0; start < kPoints; start += length) {
      for (unsigned k = 0; k < length / 2; ++k) {
        const unsigned turn = k * (kPoints / length), a = start + k, b = a + length / 2;
        const int32_t c = sine(turn + kPoints / 4), s = -sine(turn);
        const int32_t x = (re[b] * c - im[b] * s) >> 15, y = (re[b] * s + im[b] * c) >> 15;
        re[b] = (int16_t)((re[a] - x) >> 1);
        im[b] = (int16_t)((im[a] - y) >> 1);
        re[a] = (int16_t)((re[a] + x) >> 1);
        im[a] = (int16_t)((im[a] + y) >> 1);
      }
    }
  }
}

int strongest(const int16_t re[kPoints], const int16_t im[kPoints], uint32_t* power) {
  int best = 0;
  *power = 0;
  for (int i = 1; i < kPoints / 2; ++i) {
    const uint32_t here = (uint32_t)(re[i] * re[i]) + (uint32_t)(im[i] * im[i]);
    if (here > *power) {
      *power = here;
      best = i;
    }
  }
  return best;
}
