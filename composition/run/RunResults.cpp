#include "composition/run/RunResults.hpp"

#include <utility>

namespace openmi {

template <class Work>
void RunResults::Noting(const Work& work) {
  try {
    work();
  } catch (...) {
    failure_ = std::current_exception();
    throw;
  }
}

void RunResults::Take(std::unique_ptr<RunFiles> files, std::unique_ptr<RunCheckpoints> checkpoints, bool begins_anew,
                      bool overwrites) {
  files_ = std::move(files);
  checkpoints_ = std::move(checkpoints);
  begins_anew_ = begins_anew;
  overwrites_ = overwrites;
}

void RunResults::OpenAnew(const std::vector<RecordedSeries>& series) {
  if (!files_) return;
  Noting([&] {
    if (!overwrites_) checkpoints_->Begin();
    files_->Open(series, overwrites_);
    if (overwrites_ && files_->IsInPlace()) checkpoints_->Begin();  // no rows are written: nothing has to be replaced
  });
  begins_anew_ = false;
  for (const EarlyRow& row : early_rows_) Write(row.series, row.begin, row.end, row.values);
  early_rows_ = {};
}

void RunResults::GiveWay() {
  if (!files_ || files_->IsInPlace()) return;
  // A part of the earlier results may be gone after a failure: the run must not continue.
  Noting([&] {
    // First the checkpoint of the start: if the run ends at any point from here on, it can be started again.
    if (overwrites_) checkpoints_->Begin();
    files_->TakePlace();
  });
}

void RunResults::Write(std::size_t series, Stamp begin, Stamp end, std::span<const double> row) {
  if (!files_ || failure_) return;
  if (begins_anew_) {
    early_rows_.push_back({series, begin, end, {row.begin(), row.end()}});
    return;
  }
  try {
    files_->Append(series, begin.mjd, end.mjd, row);
  } catch (...) {
    failure_ = std::current_exception();  // not a failure of the component that publishes: it continues
  }
}

void RunResults::Note(const std::string& text) {
  if (!files_ || failure_) return;
  try {
    files_->Note(text);
  } catch (...) {
    failure_ = std::current_exception();
  }
}

void RunResults::CommitRows(Stamp until) {
  RethrowFailure();
  Noting([&] {
    if (files_->Commit(until.mjd)) GiveWay();
  });
}

}  // namespace openmi
