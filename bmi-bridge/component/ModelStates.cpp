#include "bmi-bridge/component/ModelStates.hpp"

#include <fmt/format.h>

namespace openmi::bmi {

void ModelStates::Choose(Model& model, const std::string& wanted, const std::vector<std::string>& variables) {
  log_.Clear();
  variables_.clear();
  if (!variables.empty() && wanted != "auto") {
    throw ArgumentError(model.Place("state-variables"),
                        fmt::format("expected one way to keep states, found these variables and states = {}", wanted),
                        "leave out one of the arguments 'states' and 'state-variables'");
  }
  for (const std::string& name : variables) {
    const int nbytes = model.VarNbytes(name).value_or(0);
    if (nbytes <= 0) {
      throw ArgumentError(model.Place("state-variables"),
                          fmt::format("expected a variable whose size the model gives, found '{}'", name),
                          "name variables that get_var_nbytes, get_value and set_value of the model know");
    }
    variables_.emplace_back(name, static_cast<std::size_t>(nbytes));
  }
  way_ = !variables.empty()           ? StateWay::Variables
         : wanted == "replay"         ? StateWay::Replay
         : wanted == "none"           ? StateWay::None
         : OffersSerialization(model) ? StateWay::Serialization
                                      : StateWay::None;
}

std::string ModelStates::Text() const {
  std::string text = kStateWays.NameOf(way_);
  for (const auto& [name, size] : variables_) text += fmt::format("; {}", name);
  return text;
}

void ModelStates::Save(Model& model, StateWriter& writer) const {
  writer.Write(Text());
  if (way_ == StateWay::Serialization) writer.Write(ByteView(Serialized(model)));
  if (way_ == StateWay::Replay) log_.Save(writer);
  Bytes memory;
  for (const auto& [name, size] : variables_) {
    memory.resize(size);
    model.GetValue(name, memory.data());
    writer.Write(ByteView(memory));
  }
}

void ModelStates::Load(Model& model, ModelClock& clock, StateReader& reader) {
  const auto refuse = [&](const std::string& expected, const std::string& found) {
    throw FormatError(model.Place(), fmt::format("expected a state of {}, found one of {}", expected, found),
                      "restore it with the library and the arguments that it was kept with");
  };
  if (const std::string text = reader.ReadText(); text != Text()) refuse(Text(), text);
  if (way_ == StateWay::Serialization) Deserialize(model, reader.ReadBytes());
  if (way_ == StateWay::Replay) log_.Repeat(model, clock, reader);
  for (const auto& [name, size] : variables_) {
    const ByteView bytes = reader.ReadBytes();
    if (bytes.size() != size) {
      refuse(fmt::format("{} bytes of '{}'", size, name), fmt::format("{} bytes", bytes.size()));
    }
    Bytes memory(bytes.begin(), bytes.end());
    model.SetValue(name, memory.data());
  }
}

}  // namespace openmi::bmi
