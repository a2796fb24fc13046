#include "composition/results/JournalBlock.hpp"

#include <memory>

#include "composition/results/ByteText.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/elements/ElementSet.hpp"
#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi {
namespace {

constexpr std::int64_t kNone = -1;

}  // namespace

std::string PackRunInfo(const RunInfo& info) {
  ByteWriter bytes;
  for (const std::string* text : {&info.title, &info.source, &info.history, &info.comment}) bytes.Put(*text);
  if (info.compression > 0)
    bytes.Put(
        static_cast<std::uint64_t>(info.compression));  // optional: the first version of the form does not have it
  return bytes.Bytes();
}

std::optional<RunInfo> UnpackRunInfo(std::string_view text) {
  ByteReader bytes(text);
  RunInfo info;
  for (std::string* member : {&info.title, &info.source, &info.history, &info.comment}) *member = bytes.Text();
  if (!bytes.IsGood()) return std::nullopt;
  const std::uint64_t compression = bytes.Whole();
  if (bytes.IsGood() && compression <= 9) info.compression = static_cast<int>(compression);
  return info;
}

std::string PackSeries(const ResultSeries& series) {
  ByteWriter bytes;
  for (const std::string* text : {&series.id, &series.caption, &series.quantity, &series.unit, &series.comment}) {
    bytes.Put(*text);
  }
  bytes.Put(std::string_view(kResultKinds.NameOf(series.kind)));
  bytes.Put(series.span.value_or(Days()).count);  // 0: none
  bytes.Put(series.missing);
  bytes.Put(static_cast<std::uint64_t>(series.is_longitude_latitude));
  bytes.Put(static_cast<std::uint64_t>(series.elements.size()));
  for (const std::string& element : series.elements) bytes.Put(element);
  for (const auto* coordinates : {&series.x, &series.y}) {
    bytes.Put(static_cast<std::uint64_t>(coordinates->size()));
    for (const double number : *coordinates) bytes.Put(number);
  }
  bytes.Put(static_cast<std::uint64_t>(series.attributes.size()));
  for (const auto& [name, text] : series.attributes) {
    bytes.Put(name);
    bytes.Put(text);
  }
  return bytes.Bytes();
}

std::optional<ResultSeries> UnpackSeries(std::string_view text) {
  ByteReader bytes(text);
  ResultSeries series;
  for (std::string* member : {&series.id, &series.caption, &series.quantity, &series.unit, &series.comment}) {
    *member = bytes.Text();
  }
  const auto kind = kResultKinds.Find(bytes.Text());
  if (!kind) return std::nullopt;
  series.kind = *kind;
  if (const Days span{bytes.Number()}; span > Days()) series.span = span;
  series.missing = bytes.Number();
  series.is_longitude_latitude = bytes.Whole() != 0;
  series.elements.resize(bytes.Count());
  for (std::string& element : series.elements) element = bytes.Text();
  for (auto* coordinates : {&series.x, &series.y}) {
    coordinates->resize(bytes.Count());
    for (double& number : *coordinates) number = bytes.Number();
  }
  series.attributes.resize(bytes.Count());
  for (auto& [name, value] : series.attributes) {
    name = bytes.Text();
    value = bytes.Text();
  }
  return bytes.IsGood() ? std::optional(series) : std::nullopt;
}

std::string PackElements(const ResultSeries& series, std::optional<std::size_t> same_as) {
  StateWriter bytes;
  bytes.Write(std::string_view(series.elements_caption));
  bytes.Write(same_as ? static_cast<std::int64_t>(*same_as) : kNone);
  bytes.Write(!same_as && series.places != nullptr);
  if (!same_as && series.places != nullptr) WriteElementSet(bytes, *series.places);
  return std::string(reinterpret_cast<const char*>(bytes.Bytes().data()), bytes.Bytes().size());
}

bool UnpackElements(std::string_view text, std::span<const ResultSeries> earlier, ResultSeries& series) try {
  StateReader bytes(std::as_bytes(std::span(text)));
  series.elements_caption = bytes.ReadText();
  const std::int64_t same_as = bytes.ReadInteger();
  if (same_as != kNone) {
    if (same_as < 0 || same_as >= static_cast<std::int64_t>(earlier.size())) return false;
    series.places = earlier[static_cast<std::size_t>(same_as)].places;
  } else if (bytes.ReadBool()) {
    series.places = std::make_shared<const ElementSet>(ReadElementSet(bytes));
  }
  return true;
} catch (const FormatError&) {
  return false;
}

}  // namespace openmi
