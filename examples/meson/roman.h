// Roman numerals.
#ifndef ROMAN_H
#define ROMAN_H

// The value of a numeral, or 0 if it is none.
int roman_value(const char* numeral);

// The numeral of a value from 1 to 3999, into at least 16 bytes.
void roman_numeral(int value, char* numeral);

#endif
