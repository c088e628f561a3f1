#include "grammar/lex/number.h"

#include <algorithm>
#include <optional>

#include "base/words.h"

namespace shard {
namespace {

class NumberReader {
 public:
  NumberReader(std::string_view text, bool commas) : text_(text), commas_(commas) {}

  WrittenNumber read() {
    read_digits();
    if (at(0) == '.' && is_digit(at(1))) {
      take(1);
      read_digits_plain();
    }
    read_exponent();
    const auto decimal = Rational::parse(digits_);
    number_.value = decimal ? *decimal : Rational::overflow();
    read_suffix();
    read_unit();
    number_.length = position_;
    return number_;
  }

 private:
  char at(std::size_t ahead) const {
    return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
  }

  void take(std::size_t count) {
    digits_ += text_.substr(position_, count);
    number_.text += text_.substr(position_, count);
    position_ += count;
  }

  void read_digits_plain() {
    while (is_digit(at(0)) || (at(0) == '_' && is_digit(at(1)))) {
      if (at(0) == '_') {
        number_.text += '_';
        ++position_;
      }
      take(1);
    }
  }

  void read_digits() {
    read_digits_plain();
    if (!commas_ || position_ == 0 || position_ > 3) return;
    while (at(0) == ',' && is_digit(at(1)) && is_digit(at(2)) && is_digit(at(3)) &&
           !is_digit(at(4))) {
      ++position_;
      take(3);
    }
  }

  void read_exponent() {
    if (at(0) != 'e' && at(0) != 'E') return;
    const std::size_t sign = at(1) == '+' || at(1) == '-' ? 1 : 0;
    if (!is_digit(at(1 + sign))) return;
    take(1 + sign);
    read_digits_plain();
  }

  void read_suffix() {
    constexpr std::string_view kPrefixes = "kKMGTP";
    const std::size_t order = kPrefixes.find(at(0));
    if (order == std::string_view::npos || at(0) == '\0') return;
    const bool binary = at(1) == 'i';
    const char next = at(binary ? 2 : 1);
    if (is_letter(next) || is_digit(next)) return;
    const int thousands = order <= 1 ? 1 : static_cast<int>(order);
    number_.value = number_.value * power(Rational(binary ? 1024 : 1000), thousands);
    number_.text += text_.substr(position_, binary ? 2 : 1);
    position_ += binary ? 2 : 1;
  }

  // The bytes of a micro sign at `place`: U+00B5 or the Greek letter.
  std::size_t micro_at(std::size_t place) const {
    const std::string_view rest = text_.substr(std::min(place, text_.size()));
    return rest.substr(0, 2) == "µ" || rest.substr(0, 2) == "μ" ? 2 : 0;
  }

  std::size_t word_end(std::size_t place) const {
    place += micro_at(place);
    while (place < text_.size() && is_letter(text_[place])) ++place;
    return place;
  }

  // A unit ends where a word ends; before a bracket it would be an array or a function.
  bool ends_unit(std::size_t place) const {
    const char next = place < text_.size() ? text_[place] : '\0';
    return !is_letter(next) && !is_digit(next) &&
           std::string_view("_[('").find(next) == std::string_view::npos;
  }

  bool take_unit(std::size_t begin, std::size_t end) {
    if (end == begin || !ends_unit(end)) return false;
    const auto unit = parse_unit(text_.substr(begin, end - begin));
    if (!unit) return false;
    number_.value = number_.value * unit->factor;
    number_.unit = unit->unit;
    number_.text += micro_at(begin) != 0
                        ? " u" + std::string(text_.substr(begin + 2, end - begin - 2))
                        : " " + std::string(text_.substr(begin, end - begin));
    position_ = end;
    return true;
  }

  void read_unit() {
    std::size_t begin = position_;
    while (begin < text_.size() && (text_[begin] == ' ' || text_[begin] == '\t')) ++begin;
    const std::size_t end = word_end(begin);
    const bool fraction = end < text_.size() && text_[end] == '/';
    if (fraction && take_unit(begin, word_end(end + 1))) return;
    take_unit(begin, end);
  }

  std::string_view text_;
  bool commas_;
  std::size_t position_ = 0;
  std::string digits_;
  WrittenNumber number_;
};

}  // namespace

WrittenNumber read_number(std::string_view text, bool commas) {
  return NumberReader(text, commas).read();
}

}  // namespace shard
