#include "composition/isolation/IsolatedArgument.hpp"

#include <utility>

#include "composition/isolation/Wire.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {

void IsolatedArgument::Read(StateReader& reader) {
  SetCaption(reader.ReadText());
  SetDescription(reader.ReadText());
  text_ = reader.ReadText();
  const std::int64_t kind = reader.ReadInteger();
  if (kind < 0 || kind > static_cast<std::int64_t>(ValueKind::Object)) {
    throw FormatError({.item = IdText()}, "expected a type of argument, found an unknown one");
  }
  type_ = {static_cast<ValueKind>(kind), nullptr};
  value_ = ReadValue(reader);
  default_ = ReadValue(reader);
  optional_ = reader.ReadBool();
  read_only_ = reader.ReadBool();
  const std::int64_t meaning = reader.ReadInteger();
  if (meaning < 0 || meaning > static_cast<std::int64_t>(ArgumentMeaning::Secret)) {
    throw FormatError({.item = IdText()}, "expected a meaning of an argument, found an unknown one");
  }
  meaning_ = static_cast<ArgumentMeaning>(meaning);
  tunable_ = reader.ReadBool();
  possible_.reset();
  if (!reader.ReadBool()) return;
  possible_.emplace();
  for (std::int64_t left = reader.ReadInteger(); left > 0; --left) possible_->push_back(ReadValue(reader));
}

std::optional<std::span<const openmi::Value>> IsolatedArgument::PossibleValues() const {
  if (!possible_) return std::nullopt;
  return std::span<const openmi::Value>(*possible_);
}

void IsolatedArguments::Read(StateReader& reader) {
  const auto count = static_cast<std::size_t>(reader.ReadInteger());
  for (std::size_t i = 0; i < count; ++i) {
    std::string id = reader.ReadText();
    if (i >= arguments_.size()) {
      arguments_.push_back(std::make_unique<IsolatedArgument>(std::move(id), i, holder_));
      list_.push_back(arguments_.back().get());
    }
    arguments_[i]->Read(reader);
  }
}

}  // namespace openmi
