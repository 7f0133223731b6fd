// The bytes of a request and of a reply in shared memory: plain host-order values, one after the
// other. Both sides are the same build on the same machine, so there is no versioning and no text.
//
// A worker is not trusted to be sane (a pass may have overwritten its memory), so reads are
// bounds-checked: a Reader that ran past its end says !ok() and yields zeros.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "env/session.h"

namespace ordo::env {

// Arrays start at a multiple of this from the start of the message (and messages at a page), so
// that a view of them can be handed out as it lies.
inline constexpr std::size_t kArrayAlignment = 8;

class Writer {
 public:
  explicit Writer(std::span<std::byte> out) : out_(out) {}

  template <typename T>
    requires std::is_trivially_copyable_v<T>
  void put(const T& value) {
    append(&value, sizeof value);
  }
  void putBytes(std::string_view bytes) {
    put<std::uint64_t>(bytes.size());
    append(bytes.data(), bytes.size());
  }
  template <typename T>
    requires std::is_trivially_copyable_v<T>
  void putArray(std::span<const T> values) {
    put<std::uint64_t>(values.size());
    while (ok_ && used_ % kArrayAlignment != 0) put(std::byte{0});
    append(values.data(), values.size_bytes());
  }

  // False if something did not fit; size() is then meaningless.
  bool ok() const { return ok_; }
  std::size_t size() const { return used_; }

 private:
  void append(const void* data, std::size_t size) {
    ok_ = ok_ && size <= out_.size() - used_;
    if (!ok_ || size == 0) return;
    std::memcpy(out_.data() + used_, data, size);
    used_ += size;
  }

  std::span<std::byte> out_;
  std::size_t used_ = 0;
  bool ok_ = true;
};

class Reader {
 public:
  explicit Reader(std::span<const std::byte> in) : in_(in), size_(in.size()) {}

  template <typename T>
    requires std::is_trivially_copyable_v<T>
  T get() {
    if constexpr (std::is_same_v<T, bool>) {
      return get<std::uint8_t>() != 0;  // other values than 0 and 1 are not bools
    } else {
      T value{};
      const std::span<const std::byte> bytes = take(sizeof value);
      if (ok_) std::memcpy(&value, bytes.data(), sizeof value);
      return value;
    }
  }
  // A view into the buffer.
  std::string_view getBytes() {
    const std::span<const std::byte> bytes = take(get<std::uint64_t>());
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  std::string getString() { return std::string(getBytes()); }
  // A view into the buffer; the message must start at an address aligned for T.
  template <typename T>
    requires std::is_trivially_copyable_v<T>
  std::span<const T> getArrayView() {
    const std::uint64_t count = get<std::uint64_t>();
    take((kArrayAlignment - (size_ - in_.size()) % kArrayAlignment) % kArrayAlignment);
    if (count > in_.size() / sizeof(T)) ok_ = false;
    const std::span<const std::byte> bytes = take(ok_ ? count * sizeof(T) : 0);
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
  template <typename T>
    requires std::is_trivially_copyable_v<T>
  std::vector<T> getArray() {
    const std::span<const T> view = getArrayView<T>();
    return {view.begin(), view.end()};
  }

  // From now on !ok(), because the values make no sense.
  void spoil() { ok_ = false; }
  bool ok() const { return ok_; }

 private:
  std::span<const std::byte> take(std::uint64_t size) {
    if (!ok_ || size > in_.size()) {
      ok_ = false;
      return {};
    }
    const std::span<const std::byte> bytes = in_.first(size);
    in_ = in_.subspan(size);
    return bytes;
  }

  std::span<const std::byte> in_;
  std::size_t size_;
  bool ok_ = true;
};

// What a coordinator may ask of a worker. Sessions in a worker are numbered by the coordinator.
enum class Op : std::uint8_t {
  kDescribe,  // -> BackendInfo
  kOpen,      // session, spec -> status
  kClose,     // session ->
  kReset,     // session -> status
  kApply,     // session, actions -> status, outcome; one progress step per action
  kLegal,     // session -> status, bytes
  kHash,      // session -> status, hash
  kVerify,    // session -> status, measurement
  kObserve,   // session, name -> status, observation
  kMeasure,   // session, name -> status, measurement
  kEstimate,  // session, name -> status, measurement
  kFork,      // session, new session -> status, whether its history ends in a kPipe
  kStep,      // session, request -> status, report; progress as for kApply
};

// A Result on the wire: a flag, then the value or the error.
inline void putError(Writer& writer, const Error& error) {
  writer.put(false);
  writer.put(error.code);
  writer.putBytes(error.message);
}
// Reads the flag and, if it says so, the error.
inline Status getStatus(Reader& reader) {
  if (reader.get<bool>()) return {};
  const ErrorCode code = reader.get<ErrorCode>();
  std::string message = reader.getString();
  if (!reader.ok() || code < ErrorCode{} || code > ErrorCode::kInternal) {
    return fail(ErrorCode::kInternal, "a worker sent a reply that makes no sense");
  }
  return fail(Error{code, std::move(message)});
}

void put(Writer& writer, const SessionSpec& spec);
SessionSpec getSpec(Reader& reader);
void put(Writer& writer, const StepOutcome& outcome);
StepOutcome getOutcome(Reader& reader);
void put(Writer& writer, const StepRequest& request);
StepRequest getStepRequest(Reader& reader);
void put(Writer& writer, const StepReport& report);
// Its observations are views into the buffer.
StepReport getStepReport(Reader& reader);
void put(Writer& writer, const Observation& observation);
// A view into the buffer; !reader.ok() if shape and bytes do not fit together.
Observation getObservation(Reader& reader);
void put(Writer& writer, const Measurement& measurement);
Measurement getMeasurement(Reader& reader);
void put(Writer& writer, const BackendInfo& info);
BackendInfo getInfo(Reader& reader);

}  // namespace ordo::env
