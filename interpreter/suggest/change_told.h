// Mistakes that are reported anew, once their whole statement is known.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "grammar/diagnostics/diagnostic.h"

namespace shard {

// `change` gets each diagnostic inside of the statement and returns what stands in its place, or nothing. What is never shown
// stays as it is.
template <class Change>
void change_told(const Span& statement, DiagnosticSink& sink, const Change& change) {
  if (!sink.shows_more_errors()) return;
  std::vector<std::pair<std::size_t, Diagnostic>> changed;
  const std::vector<Diagnostic>& told = sink.all();
  for (std::size_t i = 0; i < told.size(); ++i) {
    if (!encloses(statement, told[i].span)) continue;
    if (std::optional<Diagnostic> other = change(told[i]))
      changed.emplace_back(i, *std::move(other));
  }
  if (changed.empty()) return;
  const std::size_t first = changed.front().first;
  std::vector<Diagnostic> rest(told.begin() + static_cast<std::ptrdiff_t>(first), told.end());
  for (auto& [place, diagnostic] : changed) rest[place - first] = std::move(diagnostic);
  sink.keep(first);
  for (Diagnostic& diagnostic : rest) sink.report(std::move(diagnostic));
}

}  // namespace shard
