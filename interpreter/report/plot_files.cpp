#include "interpreter/report/plot_files.h"

#include <fmt/format.h>

#include "interpreter/host/file.h"
#include "interpreter/report/plot_svg.h"

namespace shard {

std::vector<std::string> save_plots(Outcome& outcome, const RunFiles& files,
                                    const std::string& svg) {
  std::vector<std::string> failures;
  const auto write = [&](const PlotEntry& plot, const FileClaim& claim) {
    if (const auto other = files.in_the_way(claim)) {
      failures.push_back(
          fmt::format("{} is not written over: it is {}", claim.path, described(*other)));
      return false;
    }
    const auto written = write_file(claim.path, svg_of(plot));
    if (!written) failures.push_back(written.error().message);
    return written.has_value();
  };
  std::vector<const PlotEntry*> plots;
  for (Entry& entry : outcome.entries) {
    auto* box = std::get_if<Box<PlotEntry>>(&entry);
    if (box == nullptr) continue;
    PlotEntry& plot = **box;
    plots.push_back(&plot);
    // What the script said is claimed already.
    if (!plot.path.empty()) {
      const auto written = write_file(plot.path, svg_of(plot));
      plot.written = written.has_value();
      if (!written) failures.push_back(written.error().message);
    }
  }
  if (svg.empty()) return failures;
  if (plots.size() == 1) {
    write(*plots.front(), {FileUse::Save, svg, {}});
  } else {
    failures.push_back(plots.empty()
                           ? fmt::format("{} is not written, for nothing is drawn by `plot`", svg)
                           : fmt::format("{} is not written, for `plot` draws {} pictures: `save` "
                                         "gives each a file of its own",
                                         svg, plots.size()));
  }
  return failures;
}

}  // namespace shard
