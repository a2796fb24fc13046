#include "composition/isolation/SharedAnswers.hpp"

#include <algorithm>
#include <cstring>

namespace openmi {

std::optional<ByteView> SharedAnswers::OneOfBytes(const IBaseValueSet& values) {
  const IBytesRows* bytes = bytes_rows_(values);
  const std::size_t times = bytes != nullptr ? values.GetIndexCount({}) : 0;
  const std::size_t last = times - 1;
  if (times == 0 || values.GetIndexCount(std::span(&last, 1)) != 1) return std::nullopt;
  return bytes->BytesAt(last, 0);
}

std::int64_t SharedAnswers::ByteCount(const IBaseValueSet& values) {
  const auto bytes = OneOfBytes(values);
  return bytes ? static_cast<std::int64_t>(bytes->size()) : -1;
}

std::optional<std::size_t> SharedAnswers::CopyBytes(const IBaseValueSet& values, AnswerPlace to) {
  const auto bytes = OneOfBytes(values);
  const std::size_t words = bytes ? WordsOf(bytes->size()) : 0;
  if (!bytes || words > to.size) return std::nullopt;
  if (words > 0) std::memcpy(window_.At(to.offset, words).data(), bytes->data(), bytes->size());
  return bytes->size();
}

std::span<const double> SharedAnswers::Put(const IBaseValueSet& values, std::size_t number, AnswerPlace to) {
  const std::span<const double> row = rows_.Row(values, number);
  if (row.empty() || (window_.Carrier().Carries() && rows_.Find(values) != nullptr)) return row;
  const std::span<double> place = window_.At(to.offset, row.size());
  std::ranges::copy(row, place.begin());
  return place;
}

std::optional<std::span<const double>> SharedAnswers::CopyRow(const IBaseValueSet& values, AnswerPlace to) {
  if (rows_.Count(values) != 1 || rows_.Row(values, 0).size() > to.size) return std::nullopt;
  return Put(values, 0, to);
}

void SharedAnswers::CopyRows(const IBaseValueSet& values, std::span<const AnswerPlace> places, StateWriter& reply) {
  const std::size_t count = rows_.Count(values);
  reply.Write(static_cast<std::int64_t>(count));
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t size = rows_.Row(values, i).size();
    reply.Write(static_cast<std::int64_t>(size));
    if (i >= places.size() || places[i].size < size) continue;  // it makes room and asks again
    Send(Put(values, i, places[i]));
  }
}

}  // namespace openmi
