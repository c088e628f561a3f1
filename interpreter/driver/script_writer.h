// The inputs of a session one below the other, as the statements of a script.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "grammar/source/source.h"
#include "grammar/tree/ast.h"
#include "interpreter/driver/shell.h"

namespace shard {

class ScriptWriter {
 public:
  // Both have to outlive the writer.
  ScriptWriter(const std::vector<TypedInput>& inputs, const Scope& scope);

  // Whether the session gave a name more than once.
  bool gives_anew() const;
  // What is done about such names: the earlier ones get names of their own, or there is the last one from the beginning.
  enum class Anew { Renames, HasTheLast };
  std::string script(Anew anew);

 private:
  using Renamings = std::map<std::string, std::string>;
  // With a name only wanted if that is used.
  struct Chunk {
    std::string text;
    std::string name = "";
  };
  // That stands in the script from some statement on.
  struct DefinedFunction {
    std::string name;
    std::string text;
    std::set<std::string> parameters = {};
  };

  std::string text_of(Span span) const { return std::string(sources_.text(span)); }
  void note(const ast::Statement& statement);
  // Functions that read what is given anew are written again behind it, as they find it by its name.
  void note_readers();
  void note_late_sizes();
  DefinedFunction defined_by(const ast::Function& function, const ast::Statement& statement) const;
  std::vector<DefinedFunction> readers_of(std::set<std::string> given);
  bool is_size(const std::string& name) const;
  // What the script has in place of what was given, from the beginning; nullopt where that stands as it was.
  std::optional<std::string> replaced(const std::string& name) const;
  std::string free_name(const std::string& stem, std::size_t number) const;
  // The name of what is given there: the last one has that which the session calls it.
  std::string next_name(const std::string& name);
  void give(const std::string& name, const std::string& called);
  std::string now(std::string_view text);
  std::string statement_text(const ast::Statement& statement, const TypedInput& input);
  std::string bindings_text(const ast::Bindings& bindings, Span at, const std::string& text);
  // Binds what `_` is from here on.
  void add_last(std::size_t i, const std::string& value, const std::string& separator);
  void add_readers(const std::string& separator);
  void add_input(std::size_t i);

  const std::vector<TypedInput>& inputs_;
  const Scope& scope_;
  SourceMap sources_;
  std::vector<ast::Module> modules_;
  std::string all_;                                        // of the texts
  std::map<std::string, std::vector<std::string>> given_;  // by name, in order
  std::map<std::string, std::size_t> versions_;            // how often the script gives each
  std::vector<DefinedFunction> functions_;  // those in force where it is gone through
  std::map<std::size_t, std::vector<DefinedFunction>>
      readers_;                                                 // by the statement that they follow
  std::map<std::size_t, std::vector<std::string>> late_sizes_;  // by the input before which they
                                                                // are to stand: `J = 8`
  Anew anew_ = Anew::Renames;
  Renamings now_;
  std::set<std::string> used_;
  std::set<std::string> lasts_;  // names of what `_` was
  std::map<std::string, std::size_t> count_;
  std::size_t statement_ = 0;  // how many were written
  std::vector<Chunk> chunks_;
};

}  // namespace shard
