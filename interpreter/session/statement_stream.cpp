#include "interpreter/session/statement_stream.h"

#include <system_error>
#include <utility>

#include "base/cancellation.h"

namespace shard {

namespace {

// Below that many bytes starting a thread takes longer than it saves.
constexpr std::size_t kLongText = std::size_t{1} << 16;
// Large enough that handing a batch over costs nothing next to reading it, and small enough that the statements waiting
// (some 2,000) stay in the processor's second cache.
constexpr std::size_t kBatchSize = 128;
constexpr std::size_t kBatchesAhead = 16;

}  // namespace

StatementStream::StatementStream(const SourceMap& sources, FileId file, Names& names,
                                 DiagnosticSink& sink, std::function<bool()> cancelled)
    : sink_(sink) {
  if (sources.text(file).size() >= kLongText) {
    try {
      sources_ = sources;
      thread_ = std::thread([this, file, &names, cancelled = std::move(cancelled)] {
        read_ahead(file, names, cancelled);
      });
      return;
    } catch (const std::system_error&) {
      // The system has no thread to give: the text is read as it is asked for.
    }
  }
  reader_.emplace(sources, file, names, sink);
}

StatementStream::~StatementStream() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    is_unwanted_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

const ast::Statement* StatementStream::next() {
  if (!thread_.joinable()) {
    statement_ = reader_->next();
    return statement_ ? &*statement_ : nullptr;
  }
  if (next_ == batch_.statements.size() && !take_batch()) return nullptr;
  while (reported_ < batch_.reported[next_])
    sink_.report(std::move(batch_.diagnostics[reported_++]));
  return &batch_.statements[next_++];
}

// What is reported after the last statement comes with the last batch, which may have no other content.
bool StatementStream::take_batch() {
  std::unique_lock lock(mutex_);
  while (true) {
    while (reported_ < batch_.diagnostics.size())
      sink_.report(std::move(batch_.diagnostics[reported_++]));
    changed_.wait(lock, [&] { return !ahead_.empty() || is_read_; });
    if (ahead_.empty()) {
      batch_ = {};
      next_ = reported_ = 0;
      if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
      return false;
    }
    used_ = std::exchange(batch_, std::move(ahead_.front()));
    ahead_.pop_front();
    next_ = reported_ = 0;
    // The reader is the faster of the two: it sleeps until half of the queue is gone, in place of waking for each batch.
    if (ahead_.size() <= kBatchesAhead / 2) changed_.notify_all();
    if (!batch_.statements.empty()) return true;
  }
}

void StatementStream::read_ahead(FileId file, Names& names, std::function<bool()> cancelled) {
  const Cancellation until(std::move(cancelled));
  try {
    reader_.emplace(sources_, file, names, read_);
    bool wanted = true;
    bool more = true;
    std::size_t handed = 0;  // diagnostics
    while (wanted && more) {
      Batch batch;
      while (batch.statements.size() < kBatchSize) {
        auto statement = reader_->next();
        more = statement.has_value();
        if (!more) break;
        batch.statements.push_back(*std::move(statement));
        batch.reported.push_back(read_.all().size() - handed);
      }
      batch.diagnostics.assign(read_.all().begin() + static_cast<std::ptrdiff_t>(handed),
                               read_.all().end());
      handed = read_.all().size();
      wanted = hand_over(std::move(batch));
    }
  } catch (...) {
    const std::lock_guard lock(mutex_);
    failure_ = std::current_exception();
  }
  {
    const std::lock_guard lock(mutex_);
    is_read_ = true;
  }
  changed_.notify_all();
}

bool StatementStream::hand_over(Batch batch) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return ahead_.size() < kBatchesAhead || is_unwanted_; });
  if (is_unwanted_) return false;
  ahead_.push_back(std::move(batch));
  if (ahead_.size() == 1) changed_.notify_all();
  const Batch used = std::exchange(used_, {});
  lock.unlock();
  return true;
}

}  // namespace shard
