#include "grammar/diagnostics/render.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/format.h"
#include "base/line_width.h"
#include "grammar/source/visible.h"

namespace shard {
namespace {

// Columns of a source line that are shown: 100, as reports are laid out for, and fewer where those are. There, what stands before
// the line counts, too: "  3 | ".
std::size_t window_width() {
  constexpr std::size_t kMargin = 8;
  return line_width() < kLineWidth ? line_width() - kMargin : kLineWidth;
}
// Bytes of a message that are shown: it may quote a number or a name of any length. Of a longer one both ends are kept,
// which name the mistake and what to do.
constexpr std::size_t kLongestMessage = 600;

std::string shortened(std::string_view text) {
  if (text.size() <= kLongestMessage) return std::string(text);
  std::size_t rest = text.size() - kLongestMessage / 2;
  while ((static_cast<unsigned char>(text[rest]) & 0xC0) == 0x80) ++rest;
  return fmt::format("{}…{}", first_bytes(text, kLongestMessage / 2), text.substr(rest));
}

// Columns of the line, and of the mark within it, both counted from 0.
struct Excerpt {
  std::vector<std::string> columns;
  std::size_t begin;
  std::size_t end;
};

Excerpt excerpt(const Span& span, const SourceMap& sources) {
  const LineColumn start = sources.position(span.file, span.begin);
  const std::string_view line = sources.line(span.file, start.line);
  const auto offset = static_cast<std::size_t>(line.data() - sources.text(span.file).data());
  const auto clipped = [&](std::uint32_t place) {
    return visible_columns(line.substr(0, std::min<std::size_t>(place - offset, line.size())))
        .size();
  };
  Excerpt cut{visible_columns(line), clipped(span.begin), clipped(std::max(span.begin, span.end))};
  cut.end = std::max(cut.end, cut.begin + 1);
  return cut;
}

// Narrows a long line to a window around the mark.
void narrow(Excerpt& cut) {
  const std::size_t window_columns = window_width();
  if (cut.columns.size() <= window_columns) return;
  const std::size_t shown = std::min(cut.end - cut.begin, window_columns / 2);
  const std::size_t margin = (window_columns - shown) / 2;
  const std::size_t first = cut.begin > margin ? cut.begin - margin : 0;
  const std::size_t last = std::min(first + window_columns, cut.columns.size());
  std::vector<std::string> window(cut.columns.begin() + static_cast<std::ptrdiff_t>(first),
                                  cut.columns.begin() + static_cast<std::ptrdiff_t>(last));
  if (first > 0) window.insert(window.begin(), "…");
  if (last < cut.columns.size()) window.emplace_back("…");
  const std::size_t shift = first > 0 ? 1 : 0;
  cut.begin = cut.begin - first + shift;
  cut.end = std::min(cut.end - first + shift, last - first + shift);
  cut.end = std::max(cut.end, cut.begin + 1);
  cut.columns = std::move(window);
}

class Renderer {
 public:
  Renderer(const SourceMap& sources, bool colour) : sources_(sources), colour_(colour) {}

  std::string text(const Diagnostic& diagnostic) const {
    const DiagnosticInfo& entry = info(diagnostic.kind);
    std::string out = headline(diagnostic.span, entry.severity, diagnostic.message,
                               fmt::format(" [{}]", entry.name));
    for (const Note& note : diagnostic.notes) {
      out += headline(note.span, Severity::Note, note.text, "");
    }
    for (const std::string& advice : diagnostic.help) out += help(advice);
    return out;
  }

 private:
  std::string painted(std::string_view code, std::string_view text) const {
    return colour_ ? fmt::format("\033[{}m{}\033[0m", code, text) : std::string(text);
  }

  static std::string_view paint(Severity severity) {
    return severity == Severity::Error ? "1;31" : severity == Severity::Warning ? "1;33" : "1;36";
  }

  std::string headline(const Span& span, Severity severity, std::string_view message,
                       std::string_view kind) const {
    std::string out;
    if (span.valid()) {
      const LineColumn place = sources_.position(span.file, span.begin);
      out += painted("1", fmt::format("{}:{}:{}:", visible_line(sources_.name(span.file)),
                                      place.line, place.column));
      out += " ";
    }
    out += painted(paint(severity), fmt::format("{}:", name_of(severity)));
    out += fmt::format(" {}{}\n", visible_line(shortened(message)), kind);
    return span.valid() ? out + marked_line(span, severity) : out;
  }

  std::string marked_line(const Span& span, Severity severity) const {
    Excerpt cut = excerpt(span, sources_);
    narrow(cut);
    const std::string number = fmt::format("{:>3}", sources_.position(span.file, span.begin).line);
    std::string out = number + " | ";
    for (const std::string& column : cut.columns) out += column;
    while (out.back() == ' ' && out.size() > number.size() + 2) out.pop_back();
    out += "\n" + std::string(number.size(), ' ') + " | " + std::string(cut.begin, ' ');
    return out + painted(paint(severity), std::string(cut.end - cut.begin, '^')) + "\n";
  }

  // Further lines are aligned with the first, so that they can be pasted as a block.
  std::string help(std::string_view advice) const {
    std::string out = painted("1;32", "help:") + " ";
    for (const char c : visible_text(std::string(advice))) {
      out += c;
      if (c == '\n') out += "      ";
    }
    return out + "\n";
  }

  const SourceMap& sources_;
  bool colour_;
};

}  // namespace

std::string_view name_of(Severity severity) {
  return severity == Severity::Error ? "error" : severity == Severity::Warning ? "warning" : "note";
}

std::string render(const Diagnostic& diagnostic, const SourceMap& sources, bool colour) {
  return Renderer(sources, colour).text(diagnostic);
}

std::string render(const std::vector<Diagnostic>& diagnostics, const SourceMap& sources,
                   bool colour) {
  const Renderer renderer(sources, colour);
  std::string out;
  std::size_t errors = 0;
  std::size_t others = 0;
  for (const Diagnostic& diagnostic : diagnostics) {
    std::size_t& count = info(diagnostic.kind).severity == Severity::Error ? errors : others;
    if (++count <= kMostShown) out += renderer.text(diagnostic);
  }
  const auto more = [&](std::size_t count, std::string_view what) {
    if (count > kMostShown)
      out += fmt::format("and {} more {}\n",
                         format_integer(static_cast<std::int64_t>(count - kMostShown)), what);
  };
  more(errors, errors == kMostShown + 1 ? "error" : "errors");
  more(others, others == kMostShown + 1 ? "warning or note" : "warnings and notes");
  return out;
}

}  // namespace shard
