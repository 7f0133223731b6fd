// Sums in whole numbers, with variables of one letter.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// Works out `text` ("a = 2 * (3 + b)") into `value`. Otherwise says what is wrong with it in `error`, which
// lives as long as the program.
bool calculate(const char* text, int32_t* value, const char** error);
