#include "runtime/cost/streams.h"

#include <algorithm>

namespace shard {
namespace {

std::size_t index_of(AxisId axis) { return static_cast<std::size_t>(axis.value); }

}  // namespace

Streams::Streams(const Plan& plan, const Mesh& mesh) : plan_(plan), places_(plan, mesh) {
  device_.push_back({"compute", true});
  for (const MeshAxis& axis : mesh.axes) {
    auto& own = moving_.emplace_back();
    const std::size_t links = axis.length() == 1 ? 0 : std::max<std::size_t>(axis.torus.size(), 1);
    for (std::size_t link = 0; link < links; ++link) {
      own.push_back(device_.size());
      device_.push_back({axis.torus_name(link), false});
    }
  }
}

std::vector<Stream> Streams::all() const {
  std::vector<Stream> streams;
  for (std::size_t place = 0; place < places().size(); ++place) {
    for (const Stream& stream : device_) streams.push_back({stream.name, stream.computes, place});
  }
  return streams;
}

const std::vector<std::size_t>& Streams::of(const Step& step) {
  const auto* collective = std::get_if<CollectiveStep>(&step.action);
  Kind kind{{}, ends_of(step, plan_)};
  if (collective != nullptr) kind.first = collective->axes;
  const auto known = known_.find(kind);
  return known != known_.end() ? known->second : known_.emplace(kind, at(kind)).first->second;
}

std::vector<std::size_t> Streams::at(const Kind& kind) const {
  const auto& [axes, ends] = kind;
  std::vector<std::size_t> own = {0};
  if (!axes.empty()) {
    own.clear();
    for (const AxisId axis : axes)
      own.insert(own.end(), moving_[index_of(axis)].begin(), moving_[index_of(axis)].end());
  }
  std::vector<std::size_t> streams;
  for (const std::size_t place : places_.of(ends)) {
    for (const std::size_t stream : own) streams.push_back(place * device_.size() + stream);
  }
  return streams;
}

}  // namespace shard
