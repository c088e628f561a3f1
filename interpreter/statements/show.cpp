// `show A[I_X, J_Y]`: which device holds which block.

#include <fmt/format.h>

#include <algorithm>

#include "base/format.h"
#include "base/words.h"
#include "interpreter/check/array.h"
#include "interpreter/statements/statement.h"
#include "runtime/machine/mesh_text.h"

namespace shard {

namespace {

constexpr std::int64_t kMostBlocks = 16;  // drawn of one dimension
constexpr std::size_t kMostDevices = 64;  // listed for one block

class PictureMaker {
 public:
  PictureMaker(const Copy& copy, const Mesh& mesh) : copy_(copy), mesh_(mesh) {}

  Picture make() {
    Picture& picture = picture_;
    picture.array = copy_.name + to_string(copy_.layout, copy_.dimensions, mesh_);
    picture.dtype = name_of(copy_.dtype);
    picture.mesh = mesh_text(mesh_);
    for (const Amount& length : copy_.shape) picture.shape.push_back(length.to_string());
    for (const Amount& length : local_shape(copy_.shape, copy_.layout, mesh_))
      picture.local_shape.push_back(length.to_string());
    picture.bytes = local_bytes(copy_.shape, copy_.dtype, copy_.layout, mesh_);
    picture.devices = mesh_.device_count().value_or(1);
    choose_sides();
    count_copies();
    fill_cells();
    add_remarks();
    return std::move(picture_);
  }

 private:
  std::int64_t blocks_of(std::size_t dimension) const {
    const auto count = size_of(copy_.layout.dims[dimension], mesh_).constant();
    return count ? count->to_int64().value_or(1) : 1;
  }

  // The first two dimensions that are split; whole ones stand in where there are fewer.
  void choose_sides() {
    std::vector<std::size_t> chosen;
    for (const bool split : {true, false}) {
      for (std::size_t i = 0; i < copy_.layout.rank() && chosen.size() < 2; ++i) {
        if ((blocks_of(i) > 1) == split) chosen.push_back(i);
      }
    }
    std::sort(chosen.begin(), chosen.end());
    if (chosen.size() == 2) {
      row_ = chosen.front();
      picture_.rows = side(chosen.front());
    }
    if (!chosen.empty()) {
      column_ = chosen.back();
      picture_.columns = side(chosen.back());
    }
  }

  PictureSide side(std::size_t dimension) const {
    const auto& axes = copy_.layout.dims[dimension];
    PictureSide side{.name = copy_.dimensions[dimension], .blocks = {}};
    if (!axes.empty()) side.name += "_" + axes_to_string(axes, mesh_);
    side.count = blocks_of(dimension);
    const auto length = copy_.shape[dimension].constant();
    const auto step = length ? (*length / Rational(side.count)).to_int64() : std::nullopt;
    for (std::int64_t i = 0; i < std::min(side.count, kMostBlocks); ++i) {
      side.blocks.push_back(step              ? fmt::format("{}:{}", i * *step, (i + 1) * *step)
                            : side.count == 1 ? std::string("all")
                                              : fmt::format("block {}", i));
    }
    return side;
  }

  void count_copies() {
    for (std::size_t i = 0; i < mesh_.axes.size(); ++i) {
      const AxisId axis{static_cast<std::int32_t>(i)};
      if (!uses(copy_.layout, axis)) picture_.copies *= mesh_.axes[axis].length().value_or(1);
    }
  }

  std::int64_t block_at(const std::vector<std::int64_t>& place,
                        std::optional<std::size_t> dimension) const {
    if (!dimension) return 0;
    std::int64_t block = 0;
    for (const AxisId axis : copy_.layout.dims[*dimension]) {
      block = block * mesh_.axes[axis].length().value_or(1) +
              place[static_cast<std::size_t>(axis.value)];
    }
    return block;
  }

  bool is_held(const std::vector<std::int64_t>& place) const {
    const auto& placed = copy_.layout.placed;
    return std::all_of(placed.begin(), placed.end(), [&](const Placement& held) {
      return place[static_cast<std::size_t>(held.axis.value)] == held.coordinate;
    });
  }

