// bignum - arithmetic on large integers, and a toy RSA built on it.
//
// Each input line is a command on decimal numbers: add, sub, mul, div, gcd, pow A B MOD, inverse A MOD,
// fact N, fib N, prime N (Miller-Rabin with fixed bases), next N (the next prime), and rsa P Q TEXT, which
// makes a key from two primes, encrypts the text, decrypts it again and prints both. Bad commands print an
// error; the exit status is then 1. The RSA here is for exercise: no padding, not constant time.

#include <algorithm>
#include <cctype>
#include <compare>
#include <cstdint>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

// A non-negative integer in base 2^32, least significant limb first, without leading zeros.
class Natural {
 public:
  Natural(uint64_t value = 0) {
    for (; value != 0; value >>= 32) limbs_.push_back(static_cast<uint32_t>(value));
  }

  static Natural parse(const std::string& text) {
    Natural n;
    if (text.empty()) throw std::invalid_argument("empty number");
    for (char c : text) {
      if (!std::isdigit(static_cast<unsigned char>(c))) throw std::invalid_argument("not a number: " + text);
      n.multiply_add(10, static_cast<uint32_t>(c - '0'));
    }
    return n;
  }

  std::string str() const {
    if (is_zero()) return "0";
    std::string digits;
    Natural rest = *this;
    while (!rest.is_zero()) {
      uint32_t part = rest.divide_small(1000000000);
      for (int i = 0; i < 9 && (part != 0 || !rest.is_zero()); i++, part /= 10) {
        digits.push_back(static_cast<char>('0' + part % 10));
      }
    }
    std::reverse(digits.begin(), digits.end());
    return digits;
  }

  bool is_zero() const { return limbs_.empty(); }
  bool is_odd() const { return !limbs_.empty() && (limbs_[0] & 1); }
  bool bit(size_t i) const { return i / 32 < limbs_.size() && (limbs_[i / 32] >> (i % 32) & 1); }

  size_t bit_length() const {
    if (limbs_.empty()) return 0;
    size_t bits = 32 * (limbs_.size() - 1);
    for (uint32_t top = limbs_.back(); top != 0; top >>= 1) bits++;
    return bits;
  }

  uint32_t small() const { return limbs_.empty() ? 0 : limbs_[0]; }

  std::strong_ordering operator<=>(const Natural& o) const {
    if (limbs_.size() != o.limbs_.size()) return limbs_.size() <=> o.limbs_.size();
    for (size_t i = limbs_.size(); i-- > 0;) {
      if (limbs_[i] != o.limbs_[i]) return limbs_[i] <=> o.limbs_[i];
    }
    return std::strong_ordering::equal;
  }
  bool operator==(const Natural& o) const = default;

