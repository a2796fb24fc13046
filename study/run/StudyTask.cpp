#include "study/run/StudyTask.hpp"

namespace openmi {

void StudyTask::Save(StateWriter& writer) const {
  writer.Write(static_cast<std::int64_t>(member));
  writer.Write(static_cast<std::int64_t>(attempt));
  SaveTexts(writer, values);
}

void StudyTask::Load(StateReader& reader) {
  member = static_cast<std::uint64_t>(reader.ReadInteger());
  attempt = static_cast<int>(reader.ReadInteger());
  values = LoadTexts(reader);
}

void StudyReply::Save(StateWriter& writer) const {
  result.Save(writer);
  SaveTexts(writer, shapes);
  SaveObservations(writer, observations);
  writer.Write(std::int64_t{was_killed});
}

void StudyReply::Load(StateReader& reader) {
  result.Load(reader);
  shapes = LoadTexts(reader);
  if (shapes.size() != result.series.size()) throw FormatError({}, "expected a shape for each series of a member");
  observations = LoadObservations(reader);
  was_killed = reader.ReadInteger() != 0;
}

}  // namespace openmi
