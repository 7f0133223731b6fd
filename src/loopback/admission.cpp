#include "loopback/admission.h"

#include <sys/random.h>

#include <array>

#include "support/error.h"

namespace ordo::loopback {
namespace {

bool sameToken(std::string_view a, std::string_view b) {
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < b.size(); ++i)
    difference |= static_cast<unsigned char>(b[i]) ^ static_cast<unsigned char>(i < a.size() ? a[i] : '\0');
  return difference == 0;
}

}  // namespace

std::string newToken() {
  std::array<unsigned char, 16> bytes{};
  ORDO_CHECK(::getrandom(bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()),
             "the system gives no random numbers");
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

Admission::Admission(std::string token) : token_(std::move(token)) {
  ORDO_CHECK(!token_.empty(), "a server without a token");
}

bool Admission::isHere(std::string_view host) const {
  return host == fmt::format("127.0.0.1:{}", port_) || host == fmt::format("localhost:{}", port_);
}

bool Admission::isOurs(std::string_view host, std::string_view origin) const {
  constexpr std::string_view kHttp = "http://";
  const bool own = origin.empty() || (origin.starts_with(kHttp) && isHere(origin.substr(kHttp.size())));
  return own && isHere(host);
}

bool Admission::knows(std::string_view authorization) const {
  constexpr std::string_view kBearer = "Bearer ";
  return authorization.starts_with(kBearer) && sameToken(authorization.substr(kBearer.size()), token_);
}

}  // namespace ordo::loopback
