#include "grammar/parse/line_form.h"

#include <algorithm>
#include <functional>

#include "base/match.h"
#include "base/words.h"
#include "grammar/parse/parser_context.h"

namespace shard {
namespace {

// Lines with longer names are parsed as usual: no name that a script repeats is that long.
constexpr std::size_t kLongestName = 64;

bool is_name_letter(char c) { return is_letter(c) || (c >= '0' && c <= '9'); }

// Whether the word, before brackets, is read like other names of arrays, and does not change the meaning of other lines
// once it is known.
bool is_plain_name(std::string_view word, const Names& names) {
  constexpr std::string_view kOperators[] = {"and", "or", "not", "mod", "overlap", "LOCAL", "then"};
  const bool operation =
      std::find(std::begin(kOperators), std::end(kOperators), word) != std::end(kOperators);
  return word.size() <= kLongestName && std::all_of(word.begin(), word.end(), is_name_letter) &&
         !operation && !is_dtype(word) && !is_command_word(word) && !is_block_word(word) &&
         !begins_like_call_along(word) && !is_collective_word(word, names);
}

// The facts about a name on which reading may depend.
char kind_of(std::string_view word, bool is_known, const Names& names) {
  const bool capital = word.front() >= 'A' && word.front() <= 'Z';
  const bool facts[] = {is_known,        names.has_dimension(word), names.has_axis(word),
                        capital,         is_array_word(word),       is_english_word(word),
                        word.size() == 1};
  unsigned kind = 0;
  for (std::size_t i = 0; i < std::size(facts); ++i) kind |= facts[i] ? 1U << i : 0U;
  return static_cast<char>(kind);
}

// Visits all places of a flow, and its arrays. Stops at constructs that forms do not cover.
class FlowPlaces {
 public:
  using VisitPlace = std::function<void(ast::Location&)>;
  using VisitArray = std::function<bool(ast::ArrayRef&)>;
  FlowPlaces(const VisitPlace& on_place, const VisitArray& on_array)
      : on_place_(on_place), on_array_(on_array) {}

  bool visit(ast::Statement& statement) {
    auto* flow = std::get_if<ast::Flow>(&statement.node);
    if (flow == nullptr || !flow->overlap.empty() || statement.has_error) return false;
    on_place_(statement.at);
    return visit(flow->value) && visit(flow->target);
  }

 private:
  bool visit(ast::Expr& expr) {
    on_place_(expr.at);
    return match(
        expr.node,
        [&](ast::Number& number) {
          on_place_(number.at);
          return true;
        },
        [&](ast::ArrayRef& array) { return visit(array); },
        [&](ast::Product& product) {
          on_place_(product.sign);
          return visit(product.index) && visit(*product.left) && visit(*product.right);
        },
        [&](ast::Binary& binary) {
          on_place_(binary.sign);
          return !binary.tolerance && visit(*binary.left) && visit(*binary.right);
        },
        [&](ast::Unary& unary) { return visit(*unary.operand); },
        [&](ast::Collective& collective) {
          on_place_(collective.name);
          if (collective.dimension) on_place_(collective.dimension->at);
          if (collective.shift) on_place_(collective.shift->at);
          return visit(collective.axes) && visit(*collective.operand);
        },
        [&](ast::Call& call) {
          on_place_(call.function.at);
          return visit(call.subscript) &&
                 std::all_of(call.arguments.begin(), call.arguments.end(),
                             [&](Box<ast::Expr>& argument) { return visit(*argument); });
        },
        [&](ast::Shaped& shaped) {
          return visit(shaped.dimensions) && visit(shaped.unreduced) && visit(*shaped.value);
        },
        [](auto&) { return false; });
  }

  bool visit(ast::ArrayRef& array) {
    on_place_(array.at);
    if (array.name) on_place_(array.name->at);
    if (array.dtype) on_place_(array.dtype->at);
    bool known = visit(array.dimensions) && visit(array.unreduced);
    for (ast::Index& index : array.indices) {
      if (index.dimension) on_place_(index.dimension->at);
      known = known && visit(*index.value);
    }
    for (ast::Placement& placed : array.placed) {
      on_place_(placed.axis.at);
      known = known && visit(*placed.coordinate);
    }
    return known && on_array_(array);
  }

  bool visit(std::vector<ast::Identifier>& identifiers) {
    for (ast::Identifier& identifier : identifiers) on_place_(identifier.at);
    return true;
  }

  bool visit(std::vector<ast::Dimension>& dimensions) {
    return std::all_of(dimensions.begin(), dimensions.end(), [&](ast::Dimension& dimension) {
      on_place_(dimension.at);
      const bool plain = match(
          dimension.name,
          [&](ast::Identifier& name) {
            on_place_(name.at);
            return true;
          },
          [&](ast::Number& length) {
            on_place_(length.at);
            return true;
          },
          [](auto&) { return false; });
      return plain && visit(dimension.axes);
    });
  }

