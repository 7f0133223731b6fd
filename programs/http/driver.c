// Parses standard input as HTTP messages that follow each other, in pieces of STEP bytes, ROUNDS times.
#include "../driver.h"

#include "src/http_parser.h"

static unsigned long messages, bytes, sum;

static int begun(http_parser* parser) {
  (void)parser;
  ++messages;
  return 0;
}

static int data(http_parser* parser, const char* text, size_t length) {
  bytes += length;
  for (size_t i = 0; i < length; ++i) sum = (sum ^ (unsigned char)text[i] ^ parser->method) * 0x100000001b3;
  return 0;
}

int main(int argc, char** argv) {
  const size_t step = (size_t)number(argc, argv, 1);
  const int rounds = number(argc, argv, 2);
  size_t size;
  const char* const text = (const char*)read_all(&size);
  http_parser_settings settings;
  http_parser_settings_init(&settings);
  settings.on_message_begin = begun;
  settings.on_url = settings.on_header_field = settings.on_header_value = settings.on_body = data;
  for (int round = 0; round < rounds; ++round) {
    http_parser parser;
    http_parser_init(&parser, HTTP_BOTH);
    for (size_t at = 0; at < size; at += step) {
      const size_t length = size - at < step ? size - at : step;
      const size_t read = http_parser_execute(&parser, &settings, text + at, length);
      check(read == length, http_errno_description(HTTP_PARSER_ERRNO(&parser)));
    }
  }
  printf("%lu messages, %lu bytes, %lx\n", messages, bytes, sum);
  return 0;
}
