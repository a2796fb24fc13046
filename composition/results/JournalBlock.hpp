#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "composition/results/ResultSeries.hpp"

namespace openmi {

/// The first eight bytes of every journal; the last byte is the version of the form. 2: there are notes. 3: there are
/// elements.
inline constexpr std::string_view kJournalMagic = "OPENMIJ\3";
/// Whether a file with these first bytes is a journal of any version.
inline bool IsJournal(std::string_view begin) {
  const std::size_t last = kJournalMagic.size() - 1;
  return begin.size() > last && begin.starts_with(kJournalMagic.substr(0, last)) && begin[last] >= 1 &&
         begin[last] <= kJournalMagic[last];
}

/// Elements come before the series that has them.
enum class JournalBlockKind : std::uint32_t { Info = 1, Series = 2, Row = 3, Note = 4, Elements = 5 };

/// The head of a block, before each body.
struct JournalBlock {
  JournalBlockKind kind = JournalBlockKind::Info;
  std::uint32_t series = 0;
  std::uint64_t length = 0;  ///< of the body, in bytes, with its padding; a multiple of 8
  std::uint64_t check = 0;   ///< of kind, series, length and body
};
static_assert(sizeof(JournalBlock) == 24);

/// A check sum that costs one multiplication for eight bytes: FNV-1a over words of 64 bit.
/// \param bytes  the body; its length is a multiple of 8
///
/// Source: [Fowler2019], with words in place of bytes.
inline std::uint64_t JournalCheck(const JournalBlock& head, std::string_view bytes) {
  constexpr std::uint64_t kPrime = 1099511628211u;
  std::uint64_t check = 14695981039346656037u;
  check = (check ^ (static_cast<std::uint64_t>(head.kind) << 32 | head.series)) * kPrime;
  check = (check ^ head.length) * kPrime;
  for (std::size_t i = 0; i + 8 <= bytes.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, 8);
    check = (check ^ word) * kPrime;
    check ^= check >> 32;  // a product carries upwards only; this passes the high bits to the low ones
  }
  return check;
}

/// The bodies of the first blocks of a journal.
std::string PackRunInfo(const RunInfo& info);
std::string PackSeries(const ResultSeries& series);

/// The caption and the places of the elements of a series.
/// \param same_as  number of an earlier series with the same places, which are then not repeated
std::string PackElements(const ResultSeries& series, std::optional<std::size_t> same_as);

/// Reads such a body; nothing if the bytes are not one.
std::optional<RunInfo> UnpackRunInfo(std::string_view bytes);
std::optional<ResultSeries> UnpackSeries(std::string_view bytes);
/// Reads the body of elements into a series.
/// \param earlier  the series before it
/// \returns false if the bytes are not one, or name no earlier series
bool UnpackElements(std::string_view bytes, std::span<const ResultSeries> earlier, ResultSeries& series);

}  // namespace openmi
