#include "composition/isolation/HostedOutput.hpp"

#include <algorithm>

#include "composition/isolation/Wire.hpp"

namespace openmi {

HostedOutput::HostedOutput(ITimeSpaceOutput& output, RowArena& arena)
    : output_(output), arena_(arena), consumer_(output) {
  const ValueKind kind = output.ValueDefinition().ValueType().kind;
  has_rows_ = output.TimeSet() != nullptr &&
              (kind == ValueKind::Double || kind == ValueKind::Integer || kind == ValueKind::Boolean);
  if (output.SpatialDefinition() != nullptr) told_version_ = output.SpatialDefinition()->Version();
  if (!has_rows_) return;
  stand_in_ = std::make_unique<StandIn>(output, nullptr, &arena);
  stand_in_->AddConsumer(consumer_);
}

HostedOutput::~HostedOutput() {
  for (const Copy& copy : copies_) arena_.Give(copy.row, copy.size);
  if (stand_in_) stand_in_->RemoveConsumer(consumer_);
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
  const RowHistory* history = has_rows_ ? stand_in_->UseHistory() : nullptr;
  const bool is_news = history != nullptr && (history->Trimmed() != told_trimmed_ || history->Count() != told_count_);
  writer.Write(is_news);
  if (!is_news) return;
  const std::uint64_t first = history->Trimmed();
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
  }
  told_trimmed_ = history->Trimmed();
  told_count_ = history->Count();
}

void HostedOutput::OnRestored(Stamp time) {
  if (stand_in_) stand_in_->Rewind(time);
  for (const Copy& copy : copies_) arena_.Give(copy.row, copy.size);
  copies_.clear();
  told_trimmed_ = ~std::uint64_t{0};
}

void HostedOutput::WriteSpatialNews(StateWriter& writer) {
  const ISpatialDefinition* spatial = output_.SpatialDefinition();
  const int version = spatial != nullptr ? spatial->Version() : 0;
  writer.Write(version != told_version_);
  if (version == told_version_) return;
  WriteSpatial(writer, spatial);
  told_version_ = version;
}

}  // namespace openmi
