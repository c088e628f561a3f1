#include "interpreter/suggest/misspelling.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "base/name_index.h"
#include "base/words.h"
#include "grammar/print/printer.h"
#include "grammar/tree/names.h"
#include "interpreter/suggest/occurrences.h"

namespace shard {
namespace {

bool has_digit(const std::string& key) { return std::any_of(key.begin(), key.end(), is_digit); }

// `Wq` and `Wk`, `Q1` and `Q2`, `W` and `dW`, `A` and `A'`: names that are alike on purpose.
bool are_kin(const std::string& a, const std::string& b) {
  if (has_digit(a) || has_digit(b)) return true;
  const bool derived = "d" + a == b || "d" + b == a || a + "'" == b || b + "'" == a;
  return derived || (a.size() == b.size() && a.compare(0, a.size() - 1, b, 0, b.size() - 1) == 0);
}

// An appearance but for one of its dimensions: its cost block, the place of that dimension, the others.
using Frame = std::tuple<int, std::size_t, std::vector<std::string>>;

Frame frame_of(const Appearance& appearance, std::size_t place) {
  Frame frame{appearance.block, place, appearance.dimensions};
  auto& others = std::get<std::vector<std::string>>(frame);
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(place));
  return frame;
}

bool has_dimensions(const KnownArray& array, const std::vector<std::string>& dimensions) {
  return std::any_of(
      array.appearances.begin(), array.appearances.end(),
      [&](const Appearance& appearance) { return appearance.dimensions == dimensions; });
}

// Whether an array that stands once may be a slip of another one, as far as where they stand tells. What is made and never
// read, before what is read and never made, may be one array; then one that stands once may be meant, too.
bool may_be_meant(const std::string& key, const KnownArray& array, const std::string& other_key,
                  const KnownArray& other) {
  const bool made = other.written != array.written;
  const auto begin_of = [](const KnownArray& known) {
    return known.appearances.front().array->at.span.begin;
  };
  const bool made_before = made && begin_of(other) < begin_of(array);
  if (!are_kin(key, other_key)) return other.count > 1 || made_before;
  // `Tmp` and `Tmo`, though not `dWq` and `dWK`.
  constexpr std::size_t kShortest = 3;
  const bool alike = key.size() == other_key.size() && key.size() >= kShortest && !has_digit(key) &&
                     !has_digit(other_key);
  return alike && made && (other.count > 1 || made_before);
}

class MisspellingFinder {
 public:
  MisspellingFinder(const std::vector<ast::Statement>& statements, DiagnosticSink& sink)
      : names_(statements), sink_(sink) {
    for (const Diagnostic& told : sink.all()) {
      if (told.kind == DiagnosticKind::SuspiciousName) told_.insert(place_of(told.span));
    }
    // Arrays with digits are alike on purpose.
    for (const auto& [place, array] : names_.arrays) {
      if (place.second.size() > 1 && !has_digit(place.second)) arrays_[place.first].add(array.name);
    }
    note_open_dimensions();
    note_usual_dimensions();
  }

  void find() {
    for (const auto& [place, array] : names_.arrays) {
      if (!sink_.shows_more_others()) return;
      find_array(place.first, place.second, array);
      find_renamings(array);
      find_dimensions(array);
    }
    for (const GivenSize& size : names_.sizes) find_size(size);
    for (const auto& [function, name] : names_.bound) find_bound(function, *name);
  }

 private:
  using Place = std::tuple<std::int32_t, std::uint32_t, std::uint32_t>;
  static Place place_of(const Span& span) { return {span.file.value, span.begin, span.end}; }

  void warn(const Span& span, std::string message, std::string help) {
    if (!told_.insert(place_of(span)).second) return;
    sink_.report({.kind = DiagnosticKind::SuspiciousName,
                  .span = span,
                  .message = std::move(message),
                  .help = {std::move(help)}});
  }

  // An array that stands once, where another one of such a name stands more often and has the same dimensions. Of one
  // letter, every other letter is an edit away, and says nothing; nor does another digit.
  void find_array(const std::string& function, const std::string& key, const KnownArray& array) {
    if (key.size() < 2 || has_digit(key) || array.count != 1 || array.declared ||
        array.appearances.size() != 1)
      return;
    const Appearance& here = array.appearances.front();
    if (here.may_be_wrong) return;
    const auto is_like_it = [&](const std::string& name) {
      const std::string other_key = name_key(name);
      if (other_key == key) return false;
      const KnownArray& other = names_.arrays.at({function, other_key});
      return has_dimensions(other, here.dimensions) && may_be_meant(key, array, other_key, other);
    };
    const auto near = arrays_[function].nearest(array.name, is_like_it);
    if (!near) return;
    ast::ArrayRef declared = *here.array;
    declared.indices.clear();
    const std::string brackets = print(declared, Spelling::Unicode).substr(array.name.size());
    warn(here.array->name->at.span,
         fmt::format(
             "`{}` stands nowhere else, and `{}` has the same dimensions; did you mean `{}`?",
             array.name, *near, *near),
         fmt::format("declare it to say that it is another array: `{}: bf16{}`", array.name,
                     brackets));
  }

