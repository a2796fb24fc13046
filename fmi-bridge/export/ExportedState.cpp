#include "fmi-bridge/export/ExportedState.hpp"

#include <fmt/format.h>

#include "composition/results/FileHash.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi::exported {
namespace {

constexpr char kStateForm[] = "openmi-fmu-state 1";
constexpr std::size_t kHashSize = 64;

}  // namespace

std::int64_t ExportedStates::Keep(ExportedState state) {
  states_[next_] = std::move(state);
  return next_++;
}

ExportedState& ExportedStates::Find(std::int64_t number) {
  const auto found = states_.find(number);
  if (found == states_.end()) throw RangeError({}, "expected a state of this instance, found none of that number");
  return found->second;
}

std::string ExportedStates::ToBytes(std::int64_t number, const ExportInterface& interface, CompositionRun* run) {
  const ExportedState& state = Find(number);
  StateWriter writer;
  writer.Write(kStateForm);
  writer.Write(std::string_view(interface.token));
  writer.Write(std::string_view(state.note));
  writer.Write(state.values);
  writer.Write(state.has_run);
  writer.Write(state.setting.start);
  writer.Write(state.setting.stop.has_value());
  writer.Write(state.setting.stop.value_or(0.0));
  writer.Write(static_cast<std::int64_t>(state.setting.texts.size()));
  for (const std::string& text : state.setting.texts) writer.Write(std::string_view(text));
  writer.Write(state.setting.parameters);
  writer.Write(state.supplied);
  writer.Write(ByteView(state.taps));
  Bytes checkpoint = state.bytes;
  if (state.checkpoint) {
    if (run == nullptr) throw StateError({}, "expected a composition under way, to serialize its state, found none");
    checkpoint = run->SerializeState(*state.checkpoint);
  }
  writer.Write(ByteView(checkpoint));
  const auto bytes = writer.Bytes();
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  Sha256 hash;
  hash.Add(text);
  return hash.Finish() + std::string(text);
}

std::int64_t ExportedStates::FromBytes(std::string_view bytes, const ExportInterface& interface) {
  const auto refuse = [](const char* found) {
    throw FormatError({}, std::string("expected the state of an instance of this FMU, found ") + found,
                      "give back the bytes that this FMU gave, all of them");
  };
  if (bytes.size() < kHashSize) refuse("too few bytes");
  Sha256 hash;
  hash.Add(bytes.substr(kHashSize));
  if (hash.Finish() != bytes.substr(0, kHashSize)) refuse("bytes that are damaged");
  StateReader reader(std::as_bytes(std::span(bytes.substr(kHashSize))));
  if (reader.ReadText() != kStateForm) refuse("something else");
  if (reader.ReadText() != interface.token) refuse("that of another FMU");
  ExportedState state;
  state.note = reader.ReadText();
  state.values = reader.ReadDoubles();
  state.has_run = reader.ReadBool();
  state.setting.start = reader.ReadDouble();
  const bool has_stop = reader.ReadBool();
  const double stop = reader.ReadDouble();
  if (has_stop) state.setting.stop = stop;
  for (std::int64_t left = reader.ReadInteger(); left > 0; --left) state.setting.texts.push_back(reader.ReadText());
  state.setting.parameters = reader.ReadDoubles();
  state.supplied = reader.ReadDoubles();
  const auto taps = reader.ReadBytes();
  state.taps.assign(taps.begin(), taps.end());
  const auto checkpoint = reader.ReadBytes();
  state.bytes.assign(checkpoint.begin(), checkpoint.end());
  reader.RequireEnd();
  if (state.values.size() != interface.slots ||
      (state.has_run && (state.supplied.size() != interface.slots || state.setting.texts.size() != interface.texts))) {
    refuse("that of another number of variables");
  }
  return Keep(std::move(state));
}

}  // namespace openmi::exported