  Natural& operator+=(const Natural& o) {
    limbs_.resize(std::max(limbs_.size(), o.limbs_.size()) + 1);
    uint64_t carry = 0;
    for (size_t i = 0; i < limbs_.size(); i++) {
      carry += static_cast<uint64_t>(limbs_[i]) + (i < o.limbs_.size() ? o.limbs_[i] : 0);
      limbs_[i] = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
    trim();
    return *this;
  }

  Natural& operator-=(const Natural& o) {
    if (*this < o) throw std::domain_error("negative result");
    uint64_t borrow = 0;
    for (size_t i = 0; i < limbs_.size(); i++) {
      uint64_t difference =
          static_cast<uint64_t>(limbs_[i]) - (i < o.limbs_.size() ? o.limbs_[i] : 0) - borrow;
      limbs_[i] = static_cast<uint32_t>(difference);
      borrow = difference >> 63;
    }
    trim();
    return *this;
  }

  friend Natural operator+(Natural a, const Natural& b) { return a += b; }
  friend Natural operator-(Natural a, const Natural& b) { return a -= b; }

  friend Natural operator*(const Natural& a, const Natural& b) {
    if (std::min(a.limbs_.size(), b.limbs_.size()) >= kKaratsuba) return karatsuba(a, b);
    Natural r;
    r.limbs_.assign(a.limbs_.size() + b.limbs_.size(), 0);
    for (size_t i = 0; i < a.limbs_.size(); i++) {
      uint64_t carry = 0;
      for (size_t j = 0; j < b.limbs_.size(); j++) {
        carry += static_cast<uint64_t>(a.limbs_[i]) * b.limbs_[j] + r.limbs_[i + j];
        r.limbs_[i + j] = static_cast<uint32_t>(carry);
        carry >>= 32;
      }
      r.limbs_[i + b.limbs_.size()] = static_cast<uint32_t>(carry);
    }
    r.trim();
    return r;
  }

  friend Natural operator%(const Natural& a, const Natural& b) { return divide(a, b).second; }

  Natural& operator<<=(size_t bits) {
    if (is_zero()) return *this;
    limbs_.insert(limbs_.begin(), bits / 32, 0);
    bits %= 32;
    if (bits == 0) return *this;
    uint32_t carry = 0;
    for (uint32_t& limb : limbs_) {
      uint32_t next = limb >> (32 - bits);
      limb = limb << bits | carry;
      carry = next;
    }
    if (carry) limbs_.push_back(carry);
    return *this;
  }

  Natural& operator>>=(size_t bits) {
    size_t whole = std::min(bits / 32, limbs_.size());
    limbs_.erase(limbs_.begin(), limbs_.begin() + static_cast<std::ptrdiff_t>(whole));
    bits %= 32;
    if (bits == 0) return *this;
    for (size_t i = 0; i < limbs_.size(); i++) {
      uint32_t above = i + 1 < limbs_.size() ? limbs_[i + 1] : 0;
      limbs_[i] = limbs_[i] >> bits | above << (32 - bits);
    }
    trim();
    return *this;
  }

  // Quotient and remainder by schoolbook long division in base 2^32.
  static std::pair<Natural, Natural> divide(const Natural& a, const Natural& b) {
    if (b.is_zero()) throw std::domain_error("division by zero");
    if (a < b) return {0, a};
    if (b.limbs_.size() == 1) {
      Natural q = a;
      uint32_t r = q.divide_small(b.limbs_[0]);
      return {q, r};
    }
    // Scaled so that the divisor's top bit is set, the guess for a quotient digit is at most two too high.
    size_t shift = 32 * b.limbs_.size() - b.bit_length();
    Natural u = a, v = b;
    u <<= shift;
    v <<= shift;
    size_t n = v.limbs_.size();
    u.limbs_.resize(std::max(u.limbs_.size(), a.limbs_.size()) + 1, 0);
    size_t m = u.limbs_.size() - n - 1;
    Natural q;
    q.limbs_.assign(m + 1, 0);
    for (size_t j = m + 1; j-- > 0;) q.limbs_[j] = quotient_digit(u.limbs_, v.limbs_, j);
    q.trim();
    u.trim();
    u >>= shift;
    return {q, u};
  }

 private:
  static constexpr size_t kKaratsuba = 24;

  static uint32_t quotient_digit(std::vector<uint32_t>& u, const std::vector<uint32_t>& v, size_t j) {
    size_t n = v.size();
    uint64_t top = static_cast<uint64_t>(u[j + n]) << 32 | u[j + n - 1];
    uint64_t guess = top / v[n - 1];
    uint64_t rest = top % v[n - 1];
    while (guess >> 32 || guess * v[n - 2] > (rest << 32 | u[j + n - 2])) {
      guess--;
      rest += v[n - 1];
      if (rest >> 32) break;
    }
    uint64_t borrow = 0, carry = 0;
    for (size_t i = 0; i <= n; i++) {
      carry += i < n ? guess * v[i] : 0;
      uint64_t difference = static_cast<uint64_t>(u[i + j]) - static_cast<uint32_t>(carry) - borrow;
      u[i + j] = static_cast<uint32_t>(difference);
      borrow = difference >> 63;
      carry >>= 32;
    }
    if (borrow) {  // the guess was one too high: add the divisor back
      guess--;
      uint64_t sum = 0;
      for (size_t i = 0; i <= n; i++) {
        sum += static_cast<uint64_t>(u[i + j]) + (i < n ? v[i] : 0);
        u[i + j] = static_cast<uint32_t>(sum);
        sum >>= 32;
      }
    }
    return static_cast<uint32_t>(guess);
  }

  static Natural karatsuba(const Natural& a, const Natural& b) {
    size_t half = std::max(a.limbs_.size(), b.limbs_.size()) / 2;
    auto [a0, a1] = a.split(half);
    auto [b0, b1] = b.split(half);
    Natural low = a0 * b0;
    Natural high = a1 * b1;
    Natural middle = (a0 + a1) * (b0 + b1) - low - high;
    high <<= 64 * half;
    middle <<= 32 * half;
    return low + middle + high;
  }

  std::pair<Natural, Natural> split(size_t at) const {
    Natural low, high;
    auto middle = limbs_.begin() + static_cast<std::ptrdiff_t>(std::min(at, limbs_.size()));
    low.limbs_.assign(limbs_.begin(), middle);
    high.limbs_.assign(middle, limbs_.end());
    low.trim();
    return {low, high};
  }

  void multiply_add(uint32_t factor, uint32_t term) {
    uint64_t carry = term;
    for (uint32_t& limb : limbs_) {
      carry += static_cast<uint64_t>(limb) * factor;
      limb = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
    if (carry) limbs_.push_back(static_cast<uint32_t>(carry));
  }

  // Divides in place and returns the remainder.
  uint32_t divide_small(uint32_t divisor) {
    uint64_t rest = 0;
    for (size_t i = limbs_.size(); i-- > 0;) {
      rest = rest << 32 | limbs_[i];
      limbs_[i] = static_cast<uint32_t>(rest / divisor);
      rest %= divisor;
    }
    trim();
    return static_cast<uint32_t>(rest);
  }

  void trim() {
    while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
  }

  std::vector<uint32_t> limbs_;
};

// ---- number theory ----------------------------------------------------------------------------------------

Natural gcd(Natural a, Natural b) {
  while (!b.is_zero()) a = std::exchange(b, a % b);
  return a;
}

Natural power_mod(const Natural& base, const Natural& exponent, const Natural& modulus) {
  Natural result = Natural(1) % modulus;
  Natural square = base % modulus;
  for (size_t i = 0; i < exponent.bit_length(); i++) {
    if (exponent.bit(i)) result = result * square % modulus;
    square = square * square % modulus;
  }
  return result;
}

// Extended Euclid with the coefficients kept modulo m, which avoids signed numbers.
Natural inverse(const Natural& a, const Natural& m) {
  Natural r0 = m, r1 = a % m, t0 = 0, t1 = 1;
  while (!r1.is_zero()) {
    auto [q, r2] = Natural::divide(r0, r1);
    Natural t2 = (t0 + m - q * t1 % m) % m;
    r0 = std::exchange(r1, r2);
    t0 = std::exchange(t1, t2);
  }
  if (r0 != Natural(1)) throw std::domain_error("no inverse");
  return t0;
}

bool is_prime(const Natural& n) {
  static const uint32_t kBases[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
  if (n < Natural(2)) return false;
  for (uint32_t p : kBases) {
    if ((n % p).is_zero()) return n == Natural(p);
  }
  Natural minus_one = n - 1;
  Natural odd = minus_one;
  int twos = 0;
  for (; !odd.is_odd(); twos++) odd >>= 1;
  for (uint32_t base : kBases) {
    Natural x = power_mod(base, odd, n);
    if (x == Natural(1) || x == minus_one) continue;
    bool composite = true;
    for (int i = 1; i < twos && composite; i++) {
      x = x * x % n;
      composite = x != minus_one;
    }
    if (composite) return false;
  }
  return true;
}

Natural next_prime(Natural n) {
  n += 1;
  if (n <= Natural(2)) return 2;
  if (!n.is_odd()) n += 1;
  while (!is_prime(n)) n += 2;
  return n;
}

Natural factorial(uint32_t n) {
  Natural product = 1;
  for (uint32_t i = 2; i <= n; i++) product = product * i;
  return product;
}

// Doubling: F(2k) = F(k) (2 F(k+1) - F(k)) and F(2k+1) = F(k)^2 + F(k+1)^2.
Natural fibonacci(uint32_t n) {
  Natural a = 0, b = 1;
  for (int bit = 31; bit >= 0; bit--) {
    Natural even = a * (b + b - a);
    Natural odd = a * a + b * b;
    if (n >> bit & 1) {
      a = odd;
      b = even + odd;
    } else {
      a = even;
      b = odd;
    }
  }
  return a;
}

// ---- a toy RSA --------------------------------------------------------------------------------------------

struct RsaKey {
  Natural modulus, open, secret;

  static RsaKey make(const Natural& p, const Natural& q) {
    if (p == q || !is_prime(p) || !is_prime(q)) throw std::domain_error("two different primes wanted");
    Natural phi = (p - 1) * (q - 1);
    Natural open = 65537;
    while (gcd(open, phi) != Natural(1)) open += 2;
    return {p * q, open, inverse(open, phi)};
  }
};

Natural encode(const std::string& text) {
  Natural n;
  for (unsigned char c : text) n = n * 256 + c;
  return n;
}

std::string decode(Natural n) {
  std::string text;
  for (; !n.is_zero(); n >>= 8) text.push_back(static_cast<char>(n.small() & 0xFF));
  std::reverse(text.begin(), text.end());
  return text;
}

std::string run_rsa(const Natural& p, const Natural& q, const std::string& text) {
  RsaKey key = RsaKey::make(p, q);
  size_t block = (key.modulus.bit_length() - 1) / 8;
  if (block == 0) throw std::domain_error("modulus too small");
  std::string ciphers, plain;
  for (size_t at = 0; at < text.size(); at += block) {
    Natural cipher = power_mod(encode(text.substr(at, block)), key.open, key.modulus);
    ciphers += " " + cipher.str();
    plain += decode(power_mod(cipher, key.secret, key.modulus));
  }
  return "cipher" + ciphers + "\nplain " + plain;
}

// ---- commands ---------------------------------------------------------------------------------------------

Natural next_number(std::istream& in) {
  std::string word;
  if (!(in >> word)) throw std::invalid_argument("number missing");
  return Natural::parse(word);
}

uint32_t next_count(std::istream& in) {
  Natural n = next_number(in);
  if (n > Natural(5000)) throw std::out_of_range("too large");
  return n.small();
}

std::string run_command(const std::string& line) {
  std::istringstream in(line);
  std::string command;
  in >> command;
  if (command == "fact") return factorial(next_count(in)).str();
  if (command == "fib") return fibonacci(next_count(in)).str();
  Natural a = next_number(in);
  if (command == "prime") return is_prime(a) ? "prime" : "composite";
  if (command == "next") return next_prime(a).str();
  Natural b = next_number(in);
  if (command == "add") return (a + b).str();
  if (command == "sub") return (a - b).str();
  if (command == "mul") return (a * b).str();
  if (command == "gcd") return gcd(a, b).str();
  if (command == "inverse") return inverse(a, b).str();
  if (command == "pow") return power_mod(a, b, next_number(in)).str();
  if (command == "div") {
    auto [quotient, remainder] = Natural::divide(a, b);
    return quotient.str() + " rest " + remainder.str();
  }
  if (command == "rsa") {
    std::string text;
    std::getline(in >> std::ws, text);
    return run_rsa(a, b, text);
  }
  throw std::invalid_argument("unknown command: " + command);
}

}  // namespace

int main() {
  int status = 0;
  for (std::string line; std::getline(std::cin, line);) {
    if (line.empty() || line[0] == '#') continue;
    try {
      std::cout << run_command(line) << "\n";
    } catch (const std::exception& problem) {
      std::cout << "error: " << problem.what() << "\n";
      status = 1;
    }
  }
  return status;
}
