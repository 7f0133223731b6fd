// What the service computes: the part that candidates build differently.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace service {

// Data that every instance makes for itself, the same each time.
struct Data {
  std::vector<std::string> texts;      // to be compressed
  std::vector<std::string> documents;  // to be parsed
  std::vector<std::int32_t> keys, values;
  std::vector<float> weights;
};

Data makeData();

// Each gives a number that says all of its answer: builds that differ in it are wrong.
std::uint64_t compress(const Data& data, std::uint64_t request);
std::uint64_t parse(const Data& data, std::uint64_t request);
std::uint64_t query(const Data& data, std::uint64_t request);

}  // namespace service