  // `hihgest = above`, which nothing reads, where `highest` is made and read: what was to change has not changed. Short names are alike
  // by chance.
  void find_bound(const std::string& function, const ast::Identifier& name) {
    constexpr std::size_t kShortest = 4;
    const std::string key = name_key(name.text);
    if (key.size() < kShortest || has_digit(key) || names_.count(key) > 1) return;
    const auto is_elsewhere = [&](const auto& entry) {
      const bool is_here = entry.first.first == function;
      return entry.first.second == key &&
             (is_here ? entry.second.count > 1 : entry.second.count > 0);
    };
    if (std::any_of(names_.arrays.begin(), names_.arrays.end(), is_elsewhere)) return;
    const auto near = arrays_[function].nearest(name.text, [&](const std::string& other) {
      const std::string other_key = name_key(other);
      const KnownArray& made = names_.arrays.at({function, other_key});
      return other_key != key && !are_kin(key, other_key) && made.count > 1 &&
             (made.written || made.declared);
    });
    if (!near) return;
    warn(name.at.span,
         fmt::format("`{}` stands nowhere else, and `{}` is made and read; did you mean `{}`?",
                     name.text, *near, *near),
         fmt::format("`print {}` shows it, and says that it is another one", name.text));
  }

  // `C[:, idx]` picks by it.
  bool is_array(const std::string& key) const {
    return std::any_of(names_.arrays.begin(), names_.arrays.end(),
                       [&](const auto& entry) { return entry.first.second == key; });
  }

  // A dimension that stands once, where the array has another one. A cost block may name what it takes from outside anew,
  // and leaves lengths open by it.
  void find_renamings(const KnownArray& array) {
    std::map<Frame, const ast::Identifier*>
        usual;  // that stands more than once, by what is next to it
    for (const Appearance& there : array.appearances) {
      for (std::size_t i = 0; i < there.dimensions.size(); ++i) {
        if (!there.dimensions[i].empty() && names_.count(there.dimensions[i]) > 1)
          usual.emplace(frame_of(there, i), name_of_dimension(there.array->dimensions[i]));
      }
    }
    for (const Appearance& here : array.appearances) {
      if (here.may_be_wrong) continue;
      for (std::size_t i = 0; i < here.dimensions.size(); ++i) {
        const std::string& key = here.dimensions[i];
        if (key.empty() || names_.count(key) != 1 || is_array(key)) continue;
        const auto found = usual.find(frame_of(here, i));
        if (found == usual.end()) continue;
        const ast::Identifier& name = *name_of_dimension(here.array->dimensions[i]);
        const std::string& meant = found->second->text;
        warn(
            name.at.span,
            fmt::format("`{}` stands nowhere else, in the place of the dimension `{}` of `{}`; did "
                        "you mean `{}`?",
                        name.text, meant, array.name, meant),
            fmt::format("give it a size to say that it is another name: {} = {}", name.text,
                        meant));
      }
    }
  }

  // A long name of a dimension that stands once, or has no size where the other has one, one slip from one that stands more often.
  // Short ones are alike by chance, and those with digits on purpose.
  void find_dimensions(const KnownArray& array) {
    for (const Appearance& here : array.appearances) {
      if (here.may_be_wrong) continue;
      for (std::size_t i = 0; i < here.dimensions.size(); ++i) {
        const std::string& key = here.dimensions[i];
        const bool once = names_.count(key) == 1;
        if (!is_long_dimension(key) || (!once && names_.sized.contains(key))) continue;
        const ast::Identifier& name = *name_of_dimension(here.array->dimensions[i]);
        const auto near = usual_dimensions_.nearest(name.text, [&](const std::string& other) {
          const std::string other_key = name_key(other);
          return other_key != key && (once || names_.sized.contains(other_key));
        });
        if (!near || !misspelt_dimensions_.insert(key).second) continue;
        if (!once) {
          warn(name.at.span,
               fmt::format("`{}` has no size, and `{}` has one; did you mean `{}`?", name.text,
                           *near, *near),
               fmt::format("give it a size to say that it is another name: {} = {}", name.text,
                           *near));
          continue;
        }
        warn(name.at.span,
             fmt::format("`{}` stands nowhere else, and `{}` does; did you mean `{}`?", name.text,
                         *near, *near),
             fmt::format("give it a size to say that it is another name: {} = {}", name.text,
                         *near));
      }
    }
  }

