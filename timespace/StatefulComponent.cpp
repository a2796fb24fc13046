#include "timespace/StatefulComponent.hpp"

#include <fmt/format.h>

#include <utility>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Status.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "timespace/times/Iso8601.hpp"
#include "timespace/values/RowHistory.hpp"

namespace openmi {
namespace {

constexpr std::string_view kMagic = "openmi2-state";
constexpr std::int64_t kForm = 1;

/// FNV-1a, 64 bits: detects accidental changes of bytes.
///
/// Source: Fowler, Noll, Vo, RFC 9923.
std::int64_t Checksum(ByteView bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::byte byte : bytes) hash = (hash ^ std::to_integer<std::uint64_t>(byte)) * 0x100000001b3;
  return static_cast<std::int64_t>(hash);
}

/// The rows of one output, decoded.
struct OutputRows {
  NumericOutput* output;
  RowHistory rows;
};

/// Checks the newest rows against the elements that the outputs have after `LoadState`.
///
/// Earlier rows may have other elements, when elements are added and removed during a run.
/// \throws FormatError  the numbers differ
void RequireElements(const std::vector<OutputRows>& decoded, const std::string& component) {
  for (const auto& [output, rows] : decoded) {
    const std::size_t found = rows.Empty() ? output->ElementCount() : rows.LastRow().size();
    if (found == output->ElementCount()) continue;
    throw FormatError({.component = component, .item = output->IdText()},
                      fmt::format("expected {} elements in a state, found {}", output->ElementCount(), found),
                      "restore it with the arguments it was kept with");
  }
}

}  // namespace

void StatefulSteppingComponent::RequireRunning(const char* call, bool may_have_failed) const {
  const LinkableComponentStatus status = Status();
  if (status == LinkableComponentStatus::Updated || status == LinkableComponentStatus::Done) return;
  if (may_have_failed && status == LinkableComponentStatus::Failed) return;
  throw StateError({.component = Caption()},
                   fmt::format("expected status Updated or Done for {}, found {}", call, NameOf(status)),
                   "keep and restore states between Prepare and Finish, not during an update");
}

const IIdentifiable& StatefulSteppingComponent::Add(Bytes bytes) {
  const std::string id = fmt::format("state-{}", next_id_++);
  Kept& kept = states_[id];
  kept.id = std::make_unique<Identifier>(id);
  kept.bytes = std::move(bytes);
  return *kept.id;
}

StatefulSteppingComponent::Kept& StatefulSteppingComponent::Find(const IIdentifiable& state_id) {
  const auto found = states_.find(state_id.Id());
  if (found == states_.end()) {
    std::vector<std::string> ids;
    for (const auto& [id, kept] : states_) ids.push_back(id);
    throw ArgumentError({.component = Caption()}, fmt::format("expected a kept state, found '{}'", state_id.Id()),
                        Suggest(state_id.Id(), ids));
  }
  return found->second;
}

Bytes StatefulSteppingComponent::Encode() const {
  StateWriter body;
  body.Write(IdText());
  body.Write(std::int64_t{StateVersion()});
  body.Write(StartTime().mjd);
  body.Write(CurrentTime().mjd);
  body.Write(TicksOfCentury());
  body.Write(static_cast<std::int64_t>(NumericOutputs().size()));
  for (const NumericOutput* output : NumericOutputs()) {
    body.Write(output->IdText());
    WriteRows(body, output->History());
  }
  StateWriter own;
  SaveState(own);
  body.Write(own.Bytes());

  StateWriter whole;
  whole.Write(kMagic);
  whole.Write(kForm);
  whole.Write(body.Bytes());
  whole.Write(Checksum(body.Bytes()));
  return whole.Take();
}

