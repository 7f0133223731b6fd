// What a process tells of its work, line by line, gathered into what a page shows. Answers are bounded
// however much was told: of long curves there are kMostPoints, evenly chosen.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"
#include "support/json.h"

namespace ordo::web {

inline constexpr std::size_t kMostPoints = 1000;

// Which of so many points a curve has: all, or kMostPoints of them with the first and the last.
std::vector<std::size_t> chosenPoints(std::size_t count);

// One thread at a time.
class Telling {
 public:
  virtual ~Telling() = default;

  virtual std::string_view kind() const = 0;  // of the view: "tune"
  // Takes a line, which is an object, in. kCorrupt, with `where`, for one that is not as it should be; events
  // that are not known are passed over.
  virtual Status hear(const Json& line, const std::string& where) = 0;
  // What there is to see, with "ended" and "failure".
  virtual Json told() const = 0;

  // Who tells it, as of thisWriter(); null where that is not said.
  const Json& writer() const { return writer_; }
  bool ended() const { return ended_; }

 protected:
  void tellsNow(Json writer) { writer_ = std::move(writer); }
  void goesOn() { ended_ = false; }
  void ends(std::string failure);

  const std::string& failure() const { return failure_; }

 private:
  Json writer_ = nullptr;
  bool ended_ = false;
  std::string failure_;
};

// A tuning by its journal (docs/formats/journal.md): of the program that was begun last.
std::unique_ptr<Telling> tellingOfTune();
// A training by its events (docs/formats/events.md): of the training that was begun last.
std::unique_ptr<Telling> tellingOfTrain();

}  // namespace ordo::web