  static bool is_long_dimension(const std::string& key) {
    constexpr std::size_t kShortest = 4;
    return key.size() >= kShortest && !has_digit(key);
  }

  void note_usual_dimensions() {
    std::set<std::string> noted;
    for (const auto& [place, array] : names_.arrays) {
      for (const Appearance& there : array.appearances) {
        for (std::size_t i = 0; i < there.dimensions.size(); ++i) {
          const std::string& key = there.dimensions[i];
          if (is_long_dimension(key) && names_.count(key) > 1 && noted.insert(key).second)
            usual_dimensions_.add(name_of_dimension(there.array->dimensions[i])->text);
        }
      }
    }
  }

  // A size that nothing has, where a dimension next to those with sizes has none. Loops count passes, too: a variable that
  // begins with a small letter is no size.
  void find_size(const GivenSize& size) {
    const std::string key = name_key(size.name->text);
    const bool is_like_size = size.name->text.front() >= 'A' && size.name->text.front() <= 'Z';
    if (!is_like_size || names_.count(key) > 1) return;
    const auto found = open_in_.find(size.block);
    if (found == open_in_.end()) return;
    const ast::Identifier& open = *found->second;
    // One that is nearer to another dimension is a slip of that one.
    if (misspelt_dimensions_.contains(name_key(open.text))) return;
    warn(size.name->at.span,
         fmt::format("`{}` is the size of nothing, and `{}` has none; did you mean `{}`?",
                     size.name->text, open.text, open.text),
         size.value == nullptr
             ? fmt::format("for {} in …", open.text)
             : fmt::format("{} = {}", open.text, print(*size.value, Spelling::Unicode)));
  }

  // A block's own sizes count for what stands in it. Outside of blocks those of any block may hold, too: one that gives
  // none of its own is priced with them.
  void note_open_dimensions() {
    for (const auto& [place, array] : names_.arrays) {
      if (!place.first.empty()) continue;
      for (const Appearance& appearance : array.appearances) {
        const auto* open = open_dimension(appearance, sizes_in(appearance.block));
        if (open != nullptr && !renames(array, appearance, *open, sizes_in(appearance.block)))
          open_in_.emplace(appearance.block, open);
        if (appearance.block == 0) continue;
        open = open_dimension(appearance, names_.sized);
        if (open != nullptr && !renames(array, appearance, *open, names_.sized))
          open_in_.emplace(0, open);
      }
    }
  }

  // The dimension that alone has no size there; null if it is not one, or if it stands nowhere else.
  const ast::Identifier* open_dimension(const Appearance& appearance,
                                        const std::set<std::string>& sized) const {
    if (appearance.dimensions.size() < 2 || appearance.may_be_wrong) return nullptr;
    const ast::Identifier* open = nullptr;
    for (std::size_t i = 0; i < appearance.dimensions.size(); ++i) {
      const std::string& key = appearance.dimensions[i];
      if (key.empty() || sized.count(key) != 0) continue;
      if (open != nullptr) return nullptr;
      open = name_of_dimension(appearance.array->dimensions[i]);
    }
    return open != nullptr && names_.count(name_key(open->text)) > 1 ? open : nullptr;
  }

  // Whether the array has a dimension with a size in the place of that one, which is as long then.
  static bool renames(const KnownArray& array, const Appearance& here, const ast::Identifier& open,
                      const std::set<std::string>& sized) {
    const auto found =
        std::find(here.dimensions.begin(), here.dimensions.end(), name_key(open.text));
    const auto place = static_cast<std::size_t>(found - here.dimensions.begin());
    return std::any_of(array.appearances.begin(), array.appearances.end(),
                       [&](const Appearance& there) {
                         return there.dimensions.size() == here.dimensions.size() &&
                                sized.contains(there.dimensions[place]) &&
                                frame_of(there, place) == frame_of(here, place);
                       });
  }

  const std::set<std::string>& sizes_in(int block) const {
    static const std::set<std::string> none;
    const auto found = names_.sized_in.find(block);
    return found == names_.sized_in.end() ? none : found->second;
  }

  Occurrences names_;
  DiagnosticSink& sink_;
  std::set<Place> told_;
  std::map<std::string, NameIndex> arrays_;    // their names, by function
  NameIndex usual_dimensions_;                 // that stand more than once
  std::set<std::string> misspelt_dimensions_;  // that were warned of
  std::map<int, const ast::Identifier*>
      open_in_;  // by cost block: the first dimension without a size
};

}  // namespace

void warn_of_misspellings(const std::vector<ast::Statement>& statements, DiagnosticSink& sink) {
  MisspellingFinder(statements, sink).find();
}

}  // namespace shard
