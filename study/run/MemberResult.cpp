#include "study/run/MemberResult.hpp"

#include <fmt/format.h>

#include "composition/results/JournalBlock.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"

namespace openmi {
namespace {

/// A count of things that follow; bounded by the reader, which refuses lengths beyond its bytes.
std::size_t ReadCount(StateReader& reader) {
  const std::int64_t count = reader.ReadInteger();
  constexpr std::int64_t kMost = 1'000'000'000;
  if (count < 0 || count > kMost) throw FormatError({}, fmt::format("expected a count, found {}", count));
  return static_cast<std::size_t>(count);
}

void WriteCount(StateWriter& writer, std::size_t count) {
  writer.Write(static_cast<std::int64_t>(count));
}

std::string_view TextOf(ByteView bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

std::string SeriesShape::ToBytes() const {
  StateWriter writer;
  writer.Write(PackSeries(series));
  writer.Write(PackElements(series, std::nullopt));
  writer.Write(begins);
  writer.Write(times);
  return std::string(TextOf(writer.Bytes()));
}

SeriesShape SeriesShape::FromBytes(std::string_view bytes) {
  StateReader reader(ByteView(reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()));
  SeriesShape shape;
  const auto series = UnpackSeries(reader.ReadText());
  if (!series) throw FormatError({}, "expected the description of a series, found other bytes");
  shape.series = *series;
  if (!UnpackElements(reader.ReadText(), {}, shape.series)) {
    throw FormatError({}, "expected the elements of a series, found other bytes");
  }
  shape.begins = reader.ReadDoubles();
  shape.times = reader.ReadDoubles();
  reader.RequireEnd();
  if (shape.begins.size() != shape.times.size()) {
    throw FormatError({}, fmt::format("expected as many starts as ends of rows, found {} and {}", shape.begins.size(),
                                      shape.times.size()));
  }
  return shape;
}

std::uint64_t HashOf(std::string_view bytes) {
  std::string padded(bytes);
  padded.resize((bytes.size() + 7) / 8 * 8, '\0');
  return JournalCheck({.length = bytes.size()}, padded);
}

void SaveTexts(StateWriter& writer, const std::vector<std::string>& texts) {
  WriteCount(writer, texts.size());
  for (const std::string& text : texts) writer.Write(text);
}

std::vector<std::string> LoadTexts(StateReader& reader) {
  std::vector<std::string> texts;
  for (std::size_t left = ReadCount(reader); left > 0; --left) texts.push_back(reader.ReadText());
  return texts;
}

void SaveObservations(StateWriter& writer, const std::vector<Observation>& observations) {
  WriteCount(writer, observations.size());
  for (const Observation& one : observations) {
    SaveTexts(writer, {one.compare, one.item, one.element, one.unit});
    writer.Write(one.times);
    writer.Write(one.values);
  }
}

std::vector<Observation> LoadObservations(StateReader& reader) {
  std::vector<Observation> observations;
  for (std::size_t left = ReadCount(reader); left > 0; --left) {
    const std::vector<std::string> texts = LoadTexts(reader);
    if (texts.size() != 4) throw FormatError({}, "expected four texts of an observation");
    Observation& one = observations.emplace_back(Observation{texts[0], texts[1], texts[2], texts[3], {}, {}});
    one.times = reader.ReadDoubles();
    one.values = reader.ReadDoubles();
    if (one.times.size() != one.values.size()) throw FormatError({}, "expected a value at each time of an observation");
  }
  return observations;
}

void MemberResult::Save(StateWriter& writer) const {
  writer.Write(static_cast<std::int64_t>(member));
  writer.Write(static_cast<std::int64_t>(attempts));
  writer.Write(static_cast<std::int64_t>(end));
  writer.Write(problem);
  writer.Write(seconds);
  SaveTexts(writer, values);
  writer.Write(objectives);
  writer.Write(persistence);
  WriteCount(writer, series.size());
  for (const MemberSeries& one : series) {
    writer.Write(static_cast<std::int64_t>(one.shape));
    writer.Write(one.values);
  }
}

void MemberResult::Load(StateReader& reader) {
  member = static_cast<std::uint64_t>(reader.ReadInteger());
  attempts = static_cast<int>(reader.ReadInteger());
  const std::int64_t how = reader.ReadInteger();
  if (how < 0 || how > static_cast<std::int64_t>(MemberEnd::Late)) {
    throw FormatError({}, fmt::format("expected the end of a member, found {}", how));
  }
  end = static_cast<MemberEnd>(how);
  problem = reader.ReadText();
  seconds = reader.ReadDouble();
  values = LoadTexts(reader);
  objectives = reader.ReadDoubles();
  persistence = reader.ReadDoubles();
  series.clear();
  for (std::size_t left = ReadCount(reader); left > 0; --left) {
    MemberSeries& one = series.emplace_back();
    one.shape = static_cast<std::uint64_t>(reader.ReadInteger());
    one.values = reader.ReadDoubles();
  }
}

double CostOf(const StudyFile& study, const std::vector<double>& objectives) {
  double cost = 0.0;
  for (std::size_t i = 0; i < study.objectives.size(); ++i) {
    const ObjectiveSpec& objective = study.objectives[i];
    if (objective.weight > 0.0)
      cost += objective.weight * objective.CostOf(i < objectives.size() ? objectives[i] : kNotANumber);
  }
  return cost;
}

}  // namespace openmi
