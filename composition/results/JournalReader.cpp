#include "composition/results/JournalReader.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <numeric>
#include <string>

#include "composition/results/FileProblem.hpp"
#include "composition/results/JournalBlock.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/elements/ElementSet.hpp"
#include "timespace/times/Stamp.hpp"

namespace openmi {
namespace {

constexpr std::uint64_t kRowHead = 16;  // start and end, before the values

/// Sorts rows by end; of several at the same time keeps the last one in the file.
void Order(std::vector<JournalReader::Row>& rows) {
  const auto is_before = [](const JournalReader::Row& a, const JournalReader::Row& b) {
    return Before({a.end}, {b.end});
  };
  bool is_ordered = true;
  for (std::size_t i = 1; i < rows.size() && is_ordered; ++i) is_ordered = is_before(rows[i - 1], rows[i]);
  if (is_ordered) return;
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.end < b.end; });
  std::vector<JournalReader::Row> kept;
  for (const JournalReader::Row& row : rows) {
    if (kept.empty() || is_before(kept.back(), row)) {
      kept.push_back(row);
    } else if (kept.back().offset < row.offset) {
      kept.back() = row;
    }
  }
  rows = std::move(kept);
}

}  // namespace

JournalReader::JournalReader(const std::filesystem::path& path, std::uint64_t limit)
    : path_(path), file_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (!file_.IsOpen()) ThrowFileProblem(path, "read a journal of results", errno);
  std::vector<char> buffer(1 << 20);
  std::ifstream file;
  file.rdbuf()->pubsetbuf(buffer.data(), static_cast<std::streamsize>(buffer.size()));
  file.open(path, std::ios::binary);
  // Must not count as an empty journal: a run that continues from it would lose every row.
  if (!file.is_open()) ThrowFileProblem(path, "read a journal of results", errno);
  std::string magic(kJournalMagic.size(), '\0');
  file.read(magic.data(), static_cast<std::streamsize>(magic.size()));
  magic.resize(static_cast<std::size_t>(file.gcount()));
  if (!kJournalMagic.starts_with(magic) && !IsJournal(magic)) {
    throw FormatError({.file = path.string()}, "expected a journal of results, found something else",
                      "remove the file if it is in the way");
  }
  ReadBlocks(file, limit);
  for (auto& rows : rows_) Order(rows);
}

void JournalReader::ReadBlocks(std::istream& file, std::uint64_t limit) {
  std::error_code error;
  const std::uint64_t there = std::filesystem::file_size(path_, error);
  if (error) {
    throw FileError({.file = path_.string()}, fmt::format("expected a journal of results, found: {}", error.message()),
                    "remove what is in the way");
  }
  const std::uint64_t size = std::min<std::uint64_t>(there, limit);
  std::uint64_t offset = kJournalMagic.size();
  std::size_t expected = 0;
  std::string body;
  bool has_info = false;
  ResultSeries elements;  // of the next series
  while (offset + sizeof(JournalBlock) <= size) {
    JournalBlock head;
    file.read(reinterpret_cast<char*>(&head), sizeof head);
    offset += sizeof head;
    if (!file || head.length % 8 != 0 || head.length > size - offset) break;
    body.resize(head.length);
    file.read(body.data(), static_cast<std::streamsize>(body.size()));
    if (!file || JournalCheck(head, body) != head.check) break;
    if (head.kind == JournalBlockKind::Info && !has_info) {
      const auto info = UnpackRunInfo(body);
      if (!info) break;
      info_ = *info;
      expected = head.series;
      has_info = true;
    } else if (head.kind == JournalBlockKind::Series && series_.size() < expected && head.series == series_.size()) {
      auto series = UnpackSeries(body);
      if (!series) break;
      const bool fits = elements.places != nullptr &&
                        static_cast<std::size_t>(elements.places->ElementCount()) == series->elements.size();
      if (fits) series->places = std::move(elements.places);
      series->elements_caption = std::move(elements.elements_caption);
      elements = {};
      series_.push_back(std::move(*series));
    } else if (head.kind == JournalBlockKind::Elements && series_.size() < expected && head.series == series_.size()) {
      if (!UnpackElements(body, series_, elements)) break;
    } else if (head.kind == JournalBlockKind::Row && series_.size() == expected && head.series < expected &&
               head.length == kRowHead + 8 * series_[head.series].Width()) {
      rows_.resize(expected);
      Row row;
      std::memcpy(&row.begin, body.data(), 8);
      std::memcpy(&row.end, body.data() + 8, 8);
      row.offset = offset + kRowHead;
      rows_[head.series].push_back(row);
    } else if (head.kind == JournalBlockKind::Note && has_info && series_.size() == expected) {
      info_.notes.push_back(body.substr(0, body.find('\0')));
    } else {
      break;
    }
    offset += head.length;
  }
  if (file.bad())
    ThrowFileProblem(path_, "read a journal of results", EIO);  // not the end of the file: the disk failed
  end_ = offset;
  is_cut_ = offset != size;
  is_begun_ = has_info && series_.size() == expected;
  if (!is_begun_) series_.clear();
  rows_.resize(series_.size());
}