StateReader StatefulSteppingComponent::Open(ByteView bytes) const {
  const auto refuse = [this](const std::string& expected, const std::string& found, const char* remedy) {
    throw FormatError({.component = Caption()}, fmt::format("expected {}, found {}", expected, found), remedy);
  };
  try {
    StateReader whole(bytes);
    if (whole.ReadText() != kMagic) refuse("a state", "other bytes", "give what ConvertToByteArray gave");
    if (const std::int64_t form = whole.ReadInteger(); form != kForm) {
      refuse(fmt::format("a state of form {}", kForm), std::to_string(form), "use the version that wrote it");
    }
    const ByteView body = whole.ReadBytes();
    if (whole.ReadInteger() != Checksum(body)) refuse("an unchanged state", "a changed one", "use an intact copy");
    whole.RequireEnd();
    StateReader reader(body);
    if (const std::string id = reader.ReadText(); id != IdText()) {
      refuse(fmt::format("a state of '{}'", IdText()), fmt::format("one of '{}'", id), "give each component its own");
    }
    if (const std::int64_t version = reader.ReadInteger(); version != StateVersion()) {
      refuse(fmt::format("a state of version {}", StateVersion()), std::to_string(version),
             "use the version of the component that wrote it");
    }
    return reader;
  } catch (const FormatError& error) {
    throw FormatError({.component = Caption()}, error.Problem(), error.Remedy());
  }
}

const IIdentifiable& StatefulSteppingComponent::KeepCurrentState() {
  RequireRunning("KeepCurrentState", false);
  return Add(Encode());
}

void StatefulSteppingComponent::ClearState(const IIdentifiable& state_id) {
  Find(state_id);
  states_.erase(std::string(state_id.Id()));
}

Bytes StatefulSteppingComponent::ConvertToByteArray(const IIdentifiable& state_id) {
  const Bytes& bytes = Find(state_id).bytes;
  return Bytes(bytes.begin(), bytes.end());
}

const IIdentifiable& StatefulSteppingComponent::ConvertFromByteArray(ByteView bytes) {
  Open(bytes);
  return Add(Bytes(bytes.begin(), bytes.end()));
}

void StatefulSteppingComponent::RestoreState(const IIdentifiable& state_id) {
  RequireRunning("RestoreState", true);
  const Kept& kept = Find(state_id);
  StateReader reader = Open(kept.bytes);
  const Stamp start{reader.ReadDouble()};
  const Stamp now{reader.ReadDouble()};
  const std::int64_t ticks = reader.ReadInteger();
  const std::int64_t count = reader.ReadInteger();
  if (count != static_cast<std::int64_t>(NumericOutputs().size())) {
    throw FormatError({.component = Caption()},
                      fmt::format("expected rows of {} outputs in a state, found {}", NumericOutputs().size(), count),
                      "restore it with the arguments it was kept with");
  }
  if (Before(now, StartTime()) || Before(EndTime(), now)) {
    throw FormatError({.component = Caption()},
                      fmt::format("expected a state from {} to {}, found one at {}", FormatIsoTime(StartTime()),
                                  FormatIsoTime(EndTime()), FormatIsoTime(now)),
                      "let the run begin at the time of the state, or before");
  }
  std::vector<OutputRows> decoded;
  for (NumericOutput* output : NumericOutputs()) {
    if (const std::string id = reader.ReadText(); id != output->IdText()) {
      throw FormatError({.component = Caption(), .item = output->IdText()},
                        fmt::format("expected rows of this output in a state, found those of '{}'", id),
                        "restore it with the arguments it was kept with");
    }
    try {
      decoded.push_back({output, ReadRows(reader)});
    } catch (const FormatError& error) {
      throw FormatError({.component = Caption(), .item = output->IdText()}, error.Problem(), error.Remedy());
    }
  }
  StateReader own(reader.ReadBytes());
  StateWriter before;
  SaveState(before);
  try {
    LoadState(own);
    own.RequireEnd();
    RequireElements(decoded, Caption());
  } catch (...) {
    StateReader back(before.Bytes());
    LoadState(back);
    throw;
  }
  if (start == StartTime()) {
    ReturnTo(now, ticks);
  } else {
    ReturnTo(now);
  }
  for (const OutputRows& entry : decoded) entry.output->RestoreRows(entry.rows);
}

}  // namespace openmi
