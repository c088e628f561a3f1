#include "interpreter/machine/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/words.h"
#include "runtime/machine/chip_figure.h"

namespace shard {

namespace {

std::vector<std::string> figure_names() {
  std::vector<std::string> names;
  for (const ChipFigure& figure : chip_figures()) {
    if (is_stated(figure)) names.emplace_back(figure.name);
  }
  return names;
}

class FigureReader {
 public:
  FigureReader(Chip& chip, CheckContext& context) : chip_(chip), context_(context) {}

  void read(const ast::Figure& figure) {
    const ChipFigure* known = find_chip_figure(figure.name.text);
    if (known == nullptr || !is_stated(*known)) return report_unknown(figure);
    switch (known->form) {
      case ChipFigure::Form::Slice:
        return read_lengths(figure, chip_.*known->slice);
      case ChipFigure::Form::Wrap:
        return read_wrap(figure);
      case ChipFigure::Form::Number:
        return read_number(figure, *known, [&](const Rational& value) {
          chip_.*known->stated = value / Rational(known->share);
        });
      case ChipFigure::Form::Efficiency:
        return read_efficiency(figure, *known);
      case ChipFigure::Form::Rate:
        return read_number(figure, *known,
                           [&](const Rational& value) { chip_.rates[known->dtype] = value; });
    }
  }

 private:
  void report_unknown(const ast::Figure& figure) {
    const auto near = nearest_name(figure.name.text, figure_names());
    report(context_, DiagnosticKind::BadChip, figure.name.at.span,
           fmt::format("a chip has no figure `{}`", figure.name.text),
           {near ? fmt::format("did you mean `{}`?", *near)
                 : "its figures are " + join_words(figure_names())});
  }

  // `394 TFLOPs` for 394 TFLOP/s, `90 GB` for 90 GB/s.
  static std::vector<Edit> rate_edits(const ast::Number& number, const Unit& unit) {
    if (number.unit != unit * kSeconds) return {};
    const std::string per_second = number.text.ends_with("FLOPs")
                                       ? number.text.substr(0, number.text.size() - 1) + "/s"
                                       : number.text + "/s";
    return {{number.at.span, per_second}};
  }

  template <class Store>
  void read_number(const ast::Figure& figure, const ChipFigure& known, const Store& store) {
    const Unit& unit = known.unit;
    const auto* number = std::get_if<ast::Number>(&figure.value);
    if (number == nullptr) {
      report(context_, DiagnosticKind::BadChip, figure.name.at.span,
             unit.is_plain()
                 ? fmt::format("`{}` is a number", figure.name.text)
                 : fmt::format("`{}` is a number of {}", figure.name.text, describe(unit)));
    } else if (number->unit != unit && !number->unit.is_plain()) {
      report(context_, DiagnosticKind::UnitMismatch, number->at.span,
             fmt::format("`{}` is a number of {}, and this is one of {}", figure.name.text,
                         describe(unit), describe(number->unit)),
             {}, {}, rate_edits(*number, unit));
    } else if (number->value.is_overflow() || number->value < Rational(0) ||
               (number->value.is_zero() && !known.may_be_zero)) {
      report(context_, DiagnosticKind::BadChip, number->at.span,
             fmt::format("`{}` must {}", figure.name.text,
                         known.may_be_zero ? "not be negative" : "be positive"));
    } else if (known.is_whole && !number->value.to_int64()) {
      report(context_, DiagnosticKind::BadChip, number->at.span,
             fmt::format("`{}` is a whole number", figure.name.text));
    } else {
      store(number->value);
    }
  }

  bool check_efficiency(const ast::Number& number) {
    const bool fine = number.unit.is_plain() && !number.value.is_overflow() &&
                      number.value > Rational(0) && !(number.value > Rational(1));
    if (!fine)
      report(
          context_, DiagnosticKind::BadChip, number.at.span,
          fmt::format("`{}` is no efficiency: it is the achievable part of the peak, more than 0 "
                      "and at most 1",
                      number.text));
    return fine;
  }

  void read_efficiency(const ast::Figure& figure, const ChipFigure& known) {
    if (const auto* sizes = std::get_if<std::vector<ast::SizedFigure>>(&figure.value))
      return read_efficiencies(*sizes);
    const auto* number = std::get_if<ast::Number>(&figure.value);
    if (number != nullptr && !check_efficiency(*number)) return;
    read_number(figure, known, [&](const Rational& value) {
      chip_.efficiency = value;
      chip_.efficiency_by_size.clear();
    });
  }

  void read_efficiencies(const std::vector<ast::SizedFigure>& figures) {
    // The cube of a larger one would not fit where it is counted with.
    constexpr std::int64_t kMostSize = 1 << 20;
    std::vector<SizedEfficiency> sizes;
    for (const ast::SizedFigure& one : figures) {
      const auto size = one.size.value.to_int64();
      if (!size || *size <= 0 || *size > kMostSize || !one.size.unit.is_plain() ||
          (!sizes.empty() && *size <= sizes.back().size)) {
        return report(context_, DiagnosticKind::BadChip, one.size.at.span,
                      fmt::format("`{}` is no size here: sizes are whole numbers up to {}, each "
                                  "greater than the one before",
                                  one.size.text, kMostSize));
      }
      if (!check_efficiency(one.value)) return;
      const SizedEfficiency next{*size, one.value.value};
      // Of the FLOPs only the ratio counts: n³ / efficiency must not fall.
      const auto time = [](const SizedEfficiency& of) {
        return Rational(of.size) * Rational(of.size) * Rational(of.size) / of.efficiency;
      };
      if (!sizes.empty() && time(next) < time(sizes.back())) {
        return report(context_, DiagnosticKind::BadChip, one.value.at.span,
                      fmt::format("with these efficiencies a product of size {} would take less "
                                  "time than one of size {}",
                                  next.size, sizes.back().size));
      }
      sizes.push_back(next);
    }
    chip_.efficiency = sizes.back().efficiency;
    chip_.efficiency_by_size = std::move(sizes);
  }

  void read_lengths(const ast::Figure& figure, std::vector<std::int64_t>& lengths) {
    std::vector<ast::Number> numbers;
    if (const auto* list = std::get_if<std::vector<ast::Number>>(&figure.value)) numbers = *list;
    if (const auto* number = std::get_if<ast::Number>(&figure.value)) numbers = {*number};
    std::vector<std::int64_t> result;
    for (const ast::Number& number : numbers) result.push_back(number.value.to_int64().value_or(0));
    if (result.empty() ||
        std::any_of(result.begin(), result.end(), [](std::int64_t n) { return n <= 0; })) {
      report(context_, DiagnosticKind::BadChip, figure.name.at.span,
             fmt::format("`{}` is a slice such as 16x16", figure.name.text));
      return;
    }
    lengths = std::move(result);
  }

  void read_wrap(const ast::Figure& figure) {
    const auto* word = std::get_if<ast::Identifier>(&figure.value);
    const auto rule = word != nullptr ? find_wrap_rule(word->text) : std::nullopt;
    if (rule) {
      chip_.wrap = *rule;
    } else {
      report(context_, DiagnosticKind::BadChip, figure.name.at.span,
             "`wrap` is one of " + join_words(words_of(wrap_words(), &WrapWord::word)));
    }
  }

  Chip& chip_;
  CheckContext& context_;
};

}  // namespace

void read_figures(const std::vector<ast::Figure>& figures, Chip& chip, CheckContext& context) {
  FigureReader reader(chip, context);
  for (const ast::Figure& figure : figures) reader.read(figure);
}

}  // namespace shard
