// Curves of numbers as TensorBoard reads them: a file whose name has "tfevents" in it is a row of records,
// the first of which says the version. A record is the length of its payload in 8 bytes, their checksum, the
// payload and its checksum, all little-endian; the checksum is a masked CRC-32C
// (https://github.com/tensorflow/tensorflow/blob/master/tensorflow/core/lib/io/record_writer.h), the payload
// a protobuf `Event`
// (https://github.com/tensorflow/tensorboard/blob/master/tensorboard/compat/proto/event.proto).
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace ordo::learn {

// A point of the curve `tag`: "practise/mean_gain".
struct Scalar {
  std::string tag;
  float value = 0;
};

// The record that a file begins with. Times are in seconds since 1970.
std::string versionRecord(double wall_time_s);

// The record of what was so after `step` steps. REQUIRES: step >= 0.
std::string scalarsRecord(double wall_time_s, std::int64_t step, std::span<const Scalar> scalars);

}  // namespace ordo::learn
