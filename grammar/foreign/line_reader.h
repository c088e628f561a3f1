// Reads assignments, prints and expressions of other languages. Private to the folder.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/foreign/line.h"
#include "grammar/translate/tree.h"
#include "grammar/translate/writer.h"

namespace shard {

// Reads one line; the writer keeps what is foreign in its expressions.
class ForeignLineReader {
 public:
  explicit ForeignLineReader(const ForeignNames& names) : names_(names), writer_(names) {}

  std::optional<ForeignLine> read(const ForeignStatement& statement);

 private:
  // ---- line.cpp: which kind of line it is; meshes, results, changes
  std::optional<std::string> write(const ForeignStatement& statement);
  static const ForeignFunction* function_called(const ForeignTree& callee);
  void tell_target(const ForeignTree& target);
  std::optional<std::string> write_mesh(const ForeignTree& call, const ForeignFunction& maker);
  std::optional<std::string> write_return(const ForeignStatement& statement);
  std::optional<std::string> write_change(const ForeignStatement& statement);
  std::optional<std::string> write_save(const ForeignTree& call);
  std::optional<std::string> write_order(const ForeignTree& call);

  // ---- assignment.cpp: what a line makes
  std::optional<std::string> write_declared(const ForeignStatement& statement,
                                            const ForeignOperand& value);
  std::optional<std::string> write_own_target(const ForeignOperand& target,
                                              const ForeignOperand& value);
  std::string target_name(const std::string& name, const std::vector<ForeignDimension>& seen) const;
  std::string free_name(const std::string& name) const;
  static bool has_names_of(const std::vector<ForeignDimension>& known,
                           const std::vector<ForeignDimension>& seen);
  std::string write_assignment(const std::string& written, const ForeignOperand& value);
  static bool is_relayout(const ForeignOperand& value);
  std::string write_alone(const ForeignOperand& value);

  // ---- mask.cpp: `A[A > 0] = 0`
  std::optional<std::string> write_masked(const ForeignStatement& statement);
  bool drop_mask(ForeignTree& value, const std::string& array, const std::string& mask);

  // ---- annotation.cpp: layouts beside an array, or in the place of its type
  std::optional<std::string> write_layout(const ForeignStatement& statement,
                                          const std::vector<std::vector<std::string>>& layout);
  std::optional<std::string> write_annotation(const ForeignTree& array, const ForeignTree& tree);
  std::optional<std::string> write_typed_layout(const ForeignTree& array, const ForeignTree& tree);
  void find_layout(const ForeignTree& tree);

  // ---- list.cpp: several values
  std::optional<std::string> write_pairs(const ForeignStatement& statement);
  static std::vector<std::string> split_list(const std::string& text);
  std::optional<std::string> write_list(const ForeignTree& target, const ForeignTree& list);
  std::optional<std::string> write_append(const ForeignTree& call);

  // ---- print.cpp: texts with values inside, formats
  void find(const ForeignTree& tree, std::string message, std::string example = "");
  std::optional<std::string> write_print(const std::vector<ForeignTree>& values, bool bare);
  bool write_item(const ForeignTree& value, std::vector<std::string>& items);
  bool write_joined(const ForeignTree& value, std::vector<std::string>& items);
  bool write_text(const ForeignTree& value, std::vector<std::string>& items);
  static bool write_filled(std::string_view text, std::vector<std::string>& items,
                           const std::function<bool(std::string_view)>& fill);
  bool write_format_call(const ForeignTree& value, std::vector<std::string>& items);
  static void add_text(std::string_view text, std::vector<std::string>& items);
  bool write_format(const ForeignTree& value, std::vector<std::string>& items);

  const ForeignNames& names_;
  ForeignWriter writer_;
  // The first mistake that is none of an expression.
  std::optional<ForeignWriter::Piece> found_;
  ForeignLine read_;
};

}  // namespace shard
