// Gives scalars their names: what `NAME = VALUE` may bind, and which arrays a size that changes takes with it.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "interpreter/statements/run_context.h"

namespace shard {

class ScalarBinder {
 public:
  explicit ScalarBinder(RunContext& context)
      : state_(context.state),
        options_(context.options),
        scope_(context.scope),
        context_(context.check) {}

  // False if it may not have that value, which is reported: Redeclared, SizeRebound, BadArgument. In a REPL a size may
  // change, and ArraysDropped is noted.
  bool bind(const ast::Identifier& name, Value value);
  // The same; without a value, or where it may not have it, the name is unknown from here on, unless it was bound
  // before.
  void bind_value(const ast::Binding& binding, std::optional<Value> value);
  // `total = total + c.time` in a loop would read the same `total` in each pass. True after a report: SizeRebound.
  bool accumulates(const ast::Binding& binding);

 private:
  void fail(DiagnosticKind kind, Span span, std::string message, std::vector<std::string> help = {},
            std::vector<Note> notes = {});
  bool check_reserved(const ast::Identifier& name);
  // An array that the number was probably to fill stays as it is: NumberBesideArray.
  void warn_beside_array(const ast::Identifier& name, const Value& value);
  // The value of a name that stands in brackets is a length.
  bool check_length(const ast::Identifier& name, const Value& value);
  // A name is bound once in a block. In a REPL it may be bound anew: arrays that used it are dropped.
  bool may_bind(const ast::Identifier& name, const Value& value);
  // Functions, groups and loops; a supposition is planned from its inputs on with the sizes that it gives.
  bool has_own_sizes() const;
  // A block's or function's own size makes a dimension of its own.
  bool is_of_outside(const std::string& name) const;
  void bind_own_length(const ast::Identifier& name, const Value& value);
  // What was computed with the size is dropped, inputs take the new one. Everything else stays.
  void change_size(const ast::Identifier& name);
  // What they are called. An input with contents of its own cannot take another size either.
  std::vector<std::string> drop_computed(const std::set<ArrayId>& users, Span span);
  // Of what was made of an input only the copies go in which it is given. False if there is none of these.
  bool drop_made_copies(ArrayId input, std::vector<std::string>& dropped);
  // The same input of another size, which no device holds so far.
  ArrayId renewed(ArrayId input, DimensionId before, DimensionId now);
  // The arrays with that dimension, and what was computed of such.
  std::set<ArrayId> users_of(DimensionId dimension) const;

  RunnerState& state_;
  const RunnerOptions& options_;
  Scope& scope_;
  CheckContext& context_;
};

}  // namespace shard
