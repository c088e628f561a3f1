#include "interpreter/driver/repl.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <condition_variable>
#include <iostream>
#include <mutex>
#include <stop_token>
#include <thread>

#include "base/format.h"
#include "base/line_width.h"
#include "interpreter/driver/console.h"
#include "interpreter/driver/editor/line_editor.h"
#include "interpreter/driver/shell.h"
#include "interpreter/host/interrupt.h"

namespace shard {

namespace {

struct Lesson {
  std::string_view example;
  std::string_view meaning;
};
constexpr std::array<Lesson, 3> kLessons = {
    {{"mesh {X: 4}; I = 64, J = 64, K = 64", "devices along an axis, and sizes"},
     {"A[I, J_X] · B[J_X, K] → C[I, K]", "a product; * and -> do, too, and \\to Tab gives →"},
     {":ls  C?  :undo", "what there is, what C is, and a step back"}}};

// As wide as the window.
std::string banner() {
  constexpr std::size_t kColumn = 42;
  const std::size_t columns = terminal_columns();
  const LineWidth width(columns == 0 ? kLineWidth : columns);
  std::string text = "Shard " SHARD_VERSION "   :help, Ctrl-D to leave\n";
  for (const Lesson& lesson : kLessons)
    text += two_columns("  " + std::string(lesson.example), lesson.meaning, kColumn);
  return text;
}

// While one exists, a terminal that can erase it again is told how long it has taken, once that is longer than an answer should be.
class Progress {
 public:
  explicit Progress(bool acts) {
    if (!acts) return;
    // Signals are the matter of the thread that computes.
    const HeldSignals held;
    thread_ = std::jthread([this](const std::stop_token& stop) { tell(stop); });
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() {
    if (!thread_.joinable()) return;
    thread_.request_stop();
    thread_.join();
  }

 private:
  void tell(const std::stop_token& stop) {
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    std::mutex mutex;
    std::condition_variable_any changed;
    std::unique_lock lock(mutex);
    bool told = false;
    while (true) {
      changed.wait_for(lock, stop, std::chrono::seconds(1), [] { return false; });
      if (stop.stop_requested()) break;
      const auto seconds =
          std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - begin).count();
      std::cout << fmt::format("\r… {} s; Ctrl-C stops it", seconds) << std::flush;
      told = true;
    }
    if (told) std::cout << "\r\x1b[K" << std::flush;
  }

  std::jthread thread_;
};

class Repl {
 public:
  explicit Repl(SessionOptions options)
      : editor_({.complete = [this](std::string_view before) { return shell_.complete(before); },
                 .hint = [this](std::string_view line) { return hint(line); }},
                shows_colour(STDOUT_FILENO)),
        shell_(std::move(options), {.colour = shows_colour(STDOUT_FILENO) && editor_.acts(),
                                    .width = {},
                                    .columns = terminal_columns,
                                    .hints = true}) {}

  void run(const std::vector<std::string>& files) {
    std::cout << banner();
    if (!editor_.refusal().empty()) say(editor_.refusal());
    bool leave = false;
    for (const std::string& file : files) leave = answer(":load " + file) || leave;
    std::string pending;
    while (!leave) {
      std::string line;
      const auto read = editor_.read(!pending.empty(), line);
      if (read == LineEditor::Read::Interrupted) {
        pending.clear();
        continue;
      }
      if (read == LineEditor::Read::Closed && !pending.empty()) {
        std::cout << "\nthe open input is dropped; Ctrl-D once more leaves\n";
        pending.clear();
        continue;
      }
      if (const std::string told = pending.empty() ? "" : shell_.told_in_open(line);
          !told.empty()) {
        std::cout << told << std::flush;
        continue;
      }
      pending += line;
      if (read == LineEditor::Read::Closed) break;
      if (read == LineEditor::Read::End) {
        // What a closed window cut off can be recalled.
        editor_.remember(pending);
        break;
      }
      const bool blank_line = line.find_first_not_of(" \t\r\n") == std::string::npos;
      if (!shell_.is_whole(pending) && !(blank_line && pending.size() > line.size())) continue;
      editor_.remember(pending);
      leave = answer(pending);
      pending.clear();
    }
    std::cout << "\n";
  }

 private:
  // Whether the session is to end.
  bool answer(const std::string& input) {
    Shell::Answer answered;
    {
      const Progress progress(editor_.acts());
      answered = shell_.answer(input);
    }
    std::cout << answered.text << std::flush;
    clear_interrupt();
    return answered.leave || is_to_end();
  }

  // Not beyond the next key, nor longer than anybody waits for a hint.
  std::string hint(std::string_view line) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(1);
    return shell_.hint(line, [until] {
      return std::chrono::steady_clock::now() > until ||
             wait_for_input(STDIN_FILENO, 0) == Waited::Input || interrupted();
    });
  }

  LineEditor editor_;
  Shell shell_;
};

}  // namespace

int run_repl(SessionOptions options, const std::vector<std::string>& files) {
  options.interactive = true;
  options.execution.cancelled = interrupted;
  catch_interrupts(Interrupts::All);
  catch_ends();
  {
    Repl repl(std::move(options));
    repl.run(files);
  }
  end_if_asked();
  return 0;
}

}  // namespace shard
