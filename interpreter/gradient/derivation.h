// The walk back from an array: private to this room.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/gradient/derive.h"
#include "runtime/algebra/formula.h"

namespace shard::gradient {

// Elements of a dimension from a place on: one, which the gradient lacks the dimension for, or with `part` as many as it is long.
struct Place {
  DimensionId along;
  Formula begin;
  std::optional<DimensionId> part;
};

// What an operation adds to the gradient of one of its operands.
struct Contribution {
  Piece piece;
  std::vector<DimensionId> labels;  // of the operand, as the operation names its dimensions
  bool alone = false;               // it has to be a statement's whole right side
  std::optional<Place> place;       // it belongs there, and the rest is 0
};

// A gradient that a statement makes.
struct Made {
  std::string name;
  std::vector<DimensionId> labels;
  std::optional<Layout> layout;  // none: whichever the value comes in, and a bare name reads it
  DType dtype = DType::Bf16;
};

class Derivation {
 public:
  Derivation(const Request& request, const Scope& scope, DiagnosticSink& sink)
      : request_(request), scope_(scope), sink_(sink), forward_(scope, request.part_name) {}

  std::optional<Derived> run();

 private:
  // An operation, and the array whose statement it stands in.
  struct At {
    const checked::Operation& operation;
    ArrayId of;
    int number = 0;
  };

  // ---- derive.cpp: the order
  void find_history();
  const checked::Flow* flow_of(ArrayId array);
  bool find_seed();
  void go_back(ArrayId array);
  void used(ArrayId array);
  void finish(ArrayId array);
  bool has_gradient(const checked::Operation& operation);
  std::nullopt_t fail(Span span, std::string message, std::string help);

  // ---- statements.cpp: the statements
  Piece read(const Made& made, const std::vector<DimensionId>& labels);
  Piece emit(const Made& made, std::vector<Contribution> contributions);
  // Adds what belongs to a place to zeros, or to what is there.
  void put(const Made& made, const Contribution& contribution);
  std::string place_text(const Made& made, const std::string& target, const Place& place);
  void write(const Made& made, const Piece& value);
  // Of all these dimensions: repeated along those that it lacks.
  Piece spread(Piece piece, const std::vector<DimensionId>& labels);
  // Summed over what is none of these.
  Piece summed(Piece piece, const std::vector<DimensionId>& all,
               const std::vector<DimensionId>& kept);
  Contribution renamed(Contribution contribution, const Made& made);
  Made& gradient_of(ArrayId array);
  // The array that was passed for a parameter, or of which this one is nothing but a copy without a name; else itself.
  ArrayId source_of(ArrayId array);

  // ---- rules.cpp: the operations
  // The operation's gradient is `g`: what comes of it for its operands.
  void apply(const At& at, const Piece& g);
  void apply_product(const At& at, const checked::Product& product, const Piece& g);
  void apply_elements(const At& at, const checked::Elementwise& elements, const Piece& g);
  void apply_reduction(const At& at, const checked::Reduction& reduction, const Piece& g);
  void apply_softmax(const At& at, const checked::Softmax& softmax, const Piece& g);
  void apply_collective(const At& at, const checked::Collective& collective, const Piece& g);
  // To the operand with this place among the operands.
  void give(const At& at, std::size_t operand, Contribution contribution);
  At operand_of(const At& at, std::size_t operand) const;
  // The value of an operation: an array, a part of a statement, or computed anew.
  Piece value(const At& at);
  Piece value_of(const At& at, std::size_t operand) { return value(operand_of(at, operand)); }
  // Its text, made of its operands.
  Piece written(const At& at);
  std::string subscript(const std::vector<DimensionId>& labels);
  std::string name(DimensionId label);

  // ---- selections.cpp: elements by their place
  void apply_selection(const At& at, const checked::Selection& selection, const Piece& g);
  void apply_gather(const At& at, const checked::Selection& selection, const Piece& g);
  void apply_update(const At& at, const checked::Selection& selection, const Piece& g);
  void apply_concat(const At& at, const checked::Selection& selection, const Piece& g);
  Piece one_hot(const At& at, const checked::Selection& selection, std::size_t index,
                std::size_t first);
  std::string length_text(DimensionId label);  // in arithmetic
  std::string end_text(DimensionId label);     // the same inside of brackets
  // `g` with an index or a part, as the operation's dimensions are called.
  Piece picked(const At& at, const std::string& dimension, const std::string& inside,
               const Piece& g);

  const Request& request_;
  const Scope& scope_;
  DiagnosticSink& sink_;
  Forward forward_;
  std::vector<std::string> statements_;
  std::vector<std::string> lasting_;
  std::set<ArrayId> history_;
  std::map<ArrayId, int> uses_;      // by those statements that were not gone back through
  std::map<ArrayId, int> own_uses_;  // the same of the statement that is gone back through
  std::map<ArrayId, std::vector<Contribution>> contributions_;
  std::map<ArrayId, Made> made_;
  std::set<ArrayId> finished_;
  std::map<std::string, std::vector<Place>>
      put_;                           // where elements are not 0, by the name of the gradient
  std::set<std::string> references_;  // texts of gradients that are there
  std::set<ArrayId> ready_;
  std::map<std::pair<ArrayId, int>, Piece> recomputed_;
  bool failed_ = false;
  bool reaches_input_ = false;
};

}  // namespace shard::gradient
