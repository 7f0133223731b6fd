// Makes QR codes of standard input, SIZE bytes each, at an error correction LEVEL from 0 to 3, and writes each dot
// as a character.
#include "../driver.h"
#include "src/qrencode.h"

int main(int argc, char** argv) {
  const int level = number(argc, argv, 1), step = number(argc, argv, 2);
  size_t size;
  const unsigned char* const data = read_all(&size);
  for (size_t at = 0; at < size; at += (size_t)step) {
    const int length = size - at < (size_t)step ? (int)(size - at) : step;
    QRcode* const code = QRcode_encodeData(length, data + at, 0, (QRecLevel)level);
    check(code != NULL, "encoding");
    for (int y = 0; y < code->width; ++y) {
      for (int x = 0; x < code->width; ++x) putchar(code->data[y * code->width + x] & 1 ? '#' : ' ');
      putchar('\n');
    }
    QRcode_free(code);
  }
  return 0;
}
