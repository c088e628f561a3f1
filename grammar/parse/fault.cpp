// Faults of the machine, and transfers from device to device: fault, slow, send.
#include "grammar/parse/construct.h"

namespace shard {
namespace {

// Skips a word of the statement; reports any other word.
void take_word(ParserContext& context, std::string_view word, std::vector<std::string> help) {
  if (!context.at_word(word))
    return context.fail_expected("`" + std::string(word) + "`", std::move(help));
  context.advance();
}

// link = AXIS [ "." NUMBER ] "[" NUMBER "]" ;
ast::LinkName parse_link(ParserContext& context) {
  ast::LinkName link{parse_identifier(context, "an axis of the mesh"), {}, {}};
  if (context.accept(TokenKind::Dot))
    link.torus = parse_number(context, "which axis of the torus it is, such as `X.1[3]`");
  if (!context.at(TokenKind::LeftBracket)) {
    context.fail_expected("`[`", {"a link is written `X[3]`: from place 3 of X to place 4"});
    return link;
  }
  const std::size_t opener = context.open();
  link.position = parse_number(context, "a place on the axis");
  context.close(opener, "");
  return link;
}

// device = NUMBER | "(" NUMBER { "," NUMBER } ")" ;
ast::DeviceName parse_device(ParserContext& context, bool listed) {
  ast::DeviceName device{{}, context.at(TokenKind::LeftParen)};
  if (!device.listed) {
    if (listed)
      context.fail_expected("the coordinates of a device", {"`send A from (0,0) to (3,3)`"});
    else
      device.coordinates.push_back(parse_number(context, "the number of a device"));
    return device;
  }
  const std::size_t opener = context.open();
  do {
    device.coordinates.push_back(parse_number(context, "a coordinate"));
  } while (!context.failed() && context.accept(TokenKind::Comma));
  context.close(opener, "`,`");
  return device;
}

// part = "link" link | "device" device ;
ast::MachinePart parse_part(ParserContext& context) {
  const std::size_t begin = context.position();
  ast::MachinePart part{ast::DeviceName{}, {}};
  if (context.at_word("link")) {
    context.advance();
    part.name = parse_link(context);
  } else if (context.at_word("device")) {
    context.advance();
    part.name = parse_device(context, false);
  } else {
    context.fail_expected("`link` or `device`", {"`fault link X[3]`", "`slow device 5 by 2`"});
  }
  part.at = context.location_from(begin);
  return part;
}

}  // namespace

// fault = "fault" part [ "at" NUMBER ] ;
StatementNode parse_fault(ParserContext& context) {
  context.advance();
  ast::Fault fault{parse_part(context), {}};
  if (!context.failed() && context.at_word("at")) {
    context.advance();
    fault.at = parse_number(context, "a time such as `2 us`");
  }
  return fault;
}

// slow = "slow" part ( "by" | "to" ) NUMBER ;
StatementNode parse_slow(ParserContext& context) {
  context.advance();
  ast::Slow slow{parse_part(context), {}, false};
  if (context.failed()) return slow;
  slow.to = context.at_word("to");
  if (!slow.to) take_word(context, "by", {"`slow link X[3] by 10`", "`slow link X[3] to 1e9 B/s`"});
  if (slow.to) context.advance();
  slow.amount = parse_number(context, slow.to ? "a bandwidth such as `1e9 B/s`" : "a number");
  return slow;
}

// send = "send" array "from" device "to" device ;
StatementNode parse_send(ParserContext& context) {
  context.advance();
  ast::Send send{parse_array(context), {}, {}};
  if (context.failed()) return send;
  take_word(context, "from", {"`send A from (0,0) to (3,3)`"});
  send.from = parse_device(context, true);
  if (context.failed()) return send;
  take_word(context, "to", {"`send A from (0,0) to (3,3)`"});
  send.to = parse_device(context, true);
  return send;
}

}  // namespace shard
