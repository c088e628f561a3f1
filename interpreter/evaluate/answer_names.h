// Names that the answer of a question has and the script has not, as N in `sqrt(B·N / F)`.
#pragma once

#include <optional>

#include "interpreter/check/array.h"

namespace shard {

// While it lives, such names stand for themselves: what the answer is compared with may say them.
class AnswerNames {
 public:
  AnswerNames(const std::optional<Value>& answer, Scope& scope);
  AnswerNames(const AnswerNames&) = delete;
  AnswerNames& operator=(const AnswerNames&) = delete;
  ~AnswerNames();

 private:
  Scope& scope_;
  std::optional<PersistentMap<std::string, BindingInfo>> before_;  // where there are such names
};

}  // namespace shard
