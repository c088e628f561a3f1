// Statements with a word of their own: print, expect, why, pad, drop, backward, plan.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/plan_rule.h"
#include "base/words.h"
#include "grammar/parse/construct.h"

namespace shard {
namespace {

void check_kind(ParserContext& context, const ast::Identifier& kind) {
  std::vector<std::string> kinds;
  for (const DiagnosticInfo& entry : diagnostic_catalogue()) kinds.emplace_back(entry.name);
  if (std::find(kinds.begin(), kinds.end(), kind.text) != kinds.end()) return;
  std::vector<std::string> help;
  if (const auto nearest = nearest_name(kind.text, kinds))
    help = {fmt::format("did you mean `{}`?", *nearest)};
  context.fail(DiagnosticKind::SyntaxError, kind.at.span,
               fmt::format("`{}` is no kind of error", kind.text), help);
}

// expect error = "expect" "error" KIND block ;
StatementNode parse_expect_error(ParserContext& context) {
  context.advance();
  ast::ExpectError expected{parse_identifier(context, "a kind of error")};
  if (!context.failed()) check_kind(context, expected.kind);
  const bool before = context.block_has_error;
  DiagnosticSink mistakes;
  Block block = parse_block(context, mistakes);
  expected.body = std::move(block.body);
  expected.trailing = std::move(block.trailing);
  const auto& all = mistakes.all();
  expected.found_by_parser = std::any_of(all.begin(), all.end(), [&](const Diagnostic& d) {
    return info(d.kind).name == expected.kind.text;
  });
  if (expected.found_by_parser) {
    context.block_has_error = before;
  } else {
    for (const Diagnostic& mistake : all) context.sink().report(mistake);
  }
  return expected;
}

// printed = expression | TEXT ;
ast::Expr parse_printed(ParserContext& context) {
  if (!context.at(TokenKind::Quoted)) return parse_expression(context);
  const std::size_t begin = context.position();
  ast::Text text{std::string(context.current().text)};
  context.advance();
  return {std::move(text), context.location_from(begin)};
}

// `expect comms { … } is { … }`, `expect plan { … } is { … }`
bool pins_steps(const ParserContext& context) {
  if (context.peek(1).kind != TokenKind::LeftBrace) return false;
  // The brace may close on another line.
  const Token& behind = context.token(context.position() + context.after_group(1));
  const bool is = behind.kind == TokenKind::Identifier && behind.text == "is";
  const bool stands_alone = context.at_word("comms") && behind.kind == TokenKind::End;
  return context.at_word("plan") || stands_alone || (is && !behind.line_start);
}

// expect steps = "expect" ( "comms" | "plan" ) block "is" block ;
StatementNode parse_expect_steps(ParserContext& context) {
  if (!context.at_word("plan") && !context.at_word("comms")) {
    context.fail(
        DiagnosticKind::SyntaxError, context.current().span,
        fmt::format("`is` says which steps a block takes, and `{}` asks for something else",
                    context.current().text),
        {"`expect comms { … } is { AllGather_X A }` pins its collectives, `expect plan { … } "
         "is { … }` all of its steps"});
  }
  ast::ExpectSteps expected{
      context.at_word("plan") ? ast::PinnedSteps::Plan : ast::PinnedSteps::Comms, {}};
  context.advance();
  Block block = parse_block(context, context.sink());
  expected.body = std::move(block.body);
  expected.trailing = std::move(block.trailing);
  if (!context.at_word("is"))
    context.fail_expected("`is` and the steps", {"`expect plan { … } is { … }`"});
  const std::size_t begin = context.position();
  context.advance();
  Block steps = parse_block(context, context.sink());
  expected.steps = std::move(steps.body);
  expected.steps_trailing = std::move(steps.trailing);
  expected.is = context.location_from(begin);
  return expected;
}

// `backward loss wrt A, B`: whether that is what stands here, after a report.
bool fails_at_named_arrays(ParserContext& context) {
  constexpr std::array<std::string_view, 3> kWords = {"wrt", "with", "to"};
  const bool is_such = !context.failed() && context.on_same_line() &&
                       std::any_of(kWords.begin(), kWords.end(),
                                   [&](std::string_view word) { return context.at_word(word); });
  if (!is_such) return false;
  const Span first = context.current().span;
  const Token& before = context.token(context.position() - 1);
  const std::size_t end = context.statement_end(context.position());
  const Span rest = cover(first, context.token(end - 1).span);
  std::vector<std::string> help;
  if (auto line = context.edited_line({rest.file, before.span.end, rest.end}, ""))
    help.push_back(std::move(*line));
  help.emplace_back("the gradient of A is called dA");
  context.fail(
      DiagnosticKind::SyntaxError, rest,
      "`backward` takes the loss alone, and derives the gradient of every array that leads there",
      std::move(help));
  return true;
}

}  // namespace

// print = "print" printed { "," printed } ;
StatementNode parse_print(ParserContext& context) {
  context.advance();
  context.prints = true;
  ast::Print print;
  print.values.push_back(parse_printed(context));
  while (context.accept(TokenKind::Comma)) {
    join_operand(context);
    print.values.push_back(parse_printed(context));
  }
  context.prints = false;
  return print;
}

ast::Expr parse_condition(ParserContext& context) {
  context.equal_compares = true;
  if (context.at(TokenKind::End)) context.fail_expected("a condition");
  ast::Expr condition = parse_expression(context);
  context.equal_compares = false;
  return condition;
}

// expect = "expect" condition ;
StatementNode parse_expect(ParserContext& context) {
  context.advance();
  const bool error = context.at_word("error") && context.peek(1).kind == TokenKind::Identifier &&
                     context.peek(2).kind != TokenKind::End;
  if (error) return parse_expect_error(context);
  if (context.at_word("error") && context.peek(1).kind == TokenKind::LeftBrace) {
    context.fail(
        DiagnosticKind::SyntaxError, context.current().span,
        "`expect error` takes the name of the error that the block is to draw",
        {"the name stands in brackets after the error's message: expect error AxisReused { "
         "… }"});
  }
  if (pins_steps(context)) return parse_expect_steps(context);
  return ast::Expect{parse_condition(context)};
}

// require = "require" condition ;
StatementNode parse_require(ParserContext& context) {
  context.advance();
  return ast::Require{parse_condition(context)};
}

// why = "why" [ name ] ;
StatementNode parse_why(ParserContext& context) {
  context.advance();
  ast::Why why;
  if (context.at(TokenKind::Identifier)) why.array = parse_name(context, "an array");
  return why;
}

// save = "save" array TEXT ;
StatementNode parse_save(ParserContext& context) {
  context.advance();
  const std::size_t begin = context.position();
  ast::ArrayRef array = parse_array(context);
  const std::string name = array.name ? array.name->text : "A";
  ast::Save save{{std::move(array), context.location_from(begin)}, {}};
  if (!context.at(TokenKind::Quoted)) {
    const std::string line =
        fmt::format("{} \"{}.npy\"",
                    context.source_text({context.token(context.statement_begin()).span.file,
                                         context.token(context.statement_begin()).span.begin,
                                         context.token(context.position() - 1).span.end}),
                    name);
    // If another word is in place of the file, its intention is unknown.
    context.fail_expected("a file in quotes",
                          {context.at_statement_end() ? line : "`save A \"a.npy\"`"});
    return save;
  }
  save.path.value = context.current().text;
  context.advance();
  return save;
}

// plot = "plot" sum { "," sum } "against" DIMENSION "from" sum "to" sum [ "save" TEXT ] ;
StatementNode parse_plot(ParserContext& context) {
  const std::string example = "`plot c.time, d.time against B from 1Ki to 1Mi`";
  context.advance();
  ast::Plot plot;
  plot.series.push_back(parse_sum(context));
  while (context.accept(TokenKind::Comma)) {
    join_operand(context);
    plot.series.push_back(parse_sum(context));
  }
  const auto word = [&](std::string_view expected, const char* what) {
    if (!context.at_word(expected)) context.fail_expected(what, {example});
    context.advance();
  };
  word("against", "`against` and a size");
  plot.size = parse_identifier(context, "a size");
  word("from", "`from` and the first size");
  plot.from = parse_sum(context);
  word("to", "`to` and the last size");
  plot.to = parse_sum(context);
  if (!context.at_word("save") || !context.on_same_line()) return plot;
  context.advance();
  if (!context.at(TokenKind::Quoted)) {
    context.fail_expected("a file in quotes", {"`save \"times.svg\"`"});
    return plot;
  }
  plot.path = ast::Text{std::string(context.current().text)};
  context.advance();
  return plot;
}

// pad = "pad" [ DIMENSION "of" ] array "to" ( NUMBER | DIMENSION ) ;
// It is `A = pad_{I,16384}(A)`.
StatementNode parse_pad(ParserContext& context) {
  const std::size_t begin = context.position();
  ast::Call call{parse_identifier(context, "`pad`")};
  ast::Identifier array = parse_name(context, "an array");
  if (context.at_word("of")) {
    context.advance();
    call.subscript.push_back(std::move(array));
    array = parse_name(context, "an array");
  }
  const std::string line = fmt::format("pad {} to 16Ki", array.text);
  if (!context.at_word("to")) context.fail_expected("`to` and a length", {line});
  context.advance();
  call.subscript.push_back(context.at(TokenKind::Number) ? parse_length_name(context)
                                                         : parse_name(context, "a length"));
  call.arguments.emplace_back(ast::Expr{ast::ArrayRef{.name = array, .at = array.at}, array.at});
  const ast::Location at = context.location_from(begin);
  return ast::Bindings{{{std::move(array), ast::Expr{std::move(call), at}}}};
}

// drop = "drop" array ;
StatementNode parse_drop(ParserContext& context) {
  context.advance();
  return ast::Drop{parse_array(context)};
}

// backward = "backward" ( array | call ) [ "keep" array { "," array } ] ;
StatementNode parse_backward(ParserContext& context) {
  context.advance();
  ast::Backward backward;
  const std::size_t begin = context.position();
  if (context.at(TokenKind::Identifier) && context.peek(1).kind == TokenKind::LeftParen &&
      context.peek(1).glued) {
    backward.of = parse_sum(context);
  } else {
    ast::ArrayRef array = parse_array(context);
    backward.of = {std::move(array), context.location_from(begin)};
  }
  if (fails_at_named_arrays(context)) return backward;
  if (context.failed() || !context.at_word("keep") || !context.on_same_line()) return backward;
  context.advance();
  do backward.kept.push_back(parse_array(context));
  while (!context.failed() && context.accept(TokenKind::Comma));
  return backward;
}

// plan = "plan" ( "cases" | "cheapest" | "overlap" | "bytes" | "memory" ) ;
StatementNode parse_plan(ParserContext& context) {
  context.advance();
  const std::vector<std::string> words = plan_rule_names();
  const auto word = std::find_if(words.begin(), words.end(),
                                 [&](const std::string& one) { return context.at_word(one); });
  if (word == words.end()) {
    std::vector<std::string> quoted;
    for (const std::string& one : words) quoted.push_back("`" + one + "`");
    std::vector<std::string> help;
    if (const auto near = nearest_name(context.current().text, words))
      help.push_back(fmt::format("did you mean `{}`?", *near));
    context.fail_expected(join_words(quoted, "or"), std::move(help));
    return ast::Plan{PlanRule::Cases};
  }
  context.advance();
  return ast::Plan{*plan_rule_named(*word)};
}

}  // namespace shard
