// Changes the rate of a made sound of FRAMES frames by RATIO with a converter of libsamplerate, and says what
// came out.
#include "../driver.h"

#include <math.h>

#include "src/include/samplerate.h"

int main(int argc, char** argv) {
  const int converter = number(argc, argv, 1), frames = number(argc, argv, 3);
  float* const in = malloc(sizeof(float) * 2 * (size_t)frames);
  float* const out = malloc(sizeof(float) * 6 * (size_t)frames);
  check(in && out, "memory");
  // Triangular waves that rise in pitch, another in each channel.
  unsigned phase = 0;
  for (int i = 0; i < frames; ++i) {
    phase = (phase + 20 + (unsigned)i / 40 % 1000) % 4096;
    in[2 * i] = (float)((phase < 2048 ? phase : 4096 - phase) / 1024.0 - 1);
    in[2 * i + 1] = (float)((phase * 3 % 4096) / 2048.0 - 1) / 2;
  }
  SRC_DATA data = {.data_in = in, .data_out = out, .input_frames = frames, .output_frames = 3 * frames};
  data.src_ratio = atof(argv[2]);
  const int error = src_simple(&data, converter, 2);
  check(error == 0, src_strerror(error));
  printf("%ld of %ld frames\n", data.output_frames_gen, data.input_frames_used);
  // Few digits: what a machine's own instructions round otherwise must not show.
  double sum = 0;
  for (long i = 0; i < 2 * data.output_frames_gen; ++i) sum += fabs(out[i]);
  printf("%.1f\n", sum);
  for (long i = 0; i < 2 * data.output_frames_gen; i += 9973) printf("%.2f\n", out[i] + 0.003);
  return 0;
}
