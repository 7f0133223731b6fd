// Codes a made sound as speech at QUALITY, FRAMES frames in the narrow or the wide band ("n" or "w"), decodes
// it, and writes both.
#include "../driver.h"

#include "speex/speex.h"

int main(int argc, char** argv) {
  int quality = number(argc, argv, 2), frames = number(argc, argv, 3), size = 0, complexity = 3, enhance = 1;
  const SpeexMode* const mode = *argv[1] == 'w' ? &speex_wb_mode : &speex_nb_mode;
  void *const coder = speex_encoder_init(mode), *const decoder = speex_decoder_init(mode);
  check(coder && decoder, "beginning");
  speex_encoder_ctl(coder, SPEEX_SET_QUALITY, &quality);
  speex_encoder_ctl(coder, SPEEX_SET_COMPLEXITY, &complexity);
  speex_encoder_ctl(coder, SPEEX_GET_FRAME_SIZE, &size);
  speex_decoder_ctl(decoder, SPEEX_SET_ENH, &enhance);
  SpeexBits bits, back;
  speex_bits_init(&bits);
  speex_bits_init(&back);
  unsigned noise = 1, phase = 0, pitch = 0;
  for (int frame = 0; frame < frames; ++frame) {
    spx_int16_t sound[640], heard[640];
    char coded[640];
    // Pulses whose distance changes, damped, with some noise: a voice of a kind.
    for (int i = 0; i < size; ++i) {
      noise = noise * 1103515245 + 12345;
      if (++phase > 50 + pitch % 40) phase = 0, ++pitch;
      const int pulse = (int)(phase < 25 ? 9000 - 360 * phase : 0) * (phase % 8 < 4 ? 1 : -1);
      sound[i] = (spx_int16_t)(pulse + (int)(noise >> 21) - 1024);
    }
    speex_bits_reset(&bits);
    speex_encode_int(coder, sound, &bits);
    const int length = speex_bits_write(&bits, coded, sizeof coded);
    speex_bits_read_from(&back, coded, length);
    check(speex_decode_int(decoder, &back, heard) == 0, "decoding");
    fwrite(coded, 1, (size_t)length, stdout);
    fwrite(heard, sizeof *heard, (size_t)size, stdout);
  }
  return 0;
}
