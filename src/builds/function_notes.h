// What builds found for functions, kept beside what they found for modules: an edited file, or another
// project with the same function, begins with it.
#pragma once

#include <mutex>
#include <optional>
#include <string_view>

#include "builds/cache.h"
#include "support/error.h"
#include "tune/function_memory.h"

namespace ordo::builds {

// Notes of a cache. Where others use the same connection at the same time, they hold the same `mutex`.
class FunctionNotes final : public tune::FunctionMemory {
 public:
  // Both must outlive this; without others there is no mutex.
  explicit FunctionNotes(Cache& cache, std::mutex* mutex = nullptr) : cache_(cache), mutex_(mutex) {}

  // A note that is none, of a newer Ordo perhaps, is nothing.
  Result<std::optional<tune::RememberedFunction>> find(std::string_view key) override;
  Status store(std::string_view key, const tune::RememberedFunction& function) override;

 private:
  std::unique_lock<std::mutex> lock() const;

  Cache& cache_;
  std::mutex* mutex_;
};

}  // namespace ordo::builds
