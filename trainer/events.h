// How a training goes: for each epoch and batch a line of text, a line of JSON, and points of curves for
// TensorBoard.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "learn/clone.h"
#include "support/error.h"
#include "support/json.h"
#include "trainer/practise.h"

namespace ordo::trainer {

std::string toText(const learn::CloneEpoch& epoch);
std::string toText(const PractiseReport& report);

// Whatever ends the training, what was added is in its files.
class Events {
 public:
  // Adds to the file `lines` and writes a file into the folder `tensorboard`, where they are not ""; unless
  // `quiet` it tells stderr. kUnavailable if a file cannot be written.
  static Result<Events> open(const std::string& lines, const std::string& tensorboard, bool quiet);

  // Who trains (support/followed_file.h) and what, as flat fields; and that it is over, with `failure` ""
  // where there are weights. Both are for who follows the lines.
  void begin(Json about);
  void end(const std::string& failure);

  // Of cloning and of practice; their numbers are steps of the curves.
  void add(const learn::CloneEpoch& epoch);
  void add(const PractiseReport& report);

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  using File = std::unique_ptr<std::FILE, Close>;

  explicit Events(bool quiet) : quiet_(quiet) {}

  void put(std::string_view stage, std::uint64_t step, Json report);
  static Result<File> append(const std::string& path);

  bool quiet_;
  File lines_, curves_;
};

}  // namespace ordo::trainer
