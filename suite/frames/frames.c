// frames - decodes a serial protocol from a hex dump.
//
// The link carries frames in the style of HDLC: flag 7E, then escaped bytes (7D xx stands for xx ^ 20), then
// flag 7E. A frame is address, control, payload, and a CRC-16 of all before it. Information frames carry a
// sequence number; the decoder keeps a window per address, drops repeats, notices gaps, and reassembles
// messages from fragments. Standard input is hex digits with white space and '#' comments. The exit status
// is 1 when any frame was damaged.

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { kFlag = 0x7E, kEscape = 0x7D, kFlip = 0x20, kMaxFrame = 256, kMaxStations = 8, kMaxMessage = 512 };

typedef enum { kHunting, kOpen, kEscaped, kOverrun } LinkState;

typedef enum { kInfo = 0x00, kAck = 0x10, kReject = 0x20, kReset = 0x30, kTime = 0x40 } FrameKind;

typedef struct {
  LinkState state;
  uint8_t frame[kMaxFrame];
  int size;
} Link;

typedef struct {
  int address;
  int connected;
  unsigned expected;  // next sequence number, modulo 8
  uint8_t message[kMaxMessage];
  int message_size;
} Station;

typedef struct {
  unsigned long good, bad_crc, runt, overrun, aborted, repeated, gaps, unknown;
} Totals;

static Station stations[kMaxStations];
static int station_count;
static Totals totals;

// CRC-16/X-25: reflected, polynomial 1021, starting and ending inverted.
static uint16_t crc16(const uint8_t* data, int size) {
  uint16_t crc = 0xFFFF;
  for (int i = 0; i < size; i++) {
    crc ^= data[i];
    for (int bit = 0; bit < 8; bit++) crc = (uint16_t)(crc & 1 ? crc >> 1 ^ 0x8408 : crc >> 1);
  }
  return (uint16_t)~crc;
}

static Station* station_for(int address) {
  for (int i = 0; i < station_count; i++) {
    if (stations[i].address == address) return &stations[i];
  }
  if (station_count == kMaxStations) return NULL;
  Station* s = &stations[station_count++];
  memset(s, 0, sizeof *s);
  s->address = address;
  return s;
}

static void print_payload(const uint8_t* data, int size) {
  putchar('"');
  for (int i = 0; i < size; i++) {
    if (isprint(data[i]) && data[i] != '"' && data[i] != '\\') {
      putchar(data[i]);
    } else {
      printf("\\x%02x", data[i]);
    }
  }
  printf("\"\n");
}

// The first payload byte says whether more fragments follow.
static void accept_fragment(Station* s, const uint8_t* payload, int size) {
  if (size < 1) {
    printf("%02x: empty fragment\n", (unsigned)s->address);
    return;
  }
  int more = payload[0] & 1;
  size--;
  if (s->message_size + size > kMaxMessage) {
    printf("%02x: message too long, dropped\n", (unsigned)s->address);
    s->message_size = 0;
    return;
  }
  memcpy(s->message + s->message_size, payload + 1, (size_t)size);
  s->message_size += size;
  if (more) return;
  printf("%02x: message ", (unsigned)s->address);
  print_payload(s->message, s->message_size);
  s->message_size = 0;
}

static void handle_info(Station* s, unsigned sequence, const uint8_t* payload, int size) {
  if (!s->connected) {
    printf("%02x: data before reset\n", (unsigned)s->address);
    return;
  }
  unsigned ahead = (sequence - s->expected) & 7;
  if (ahead >= 4) {  // behind the window: it was received before
    totals.repeated++;
    return;
  }
  if (ahead > 0) {
    totals.gaps++;
    printf("%02x: expected %u, got %u\n", (unsigned)s->address, s->expected, sequence);
    s->message_size = 0;  // a message with a hole is worthless
  }
  s->expected = (sequence + 1) & 7;
  accept_fragment(s, payload, size);
}

