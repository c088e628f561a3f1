// What `:set` changes: the functions of the settings in settings.def.
#pragma once

#include <string>
#include <string_view>

#include "interpreter/driver/shell.h"
#include "interpreter/session/session.h"

namespace shard {

// "links", "on", "4".
std::string value_of_setting(std::string_view name, const SessionOptions& options,
                             const Look& look);
// Changes it. Says what is wrong with the value, or nothing.
std::string change_setting(std::string_view name, const std::string& value, SessionOptions& options,
                           Look& look);
// Bytes: "4 GB", "512 MiB", or a number; nullopt for what is no size.
std::optional<double> parse_memory(const std::string& text);

}  // namespace shard
