// What flows became: a flow that differs from an earlier one in the names of its arrays alone, these being in the same
// states, is not checked and planned again.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "grammar/parse/line_form.h"
#include "grammar/tree/ast.h"
#include "grammar/tree/names.h"
#include "interpreter/statements/flow_form.h"
#include "interpreter/statements/runner.h"

namespace shard {

// A flow as the script has it: `E → T`, `T = E`, also `T = E` with a bare name.
struct WrittenFlow {
  const ast::Expr& value;
  const ast::ArrayRef& target;
  const ast::Statement& statement;
};

// Of one runner. Whoever runs a statement that is no flow says so by `forget`.
class FlowMemo {
 public:
  FlowMemo(RunnerState& state, const DiagnosticSink& sink) : state_(state), sink_(sink) {}

  // Does to the state what checking and planning the flow would. False, and nothing done, if the like of it was not seen
  // twice; then `planned` has to be called when it was planned.
  bool repeat(const WrittenFlow& flow);
  // The same of a line, by what lines of its form came to. If false, its tree is to be run.
  bool repeat(const FormedLine& line);
  void planned(const WrittenFlow& flow);
  // Something else than flows changed: `arrays_only` if sizes, scalars and machine are as they were.
  void forget(bool arrays_only = false);

 private:
  static constexpr int kNoArray = 0;
  // A name that a warning may be about where it becomes an input.
  static constexpr int kNoArrayYetAWord = 1;
  // A name of the script. `state` tells arrays apart that planning treats differently.
  struct Known {
    std::string key;
    ArrayId array;
    int state = kNoArray;
    bool usable = true;  // else flows with it are planned each by itself
    bool is_array = true;
  };
  // An array of a flow's form: that of a name before the flow, or behind these one that the flow made.
  using ArrayIndex = std::size_t;
  // A copy: one that was there, or behind these one that the flow made.
  using CopyIndex = std::int32_t;

  struct NewArray {
    std::size_t name = 0;   // of the flow's names
    std::size_t place = 0;  // where it was made: of the named arrays, from left to right
    ArrayInfo info;         // without name, place and copies
  };
  struct NewCopy {
    Copy copy;  // without its name, which is that of an array and a suffix
    std::size_t name = 0;
    std::string suffix;
    std::optional<ArrayIndex> owner;
  };
  struct HeldCopies {
    ArrayIndex array = 0;
    std::vector<LiveCopy> copies;  // with CopyIndex
  };
  // What a flow became.
  struct Recipe {
    std::string text;  // of the statement, with marks for names (interpreter/program/step_text.h)
    std::vector<std::pair<std::size_t, std::size_t>>
        old_copies;  // by CopyIndex: which name, which of its copies
    std::vector<NewCopy> copies;
    std::vector<NewArray> arrays;
    std::vector<HeldCopies> held;
    std::vector<std::pair<Step, StepRecord>> steps;  // with CopyIndex
    StatementRecord statement;         // with CopyIndex, without its places in the plan
    std::vector<ArrayId> form_arrays;  // of the statement's flow, by ArrayIndex
    ArrayIndex target = 0;
    bool replaces = false;                                // the array of the target's name ends
    std::vector<std::pair<ArrayIndex, int>> names_after;  // by name: its array and that one's state
  };
  // What else planning depends on.
  using Surroundings = std::array<std::size_t, 21>;
  // The state before a flow that is to become a recipe.
  struct Before {
    std::vector<ArrayInfo> arrays;  // by name; empty if there was none
    std::size_t array_count = 0;
    std::size_t copies = 0;
    std::size_t steps = 0;
    std::size_t statements = 0;
    std::size_t owners = 0;
    std::size_t entries = 0;
    std::size_t requests = 0;
    std::size_t diagnostics = 0;
  };

  Surroundings surroundings() const;
  bool may_be_repeated() const;
  // The same, where nothing but arrays has changed since; forgets all if something else has.
  bool is_as_before();
  Known& known(std::string_view name);
  // Its number among the names of the flow at hand.
  std::size_t number_of(Known& name);
  bool has_two_spellings() const;
  int state_of(ArrayId array);
  // Reads the flow into `form_`, whose bytes are then its key, and `names_`; false if flows like it are not remembered.
  bool read(const WrittenFlow& flow);
  // The same of a line. The key says what `form_` does, by the line's form.
  bool read(const FormedLine& line);
  std::string line_key(const FormedLine& line) const;
  // Lines of this form, of arrays in such states, come to the same as the flow at hand.
  void remember_line(const FormedLine& line, const Recipe& recipe);
  // Of a place: where its array stands with the brackets; the name there. Of a name: as written; as its array is called.
  Span array_span(std::size_t place) const;
  std::string_view name_at(std::size_t place) const;
  std::string_view written_name(std::size_t name) const;
  std::string_view name_of(std::size_t name) const;

  void snapshot();
  // Of the flow that was planned last (flow_recipe.cpp). The parts return false where it is not to be repeated.
  std::optional<Recipe> recipe(const WrittenFlow& flow);
  bool describe_copies(Recipe& recipe);
  bool describe_arrays(Recipe& recipe);
  bool describe_steps(Recipe& recipe);
  bool describe_text(const WrittenFlow& flow, Recipe& recipe);
  bool describe_held(ArrayIndex index, ArrayId array, Recipe& recipe);
  std::optional<ArrayIndex> index_of(ArrayId array) const;
  CopyId index_of(CopyId copy, const Recipe& recipe) const;

  // What stands for a recipe's arrays and copies.
  struct Instance {
    std::vector<std::string> names;
    std::vector<ArrayId> arrays;
    std::vector<CopyId> copies;
    CopyId now(CopyId of_recipe) const {
      return of_recipe.valid() ? copies[static_cast<std::size_t>(of_recipe.value)] : of_recipe;
    }
  };
  void apply(const Recipe& recipe, const Span& span);
  void add_arrays(const Recipe& recipe, Instance& instance);
  void add_steps(const Recipe& recipe, const Instance& instance);
  StatementRecord statement(const Recipe& recipe, const Instance& instance);
  std::string text_of(const Recipe& recipe) const;
  Program& program() { return state_.programs[state_.current]; }

  RunnerState& state_;
  const DiagnosticSink& sink_;
  Surroundings surroundings_;
  // By name as written.
  std::unordered_map<std::string, Known, NameHash, std::equal_to<>> known_;
  std::unordered_map<std::string, int> states_;           // by what is in them
  std::unordered_set<std::string> seen_;                  // keys
  std::unordered_map<std::string, Recipe> recipes_;       // by key
  std::unordered_map<std::string, const Recipe*> lines_;  // by their keys
  // By a line's form: which of its names is the one at a place of its flow. Empty if that is not known.
  std::vector<std::vector<std::size_t>> orders_;
  // Of the flow at hand.
  bool is_read_ = false;
  FlowForm form_;
  const FormedLine* line_ = nullptr;   // that it was read from, instead of a tree
  const FormedLine* tried_ = nullptr;  // the line that the flow at hand is the tree of
  std::vector<Known*> names_;          // in the order in which they first stand in it
  std::vector<std::size_t> name_at_;   // by place of a named array
  std::optional<Before> before_;       // of a flow that is to become a recipe
};

}  // namespace shard
