#include "interpreter/machine/send.h"

#include <algorithm>

#include "interpreter/check/array.h"
#include "interpreter/machine/fault.h"

namespace shard {

namespace {

// Held by this device alone.
Layout held_at(std::int64_t device, std::size_t rank, const Mesh& mesh) {
  Layout layout = replicated(rank);
  const std::vector<std::int64_t> place = coordinates(mesh, device);
  for (std::size_t i = 0; i < place.size(); ++i)
    layout.placed.edit().push_back({AxisId{static_cast<std::int32_t>(i)}, place[i]});
  return without_trivial_axes(layout, mesh);
}

bool is_split(const Layout& layout) { return !axes_used(layout).empty(); }

// Whether the device that alone holds `there` has the whole array in this layout.
bool holds_whole(const Layout& layout, const Layout& there) {
  return !is_split(layout) &&
         std::all_of(layout.placed.begin(), layout.placed.end(), [&](const Placement& place) {
           return place_on(there, place.axis) == place.coordinate;
         });
}

class SendChecker {
 public:
  SendChecker(const ast::Send& send, Span span, CheckContext& context)
      : send_(send), span_(span), context_(context), scope_(context.scope) {}

  std::optional<checked::Flow> check() {
    if (!scope_.machine.mesh_known())
      return fail(span_, "there is no mesh with devices that could send",
                  {"declare it before: mesh {X: 4, Y: 4}"});
    const auto from = check_device(send_.from, DiagnosticKind::BadSend, context_);
    const auto to = check_device(send_.to, DiagnosticKind::BadSend, context_);
    if (!from || !to) return std::nullopt;
    if (*from == *to) return fail(span_, "the array is sent to the device that it comes from");
    return flow(*from, *to);
  }

 private:
  std::optional<checked::Flow> fail(Span span, std::string message,
                                    std::vector<std::string> help = {}) {
    report(context_, DiagnosticKind::BadSend, span, std::move(message), std::move(help));
    return std::nullopt;
  }

  std::optional<checked::Flow> flow(std::int64_t from, std::int64_t to) {
    const ast::ArrayRef& written = send_.array;
    if (!written.indices.empty())
      return fail(written.at.span, "an array is sent as a whole",
                  {"give what is indexed a name, and send that"});
    const bool is_new = !written.name || !scope_.names.find_array(written.name->text);
    auto value = check_use(written, context_);
    if (!value) return std::nullopt;
    auto& use = std::get<checked::Use>(value->node);
    const Layout start = held_at(from, value->labels.size(), scope_.mesh());
    if (is_new && !is_split(use.layout) && use.layout.placed.empty()) {
      scope_.held.change(use.array).back().layout = start;
      use.layout = start;
    } else if (!use.written && find_copy(use.array, start, scope_)) {
      use.layout = start;
    }
    const Layout held = without_trivial_axes(use.layout, scope_.mesh());
    if (!holds_whole(held, start)) return report_not_held(use.array, held, start);
    value->layout = use.layout = held;
    return finish(*std::move(value), start, held_at(to, start.rank(), scope_.mesh()));
  }

  std::optional<checked::Flow> report_not_held(ArrayId array, const Layout& held,
                                               const Layout& start) {
    std::vector<std::string> help;
    if (auto line = relayout_line(array, held, start, scope_)) help.push_back(std::move(*line));
    const std::string name = "`" + scope_.describe(array, held) + "`";
    return fail(send_.array.at.span,
                is_split(held) ? "the device holds a part of " + name + " only"
                               : name + " is held by other devices",
                std::move(help));
  }

  checked::Flow finish(checked::Operation value, const Layout& start, const Layout& end) const {
    const ArrayId array = std::get<checked::Use>(value.node).array;
    checked::Collective collective{
        .kind = CollectiveKind::CollectivePermute, .axes = {}, .operand = value, .layout = end};
    collective.sent_from = start;
    for (std::size_t i = 0; i < start.placed.size(); ++i) {
      if (start.placed[i] != end.placed[i]) collective.axes.push_back(start.placed[i].axis);
    }
    checked::Flow flow{.value = {.node = std::move(collective),
                                 .labels = value.labels,
                                 .dtype = value.dtype,
                                 .layout = end,
                                 .span = span_},
                       .target = array,
                       .is_copy = true,
                       .span = span_,
                       .target_span = span_};
    flow.labels = value.labels;
    flow.layout = end;
    return flow;
  }

  const ast::Send& send_;
  Span span_;
  CheckContext& context_;
  Scope& scope_;
};

}  // namespace

std::optional<checked::Flow> check_send(const ast::Send& send, Span span, CheckContext& context) {
  return SendChecker(send, span, context).check();
}

}  // namespace shard
