// The other end of a copy of the compiler that carries out an order beside it (plugin/rival.h).
#pragma once

#include <optional>
#include <string>

#include "support/child.h"
#include "support/error.h"

namespace ordo::builds {

// Makes the calling process the one that orphans below it go to, so that a copy which outlives its compiler
// is waited for, and its processor time counts as the build's.
void adoptOrphans();

class Rival {
 public:
  // `socket` is the end that the copy does not have. Whoever is at the other end belongs to us.
  explicit Rival(Descriptor socket) : socket_(std::move(socket)) {}
  // Ends the copy if it has not ended. REQUIRES: as object().
  ~Rival();
  Rival(const Rival&) = delete;
  Rival& operator=(const Rival&) = delete;

  // The object that it makes, waited for until nothing was heard for `patience_s`. kUnavailable says why
  // there is none. REQUIRES: nobody but the copy has its end, so the compiler has ended. Once.
  Result<std::string> object(double patience_s);

 private:
  Result<std::string> receive(double patience_s);

  Descriptor socket_;
  int pid_ = -1;  // once it has said it
};

}  // namespace ordo::builds
