#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "composition/isolation/RowArena.hpp"
#include "composition/isolation/RowPath.hpp"
#include "openmi/sdk/CastByType.hpp"
#include "timespace/values/BytesValueSet.hpp"
#include "timespace/values/NumberRows.hpp"

namespace openmi {

/// How many numbers of 8 bytes hold so many bytes.
constexpr std::size_t WordsOf(std::size_t bytes) {
  return (bytes + sizeof(double) - 1) / sizeof(double);
}

/// Where a worker has room for a row or for bytes in the shared memory.
struct AnswerPlace {
  std::size_t offset = 0;  ///< bytes
  std::size_t size = 0;    ///< in numbers of 8 bytes
};

/// Writes the answers to a worker's questions into the memory that both processes share.
class SharedAnswers {
 public:
  /// \param window  borrowed
  explicit SharedAnswers(RowWindow& window) : window_(window) {}

  /// Learns of memory that the worker added.
  void ReadNews(StateReader& reader) { window_.ReadNews(reader); }
  /// A row, and where it comes from.
  struct Answer {
    std::span<const double> row;
    RowName name;
  };
  /// The one row of numbers. Unless it comes on `route`, it is copied to `to`. If the two sides share no memory, it is
  /// the row of the provider, which keeps it until the next question.
  /// \param route  of the link; null: none
  /// \returns no value if there are more rows, or no room
  std::optional<Answer> CopyRow(const IBaseValueSet& values, AnswerPlace to, const RowRoute* route);
  /// Sends a row with the next message, if the two sides share no memory.
  void Send(std::span<const double> row) { window_.Carrier().Send(row); }
  /// The bytes that were copied to `place`, as numbers.
  std::span<const double> CopiedBytes(AnswerPlace place, std::size_t bytes) const {
    return bytes > 0 ? std::span<const double>(window_.At(place.offset, WordsOf(bytes))) : std::span<const double>();
  }
  /// Copies the one value of bytes, if `to` has room for it.
  /// \returns the number of bytes; no value if there are other values, or no room
  std::optional<std::size_t> CopyBytes(const IBaseValueSet& values, AnswerPlace to);
  /// The number of bytes of the one value of bytes at the last time; -1 if there are other values.
  std::int64_t ByteCount(const IBaseValueSet& values);
  /// Copies the rows that have room in `places` and do not come on `route`, and writes the size of each row to `reply`.
  /// \returns whether the values of all rows are here
  bool CopyRows(const IBaseValueSet& values, std::span<const AnswerPlace> places, const RowRoute* route,
                StateWriter& reply);

 private:
  /// Copies a row to where the worker sees it. If the two sides share no memory, and the values hold their rows, it is
  /// left where it is.
  Answer Put(const IBaseValueSet& values, std::size_t number, AnswerPlace to, const RowRoute* route);
  std::optional<ByteView> OneOfBytes(const IBaseValueSet& values);

  RowWindow& window_;
  NumberRows rows_;
  CastByType<const IBytesRows, const IBaseValueSet> bytes_rows_;
};

}  // namespace openmi
