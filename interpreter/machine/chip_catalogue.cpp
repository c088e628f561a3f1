#include "interpreter/machine/chip_catalogue.h"

#include <string>

#include "base/check.h"
#include "grammar/parse/parser.h"
#include "interpreter/machine/machine.h"
#include "stdlib/library.h"

namespace shard {

namespace {

PersistentMap<std::string, Chip> read_catalogue(const ScalarSource& scalars) {
  SourceMap sources;
  const auto text = library_module("hardware");
  SHARD_CHECK(text.has_value());
  const FileId file = sources.add("hardware.shard", std::string(*text));
  Names names;
  DiagnosticSink sink;
  const ast::Module module = parse(sources, file, names, sink);
  Scope scope;
  CheckContext context{scope, sink, scalars};
  for (const ast::Statement& statement : module.statements) {
    if (const auto* chip = std::get_if<ast::Chip>(&statement.node)) check_chip(*chip, context);
  }
  SHARD_CHECK(sink.all().empty());
  return scope.names.chips;
}

}  // namespace

void load_catalogue(Scope& scope, const ScalarSource& scalars) {
  if (scope.names.catalogue_loaded) return;
  scope.names.catalogue_loaded = true;
  static const PersistentMap<std::string, Chip> catalogue = read_catalogue(scalars);
  scope.names.chips.insert(catalogue.begin(), catalogue.end());
}

}  // namespace shard
