// A line of which some pieces are written otherwise here. Private to the folder.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "grammar/foreign/line.h"

namespace shard {

class ForeignRewrite {
 public:
  explicit ForeignRewrite(std::string_view text) : text_(text) {}

  // What is wrong with a piece. The first that is found is the mistake of the line.
  void find(std::size_t begin, std::size_t end, std::string message) {
    if (!mistake_) mistake_ = foreign_mistake(begin, end, std::move(message));
  }
  std::optional<ForeignMistake>& mistake() { return mistake_; }

  // `own` stands in the place of [begin, end). Pieces come in the order of the text.
  void replace(std::size_t begin, std::size_t end, std::string_view own) {
    line_ += text_.substr(done_, begin - done_);
    line_ += own;
    done_ = end;
  }
  // Behind the last piece.
  std::size_t done() const { return done_; }
  std::string line() const { return line_ + std::string(text_.substr(done_)); }

  // The mistake with the line as its help; nullopt if there is none, or the line cannot be read.
  std::optional<ForeignMistake> offered() const { return offered(line()); }
  std::optional<ForeignMistake> offered(std::string_view line) const {
    std::optional<ForeignMistake> offered = mistake_;
    if (offered) offer_line(*offered, line);
    return offered && !offered->help.empty() ? std::move(offered) : std::nullopt;
  }

 private:
  std::string_view text_;
  std::string line_;
  std::size_t done_ = 0;
  std::optional<ForeignMistake> mistake_;
};

}  // namespace shard
