#include <algorithm>
#include <initializer_list>

#include "interpreter/lower/lowering_cache.h"
#include "runtime/plan/fingerprint.h"

namespace shard {

namespace {

// The unnamed results of a statement are called `Out'1`.
constexpr std::string_view kUnnamed = "Out";

// Most statements have no more of them, and lists with room for these need not grow.
constexpr std::size_t kUsualArrays = 4;
constexpr std::size_t kUsualCopies = 8;

// Writes down everything that lowering reads of a flow. The machine is that of the program whose cache is asked.
class FlowKey {
 public:
  FlowKey(const checked::Flow& flow, const Scope& scope, const Holdings& held,
          const Program& program)
      : flow_(flow), scope_(scope), held_(held), program_(program) {}

  FlowToLower read() {
    result_.arrays.reserve(kUsualArrays);
    result_.names.reserve(kUsualArrays);
    result_.copies.reserve(kUsualCopies);
    labels_.reserve(kUsualCopies);
    // What `overlap` appends is taken off again and written in parts: rare, and told apart by more than its steps.
    usable_ = flow_.overlap.empty() && !scope_.store.arrays[flow_.target].anonymous;
    add(scope_.strict, scope_.rule, scope_.supposition, flow_.is_copy, flow_.is_unnamed);
    name(flow_.is_unnamed ? kUnnamed : std::string_view(scope_.store.arrays[flow_.target].name));
    array(flow_.target);
    add_labels(flow_.labels);
    add_layout(flow_.layout);
    add_operation(flow_.value);
    add_replaced();
    if (usable_) result_.key = std::move(key_).bytes();
    return std::move(result_);
  }

 private:
  template <class... Values>
  void add(Values... values) {
    (key_.add(static_cast<std::int64_t>(values)), ...);
  }

  // As one number.
  void add_facts(std::initializer_list<bool> facts) {
    std::int64_t number = 0;
    for (const bool fact : facts) number = 2 * number + (fact ? 1 : 0);
    key_.add(number);
  }

  void add_layout(const std::optional<Layout>& layout) {
    add(layout.has_value());
    if (layout) key_.add(*layout);
  }

  // As the place of a copy of the array that has it: most uses mean one that is there.
  void add_layout_of(const checked::Use& use) {
    const LiveCopies& copies = held_.of(use.array);
    const auto same = std::find_if(copies.begin(), copies.end(),
                                   [&](const LiveCopy& live) { return live.layout == use.layout; });
    add(same - copies.begin());
    if (same == copies.end()) key_.add(use.layout);
  }

  // Steps name dimensions and have their lengths, which may be given later than the names.
  void add_labels(const std::vector<DimensionId>& labels) {
    add(labels.size());
    for (const DimensionId label : labels) {
      add(label.value);
      if (std::find(labels_.begin(), labels_.end(), label) != labels_.end()) continue;
      labels_.push_back(label);
      const auto length = scope_.length_of(label);
      add(length.has_value());
      if (length)
        key_.add(*length);
      else
        key_.add(scope_.size_of(label));
    }
  }

  // The position of a name that the tables keep. Whether names are equal decides whether a result may take an operand's
  // memory. Returns whether it is new.
  bool name(std::string_view text) {
    auto& names = result_.names;
    const auto found = std::find(names.begin(), names.end(), text);
    add(found - names.begin());
    if (found != names.end()) return false;
    names.push_back(text);
    // The name of an unnamed result ends in a prime and a number.
    usable_ = usable_ && text.find('\'') == text.npos;
    return true;
  }

  // The same of a name that moves when copies are added.
  void name_of_copy(const std::string& text) {
    if (!name(text)) return;
    result_.copied_names.push_front(text);
    result_.names.back() = result_.copied_names.front();
  }

  void array(ArrayId id) {
    auto& arrays = result_.arrays;
    const auto found = std::find(arrays.begin(), arrays.end(), id);
    add(found - arrays.begin());
    if (found != arrays.end()) return;
    arrays.push_back(id);
    const ArrayInfo& array = scope_.store.arrays[id];
    name(array.name);
    add_labels(array.dimensions);
    const LiveCopies& copies = held_.of(id);
    add(array.dtype, copies.size());
    shape_ = {};
    for (const LiveCopy& live : copies) add_copy(live, id, array);
    const bool has_values_to_come =
        array.values != nullptr &&
        !std::all_of(copies.begin(), copies.end(),
                     [](const LiveCopy& live) { return live.copy.valid(); });
    usable_ = usable_ && !array.anonymous && !has_values_to_come;
  }

