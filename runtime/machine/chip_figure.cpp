#include "runtime/machine/chip_figure.h"

#include <algorithm>
#include <iterator>

#include "base/words.h"

namespace shard {
namespace {

Formula ici_latency(const Chip& chip) { return hop_latency(AxisKind::Ici, chip); }

constexpr ChipFigure stated_rate(std::string_view name, std::string_view meaning, DType dtype,
                                 double reference = 0) {
  return {.name = name,
          .meaning = meaning,
          .form = ChipFigure::Form::Rate,
          .unit = kFlopsPerSecond,
          .dtype = dtype,
          .reference = reference};
}

// In the order in which help lists them. The references are the figures of TPU v5p.
constexpr ChipFigure kChipFigures[] = {
    {.name = "pod",
     .meaning = "the largest slice",
     .form = ChipFigure::Form::Slice,
     .slice = &Chip::pod},
    {.name = "host",
     .meaning = "the chips of one host",
     .form = ChipFigure::Form::Slice,
     .slice = &Chip::host},
    {.name = "HBM",
     .meaning = "memory",
     .form = ChipFigure::Form::Number,
     .unit = kBytes,
     .stated = &Chip::hbm},
    {.name = "W_hbm",
     .meaning = "its bandwidth",
     .form = ChipFigure::Form::Number,
     .unit = kBytesPerSecond,
     .stated = &Chip::hbm_bandwidth,
     .read = hbm_bandwidth,
     .reference = 2.8e12},
    {.name = "VMEM",
     .meaning = "fast memory, which a kernel works in",
     .form = ChipFigure::Form::Number,
     .unit = kBytes,
     .stated = &Chip::fast_memory},
    stated_rate("C", "FLOP/s of bf16", DType::Bf16, 4.59e14),
    stated_rate("C_int8", "operations/s of int8", DType::Int8),
    stated_rate("C_int4", "of int4", DType::Int4),
    stated_rate("C_int32", "of int32 and uint32", DType::Int32),
    stated_rate("C_fp8", "of both formats of fp8", DType::Fp8E4M3),
    stated_rate("C_fp16", "of fp16", DType::Fp16),
    stated_rate("C_fp32", "of fp32", DType::Fp32),
    stated_rate("C_fp64", "of fp64", DType::Fp64),
    {.name = "W1",
     .meaning = "bandwidth of one link, in one direction",
     .form = ChipFigure::Form::Number,
     .unit = kBytesPerSecond,
     .stated = &Chip::ici_one_way,
     .read = one_way_bandwidth},
    {.name = "W_ici",
     .meaning = "the same in both directions",
     .form = ChipFigure::Form::Number,
     .unit = kBytesPerSecond,
     .stated = &Chip::ici_one_way,
     .share = 2,
     .read = axis_bandwidth},
    {.name = "W",
     .meaning = "what an axis carries, as the book has it: W_ici, or what a chip of a node sends",
     .form = ChipFigure::Form::Number,
     .unit = kBytesPerSecond,
     .read = exchange_bandwidth,
     .reference = 1.8e11},
    {.name = "wrap", .meaning = "which axes are rings", .form = ChipFigure::Form::Wrap},
    {.name = "W_dcn",
     .meaning = "bandwidth of the network between slices, for each chip",
     .form = ChipFigure::Form::Number,
     .unit = kBytesPerSecond,
     .stated = &Chip::dcn_bandwidth,
     .reference = 6.25e9},
    {.name = "W_pcie",
     .meaning = "bandwidth to the host",
     .form = ChipFigure::Form::Number,
     .unit = kBytesPerSecond,
     .stated = &Chip::pcie_bandwidth},
    {.name = "T_min",
     .meaning = "what a hop takes at least",
     .form = ChipFigure::Form::Number,
     .unit = kSeconds,
     .stated = &Chip::hop,
     .read = ici_latency,
     .reference = 1e-6},
    {.name = "T_launch",
     .meaning = "what every collective takes before its first byte moves",
     .form = ChipFigure::Form::Number,
     .unit = kSeconds,
     .stated = &Chip::launch,
     .read = launch_time,
     .may_be_zero = true},
    {.name = "efficiency",
     .meaning = "achievable FLOP/s over the peak, at most 1; by size: {128: 0.01, 4096: 0.8}",
     .form = ChipFigure::Form::Efficiency,
     .read = efficiency_of},
    {.name = "cores",
     .meaning = "devices of one chip, an axis of the mesh: `C: 2 core`",
     .form = ChipFigure::Form::Number,
     .stated = &Chip::cores,
     .read = cores_of,
     .is_whole = true},
    {.name = "W_core",
     .meaning = "what a core sends to the other cores of its chip",
     .form = ChipFigure::Form::Number,
     .unit = kBytesPerSecond,
     .stated = &Chip::core_link,
     .reference = 5.4e11},
};

}  // namespace

std::span<const ChipFigure> chip_figures() { return kChipFigures; }

std::string meaning_of(const ChipFigure& figure) {
  std::string text(figure.meaning);
  if (figure.form == ChipFigure::Form::Wrap)
    text += ": " + join_words(words_of(wrap_words(), &WrapWord::word), "or");
  return text;
}

const ChipFigure* find_chip_figure(std::string_view name) {
  const auto at = std::find_if(std::begin(kChipFigures), std::end(kChipFigures),
                               [&](const ChipFigure& figure) { return figure.name == name; });
  return at == std::end(kChipFigures) ? nullptr : at;
}

bool is_chip_symbol(std::string_view symbol) {
  const ChipFigure* figure = find_chip_figure(symbol);
  return figure != nullptr && figure->reference > 0;
}

std::optional<Formula> read_figure(const ChipFigure& figure, const Chip& chip) {
  if (figure.form == ChipFigure::Form::Rate) return rate_of(chip, figure.dtype).flops_per_second;
  if (figure.read != nullptr) return figure.read(chip);
  const auto& stated = chip.*figure.stated;
  return stated ? std::optional<Formula>(*stated) : std::nullopt;
}

}  // namespace shard
