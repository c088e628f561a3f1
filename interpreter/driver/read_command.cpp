#include "interpreter/driver/read_command.h"

#include <unistd.h>

#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "base/cancellation.h"
#include "base/contains.h"
#include "base/line_width.h"
#include "interpreter/driver/console.h"
#include "interpreter/driver/run_command.h"
#include "interpreter/driver/script_files.h"
#include "interpreter/driver/script_outputs.h"
#include "interpreter/host/file.h"
#include "interpreter/host/interrupt.h"
#include "interpreter/reading/reading_report.h"

namespace shard {

namespace {

// What comes before the documents.
struct PreambleText {
  std::string name;
  std::string text;
};

// Runs it in the session; the exit status, after saying what is wrong.
int run_preamble(const std::vector<PreambleText>& preamble, Session& session) {
  for (const PreambleText& part : preamble) {
    const Outcome outcome = session.run(part.name, part.text);
    show(outcome.diagnostics, session.sources());
    if (outcome.status != ExitStatus::Fine) return static_cast<int>(outcome.status);
  }
  return 0;
}

// What the document's scripts print, shown where it is not what the document says, or written there; the exit status.
int settle_outputs(const std::string& path, const std::string& text, const ScriptOutputs& outputs,
                   const Arguments& arguments) {
  const bool holds = outputs.problems.empty();
  if (!holds && !arguments.json) std::cout << "\n" << outputs.problems << std::flush;
  const int status = static_cast<int>(holds ? ExitStatus::Fine : ExitStatus::RunFailed);
  if (outputs.text == text) return status;
  if (contains(arguments.files, "-") && path == arguments.stdin_name)
    return fail("--update writes to a file, and the document is standard input");
  const auto written = write_file(path, outputs.text);
  if (!written) return fail(written.error().message);
  if (!arguments.json) std::cout << "\nwrote " << path << "\n" << std::flush;
  return status;
}

int read_one(const std::string& name, const std::string& text, const Session& session,
             const Arguments& arguments) {
  try {
    const Cancellation until(interrupted);
    const LineWidth width(columns_of(STDOUT_FILENO));
    ReadDocument document = read_document(name, text, session);
    const auto outputs =
        script_outputs(document, text, arguments.update, columns_of(STDOUT_FILENO));
    throw_if_cancelled();
    if (!outputs) return fail(outputs.error().message);
    if (document.status == ExitStatus::Fine && !outputs->problems.empty())
      document.status = ExitStatus::RunFailed;
    std::cout << (arguments.json ? json_report(document) : text_report(document)) << std::flush;
    const int status = settle_outputs(name, text, *outputs, arguments);
    const auto own = static_cast<int>(document.status);
    return own == 0 ? status : own;
  } catch (const Cancelled&) {
    say("shard: stopped before the document was read");
    return static_cast<int>(ExitStatus::RunFailed);
  }
}

}  // namespace

int command_read(const Arguments& arguments) {
  auto options = session_options(arguments);
  if (!options) return static_cast<int>(ExitStatus::Usage);
  options->executor = nullptr;
  options->interactive = true;
  std::vector<PreambleText> preamble;
  if (!arguments.preamble.empty()) {
    auto text = read_text(arguments.preamble);
    if (!text) return fail(text.error().message);
    preamble.push_back({arguments.preamble, *std::move(text)});
  }
  for (const std::string& text : arguments.with) preamble.push_back({"<--with>", text + "\n"});
  catch_interrupts(Interrupts::First);
  Session session(*std::move(options));
  if (const int status = run_preamble(preamble, session); status != 0) return status;
  return for_each_file(arguments, [&](const std::string& name, const std::string& text) {
    return read_one(name, text, session, arguments);
  });
}

}  // namespace shard
