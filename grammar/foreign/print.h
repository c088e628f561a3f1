// Prints of other languages. Private to the folder.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/foreign/tree.h"
#include "grammar/foreign/writer.h"

namespace shard {

// What a reader of lines has besides: the first mistake that is none of an expression.
class ForeignPrintReader {
 protected:
  explicit ForeignPrintReader(const ForeignNames& names) : line_writer(names) {}

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

  ForeignWriter line_writer;
  std::optional<ForeignWriter::Piece> first_mistake;
};

}  // namespace shard
