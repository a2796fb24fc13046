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

SharedAnswers::Answer SharedAnswers::Put(const IBaseValueSet& values, std::size_t number, AnswerPlace to,
                                         const RowRoute* route) {
  const std::span<const double> row = rows_.Row(values, number);
  if (route != nullptr) {
    if (const RowName name = route->NameOf(row); !name.IsHere()) return {row, name};
  }
  if (row.empty() || (window_.Carrier().Carries() && rows_.Find(values) != nullptr)) return {row, {}};
  const std::span<double> place = window_.At(to.offset, row.size());
  std::ranges::copy(row, place.begin());
  if (!window_.Carrier().Carries()) window_.Carrier().NoteCopy(row);
  return {place, {}};
}

std::optional<SharedAnswers::Answer> SharedAnswers::CopyRow(const IBaseValueSet& values, AnswerPlace to,
                                                            const RowRoute* route) {
  if (rows_.Count(values) != 1 || rows_.Row(values, 0).size() > to.size) return std::nullopt;
  return Put(values, 0, to, route);
}

bool SharedAnswers::CopyRows(const IBaseValueSet& values, std::span<const AnswerPlace> places, const RowRoute* route,
                             StateWriter& reply) {
  const std::size_t count = rows_.Count(values);
  bool are_here = true;
  reply.Write(static_cast<std::int64_t>(count));
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t size = rows_.Row(values, i).size();
    reply.Write(static_cast<std::int64_t>(size));
    if (i >= places.size() || places[i].size < size) continue;  // it makes room and asks again
    const Answer answer = Put(values, i, places[i], route);
    answer.name.Write(reply);
    if (answer.name.IsHere()) Send(answer.row);
    are_here = are_here && answer.name.IsHere();
  }
  return are_here;
}

}  // namespace openmi
