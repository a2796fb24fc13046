#include "composition/isolation/RemoteOutputs.hpp"

#include <algorithm>
#include <utility>

#include "composition/isolation/Wire.hpp"
#include "openmi/sdk/INumericRows.hpp"
#include "openmi/sdk/ItemList.hpp"

namespace openmi {

void RemoteOutputs::ReadItems(StateReader& reader) {
  outputs_.clear();
  items_.clear();
  are_asked_ = false;
  for (std::int64_t left = reader.ReadInteger(); left > 0; --left) {
    ItemDescription read = ReadItem(reader);
    const bool has_rows = reader.ReadBool();
    const bool is_asked = reader.ReadBool();
    Out& output = outputs_.emplace_back();
    const std::string caption = read.caption;
    const std::string description = read.description;
    if (is_asked) {
      const auto number = static_cast<std::int64_t>(outputs_.size() - 1);
      are_asked_ = true;
      output.asked = std::make_unique<AskedOutput>(talk_, number, std::move(read), owner_);
      items_.push_back(output.asked.get());
    } else if (has_rows && read.times != nullptr) {
      output.rows =
          std::make_unique<NumericOutput>(std::move(read.id), std::move(read.definition), std::move(read.spatial),
                                          &owner_, read.times->HasDurations() ? OutputTime::Span : OutputTime::Instant);
      output.rows->SetHorizon(read.times->Horizon().Begin(), read.times->Horizon().End());
      items_.push_back(output.rows.get());
    } else {
      const auto number = static_cast<std::int64_t>(outputs_.size() - 1);
      output.values = std::make_unique<IsolatedValuesOutput>(
          std::move(read.id), std::move(read.definition), std::move(read.spatial), std::move(read.times), &owner_,
          [this, number](std::optional<Stamp> time) { return fetch_(number, time); });
      items_.push_back(output.values.get());
    }
    items_.back()->SetCaption(caption);
    items_.back()->SetDescription(description);
  }
}

void RemoteOutputs::WriteNeeds(StateWriter& request) const {
  for (const Out& output : outputs_) {
    request.Write((output.rows     ? output.rows->EarliestNeeded()
                   : output.values ? output.values->EarliestNeeded()
                                   : output.asked->EarliestNeeded())
                      .mjd);
  }
}

void RemoteOutputs::Read(StateReader reader, Stamp now, bool is_preparing) {
  fresh_.clear();
  for (Out& output : outputs_) {
    if (reader.ReadBool() && output.rows && ReadRows(reader, *output.rows)) fresh_.push_back(output.rows.get());
    if (reader.ReadBool()) ReadBytes(reader, output.values.get());
    if (!reader.ReadBool()) continue;
    auto spatial = ReadSpatial(reader);
    if (output.rows) output.rows->SetSpatialDefinition(std::move(spatial));
  }
  if (is_preparing) {
    for (IBaseOutput* output : items_) detail::InitializeAdaptedOutputs(*output);
  }
  for (NumericOutput* output : fresh_) output->Refresh();
  for (Out& output : outputs_) {
    if (output.values) output.values->Forget(now);
  }
}

bool RemoteOutputs::ReadRows(StateReader& reader, NumericOutput& output) {
  output.SetTimeless(reader.ReadBool());
  shown_.clear();
  for (std::int64_t left = reader.ReadInteger(); left > 0; --left) {
    ShownRow& row = shown_.emplace_back();
    row.begin = Stamp{reader.ReadDouble()};
    row.duration = Days{reader.ReadDouble()};
    const auto offset = static_cast<std::size_t>(reader.ReadInteger());
    const auto size = static_cast<std::size_t>(reader.ReadInteger());
    const bool travels = reader.ReadBool();
    if (size == 0) continue;
    const std::span<double> values = window_.At(offset, size);
    if (travels) window_.Carrier().Receive(values);
    row.values = values;
  }
  return output.ShowRows(shown_);
}

void RemoteOutputs::ReadBytes(StateReader& reader, IsolatedValuesOutput* output) {
  const auto offset = static_cast<std::size_t>(reader.ReadInteger());
  const auto size = static_cast<std::size_t>(reader.ReadInteger());
  if (output == nullptr) return;
  std::span<double> words;
  if (size > 0) words = window_.At(offset, size / sizeof(double) + (size % sizeof(double) != 0 ? 1 : 0));
  window_.Carrier().Receive(words);
  output->ShowBytes({reinterpret_cast<const std::byte*>(words.data()), size});
}

void RemoteOutputs::ReadInitial(StateReader& reader, Stamp now) {
  for (Out& output : outputs_) {
    std::unique_ptr<ITimeSpaceValueSet> values = ReadValues(reader);
    if (output.values != nullptr) {
      output.values->ShowAt(now, std::move(values));
      continue;
    }
    if (output.rows == nullptr) continue;
    output.rows->Reset();
    const auto* rows = dynamic_cast<const INumericRows*>(values.get());
    if (rows == nullptr || rows->RowCount() != 1) continue;
    std::ranges::copy(rows->Row(0), output.rows->NextRow().begin());
    output.rows->PublishAt(now, Days{});
  }
}

}  // namespace openmi
