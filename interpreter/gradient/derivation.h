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

// Elements that a statement has overwritten: nothing of their earlier values was read any more.
struct Overwritten {
  Place place;
  std::string indices;  // "S = Pos[B]", where arrays say the place
};

// What an operation adds to the gradient of one of its operands.
struct Contribution {
  Piece piece;
  std::vector<DimensionId> labels;  // of the operand, as the operation names its dimensions
  bool alone = false;               // it has to be a statement's whole right side
  std::optional<Place> place;       // it belongs there, and the rest is 0
  // It is 0 there, whatever the piece says, which is then the gradient of the array `after`.
  std::vector<Overwritten> zeroed = {};
  ArrayId after = {};

  // It has a statement of its own.
  bool stands_alone() const { return alone || place || !zeroed.empty(); }
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
  // `named`: lengths written in brackets, and dimensions beside others of their name, that have names in the statements.
  Derivation(const Request& request, const Scope& scope, DiagnosticSink& sink,
             const std::set<DimensionId>& named)
      : request_(request),
        scope_(scope),
        sink_(sink),
        forward_(scope, request.part_name, named),
        named_(named) {}

  std::optional<Derived> run();
  // Those without a name where statements want one: `sum_4(A[I, 4])` is none.
  const std::set<DimensionId>& unnamed() const { return unnamed_; }

 private:
  // An operation, and the array whose statement it stands in.
  struct At {
    const checked::Operation& operation;
    ArrayId of;
    int number = 0;
  };

  // ---- derive.cpp: the order
  void find_history();
  void find_reaching();
  // Filled with a number, or with positions.
  bool is_constant(ArrayId array) const;
  const checked::Flow* flow_of(ArrayId array);
  bool find_seed();
  void go_back(ArrayId array);
  void enter(ArrayId kernel);
  void used(ArrayId array);
  void finish(ArrayId array);
  // What was added to the gradients of its copies in other layouts goes back to where they were moved from.
  void finish_moved(ArrayId array);
  // Of what the array was made of: its statement adds nothing to their gradients.
  void pass_over(ArrayId array);
  // Where what a use adds is collected.
  std::vector<Contribution>& contributions_to(const checked::Use& use);
  bool has_gradient(const checked::Operation& operation) const;
  std::nullopt_t fail(Span span, std::string message, std::string help);

  // ---- statements.cpp: the statements
  void say(std::string text) { statements_.push_back({std::move(text), kernel_}); }
  Piece read(const Made& made, const std::vector<DimensionId>& labels);
  Piece emit(const Made& made, std::vector<Contribution> contributions);
  // Adds what belongs to a place to zeros, or to what is there.
  void put(const Made& made, const Contribution& contribution);
  std::string place_text(const Made& made, const std::string& target, const Place& place);
  void write(const Made& made, const Piece& value);
  // What elements were put into has the same gradient, with zeros where they are.
  // Whether its elements are chosen where they are read, and no zeros are put into a copy. `is_all`: nothing is added to it.
  static bool are_few_places(const Contribution& contribution, bool is_all);
  Piece without_places(const Contribution& contribution);
  void write_overwritten(const Made& made, const Contribution& contribution);
  // Whether the zeros may be put into the gradient of what the array became: nobody else reads that.
  bool takes_over(ArrayId array, const std::vector<Contribution>& contributions);
  bool is_awaited(const std::string& name) const;
  // Whether what put further elements into the array reads elements of the gradient that are no zeros.
  bool waits(ArrayId array, const std::vector<Contribution>& contributions);
  // "dx: bf16[I, J] = zeros".
  void write_zeros(const Made& made);
  // Whether the name has a type already, which a statement does not repeat.
  bool has_type(const std::string& name) const;
  // Of all these dimensions: repeated along those that it lacks.
  Piece spread(Piece piece, const std::vector<DimensionId>& labels);
  // Summed over what is none of these.
  Piece summed(Piece piece, const std::vector<DimensionId>& all,
               const std::vector<DimensionId>& kept);
  void relabel(Contribution& contribution, const std::vector<DimensionId>& labels) const;
  bool are_called_alike(const std::vector<DimensionId>& one,
                        const std::vector<DimensionId>& other) const;
  // Statements whose results nothing reads are gone.
  void leave_out_unread();
  Contribution renamed(Contribution contribution, const Made& made);
  std::vector<DimensionId> labels_of(ArrayId array);
  Made& gradient_of(ArrayId array);
  void note_over(const Made& made);
  // The layout of what the array was only gathered from; nullopt if it was made in another way.
  std::optional<Layout> gathered_from(ArrayId array);
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
  bool is_read_as_it_is(const At& to, const Piece& g) const;
  static bool lacks_labels(const Piece& g, const At& to);
  // Which operands have a gradient.
  std::vector<bool> wanted_of(const checked::Elementwise& elements) const;
  At operand_of(const At& at, std::size_t operand) const;
  // The value of an operation: an array, a part of a statement, or computed anew.
  Piece value(const At& at);
  Piece value_of(const At& at, std::size_t operand) { return value(operand_of(at, operand)); }
  // An array as it is read, in this layout if it is there in it. What ended with its kernel is made again.
  std::optional<ArrayId> copy_outside(ArrayId array) const;
  Piece read_array(ArrayId array, const std::vector<DimensionId>& labels,
                   const Layout* layout = nullptr);
  bool stands_inside(const At& at, const At& operand) const;
  // Its text, made of its operands.
  Piece written(const At& at);
  std::string written_selection(const At& at, const checked::Selection& selection,
                                const std::vector<Piece>& values);
  std::string subscript(const std::vector<DimensionId>& labels);
  std::string name(DimensionId label);
  ElementProgram named(ElementProgram program);
  void note_labels(const checked::Operation& operation);
  std::string bracket_name(DimensionId label);  // where a length may stand, too