  void fill_cells() {
    const std::size_t rows = picture_.rows ? picture_.rows->blocks.size() : 1;
    const std::size_t columns = picture_.columns ? picture_.columns->blocks.size() : 1;
    picture_.cells.assign(rows, std::vector<PictureCell>(columns));
    for (std::int64_t device = 0; device < picture_.devices; ++device) {
      const std::vector<std::int64_t> place = coordinates(mesh_, device);
      if (!is_held(place)) continue;
      const auto row = static_cast<std::size_t>(block_at(place, row_));
      const auto column = static_cast<std::size_t>(block_at(place, column_));
      if (row >= rows || column >= columns) continue;
      PictureCell& cell = picture_.cells[row][column];
      ++cell.count;
      cell.last = device;
      if (cell.devices.size() < kMostDevices) cell.devices.push_back(device);
    }
  }

  void add_remarks() {
    auto& remarks = picture_.remarks;
    std::vector<std::string> hidden;
    for (std::size_t i = 0; i < copy_.layout.rank(); ++i) {
      if (i == row_ || i == column_) continue;
      hidden.push_back(blocks_of(i) > 1
                           ? side(i).name + " (split: a cell's devices hold different parts)"
                           : copy_.dimensions[i] + " (whole)");
    }
    if (!hidden.empty()) {
      remarks.push_back(fmt::format("drawn are {} and {}; not drawn: {}", picture_.rows->name,
                                    picture_.columns->name, join_words(hidden)));
    }
    if (picture_.copies > 1 && copy_.layout.unreduced.empty()) {
      std::vector<std::string> idle;
      for (std::size_t i = 0; i < mesh_.axes.size(); ++i) {
        const AxisId axis{static_cast<std::int32_t>(i)};
        if (!uses(copy_.layout, axis) && mesh_.axes[axis].length() != 1)
          idle.push_back(mesh_.axes[axis].name);
      }
      remarks.push_back(
          fmt::format("{} devices hold the same, along {}", picture_.copies, join_words(idle)));
    }
    if (!copy_.layout.placed.empty()) {
      remarks.push_back(
          fmt::format("only the devices at {} hold it", placement_to_string(copy_.layout, mesh_)));
    }
    if (!copy_.layout.unreduced.empty()) {
      remarks.push_back(fmt::format("unreduced: the devices along {} hold {} of the block",
                                    axes_to_string(copy_.layout.unreduced, mesh_),
                                    partial_name(copy_.layout.combination)));
    }
  }

  const Copy& copy_;
  const Mesh& mesh_;
  Picture picture_;
  std::optional<std::size_t> row_;
  std::optional<std::size_t> column_;
};

// With the axes that layouts of the script name.
std::string usual_mesh(const Mesh& mesh) {
  std::string text;
  for (const MeshAxis& axis : mesh.axes)
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", axis.name, text.empty() ? 4 : 2);
  return fmt::format("mesh {{{}}}", text.empty() ? "X: 4, Y: 2" : text);
}

// Nothing after a report.
std::optional<Picture> check_show(const ast::Show& show, CheckContext& context) {
  const auto copy = described_copy(show.array, context);
  if (!copy) return std::nullopt;
  const Mesh& mesh = context.scope.mesh();
  if (!context.scope.machine.mesh_known() || !mesh.device_count()) {
    if (!context.scope.told.unknown_axes.empty())
      return std::nullopt;  // what is wrong with it was reported
    report(context, DiagnosticKind::NoMesh, show.array.at.span,
           "`show` tells which device holds what, and there is no mesh yet", {usual_mesh(mesh)});
    return std::nullopt;
  }
  return PictureMaker(*copy, mesh).make();
}

}  // namespace

void run(const ast::Show& show, const ast::Statement& statement, RunContext& context) {
  if (refused_in_cost_block("show", statement.at.span, context)) return;
  if (auto picture = check_show(show, context.check))
    context.state.entries.emplace_back(Box<Picture>(std::move(*picture)));
}

}  // namespace shard
