// Mistakes in random statements.
#pragma once

#include <string>
#include <vector>

#include "tests/interpreter/properties/random_program/statement.h"

namespace shard::random_program {

// Makes one kind of mistake in a statement that is legal as it stands.
class Spoiler {
 public:
  Spoiler(Random& random, Draft& draft, Statement& statement)
      : random_(random), draft_(draft), statement_(statement) {
    collect(statement.value);
    if (statement.target && !statement.target->bare) all_.push_back(&*statement.target);
  }

  void spoil(DiagnosticKind kind);

 private:
  void spoil_operation(DiagnosticKind kind);
  void clear_indices();
  void collect(Expr& value);
  Brackets* use() { return uses_.empty() ? nullptr : random_.pick(uses_); }
  Brackets* target();
  Brackets* any() { return all_.empty() ? nullptr : random_.pick(all_); }

  Names axis_names() const;
  const std::string& some_dimension();
  void reuse_axis();
  void add_axis(const std::string& axis);
  void change_layout(Brackets* brackets);
  void drop_dimension(Brackets* brackets);
  void swap_dimensions(Brackets* brackets);
  void change_dimension(Brackets* brackets);
  void repeat_dimension();
  void add_dimension();
  void add_unreduced(Brackets* brackets);
  void change_index();

  Random& random_;
  Draft& draft_;
  Statement& statement_;
  std::vector<Brackets*> uses_;
  std::vector<Brackets*> all_;
};

}  // namespace shard::random_program