  // The array that ends here is named by the statement; what it holds matters only if the flow reads it.
  void add_replaced() {
    add(flow_.replaces.valid());
    if (!flow_.replaces.valid()) return;
    auto& arrays = result_.arrays;
    const auto found = std::find(arrays.begin(), arrays.end(), flow_.replaces);
    add(found - arrays.begin());
    if (found == arrays.end()) arrays.push_back(flow_.replaces);
  }

  void add_copy(const LiveCopy& live, ArrayId of, const ArrayInfo& array) {
    key_.add(live.layout);
    add_facts({live.made, live.inferred, live.copy.valid()});
    if (!live.copy.valid()) return;
    // An array and the parameter that it was passed for share a copy, and so may two parameters.
    auto& copies = result_.copies;
    add(std::find(copies.begin(), copies.end(), live.copy) - copies.begin());
    copies.push_back(live.copy);
    const Copy& copy = program_.plan.copies[live.copy];
    const ArrayId* owner = program_.owners.find(live.copy);
    const bool same_name = copy.name == array.name;
    const bool same_layout = copy.layout == live.layout;
    const bool same_dimensions = has_names(copy, array.dimensions);
    // Copies have the lengths that were known when they were made.
    const bool same_shape = shape_ == copy.shape;
    add(copy.dtype);
    add_facts({same_name, same_layout, same_dimensions, same_shape, copy.unfinished});
    add_facts({owner != nullptr, owner != nullptr && *owner == of, held_.is_shared(live.copy),
               program_.ended.contains(live.copy)});
    if (!same_name) name_of_copy(copy.name);
    if (!same_layout) key_.add(copy.layout);
    if (!same_dimensions) {
      add(copy.dimensions.size());
      for (const std::string& name : copy.dimensions) key_.add(name);
    }
    if (!same_shape) key_.add(copy.shape, copy.dtype);
    shape_ = copy.shape;
  }

  // A copy that was made for another array may name the dimensions as that one does.
  bool has_names(const Copy& copy, const std::vector<DimensionId>& dimensions) const {
    return std::equal(copy.dimensions.begin(), copy.dimensions.end(), dimensions.begin(),
                      dimensions.end(), [&](const auto& name, DimensionId dimension) {
                        return name == scope_.store.dimensions[dimension].name;
                      });
  }

  void add_operation(const checked::Operation& operation) {
    add(operation.node.index(), operation.dtype);
    add_labels(operation.labels);
    // That of a use is its own.
    if (!std::holds_alternative<checked::Use>(operation.node)) add_layout(operation.layout);
    match(
        operation.node,
        [&](const checked::Use& use) {
          array(use.array);
          add_layout_of(use);
        },
        [&](const checked::Product& product) { add(product.local); },
        [&](const checked::Elementwise& elements) {
          key_.add(elements.program);
          for (const ElementInstruction& instruction : elements.program) {
            key_.add(instruction.constant);
            // The fingerprint numbers labels in the order in which they occur, and other ones stand here by themselves.
            if (instruction.op == ElementOp::Position) add_labels({DimensionId{instruction.label}});
          }
        },
        [&](const checked::Reduction& reduction) { add(reduction.kind); },
        [&](const checked::Softmax& softmax) { add_labels(softmax.along); },
        [&](const checked::Selection& selection) {
          add(selection.kind);
          add_labels(selection.along);
          key_.add(selection.position);
        },
        [&](const checked::Collective& collective) { add_collective(collective); });
    const auto operands = checked::operands_of(operation);
    add(operands.size());
    for (const checked::Operation* operand : operands) add_operation(*operand);
  }

  void add_collective(const checked::Collective& collective) {
    add(collective.kind, collective.shift, collective.axes.size());
    for (const AxisId axis : collective.axes) add(axis.value);
    key_.add(collective.layout);
    add_layout(collective.sent_from);
  }

  const checked::Flow& flow_;
  const Scope& scope_;
  const Holdings& held_;
  const Program& program_;
  Fingerprint key_;
  FlowToLower result_;
  std::vector<DimensionId> labels_;  // whose lengths are in the key
  SharedList<Amount> shape_;         // of the copy before, of the same array
  bool usable_ = true;
};

}  // namespace

FlowToLower as_key(const checked::Flow& flow, const Scope& scope, const Holdings& held,
                   const Program& program) {
  return FlowKey(flow, scope, held, program).read();
}

}  // namespace shard
