#include "frame.h"

#include "crc.h"

enum { kEnd = 0xC0, kEscape = 0xDB, kEscapedEnd = 0xDC, kEscapedEscape = 0xDD };

static enum FrameEvent restart(struct FrameReader* reader, enum FrameEvent event) {
  reader->state = kOutside;
  reader->escaped = 0;
  return event;
}

static enum FrameEvent onEnd(struct FrameReader* reader) {
  switch (reader->state) {
    case kOutside:
    case kCommand:
      reader->state = kCommand;
      return kMore;
    case kClosing: {
      const struct Frame* frame = &reader->frame;
      const uint16_t check = crc16(&frame->command, 2u + frame->length);
      return restart(reader, check == reader->check ? kWhole : kBadCheck);
    }
    default:
      return restart(reader, kCutOff);
  }
}

static enum FrameEvent onByte(struct FrameReader* reader, uint8_t byte) {
  switch (reader->state) {
    case kOutside:
      return kMore;
    case kCommand:
      reader->frame.command = byte;
      reader->state = kLength;
      return kMore;
    case kLength:
      if (byte > kFrameData) return restart(reader, kTooLong);
      reader->frame.length = byte;
      reader->at = 0;
      reader->state = byte > 0 ? kData : kCheckHigh;
      return kMore;
    case kData:
      reader->frame.data[reader->at++] = byte;
      if (reader->at == reader->frame.length) reader->state = kCheckHigh;
      return kMore;
    case kCheckHigh:
      reader->check = (uint16_t)(byte << 8);
      reader->state = kCheckLow;
      return kMore;
    case kCheckLow:
      reader->check |= byte;
      reader->state = kClosing;
      return kMore;
    default:
      return restart(reader, kTooMuch);
  }
}

enum FrameEvent frame_take(struct FrameReader* reader, uint8_t byte) {
  if (byte == kEnd) return onEnd(reader);
  if (reader->escaped) {
    reader->escaped = 0;
    if (byte == kEscapedEnd) return onByte(reader, kEnd);
    if (byte == kEscapedEscape) return onByte(reader, kEscape);
    return restart(reader, kBadEscape);
  }
  if (byte == kEscape) {
    reader->escaped = 1;
    return kMore;
  }
  return onByte(reader, byte);
}

static uint8_t* put(uint8_t* to, uint8_t byte) {
  if (byte == kEnd || byte == kEscape) {
    *to++ = kEscape;
    *to++ = byte == kEnd ? kEscapedEnd : kEscapedEscape;
  } else {
    *to++ = byte;
  }
  return to;
}

size_t frame_write(const struct Frame* frame, uint8_t* line) {
  uint8_t* to = line;
  const uint16_t check = crc16(&frame->command, 2u + frame->length);
  *to++ = kEnd;
  to = put(to, frame->command);
  to = put(to, frame->length);
  for (int i = 0; i < frame->length; ++i) to = put(to, frame->data[i]);
  to = put(to, (uint8_t)(check >> 8));
  to = put(to, (uint8_t)check);
  *to++ = kEnd;
  return (size_t)(to - line);
}
