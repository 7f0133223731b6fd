// Memory between two pages that may not be touched. It ends where the second begins, so that the first byte
// behind it ends the process; what lies before it in its own pages is painted, and looked at afterwards.
#pragma once

#include <cstddef>
#include <utility>

#include "support/error.h"

namespace ordo::lowering {

class Guarded {
 public:
  // kUnavailable if there is no such memory. It begins as zeros.
  static Result<Guarded> create(std::size_t bytes);

  Guarded(Guarded&& other) noexcept
      : map_(std::exchange(other.map_, nullptr)), mapped_(other.mapped_), bytes_(other.bytes_) {}
  Guarded& operator=(Guarded&& other) = delete;
  ~Guarded();

  std::size_t size() const { return bytes_; }
  // The last `size()` bytes.
  std::byte* data() const;
  // A place for as many bytes that begins at a multiple of 64, for who wants to be fast: up to 63 bytes
  // before data(), and over it.
  std::byte* aligned() const;

  // What lies before data().
  void paint();
  bool intact() const;

 private:
  Guarded(std::byte* map, std::size_t mapped, std::size_t bytes)
      : map_(map), mapped_(mapped), bytes_(bytes) {}
  std::byte* begin() const;

  std::byte* map_;
  std::size_t mapped_, bytes_;
};

}  // namespace ordo::lowering
