#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "composition/isolation/RowArena.hpp"
#include "openmi/sdk/CastByType.hpp"
#include "timespace/values/BytesValueSet.hpp"
#include "timespace/values/NumberRows.hpp"

namespace openmi {

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
  /// Copies the one row of numbers, if `to` has room for it.
  /// \returns the number of values; no value if there are more rows, or no room
  std::optional<std::size_t> CopyRow(const IBaseValueSet& values, AnswerPlace to);
  /// Copies the one value of bytes, if `to` has room for it.
  /// \returns the number of bytes; no value if there are other values, or no room
  std::optional<std::size_t> CopyBytes(const IBaseValueSet& values, AnswerPlace to);
  /// The number of bytes of the one value of bytes at the last time; -1 if there are other values.
  std::int64_t ByteCount(const IBaseValueSet& values);
  /// Copies the rows that have room in `places`, and writes the size of each row to `reply`.
  void CopyRows(const IBaseValueSet& values, std::span<const AnswerPlace> places, StateWriter& reply);

 private:
  std::optional<ByteView> OneOfBytes(const IBaseValueSet& values);

  RowWindow& window_;
  NumberRows rows_;
  CastByType<const IBytesRows, const IBaseValueSet> bytes_rows_;
};

}  // namespace openmi