  const VisitPlace& on_place_;
  const VisitArray& on_array_;
};

// Where a part of the form's first line is in this line.
Span moved(LinePart part, const FormedLine& line) {
  const auto place = [&](std::uint32_t of_form) {
    std::uint32_t here = line.span.begin + of_form;
    for (std::size_t i = 0; i < line.names.size(); ++i) {
      const LinePart& name = line.form->names[i];
      if (name.begin >= of_form) break;
      here += static_cast<std::uint32_t>(line.names[i].text.size()) - (name.end - name.begin);
    }
    return here;
  };
  return {line.span.file, place(part.begin), place(part.end)};
}

LinePart part_of_line(const Span& span, const Span& line) {
  return {span.begin - line.begin, span.end - line.begin};
}

}  // namespace

Span FormedLine::array_span(std::size_t name) const { return moved(form->arrays[name], *this); }

ast::Statement tree_of(const FormedLine& line) {
  ast::Statement statement = line.form->statement;
  const Span first = statement.at.span;
  const FlowPlaces::VisitPlace on_place = [&](ast::Location& at) {
    at.span = moved(part_of_line(at.span, first), line);
  };
  const FlowPlaces::VisitArray on_array = [&](ast::ArrayRef& array) {
    // Its place has already been moved.
    const auto name = std::find_if(line.names.begin(), line.names.end(), [&](const auto& each) {
      return each.span == array.name->at.span;
    });
    array.name->text = std::string(name->text);
    return true;
  };
  FlowPlaces(on_place, on_array).visit(statement);
  return statement;
}

bool LineForms::read(std::string_view line, const Names& names) {
  key_.clear();
  places_.clear();
  std::size_t copied = 0;
  for (std::size_t i = 0; i < line.size();) {
    const char c = line[i];
    // Comments, and lines with several statements.
    if (c == '#' || c == ';' || c == '\r') return false;
    if (!is_letter(c)) {
      ++i;
      continue;
    }
    const std::size_t begin = i;
    while (i < line.size() && is_name_letter(line[i])) ++i;
    const bool begins = begin == 0 || line[begin - 1] == ' ' || line[begin - 1] == '(';
    if (!begins || i == line.size() || line[i] != '[') continue;
    const std::string_view word = line.substr(begin, i - begin);
    const std::string* known = names.arrays.first_spelling(word);
    if ((known != nullptr && *known != word) || !is_plain_name(word, names)) return false;
    key_ += line.substr(copied, begin - copied);
    key_ += {'\1', kind_of(word, known != nullptr, names)};
    places_.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(i)});
    copied = i;
  }
  key_ += line.substr(copied);
  return !places_.empty();
}

std::optional<FormedLine> LineForms::find(std::string_view line, Span span, Names& names) {
  const auto found = by_key_.find(key_);
  if (found == by_key_.end()) return std::nullopt;
  FormedLine formed{.form = found->second, .span = span, .names = {}};
  formed.names.reserve(places_.size());
  for (const LinePart& place : places_) {
    const std::string_view name = line.substr(place.begin, place.end - place.begin);
    formed.names.push_back({name, {span.file, span.begin + place.begin, span.begin + place.end}});
    if (!names.arrays.contains(name)) names.arrays.add(name);
  }
  arrays_ = names.arrays.size();
  return formed;
}

void LineForms::learn(const ast::Statement& statement) {
  if (places_.empty() || forms_.size() >= kMostForms) return;
  if (seen_.size() >= kMostSeen) seen_.clear();
  if (seen_.insert(key_).second) return;
  LineForm form{.statement = statement, .names = places_, .arrays = {}};
  form.number = forms_.size();
  form.statement.leading.clear();
  form.arrays.resize(places_.size());
  std::size_t arrays = 0;
  const Span line = statement.at.span;
  const FlowPlaces::VisitPlace on_place = [](ast::Location&) {};
  // Every array has one of the names, and every name is one of the arrays'.
  const FlowPlaces::VisitArray on_array = [&](ast::ArrayRef& array) {
    if (!array.name) return false;
    const LinePart name = part_of_line(array.name->at.span, line);
    const auto place = std::find(places_.begin(), places_.end(), name);
    if (place == places_.end()) return false;
    form.arrays[static_cast<std::size_t>(place - places_.begin())] =
        part_of_line(array.at.span, line);
    ++arrays;
    return true;
  };
  const bool plain = FlowPlaces(on_place, on_array).visit(form.statement) &&
                     form.statement.trailing.empty() && arrays == places_.size();
  if (!plain) return;
  forms_.push_back(std::move(form));
  by_key_.emplace(key_, &forms_.back());
}

void LineForms::note_names(const Names& names) {
  const auto& arrays = names.arrays.in_order();
  const std::size_t known = std::min(arrays_, arrays.size());
  const bool same =
      axes_ == names.axes && dimensions_ == names.dimensions.size() && arrays_ <= arrays.size() &&
      std::all_of(arrays.begin() + static_cast<std::ptrdiff_t>(known), arrays.end(),
                  [&](const std::string& name) { return is_plain_name(name, names); });
  arrays_ = arrays.size();
  if (same) return;
  axes_ = names.axes;
  dimensions_ = names.dimensions.size();
  by_key_.clear();
  seen_.clear();
}

}  // namespace shard
