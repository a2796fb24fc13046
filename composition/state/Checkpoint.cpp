#include "composition/state/Checkpoint.hpp"

#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

constexpr std::string_view kComponent = "component ";

}  // namespace

std::vector<StateSection> PackCheckpoint(const Checkpoint& checkpoint) {
  StateWriter head;
  head.Write(checkpoint.is_begin);
  head.Write(checkpoint.time.mjd);
  head.Write(static_cast<std::int64_t>(checkpoint.passes));
  head.Write(checkpoint.journal_bytes ? static_cast<std::int64_t>(*checkpoint.journal_bytes) : std::int64_t{-1});
  head.Write(static_cast<std::int64_t>(checkpoint.without_state.size()));
  for (const std::string& id : checkpoint.without_state) head.Write(id);
  StateWriter identity;
  checkpoint.identity.Save(identity);
  StateWriter changed;
  changed.Write(static_cast<std::int64_t>(checkpoint.changed.size()));
  for (const auto& [id, arguments] : checkpoint.changed) {
    changed.Write(id);
    changed.Write(static_cast<std::int64_t>(arguments.size()));
    for (const OmiArgument& argument : arguments) {
      changed.Write(argument.key);
      changed.Write(argument.value);
    }
  }
  std::vector<StateSection> sections;
  sections.push_back({"checkpoint", head.Take()});
  sections.push_back({"identity", identity.Take()});
  sections.push_back({"arguments", changed.Take()});
  for (const auto& [id, bytes] : checkpoint.components) sections.push_back({std::string(kComponent) + id, bytes});
  sections.push_back({"host", checkpoint.host});
  sections.push_back({"series", checkpoint.series});
  return sections;
}

Checkpoint UnpackCheckpoint(std::span<const StateSection> sections, const std::string& file) {
  Checkpoint checkpoint;
  try {
    StateReader head(SectionNamed(sections, "checkpoint", file).bytes);
    checkpoint.is_begin = head.ReadBool();
    checkpoint.time.mjd = head.ReadDouble();
    checkpoint.passes = static_cast<std::uint64_t>(head.ReadInteger());
    if (const std::int64_t bytes = head.ReadInteger(); bytes >= 0) {
      checkpoint.journal_bytes = static_cast<std::uint64_t>(bytes);
    }
    const std::int64_t count = head.ReadInteger();
    for (std::int64_t i = 0; i < count; ++i) checkpoint.without_state.push_back(head.ReadText());
    head.RequireEnd();
    StateReader identity(SectionNamed(sections, "identity", file).bytes);
    checkpoint.identity.Load(identity);
    StateReader changed(SectionNamed(sections, "arguments", file).bytes);
    for (std::int64_t left = changed.ReadInteger(); left > 0; --left) {
      std::vector<OmiArgument>& arguments = checkpoint.changed[changed.ReadText()];
      for (std::int64_t more = changed.ReadInteger(); more > 0; --more) {
        std::string key = changed.ReadText();
        arguments.push_back({.key = std::move(key), .value = changed.ReadText()});
      }
    }
    changed.RequireEnd();
    checkpoint.host = SectionNamed(sections, "host", file).bytes;
    checkpoint.series = SectionNamed(sections, "series", file).bytes;
  } catch (const FormatError& error) {
    throw FormatError({.file = file}, error.Problem(), error.Remedy());
  }
  for (const StateSection& section : sections) {
    if (section.name.starts_with(kComponent)) {
      checkpoint.components.emplace_back(section.name.substr(kComponent.size()), section.bytes);
    }
  }
  return checkpoint;
}

}  // namespace openmi