void JournalReader::ReadValues(const Row& row, std::span<double> values) const {
  char* to = reinterpret_cast<char*>(values.data());
  std::size_t left = values.size_bytes();
  auto offset = static_cast<off_t>(row.offset);
  while (left > 0) {
    const ssize_t count = pread(file_.Number(), to, left, offset);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) ThrowFileProblem(path_, "read a row of results", count < 0 ? errno : EIO);
    to += count;
    offset += count;
    left -= static_cast<std::size_t>(count);
  }
}

void JournalReader::ForEachRow(
    const std::function<void(std::size_t series, const Row& row, std::span<const double> values)>& take) const {
  struct Cursor {
    std::vector<std::size_t> order;  // of the rows in the file; empty: already ascending
    std::size_t next = 0;
  };
  std::vector<Cursor> cursors(rows_.size());
  for (std::size_t series = 0; series < rows_.size(); ++series) {
    const std::vector<Row>& rows = rows_[series];
    if (std::ranges::is_sorted(rows, {}, &Row::offset)) continue;
    std::vector<std::size_t>& order = cursors[series].order;
    order.resize(rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&rows](std::size_t row) { return rows[row].offset; });
  }
  std::vector<char> buffer(1 << 20);
  std::ifstream file;
  file.rdbuf()->pubsetbuf(buffer.data(), static_cast<std::streamsize>(buffer.size()));
  file.open(path_, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(kJournalMagic.size()));
  std::uint64_t offset = kJournalMagic.size();
  std::vector<double> values;
  JournalBlock head;
  while (offset + sizeof head <= end_ && file.read(reinterpret_cast<char*>(&head), sizeof head)) {
    const std::uint64_t at = offset + sizeof head + kRowHead;
    offset += sizeof head + head.length;
    Cursor* const cursor =
        head.kind == JournalBlockKind::Row && head.series < cursors.size() ? &cursors[head.series] : nullptr;
    const std::vector<Row>* const rows = cursor != nullptr ? &rows_[head.series] : nullptr;
    const Row* const row = cursor == nullptr || cursor->next == rows->size()
                               ? nullptr
                               : &(*rows)[cursor->order.empty() ? cursor->next : cursor->order[cursor->next]];
    if (row == nullptr || row->offset != at) {  // not a row, or replaced by a later one at the same time
      file.seekg(static_cast<std::streamoff>(head.length), std::ios::cur);
      continue;
    }
    ++cursor->next;
    values.resize(series_[head.series].Width());
    file.ignore(kRowHead);
    file.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(double)));
    if (!file) break;
    take(head.series, *row, values);
  }
  if (!file) ThrowFileProblem(path_, "read a row of results", EIO);
}

}  // namespace openmi
