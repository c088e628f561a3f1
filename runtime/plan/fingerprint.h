// Problems as keys: what was computed for one is not computed again for an equal one.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/plan/plan.h"

namespace shard {

// A byte string that is the same for equal parts added in the same order, and only for those.
class Fingerprint {
 public:
  void add(std::int64_t number) {
    if (bytes_.size() < size_ + kLongest) grow(kLongest);
    char* const end = bytes_.data() + size_;
    // Small numbers, which nearly all are, take a single byte.
    constexpr char kLong = 127;
    if (number >= 0 && number < kLong) {
      *end = static_cast<char>(number);
      ++size_;
      return;
    }
    *end = kLong;
    std::memcpy(end + 1, &number, sizeof number);
    size_ += kLongest;
  }
  void add(std::string_view text);
  void add(const Rational& number);
  void add(const Amount& amount);
  void add(const Formula& formula);
  void add(const Layout& layout);
  void add(const std::vector<Amount>& shape, DType dtype);
  // A label is identified by its first occurrence, so that relabelling the same dimensions makes no difference.
  void add_labels(const std::vector<int>& labels);
  // The operations on each element, without their constants.
  void add(const ElementProgram& program);

  std::string bytes() const& { return bytes_.substr(0, size_); }
  std::string bytes() && {
    bytes_.resize(size_);
    return std::move(bytes_);
  }

 private:
  // Makes room for so many bytes more.
  void grow(std::size_t more);

  static constexpr std::size_t kLongest = 1 + sizeof(std::int64_t);  // of a number
  static constexpr std::size_t kUsualLength = 160;                   // saves regrowing the string

  std::string bytes_ = std::string(kUsualLength, '\0');  // with room after the first `size_`
  std::size_t size_ = 0;
  std::vector<int> labels_;
};

// Everything, apart from the machine, that the cost of a step depends on.
Fingerprint fingerprint_of(const Step& step, const Plan& plan);

}  // namespace shard
