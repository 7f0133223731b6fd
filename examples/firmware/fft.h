#pragma once
#include <stdint.h>

enum { kPoints = 64 };

// In place, of numbers in Q15, each result divided by kPoints.
void fft(int16_t re[kPoints], int16_t im[kPoints]);

// The bin of the strongest frequency below half the rate, 0 apart, and its power.
int strongest(const int16_t re[kPoints], const int16_t im[kPoints], uint32_t* power);

// sin(2 pi turn / kPoints) in Q15.
int16_t sine(unsigned turn);
