#include "composition/results/ResultJournal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "composition/results/FileProblem.hpp"
#include "composition/results/JournalBlock.hpp"
#include "composition/results/JournalReader.hpp"
#include "composition/results/ResultSeries.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {
namespace {

constexpr std::size_t kFlushAt = 1 << 20;
constexpr double kNever = -std::numeric_limits<double>::infinity();

void PutHead(std::string& bytes, std::size_t at, JournalBlockKind kind, std::size_t series) {
  JournalBlock head;
  head.kind = kind;
  head.series = static_cast<std::uint32_t>(series);
  head.length = bytes.size() - at - sizeof head;
  head.check = JournalCheck(head, std::string_view(bytes).substr(at + sizeof head));
  std::memcpy(bytes.data() + at, &head, sizeof head);
}

void PutText(std::string& bytes, JournalBlockKind kind, std::size_t series, std::string text) {
  text.resize((text.size() + 7) / 8 * 8, '\0');
  const std::size_t at = bytes.size();
  bytes.append(sizeof(JournalBlock), '\0');
  bytes += text;
  PutHead(bytes, at, kind, series);
}

/// The first series before number `i` that has its places.
std::optional<std::size_t> SamePlaces(const std::vector<ResultSeries>& series, std::size_t i) {
  if (series[i].places == nullptr) return std::nullopt;
  for (std::size_t k = 0; k < i; ++k) {
    if (series[k].places == series[i].places) return k;
  }
  return std::nullopt;
}

}  // namespace

ResultJournal::ResultJournal(std::filesystem::path path, const RunInfo& info, std::vector<ResultSeries> series,
                             AppendFile::Existing existing)
    : series_((CheckResultSeries(series), std::move(series))),
      file_(std::move(path), existing),
      last_end_(kNever),
      pending_end_(kNever) {
  pending_ = kJournalMagic;
  PutText(pending_, JournalBlockKind::Info, series_.size(), PackRunInfo(info));
  for (std::size_t i = 0; i < series_.size(); ++i) {
    if (series_[i].places != nullptr || !series_[i].elements_caption.empty()) {
      PutText(pending_, JournalBlockKind::Elements, i, PackElements(series_[i], SamePlaces(series_, i)));
    }
    PutText(pending_, JournalBlockKind::Series, i, PackSeries(series_[i]));
  }
  if (const int error = file_.Write(pending_); error != 0) {
    file_.Discard();
    ThrowFileProblem(file_.Path(), "write results", error);
  }
  pending_.clear();
}

ResultJournal::ResultJournal(std::filesystem::path path, std::vector<ResultSeries> series, std::uint64_t size)
    : series_((CheckResultSeries(series), std::move(series))),
      file_(std::move(path), size),
      last_end_(kNever),
      pending_end_(kNever) {
  const JournalReader reader(file_.Path(), size);
  const auto refuse = [this](const std::string& expected, const std::string& found) {
    throw FormatError({.file = file_.Path().string()}, fmt::format("expected {}, found {}", expected, found),
                      "start anew, with --overwrite");
  };
  if (!reader.IsBegun() || reader.IsCut()) {
    refuse(fmt::format("a whole journal in its first {} bytes", size), "that it was changed since");
  }
  const bool is_same = std::ranges::equal(series_, reader.Series(), [](const ResultSeries& a, const ResultSeries& b) {
    return PackSeries(a) == PackSeries(b);
  });
  if (!is_same) refuse("a journal of the series that are observed now", "one of others");
  for (std::size_t i = 0; i < series_.size(); ++i) {
    if (!reader.Rows(i).empty()) last_end_ = std::max(last_end_, reader.Rows(i).back().end);
  }
  is_cut_due_ = true;
}

ResultJournal::~ResultJournal() {
  try {
    if (file_.IsOpen() && !is_cut_due_) Flush();
  } catch (const Error&) {
    // Call Close to get the error.
  }
}

void ResultJournal::Append(std::size_t series, double begin, double end, std::span<const double> values) {
  CheckRow(series_, series, begin, end, values);
  const std::size_t at = pending_.size();
  pending_.resize(at + sizeof(JournalBlock) + 16 + values.size_bytes());
  char* body = pending_.data() + at + sizeof(JournalBlock);
  std::memcpy(body, &begin, 8);
  std::memcpy(body + 8, &end, 8);
  if (!values.empty()) std::memcpy(body + 16, values.data(), values.size_bytes());
  PutHead(pending_, at, JournalBlockKind::Row, series);
  pending_end_ = std::max(pending_end_, end);
  if (pending_.size() >= kFlushAt) Flush();
}

void ResultJournal::Note(const std::string& text) {
  PutText(pending_, JournalBlockKind::Note, 0, text);
  if (!is_cut_due_) Flush();
}

void ResultJournal::CutBack() {
  if (!is_cut_due_) return;
  file_.CutBack();
  is_cut_due_ = false;
}

void ResultJournal::Commit(double) {
  Flush();
}

void ResultJournal::Flush() {
  if (pending_.empty()) return;
  CutBack();
  if (const int error = file_.Write(pending_); error != 0) {
    ThrowFileProblem(file_.Path(), "append results", error,
                     last_end_ == kNever
                         ? std::string()
                         : fmt::format("the rows up to {} are safe in this journal", FormatIsoTime(Stamp{last_end_})));
  }
  pending_.clear();
  last_end_ = pending_end_;
}

void ResultJournal::Close() {
  if (file_.IsOpen()) Flush();
}

void ResultJournal::Release() {
  file_.Drop();
}

}  // namespace openmi
