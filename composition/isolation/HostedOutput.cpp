#include "composition/isolation/HostedOutput.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "composition/isolation/Wire.hpp"
#include "timespace/optional/ISharedPlaces.hpp"

namespace openmi {

HostedOutput::HostedOutput(ITimeSpaceOutput& output, RowArena& arena)
    : output_(output), arena_(arena), consumer_(output) {
  has_rows_ = output.TimeSet() != nullptr && HoldsNumbers(output.ValueDefinition());
  has_bytes_ = output.ValueDefinition().ValueType().kind == ValueKind::Binary &&
               (output.SpatialDefinition() == nullptr || output.SpatialDefinition()->ElementCount() == 1);
  reported_places_ = PlacesOf(output);
  if (reported_places_ != nullptr) reported_version_ = reported_places_->Version();
  if (!has_rows_) {
    if (output.TimeSet() != nullptr) output_.AddConsumer(consumer_);
    return;
  }
  proxy_ = std::make_unique<OutputProxy>(output, nullptr, &arena);
  proxy_->AddConsumer(consumer_);
}

HostedOutput::~HostedOutput() {
  for (const Copy& copy : copies_) arena_.Give(copy.row, copy.size);
  for (const std::span<double> slot : bytes_) {
    if (!slot.empty()) arena_.Give(slot.data(), slot.size());
  }
  if (proxy_) {
    proxy_->RemoveConsumer(consumer_);
  } else if (output_.TimeSet() != nullptr) {
    output_.RemoveConsumer(consumer_);
  }
}

std::size_t HostedOutput::OffsetOf(std::span<const double> row, std::uint64_t number) {
  if (const auto offset = arena_.OffsetOf(row.data())) return *offset;
  auto copy = std::ranges::find(copies_, number, &Copy::number);
  if (copy == copies_.end()) {
    copies_.push_back({arena_.Take(row.size()), row.size(), number});
    copy = copies_.end() - 1;
    std::ranges::copy(row, copy->row);
  }
  return *arena_.OffsetOf(copy->row);
}

void HostedOutput::WriteRows(StateWriter& writer) {
  const RowHistory* history = has_rows_ ? proxy_->UseHistory() : nullptr;
  const bool is_news =
      history != nullptr && (history->Trimmed() != reported_trimmed_ || history->Count() != reported_count_);
  writer.Write(is_news);
  if (!is_news) return;
  const std::uint64_t first = history->Trimmed();
  const bool begins_anew = reported_trimmed_ == ~std::uint64_t{0};
  const std::uint64_t known = begins_anew ? 0 : reported_trimmed_ + reported_count_;  // the number of the first new row
  std::erase_if(copies_, [&](const Copy& copy) {
    const bool is_gone = copy.number < first;
    if (is_gone) arena_.Give(copy.row, copy.size);
    return is_gone;
  });
  writer.Write(history->IsTimeless());
  writer.Write(static_cast<std::int64_t>(history->Count()));
  for (std::size_t i = 0; i < history->Count(); ++i) {
    const std::span<const double> row = history->Row(i);
    writer.Write(history->Begin(i).mjd);
    writer.Write(history->Duration(i).count);
    writer.Write(static_cast<std::int64_t>(row.empty() ? 0 : OffsetOf(row, first + i)));
    writer.Write(static_cast<std::int64_t>(row.size()));
    const bool travels = arena_.Carrier().Carries() && goes_to_run_ && first + i >= known;
    writer.Write(travels);
    if (travels) arena_.Carrier().Send(row);
  }
  reported_trimmed_ = history->Trimmed();
  reported_count_ = history->Count();
}

void HostedOutput::ReadWays(StateReader& reader) {
  goes_to_run_ = reader.ReadBool();
  if (!reader.ReadBool()) return;
  std::map<std::size_t, std::uint64_t> takers;
  for (std::int64_t left = reader.ReadInteger(); left > 0; --left) {
    const auto sink = static_cast<std::size_t>(reader.ReadInteger());
    takers[sink] = takers_[sink];  // a new one has no row
  }
  takers_ = std::move(takers);
}

void HostedOutput::SendRows(RowPeers& peers) {
  const RowHistory* history = takers_.empty() || !has_rows_ ? nullptr : proxy_->UseHistory();
  if (history == nullptr) return;
  const std::uint64_t first = history->Trimmed();
  for (auto& [sink, known] : takers_) {
    for (std::size_t i = known > first ? known - first : 0; i < history->Count(); ++i) {
      const std::span<const double> row = history->Row(i);
      if (!row.empty()) peers.Send(sink, OffsetOf(row, first + i), row);
    }
    known = first + history->Count();
  }
}

void HostedOutput::WriteBytes(StateWriter& writer) {
  const ITimeSpaceValueSet* values = has_bytes_ ? &output_.Values() : nullptr;
  const IBytesRows* set = values != nullptr ? bytes_rows_(*values) : nullptr;
  writer.Write(set != nullptr);
  if (set == nullptr) return;
  const ByteView* only = set->Only();
  const std::size_t times = only == nullptr ? values->GetIndexCount({}) : 1;
  const ByteView bytes = only != nullptr ? *only : times == 0 ? ByteView() : set->BytesAt(times - 1, 0);
  const std::size_t words = (bytes.size() + sizeof(double) - 1) / sizeof(double);
  current_ = 1 - current_;
  std::span<double>& slot = bytes_[current_];
  if (slot.size() < words) {
    if (!slot.empty()) arena_.Give(slot.data(), slot.size());
    const std::size_t room = words + words / 4;
    slot = {arena_.Take(room), room};
  }
  if (!bytes.empty()) std::memcpy(slot.data(), bytes.data(), bytes.size());
  writer.Write(static_cast<std::int64_t>(slot.empty() ? 0 : *arena_.OffsetOf(slot.data())));
  writer.Write(static_cast<std::int64_t>(bytes.size()));
  arena_.Carrier().Send(slot.first(words));
}

void HostedOutput::WriteRowTimes(StateWriter& writer) {
  const bool are_news = std::exchange(is_restored_, false) && !has_rows_;
  const auto* rows = are_news ? dynamic_cast<const IRowTimes*>(&output_) : nullptr;
  writer.Write(rows != nullptr);
  if (rows == nullptr) return;
  Stamp row = kFarPast;
  do {
    row = rows->NextRow(row);
    writer.Write(row.mjd);
  } while (row != kFarFuture);
}

void HostedOutput::OnRestored(Stamp time) {
  is_restored_ = true;
  if (proxy_) proxy_->Rewind(time);
  for (const Copy& copy : copies_) arena_.Give(copy.row, copy.size);
  copies_.clear();
  reported_trimmed_ = ~std::uint64_t{0};
  for (auto& [sink, known] : takers_) known = 0;
}

void HostedOutput::WriteSpatialNews(StateWriter& writer) {
  const ISpatialDefinition* spatial = output_.SpatialDefinition();
  const int version = spatial != nullptr ? spatial->Version() : 0;
  const bool is_news = spatial != reported_places_.get() || version != reported_version_;
  writer.Write(is_news);
  if (!is_news) return;
  WriteSpatial(writer, spatial);
  reported_places_ = PlacesOf(output_);
  reported_version_ = version;
}

}  // namespace openmi
