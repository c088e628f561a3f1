#include "interpreter/statements/use.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "base/contains.h"
#include "base/words.h"
#include "grammar/parse/parser.h"
#include "interpreter/host/file.h"
#include "interpreter/statements/statement.h"
#include "stdlib/library.h"

namespace shard {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kExtension = ".shard";

// `models.llama3_70b` is llama3_70b.shard in the folder models.
std::string path_of(std::string name) {
  std::replace(name.begin(), name.end(), '.', fs::path::preferred_separator);
  return name + std::string(kExtension);
}

// What could be meant: a module in the folder that is named alone, or one that is spelt alike.
std::string meant(const std::string& name, const std::vector<std::string>& known,
                  const std::vector<std::string>& library) {
  const auto beginning_with = [&](const std::string& begin) {
    std::vector<std::string> found;
    for (const std::string& module : library) {
      if (module.starts_with(begin)) found.push_back(module);
    }
    return found;
  };
  if (const auto inside = beginning_with(name + "."); !inside.empty())
    return "it is a folder of modules: " + join_words(inside);
  // Names of modules have small letters, as names of models often have not.
  std::string key = name;
  std::transform(key.begin(), key.end(), key.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  if (contains(known, key)) return fmt::format("did you mean `{}`?", key);
  if (const auto inner = library_module_ending(key))
    return fmt::format("did you mean `{}`?", *inner);
  if (const auto longer = beginning_with(key); !longer.empty())
    return fmt::format("did you mean {}?", join_words(longer, "or"));
  if (const auto near = nearest_name(name, known)) return fmt::format("did you mean `{}`?", *near);
  if (const std::string place = key.substr(0, key.find('.') + 1); !place.empty()) {
    if (const auto beside = beginning_with(place); !beside.empty())
      return "there are " + join_words(beside);
  }
  std::vector<std::string> folders;
  for (const std::string& module : library) {
    const std::string folder = module.substr(0, module.find('.'));
    if (!contains(folders, folder)) folders.push_back(folder);
  }
  return "the library has " + join_words(folders);
}

// Modules that stand next to a script.
std::vector<std::string> modules_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(folder.empty() ? fs::path(".") : folder, error), end;
       !error && it != end; it.increment(error)) {
    if (it->path().extension() == kExtension) names.push_back(it->path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

// What is known where the module is used, as far as reading needs it.
Names names_for_module(const Scope& scope) {
  Names names;
  for (const MeshAxis& axis : scope.mesh().axes) names.axes.push_back(axis.name);
  for (const auto& [key, id] : scope.names.dimension_names) {
    if (!scope.store.dimensions[id].literal) names.dimensions.add(scope.store.dimensions[id].name);
  }
  for (const auto& [key, binding] : scope.names.bindings) names.dimensions.add(binding.name);
  for (const auto& [key, id] : scope.names.array_names)
    names.arrays.add(scope.store.arrays[id].name);
  return names;
}

}  // namespace

std::optional<Modules::Text> Modules::find(const ast::Use& use, CheckContext& context) const {
  const std::string& name = use.module.text;
  const std::string user = sources_.name(use.module.at.span.file);
  const bool from_library = is_library_file(user);
  const fs::path folder = fs::path(user).parent_path();
  const fs::path file = folder / path_of(name);
  std::error_code error;
  // A script that is called as a module of the library is not that module.
  const bool is_user = file.lexically_normal() == fs::path(user).lexically_normal();
  const bool is_meant = !is_user || !library_module(name);
  if (!from_library && is_meant && fs::exists(file, error)) {
    const auto text = read_text(file.string());
    if (text) return Text{file.string(), *text, false};
    report(context, DiagnosticKind::UnknownModule, use.module.at.span,
           fmt::format("the module `{}` cannot be read: {}", name, text.error().message));
    return std::nullopt;
  }
  if (const auto text = library_module(name))
    return Text{std::string(kLibraryFolder) + path_of(name), std::string(*text), true};
  std::vector<std::string> known;
  if (!from_library) known = modules_in(folder);
  std::vector<std::string> library;
  for (const std::string_view module : library_modules()) library.emplace_back(module);
  known.insert(known.end(), library.begin(), library.end());
  report(context, DiagnosticKind::UnknownModule, use.module.at.span,
         fmt::format("there is no module `{}`: neither {} nor a module of the library", name,
                     file.string()),
         {meant(name, known, library)});
  return std::nullopt;
}

bool Modules::check_cycle(const ast::Use& use, const std::string& path,
                          CheckContext& context) const {
  const std::string& user = sources_.name(use.module.at.span.file);
  const auto same = [&](const std::string& other) {
    return fs::path(other).lexically_normal() == fs::path(path).lexically_normal();
  };
  if (!same(user) && std::none_of(open_.begin(), open_.end(), same)) return true;
  std::string chain;
  for (auto it = std::find_if(open_.begin(), open_.end(), same); it != open_.end(); ++it)
    chain += fs::path(*it).stem().string() + " → ";
  if (chain.empty()) chain = use.module.text + " → ";
  report(context, DiagnosticKind::ModuleCycle, use.module.at.span,
         fmt::format("the module `{}` uses itself: {}{}", use.module.text, chain, use.module.text),
         {"put what both need into a third module"});
  return false;
}

std::optional<Modules::Module> Modules::open(const ast::Use& use, CheckContext& context) {
  auto found = find(use, context);
  if (!found || !check_cycle(use, found->path, context)) {
    context.scope.told.module_failed = true;
    return std::nullopt;
  }
  if (!found->in_library &&
      !claim_file({FileUse::Module, found->path, use.module.at.span}, &files_, {}, context))
    return std::nullopt;
  const std::string path = fs::path(found->path).lexically_normal().string();
  if (!context.scope.names.modules.insert(path).second) return std::nullopt;
  const FileId file = sources_.add(found->path, std::move(found->text));
  if (found->in_library) sources_.set_fixed(file);
  Names names = names_for_module(context.scope);
  DiagnosticSink inner;
  Module module{found->path, parse(sources_, file, names, inner), false};
  module.has_errors = inner.has_errors();
  report_from_module(inner, use, context.sink);
  open_.push_back(found->path);
  return module;
}

void report_from_module(const DiagnosticSink& inner, const ast::Use& use, DiagnosticSink& sink) {
  for (Diagnostic diagnostic : inner.all()) {
    if (diagnostic.notes.size() < kMostNotes)
      diagnostic.notes.push_back({use.module.at.span, "used here"});
    sink.report(std::move(diagnostic));
  }
}

namespace {

// The module of the library whose text has that name; empty if there is none.
std::string library_module_of(const std::string& file) {
  for (const std::string_view module : library_modules()) {
    if (std::string(kLibraryFolder) + path_of(std::string(module)) == file)
      return std::string(module);
  }
  return "";
}

// What to do about names that a module of the library gives, and that `earlier`, another module or a script, gave already.
std::string help_for_rebound(const std::string& module, const std::string& earlier) {
  const std::string other = library_module_of(earlier);
  if (other.empty())
    return fmt::format("in braces its names are its own, and end there: `{{ use {} … }}`", module);
  return fmt::format(
      "put each of them in braces, with what is said of it; its names end there: `{{ use {} … }}` "
      "and `{{ use {} … }}`",
      other, module);
}

// What a module of the library gives and what has another value already: one mistake of who uses it, which no line of the module
// mends. `in_lasting_braces`: it stands in braces already, which end no names.
void report_rebound(const DiagnosticSink& inner, const ast::Use& use, const SourceMap& sources,
                    bool in_lasting_braces, CheckContext& context) {
  DiagnosticSink others;
  std::vector<std::string> names;
  Note first;
  for (const Diagnostic& diagnostic : inner.all()) {
    if (diagnostic.kind != DiagnosticKind::SizeRebound || diagnostic.notes.empty()) {
      others.report(diagnostic);
      continue;
    }
    const Span& name = diagnostic.span;
    const std::string text(sources.text(name.file).substr(name.begin, name.end - name.begin));
    if (names.empty())
      first = {diagnostic.notes.front().span,
               fmt::format("`{}`: {}", text, diagnostic.notes.front().text)};
    names.push_back("`" + text + "`");
  }
  report_from_module(others, use, context.sink);
  if (names.empty()) return;
  std::vector<std::string> help = {
      help_for_rebound(use.module.text, sources.name(first.span.file))};
  if (in_lasting_braces)
    help.push_back(fmt::format(
        "those of `if` and `fused` end no names: `if … {{ {{ use {} … }} }}` has braces "
        "that do",
        use.module.text));
  const bool one = names.size() == 1;
  report(context, DiagnosticKind::SizeRebound, use.module.at.span,
         fmt::format("`{}` gives {} {} than {}", use.module.text, join_words(names),
                     one ? "another value" : "other values", one ? "it has" : "they have"),
         std::move(help), {first});
}

}  // namespace

void run(const ast::Use& use, const ast::Statement& statement, RunContext& context) {
  Modules* modules = context.options.modules;
  if (refused_in_function("use", statement.at.span, context) || modules == nullptr) return;
  auto module = modules->open(use, context.check);
  if (!module) return;
  DiagnosticSink inner;
  run_apart(module->tree.statements, inner, context);
  modules->close();
  Scope& scope = context.scope;
  scope.told.module_failed = scope.told.module_failed || module->has_errors || inner.has_errors();
  if (!library_module_of(module->path).empty())
    report_rebound(inner, use, modules->sources(), context.lasting_braces == scope.names.depth,
                   context.check);
  else
    report_from_module(inner, use, context.check.sink);
}

}  // namespace shard
