// Frames on a serial line: SLIP (RFC 1055) around a command, a length, data and a CRC-16.
#pragma once
#include <stddef.h>
#include <stdint.h>

enum { kFrameData = 64 };

struct Frame {
  uint8_t command, length, data[kFrameData];
};

enum FrameState { kOutside, kCommand, kLength, kData, kCheckHigh, kCheckLow, kClosing };
enum FrameEvent { kMore, kWhole, kBadEscape, kTooLong, kCutOff, kBadCheck, kTooMuch };

struct FrameReader {
  enum FrameState state;
  uint8_t escaped, at;
  uint16_t check;
  struct Frame frame;
};

enum FrameEvent frame_take(struct FrameReader* reader, uint8_t byte);

// Bytes of it on the line; `line` has room for 2 * (kFrameData + 4) + 2.
size_t frame_write(const struct Frame* frame, uint8_t* line);
