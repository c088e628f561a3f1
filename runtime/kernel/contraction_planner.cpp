#include "runtime/kernel/contraction_planner.h"

#include <algorithm>
#include <map>

#include "base/check.h"
#include "runtime/element/number.h"
#include "runtime/kernel/short_matmul.h"
#include "runtime/kernel/thin_matmul.h"

namespace shard {
namespace {

// A label's extent and stride, by label, for one array.
using LabelPlaces = std::map<int, ContractionSketch::Place>;

const ContractionSketch::Place* find(const LabelPlaces& places, int name) {
  const auto place = places.find(name);
  return place == places.end() ? nullptr : &place->second;
}

LabelPlaces places_of(const std::vector<int>& names, const Extents& shape) {
  SHARD_CHECK(names.size() == shape.size());
  const Extents strides = row_major_strides(shape);
  LabelPlaces places;
  for (std::size_t d = 0; d < names.size(); ++d) places[names[d]] = {shape[d], strides[d]};
  SHARD_CHECK(places.size() == names.size());
  return places;
}

Extents result_shape(const ContractionProblem& problem, const LabelPlaces& left,
                     const LabelPlaces& right) {
  Extents shape;
  for (int name : problem.result_labels) {
    const bool in_left = left.count(name) != 0;
    SHARD_CHECK(in_left || right.count(name) != 0);
    shape.push_back(in_left ? left.at(name).extent : right.at(name).extent);
  }
  return shape;
}

// Panels have at least this many products, so that they hide the cost of a task and of preparing the other operand,
// which each panel repeats.
constexpr std::int64_t kPanelProducts = std::int64_t{1} << 27;
// A batch goes faster the more of it a panel has, so its panels are at least twice as large.
constexpr std::int64_t kBatchFactor = 2;
// With few rows a product takes as long as reading an element of the other operand, so panels need 256 times fewer.
constexpr std::int64_t kThinFactor = 1 << 8;
// The columns that thin_matmul sums at a time: fewer would leave its buffer partly unused.
constexpr std::int64_t kLeastPanelColumns = 512;
// They keep 16 threads busy with a single block; more would repeat the preparation more often. It is a constant because
// bits must not depend on the number of threads.
constexpr std::int64_t kMostPanels = 16;
// Fewer rows would make the preparation a large part of a panel.
constexpr std::int64_t kLeastPanelRows = 256;

// Sums below this are short, though not so short that our own kernel is faster. When devices share a sum, the panel that
// one of them makes and the sum that it is added to should stay in the second-level cache
// (runtime/execute/fused_reduce_product.h).
constexpr std::int64_t kSharedSum = 128;
constexpr std::int64_t kMostPanelBytes = std::int64_t{1} << 19;
// Panels of fewer rows would go to a kernel for few rows or spend their time in calls.
constexpr std::int64_t kLeastRowsOfShortSum = 8;

// A copied element is then read often enough to pay for the copy.
constexpr std::int64_t kColumnsWorthCopying = 128;

// oneDNN sums int8 products, none of which exceeds 2^14, in int32, which wraps.
constexpr std::int64_t kMostInt8Terms = (std::int64_t{1} << 17) - 1;

// The largest power of two that divides `extent` and keeps panels large enough.
std::int64_t panels_for(std::int64_t extent, std::int64_t products, std::int64_t least_extent) {
  std::int64_t panels = 1;
  while (panels < kMostPanels && extent % (2 * panels) == 0 &&
         extent / (2 * panels) >= least_extent && products / (2 * panels) >= kPanelProducts) {
    panels *= 2;
  }
  return panels;
}

}  // namespace

ContractionSketch::ContractionSketch(const ContractionProblem& problem, MatmulSupport support) {
  collect_labels(problem);
  if (empty_) return;
  is_short_ = has_short_extent(problem);
  choose_panels(problem);
  choose_types(problem, support);
  choose_product();
}

void ContractionSketch::collect_labels(const ContractionProblem& problem) {
  LabelPlaces left = places_of(problem.left_labels, problem.left_shape);
  LabelPlaces right = places_of(problem.right_labels, problem.right_shape);
  const Extents result_extents = result_shape(problem, left, right);
  const LabelPlaces result = places_of(problem.result_labels, result_extents);
  result_bytes_ =
      static_cast<std::size_t>(element_count(result_extents)) * element_size(problem.result_type);

  // The last dimension of the result gives the columns, so that the product can write its rows in place.
  const auto last = std::find_if(problem.result_labels.rbegin(), problem.result_labels.rend(),
                                 [&](int name) { return result.at(name).extent != 1; });
  if (last != problem.result_labels.rend() && right.count(*last) == 0) first_side_ = Side::Right;
  const std::vector<int>* first_labels =
      first_side_ == Side::Left ? &problem.left_labels : &problem.right_labels;
  if (first_side_ == Side::Right) std::swap(left, right);

  std::vector<int> names = problem.result_labels;
  std::copy_if(first_labels->begin(), first_labels->end(), std::back_inserter(names),
               [&](int name) { return result.count(name) == 0; });
  labels_.reserve(names.size());
  for (int name : names) add_label(find(left, name), find(right, name), find(result, name));
}

void ContractionSketch::add_label(const Place* first, const Place* second, const Place* result) {
  SHARD_CHECK(result != nullptr || (first != nullptr && second != nullptr));
  // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): one of the two is there, as was checked
  const std::int64_t extent = first != nullptr ? first->extent : second->extent;
  SHARD_CHECK(second == nullptr || second->extent == extent);
  empty_ = empty_ || extent == 0;
  if (extent == 1) return;
  Label label{.extent = extent, .taken = extent};
  const std::array<const Place*, 3> places{first, second, result};
  for (Tensor tensor : {First, Second, Contracted}) {
    if (places[tensor] != nullptr) label.block_strides[tensor] = places[tensor]->stride;
  }
  label.strides = label.block_strides;
  labels_.push_back(label);
  Group& group = result == nullptr   ? sum_
                 : second == nullptr ? rows_
                 : first == nullptr  ? columns_
                                     : batch_;
  group.push_back(&labels_.back());
}

void ContractionSketch::choose_panels(const ContractionProblem& problem) {
  std::int64_t products = 1;
  for (const Label& label : labels_) products *= label.extent;
  const bool floats = !is_integer(problem.left_type) && !is_integer(problem.right_type);
  if (batch_.empty() && !columns_.empty() && floats && taken(rows_) <= kThinRows) {
    panel_label_ = columns_.front();
    panels_ = panels_for(panel_label_->extent, products * kThinFactor,
                         columns_.size() == 1 ? kLeastPanelColumns : 1);
  } else if (!batch_.empty()) {
    panel_label_ = batch_.front();
    panels_ = panels_for(panel_label_->extent, products / kBatchFactor, 1);
  } else if (!rows_.empty()) {
    panel_label_ = rows_.front();
    panels_ = panels_for(panel_label_->extent, products, rows_.size() == 1 ? kLeastPanelRows : 1);
    // Panels must begin at a strip's boundary.
    while (is_short_ && panels_ > 1 && taken(rows_) / panels_ % kTileColumns != 0) panels_ /= 2;
    while (!is_short_ && taken(sum_) < kSharedSum && panel_label_->extent % (2 * panels_) == 0 &&
           taken(rows_) / (2 * panels_) >= kLeastRowsOfShortSum &&
           static_cast<std::int64_t>(result_bytes_) / panels_ > kMostPanelBytes) {
      panels_ *= 2;
    }
  }
  if (panel_label_ != nullptr) panel_label_->taken = panel_label_->extent / panels_;
}

void ContractionSketch::choose_types(const ContractionProblem& problem, MatmulSupport support) {
  const DType left = problem.left_type;
  const DType right = problem.right_type;
  vectors_ = support.vectors;
  sum_type_ = sum_type(left, right);
  DType operands = sum_type_;
  if (left == right && left == DType::Bf16 && support.bf16) operands = DType::Bf16;
  if (left == right && left == DType::Int8 && support.int8 && taken(sum_) <= kMostInt8Terms)
    operands = DType::Int8;
  const bool rounds_itself = operands == DType::Bf16 && problem.result_type == DType::Bf16;
  const DType sums = operands == DType::Int8 ? DType::Int32 : sum_type_;
  types_ = {operands, operands, rounds_itself ? DType::Bf16 : sums};
  block_types_ = {left, right, problem.result_type};
  if (first_side_ == Side::Right) std::swap(block_types_[First], block_types_[Second]);
}

void ContractionSketch::choose_product() {
  if (is_short_) return use_strips();
  const std::int64_t products = taken(rows_) * taken(sum_) * taken(columns_);
  // A matrix of a few products costs less than a call, and without a sum there is only memory to stream.
  const bool small = taken(sum_) == 1 || (products <= 64 && !batch_.empty());
  if (small || types_[First] == DType::Fp64) return use_plain_loops();
  copy_where_needed();
  is_thin_ = is_thin(shape());
  if (is_thin_) return;
  matmul_ = Matmul::create(shape());
  if (matmul_ != nullptr) return;
  copy_all();
  matmul_ = Matmul::create(shape());
  if (matmul_ == nullptr) use_plain_loops();
}

void ContractionSketch::use_plain_loops() {
  types_ = {sum_type_, sum_type_, sum_type_};
  copy_where_needed();
  for (Tensor tensor : {Second, Contracted}) {
    if (run_of(columns_, tensor).stride != 1) copy(tensor);
  }
}

void ContractionSketch::copy_where_needed() {
  for (Tensor tensor : {First, Second, Contracted}) {
    if (types_[tensor] != block_types_[tensor] || !fits(tensor)) copy(tensor);
  }
}

void ContractionSketch::copy_all() {
  for (Tensor tensor : {First, Second, Contracted}) copy(tensor);
}

void ContractionSketch::copy(Tensor tensor) {
  copied_[tensor] = true;
  const Group labels = order(tensor);
  std::int64_t stride = 1;
  for (auto label = labels.rbegin(); label != labels.rend(); ++label) {
    (*label)->strides[tensor] = stride;
    // Operands are copied whole, the result one panel at a time.
    stride *= tensor == Contracted ? (*label)->taken : (*label)->extent;
  }
}

bool ContractionSketch::fits(Tensor tensor) const {
  const auto [outer, inner] = matrix(tensor);
  const Run a = run_of(*outer, tensor);
  const Run b = run_of(*inner, tensor);
  if (!a.whole || !b.whole) return false;
  if (b.extent == 1 || b.stride == 1) return true;
  // oneDNN's fast code for fp32 needs the sum of the first operand contiguous; copying pays if the copy is read often.
  if (tensor == First && types_[First] == DType::Fp32 && taken(columns_) >= kColumnsWorthCopying)
    return false;
  return tensor != Contracted && a.extent > 1 && a.stride == 1;
}

// The strides of the matrices; those for extents of 1 as oneDNN expects them of a dense matrix.
MatmulShape ContractionSketch::shape() const {
  MatmulShape shape;
  shape.rows = taken(rows_);
  shape.sum = taken(sum_);
  shape.columns = taken(columns_);
  shape.operands = types_[First];
  shape.result = types_[Contracted];
  std::array<Extents*, 3> strides{&shape.left_strides, &shape.right_strides, &shape.result_strides};
  for (const Label* label : batch_) {
    if (label->taken == 1) continue;
    bool joins = !shape.batch.empty();
    for (Tensor tensor : {First, Second, Contracted}) {
      joins = joins && strides[tensor]->back() == label->strides[tensor] * label->taken;
    }
    if (joins) {
      shape.batch.back() *= label->taken;
    } else {
      shape.batch.push_back(label->taken);
    }
    for (Tensor tensor : {First, Second, Contracted}) {
      if (joins) strides[tensor]->pop_back();
      strides[tensor]->push_back(label->strides[tensor]);
    }
  }
  // oneDNN takes 15 % less time for a batch of two dimensions than of one, if the arrays could be dense.
  if (shape.batch.size() == 1) {
    shape.batch.insert(shape.batch.begin(), 1);
    for (Tensor tensor : {First, Second, Contracted})
      strides[tensor]->insert(strides[tensor]->begin(), behind(tensor));
  }
  for (Tensor tensor : {First, Second, Contracted}) {
    const auto [outer, inner] = matrix(tensor);
    const Run a = run_of(*outer, tensor);
    const Run b = run_of(*inner, tensor);
    strides[tensor]->push_back(a.extent == 1 ? b.extent * b.stride : a.stride);
    strides[tensor]->push_back(b.extent == 1 ? 1 : b.stride);
  }
  return shape;
}

std::int64_t ContractionSketch::behind(Tensor tensor) const {
  std::int64_t end = 1;
  for (const Label* label : order(tensor))
    end = std::max(end, label->strides[tensor] * label->taken);
  return end;
}

ContractionSketch::Group ContractionSketch::order(Tensor tensor) const {
  Group labels = batch_;
  for (const Group* group : matrix(tensor))
    labels.insert(labels.end(), group->begin(), group->end());
  return labels;
}

std::array<const ContractionSketch::Group*, 2> ContractionSketch::matrix(Tensor tensor) const {
  if (tensor == First) return {&rows_, &sum_};
  if (tensor == Second) return {&sum_, &columns_};
  return {&rows_, &columns_};
}

ContractionSketch::Run ContractionSketch::run_of(const Group& group, Tensor tensor) {
  Run run;
  for (auto label = group.rbegin(); label != group.rend(); ++label) {
    if ((*label)->taken == 1) continue;
    if (run.extent == 1) {
      run.stride = (*label)->strides[tensor];
    } else if ((*label)->strides[tensor] != run.stride * run.extent) {
      run.whole = false;
    }
    run.extent *= (*label)->taken;
  }
  return run;
}

std::int64_t ContractionSketch::taken(const Group& group) {
  std::int64_t product = 1;
  for (const Label* label : group) product *= label->taken;
  return product;
}

LocalContraction::Part ContractionSketch::part(Tensor tensor) const {
  LocalContraction::Part part;
  part.block_type = block_types_[tensor];
  part.type = types_[tensor];
  part.copied = copied_[tensor];
  for (const Label* label : order(tensor)) {
    part.extents.push_back(tensor == Contracted ? label->taken : label->extent);
    part.block_strides.push_back(label->block_strides[tensor]);
    part.strides.push_back(label->strides[tensor]);
  }
  if (panel_label_ != nullptr) {
    part.panel_stride = panel_label_->taken * panel_label_->strides[tensor];
    part.block_panel_stride = panel_label_->taken * panel_label_->block_strides[tensor];
  }
  return part;
}

void ContractionSketch::fill(LocalContraction& contraction) {
  contraction.first_side_ = first_side_;
  contraction.empty_ = empty_;
  if (empty_) {
    contraction.zero_bytes_ = result_bytes_;
    return;
  }
  contraction.first_ = part(First);
  contraction.second_ = part(Second);
  contraction.result_ = part(Contracted);
  contraction.shape_ = shape();
  contraction.is_thin_ = is_thin_;
  contraction.short_ = short_product();
  if (is_short_) {
    contraction.shape_.sum = contraction.short_->first.steps();
    contraction.first_.panel_stride = taken(rows_) * contraction.shape_.sum;
  }
  contraction.vectors_ = vectors_;
  contraction.matmul_ = matmul_;
  contraction.panels_ = panels_;
}

}  // namespace shard
