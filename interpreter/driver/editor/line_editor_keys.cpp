// What keys do in a line.
#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "interpreter/driver/editor/line_editor.h"

namespace shard {

void LineEditor::bind_keys() {
  el_set(editor_, EL_ADDFN, "shard-complete", "Complete a name", &LineEditor::complete);
  el_set(editor_, EL_ADDFN, "shard-paste", "Insert what is pasted", &LineEditor::paste);
  el_set(editor_, EL_BIND, "^I", "shard-complete", nullptr);
  el_set(editor_, EL_BIND, "^R", "em-inc-search-prev", nullptr);
  el_set(editor_, EL_BIND, "\\e[200~", "shard-paste", nullptr);
  bind_idle_keys();
  // Home, End, Delete, and words by Ctrl or Alt with an arrow, as terminals send them.
  for (const auto& [keys, action] :
       std::array<std::pair<const char*, const char*>, 11>{{{"\\e[1~", "ed-move-to-beg"},
                                                            {"\\e[4~", "ed-move-to-end"},
                                                            {"\\e[H", "ed-move-to-beg"},
                                                            {"\\e[F", "ed-move-to-end"},
                                                            {"\\e[3~", "ed-delete-next-char"},
                                                            {"\\e[1;5D", "ed-prev-word"},
                                                            {"\\e[1;5C", "em-next-word"},
                                                            {"\\e[1;3D", "ed-prev-word"},
                                                            {"\\e[1;3C", "em-next-word"},
                                                            {"\\eb", "ed-prev-word"},
                                                            {"\\ef", "em-next-word"}}})
    el_set(editor_, EL_BIND, keys, action, nullptr);
}

// Insert, Page Up and Down, F1 to F12, and arrows with Shift, Alt and Ctrl would else insert the end of their sequence.
void LineEditor::bind_idle_keys() {
  el_set(editor_, EL_ADDFN, "shard-idle", "Do nothing", &LineEditor::idle);
  const auto bind = [&](const std::string& keys) {
    el_set(editor_, EL_BIND, keys.c_str(), "shard-idle", nullptr);
  };
  for (const std::string modifier : {"", ";2", ";3", ";4", ";5", ";6", ";7", ";8"}) {
    for (const int key : {2, 5, 6, 11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24})
      bind(fmt::format("\\e[{}{}~", key, modifier));
    for (const char letter : std::string_view("PQRS"))
      bind(modifier.empty() ? fmt::format("\\eO{}", letter)
                            : fmt::format("\\e[1{}{}", modifier, letter));
    for (const char letter : std::string_view(modifier.empty() ? "" : "ABCDHF"))
      bind(fmt::format("\\e[1{}{}", modifier, letter));
  }
}

unsigned char LineEditor::idle(EditLine* /*editor*/, int /*key*/) { return CC_NORM; }

}  // namespace shard