  // ---- selections.cpp: elements by their place
  void apply_selection(const At& at, const checked::Selection& selection, const Piece& g);
  void apply_gather(const At& at, const checked::Selection& selection, const Piece& g);
  void apply_update(const At& at, const checked::Selection& selection, const Piece& g);
  void apply_concat(const At& at, const checked::Selection& selection, const Piece& g);
  void apply_scatter(const At& at, const checked::Selection& selection, const Piece& g);
  std::string length_text(DimensionId label);  // in arithmetic
  std::string end_text(DimensionId label);     // the same inside of brackets
  // "4:8", "4:4 + K": so many elements as the part is long.
  std::string range_text(const Formula& begin, DimensionId part);
  // `g` with an index or a part, as the operation's dimensions are called.
  static Piece picked(const std::string& dimension, const std::string& inside, const Piece& g);

  const Request& request_;
  const Scope& scope_;
  DiagnosticSink& sink_;
  Forward forward_;
  const std::set<DimensionId>& named_;
  std::set<DimensionId> unnamed_;
  std::vector<DerivedStatement> statements_;
  ArrayId kernel_;                     // that is gone back through
  std::set<std::string> made_inside_;  // by its statements
  std::vector<std::string> lasting_;
  std::vector<ArrayId> over_;
  std::set<ArrayId> history_;
  std::set<ArrayId> reaching_;       // those that an input with fractions leads to, and such inputs
  std::map<ArrayId, int> uses_;      // by those statements that were not gone back through
  std::map<ArrayId, int> own_uses_;  // the same of the statement that is gone back through
  std::map<ArrayId, std::vector<Contribution>> contributions_;
  // To copies that statements moved to another layout, of which each has a gradient of its own.
  std::map<ArrayId, std::map<Layout, std::vector<Contribution>>> moved_;
  // Gradients of arrays that elements were put into one after the other: of which nobody has read more than those elements.
  std::map<ArrayId, Contribution> waiting_;
  std::vector<Overwritten> zeroed_;  // in the gradient that `apply` is called with
  std::map<ArrayId, Made> made_;
  std::set<ArrayId> finished_;
  std::map<std::string, std::vector<Place>>
      put_;                           // where elements are not 0, by the name of the gradient
  std::set<std::string> references_;  // texts of gradients that are there
  std::set<ArrayId> ready_;
  std::map<std::pair<ArrayId, int>, Piece> recomputed_;
  std::map<ArrayId, Made> anew_;    // arrays that ended with their kernels
  std::set<std::string> declared_;  // by the statements, by name_key
  bool failed_ = false;
  bool reaches_input_ = false;
};

}  // namespace shard::gradient
