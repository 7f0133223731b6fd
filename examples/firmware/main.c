// A console on the serial line: one command a line, until `quit STATUS`.
#include <stdbool.h>

#include "board.h"
#include "crc.h"
#include "fft.h"
#include "frame.h"
#include "json.h"
#include "print.h"
#include "sha256.h"

enum { kLine = 256 };

static unsigned commands_read = 1000;  // initialised, so that start-up has something to copy

static bool readLine(char line[kLine]) {
  size_t length = 0;
  for (;;) {
    const char c = serial_get();
    if (c == '\r') continue;
    if (c == '\n') break;
    if (length + 1 < kLine) line[length++] = c;
  }
  line[length] = '\0';
  ++commands_read;
  return length > 0;
}

// Whether `line` begins with that word; *rest is what comes behind it.
static bool isCommand(const char* line, const char* name, const char** rest) {
  const size_t length = strlen(name);
  if (memcmp(line, name, length) != 0 || (line[length] != ' ' && line[length] != '\0')) return false;
  *rest = line + length + (line[length] == ' ');
  return true;
}

static unsigned readNumber(const char** text) {
  unsigned number = 0;
  while (**text == ' ') ++*text;
  for (; **text >= '0' && **text <= '9'; ++*text) number = number * 10 + (unsigned)(**text - '0');
  return number;
}

static int nibble(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

static void hex(const uint8_t* data, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) print("%02x", data[i]);
  print("\n");
}

static void doCrc(const char* text) {
  const size_t bytes = strlen(text);
  print("crc32 %08x crc16 %04x crc8 %02x\n", (unsigned)crc32(text, bytes), crc16(text, bytes),
        crc8(text, bytes));
}

static void doSha(const char* text) {
  uint8_t digest[32];
  sha256(text, strlen(text), digest);
  hex(digest, sizeof digest);
}

static void doFft(const char* text) {
  int16_t re[kPoints], im[kPoints];
  const unsigned one = readNumber(&text), other = readNumber(&text);
  for (unsigned i = 0; i < kPoints; ++i) {
    re[i] = (int16_t)(sine(one * i) / 2 + sine(other * i + 5) / 4);
    im[i] = 0;
  }
  fft(re, im);
  uint32_t power;
  const int bin = strongest(re, im, &power);
  print("strongest %d power %u checked %08x\n", bin, (unsigned)power,
        (unsigned)(crc32(re, sizeof re) ^ crc32(im, sizeof im)));
}

static void doJson(const char* text) {
  static const char* const kNames[kKinds] = {"null", "bool", "number", "string", "array", "object"};
  struct JsonReport report;
  json_read(text, &report);
  if (*report.error) {
    print("at %u: %s\n", (unsigned)report.at, report.error);
    return;
  }
  for (int kind = 0; kind < kKinds; ++kind) {
    if (report.count[kind]) print("%s %u ", kNames[kind], report.count[kind]);
  }
  print("depth %d sum %d\n", report.depth, (int)report.sum);
}

static void doSend(const char* text) {
  struct Frame frame;
  uint8_t line[2 * (kFrameData + 4) + 2];
  frame.command = (uint8_t)readNumber(&text);
  frame.length = 0;
  if (*text == ' ') ++text;
  for (; *text && frame.length < kFrameData; ++text) frame.data[frame.length++] = (uint8_t)*text;
  hex(line, frame_write(&frame, line));
}

static void doReceive(const char* text) {
  static const char* const kEvents[] = {"", "", "bad escape", "too long", "cut off", "bad check", "too much"};
  struct FrameReader reader = {0};
  for (; nibble(text[0]) >= 0 && nibble(text[1]) >= 0; text += 2) {
    const enum FrameEvent event = frame_take(&reader, (uint8_t)(nibble(text[0]) << 4 | nibble(text[1])));
    if (event == kMore) continue;
    if (event != kWhole) {
      print("%s\n", kEvents[event]);
      continue;
    }
    print("command %u: ", reader.frame.command);
    hex(reader.frame.data, reader.frame.length);
  }
}

int main(void) {
  static const struct {
    const char *name, *help;
    void (*run)(const char* text);
  } kCommands[] = {
      {"crc", "TEXT", doCrc},    {"sha", "TEXT", doSha},          {"fft", "BIN BIN", doFft},
      {"json", "VALUE", doJson}, {"send", "NUMBER TEXT", doSend}, {"receive", "HEX", doReceive},
  };
  static char line[kLine];
  const char* rest;
  serial_open();
  print("ready\n");
  for (;;) {
    if (!readLine(line)) continue;
    if (isCommand(line, "quit", &rest)) {
      print("%u commands\n", commands_read - 1000);
      return (int)readNumber(&rest);
    }
    bool known = false;
    for (size_t i = 0; i < sizeof kCommands / sizeof *kCommands && !known; ++i) {
      known = isCommand(line, kCommands[i].name, &rest);
      if (known) kCommands[i].run(rest);
    }
    if (known) continue;
    print("? ");
    for (size_t i = 0; i < sizeof kCommands / sizeof *kCommands; ++i)
      print("%s %s, ", kCommands[i].name, kCommands[i].help);
    print("quit STATUS\n");
  }
}
