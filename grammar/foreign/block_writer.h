// The lines of a block as statements in braces. Private to the folder.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grammar/foreign/block.h"
#include "grammar/foreign/line.h"

namespace shard {

class ForeignBlockWriter {
 public:
  ForeignBlockWriter(std::vector<ForeignBlockLine> lines, const ForeignNames& names)
      : lines_(std::move(lines)), names_(names) {}

  // The lines from `next` on that are indented deeper than `outside`; nullopt where a line has no counterpart.
  std::optional<std::string> block(std::size_t& next, std::size_t outside,
                                   std::vector<std::string>* parts = nullptr);
  // The header at `next` with its block.
  std::optional<std::string> with_block(std::size_t& next);

  MoreForeignNames& names() { return names_; }
  const std::map<std::string, ForeignArray>& invented() const { return invented_; }

 private:
  static bool continues(std::string_view text);
  std::optional<std::string> one(std::size_t& next);
  std::optional<std::string> header_of(std::string_view text);

  std::vector<ForeignBlockLine> lines_;
  MoreForeignNames names_;
  std::map<std::string, ForeignArray> invented_;
};

}  // namespace shard