static void handle_time(const Station* s, const uint8_t* payload, int size) {
  if (size != 4) {
    printf("%02x: time of %d bytes\n", (unsigned)s->address, size);
    return;
  }
  uint32_t t =
      (uint32_t)payload[0] << 24 | (uint32_t)payload[1] << 16 | (uint32_t)payload[2] << 8 | payload[3];
  printf("%02x: uptime %ud %02u:%02u:%02u\n", (unsigned)s->address, (unsigned)(t / 86400),
         (unsigned)(t / 3600 % 24), (unsigned)(t / 60 % 60), (unsigned)(t % 60));
}

static void handle_frame(const uint8_t* frame, int size) {
  if (size < 4) {
    totals.runt++;
    return;
  }
  uint16_t sent = (uint16_t)(frame[size - 2] | frame[size - 1] << 8);
  if (crc16(frame, size - 2) != sent) {
    totals.bad_crc++;
    printf("crc error in %d bytes\n", size);
    return;
  }
  totals.good++;
  Station* s = station_for(frame[0]);
  if (!s) {
    printf("too many stations\n");
    return;
  }
  unsigned control = frame[1];
  const uint8_t* payload = frame + 2;
  int length = size - 4;
  switch (control & 0xF0) {
    case kInfo:
      handle_info(s, control & 7, payload, length);
      break;
    case kAck:
      printf("%02x: acknowledges up to %u\n", (unsigned)s->address, control & 7);
      break;
    case kReject:
      printf("%02x: asks again from %u\n", (unsigned)s->address, control & 7);
      break;
    case kReset:
      s->connected = 1;
      s->expected = 0;
      s->message_size = 0;
      printf("%02x: reset\n", (unsigned)s->address);
      break;
    case kTime:
      handle_time(s, payload, length);
      break;
    default:
      totals.unknown++;
      printf("%02x: unknown control %02x\n", (unsigned)s->address, control);
  }
}

static void store(Link* link, uint8_t byte) {
  if (link->size == kMaxFrame) {
    link->state = kOverrun;
    totals.overrun++;
    return;
  }
  link->frame[link->size++] = byte;
  link->state = kOpen;
}

static void receive(Link* link, uint8_t byte) {
  if (byte == kFlag) {
    if (link->state == kEscaped) {
      totals.aborted++;  // an escape right before a flag cancels the frame
    } else if (link->state == kOpen && link->size > 0) {
      handle_frame(link->frame, link->size);
    }
    link->state = kOpen;
    link->size = 0;
    return;
  }
  switch (link->state) {
    case kHunting:
    case kOverrun:
      break;
    case kOpen:
      if (byte == kEscape) {
        link->state = kEscaped;
      } else {
        store(link, byte);
      }
      break;
    case kEscaped:
      store(link, byte ^ kFlip);
      break;
  }
}

static int hex_value(int c) {
  if (c >= '0' && c <= '9') return c - '0';
  c = tolower(c);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// Returns the next byte of the dump, -1 at its end, -2 on a malformed digit.
static int next_byte(void) {
  int value = 0;
  int digits = 0;
  for (int c; (c = getchar()) != EOF;) {
    if (c == '#') {
      while (c != '\n' && c != EOF) c = getchar();
      continue;
    }
    if (isspace(c)) continue;
    int digit = hex_value(c);
    if (digit < 0) return -2;
    value = value * 16 + digit;
    if (++digits == 2) return value;
  }
  return digits ? -2 : -1;
}

int main(void) {
  static Link link;
  int byte;
  while ((byte = next_byte()) >= 0) receive(&link, (uint8_t)byte);
  if (byte == -2) {
    printf("malformed dump\n");
    return 2;
  }
  printf("good %lu crc %lu runt %lu overrun %lu aborted %lu repeated %lu gaps %lu unknown %lu\n", totals.good,
         totals.bad_crc, totals.runt, totals.overrun, totals.aborted, totals.repeated, totals.gaps,
         totals.unknown);
  return totals.bad_crc + totals.runt + totals.overrun + totals.aborted > 0;
}
