#include "loopback/admission.h"

#include <sys/random.h>

#include <algorithm>
#include <array>

namespace ordo::loopback {
namespace {

bool sameToken(std::string_view a, std::string_view b) {
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < b.size(); ++i)
    difference |= static_cast<unsigned char>(b[i]) ^ static_cast<unsigned char>(i < a.size() ? a[i] : '\0');
  return difference == 0;
}

// "build.example.com:443" of "https://build.example.com:443"; "" for what is of no page ("null").
std::string_view authorityOf(std::string_view origin) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (origin.starts_with(scheme)) return origin.substr(scheme.size());
  }
  return "";
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool isDigit(char c) { return c >= '0' && c <= '9'; }

// "build.example.com", "localhost:9000".
bool isHost(std::string_view text) {
  constexpr std::size_t kMost = 253;  // as DNS has it
  const std::string_view name = text.substr(0, text.find(':'));
  const auto may = [](char c) {
    return (lower(c) >= 'a' && lower(c) <= 'z') || isDigit(c) || c == '-' || c == '.' || c == '_';
  };
  if (name.empty() || name.size() > kMost || !std::ranges::all_of(name, may)) return false;
  if (name.size() == text.size()) return true;
  const std::string_view port = text.substr(name.size() + 1);
  return !port.empty() && port.size() <= 5 && std::ranges::all_of(port, isDigit);
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

Status checkHosts(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (!isHost(name))
      return fail(ErrorCode::kInvalidArgument,
                  "--allow-host {}: it has to be the name of a host, without scheme and path: "
                  "build.example.com, localhost:9000",
                  name.substr(0, 80));
  }
  return {};
}

Admission::Admission(std::string token, std::vector<std::string> hosts)
    : token_(std::move(token)), hosts_(std::move(hosts)) {
  ORDO_CHECK(!token_.empty(), "a server without a token");
}

bool Admission::isHere(std::string_view authority) const {
  return authority == fmt::format("127.0.0.1:{}", port_) || authority == fmt::format("localhost:{}", port_);
}

bool Admission::isAllowed(std::string_view authority) const {
  if (!isHost(authority)) return false;
  const auto same = [&](std::string_view host) {
    const std::string_view wanted =
        host.find(':') == std::string_view::npos ? authority.substr(0, authority.find(':')) : authority;
    return std::ranges::equal(host, wanted, [](char a, char b) { return lower(a) == lower(b); });
  };
  return std::ranges::any_of(hosts_, same);
}

bool Admission::isOurs(std::string_view host, std::string_view origin) const {
  constexpr std::string_view kHttp = "http://";
  if (!isHere(host) && !isAllowed(host)) return false;
  // A proxy may say in Host where it went, and not what it is called; and it may speak https.
  return origin.empty() || (origin.starts_with(kHttp) && isHere(origin.substr(kHttp.size()))) ||
         isAllowed(authorityOf(origin));
}

std::string Admission::remedy(std::string_view host, std::string_view origin) const {
  constexpr std::string_view kWhy = "requests have to come from this machine";
  const std::string_view name = isHere(host) || isAllowed(host) ? authorityOf(origin) : host;
  if (!isHost(name)) return std::string(kWhy);
  return fmt::format(
      "{} by its own name and port, and this one is for {}: if you reach it so, through a forwarded port, a "
      "tunnel or a proxy of yours, start it with --allow-host {}",
      kWhy, name, name);
}

bool Admission::knows(std::string_view authorization) const {
  constexpr std::string_view kBearer = "Bearer ";
  return authorization.starts_with(kBearer) && sameToken(authorization.substr(kBearer.size()), token_);
}

}  // namespace ordo::loopback
