#include "composition/isolation/SharedAnswers.hpp"

#include <algorithm>
#include <cstring>

#include "openmi/sdk/Missing.hpp"

namespace openmi {
namespace {

/// \param rows  `values` as rows of numbers, or null
std::size_t CountOf(const IBaseValueSet& values, const INumericRows* rows) {
  return rows != nullptr ? rows->RowCount() : values.GetIndexCount({});
}

std::size_t SizeOf(const IBaseValueSet& values, const INumericRows* rows, std::size_t row) {
  return rows != nullptr ? rows->Row(row).size() : values.GetIndexCount(std::span(&row, 1));
}

void Copy(const IBaseValueSet& values, const INumericRows* rows, std::size_t row, std::span<double> to) {
  if (rows != nullptr) {
    std::ranges::copy(rows->Row(row), to.begin());
    return;
  }
  for (std::size_t element = 0; element < to.size(); ++element) {
    const std::size_t place[] = {row, element};
    to[element] = values.GetValue(std::span<const std::size_t>(place)).Number().value_or(kNotANumber);
  }
}

}  // namespace

std::optional<std::span<const std::byte>> SharedAnswers::OneOfBytes(const IBaseValueSet& values) {
  const IBytesRows* door = bytes_rows_(values);
  const std::size_t times = door != nullptr ? values.GetIndexCount({}) : 0;
  const std::size_t last = times - 1;
  if (times == 0 || values.GetIndexCount(std::span(&last, 1)) != 1) return std::nullopt;
  return door->BytesAt(last, 0);
}

std::int64_t SharedAnswers::ByteCount(const IBaseValueSet& values) {
  const auto bytes = OneOfBytes(values);
  return bytes ? static_cast<std::int64_t>(bytes->size()) : -1;
}

std::optional<std::size_t> SharedAnswers::CopyBytes(const IBaseValueSet& values, AnswerPlace to) {
  const auto bytes = OneOfBytes(values);
  const std::size_t words = bytes ? (bytes->size() + sizeof(double) - 1) / sizeof(double) : 0;
  if (!bytes || words > to.size) return std::nullopt;
  if (words > 0) std::memcpy(window_.At(to.offset, words).data(), bytes->data(), bytes->size());
  return bytes->size();
}

std::optional<std::size_t> SharedAnswers::CopyRow(const IBaseValueSet& values, AnswerPlace to) {
  const INumericRows* rows = numeric_rows_(values);
  if (CountOf(values, rows) != 1) return std::nullopt;
  const std::size_t size = SizeOf(values, rows, 0);
  if (size > to.size) return std::nullopt;
  if (size > 0) Copy(values, rows, 0, window_.At(to.offset, size));
  return size;
}

void SharedAnswers::CopyRows(const IBaseValueSet& values, std::span<const AnswerPlace> places, StateWriter& reply) {
  const INumericRows* rows = numeric_rows_(values);
  const std::size_t count = CountOf(values, rows);
  reply.Write(static_cast<std::int64_t>(count));
  for (std::size_t row = 0; row < count; ++row) {
    const std::size_t size = SizeOf(values, rows, row);
    reply.Write(static_cast<std::int64_t>(size));
    if (row >= places.size() || places[row].size < size || size == 0) continue;  // it makes room and asks again
    Copy(values, rows, row, window_.At(places[row].offset, size));
  }
}

}  // namespace openmi
