#include "bmi-bridge/component/ModelPorts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "bmi-bridge/component/BmiArguments.hpp"

namespace openmi::bmi {
namespace {

constexpr double kBeyondMeaning = 1e100;

/// Whether the values can be results: neither subnormal nor above 1e100, as uninitialized memory often is.
bool AreMeant(std::span<const double> row) {
  return std::ranges::none_of(row, [](double value) {
    const double size = std::abs(value);
    return (size > 0.0 && size < std::numeric_limits<double>::min()) || size > kBeyondMeaning;
  });
}

}  // namespace

void InputPorts::Give(Model& model, double seconds, StepLog* log) {
  const auto set = [&](const std::string& name, const Variable& variable, void* from) {
    if (log != nullptr) {
      log->AddInput(name, {static_cast<const std::byte*>(from), variable.count * SizeOf(*variable.kind)});
    }
    model.SetValue(name, from);
  };
  for (auto& [item, name, port, scaled] : ports_) {
    if (!item->IsLinked()) continue;
    const Variable& variable = port.variable;
    std::span<const double> row = item->Row();
    if (port.is_rate) {
      scaled.assign(row.begin(), row.end());
      for (double& value : scaled) value *= seconds;
      row = scaled;
    }
    if (variable.kind == NumberType::Float64) {
      set(*name, variable, const_cast<double*>(row.data()));  // the C binding of BMI has no const
      continue;
    }
    try {
      GiveValues(*variable.kind, row, port.memory.data());
    } catch (const RangeError& error) {
      throw RangeError(model.Place(variable.name), error.Problem(), error.Remedy());
    }
    set(*name, variable, port.memory.data());
  }
}

void OutputPorts::Clear() {
  ports_.clear();
  shown_.Clear();
}

void OutputPorts::Add(Port port, NumericOutput& item) {
  std::shared_ptr<const std::string> name = SharedText(port.variable.name);
  ports_.push_back({&item, std::move(name), std::move(port)});
  shown_.Add(item);
}

void OutputPorts::TakeRow(Model& model, Entry& entry, std::span<double> row, double seconds) {
  const Variable& variable = entry.port.variable;
  const std::string& name = *entry.name;
  const auto nbytes = model.VarNbytes(name);
  if (nbytes && static_cast<std::size_t>(*nbytes) != variable.count * SizeOf(*variable.kind)) {
    throw ModelError(model.Place(variable.name),
                     fmt::format("expected {} bytes as at the start, found {}: its grid changed",
                                 variable.count * SizeOf(*variable.kind), *nbytes),
                     "let the model keep its grid");
  }
  if (const void* const pointer = model.ValuePtr(name)) {
    ReadNumbers(*variable.kind, pointer, row);
  } else if (variable.kind == NumberType::Float64) {
    model.GetValue(name, row.data());
  } else {
    model.GetValue(name, entry.port.memory.data());
    ReadNumbers(*variable.kind, entry.port.memory.data(), row);
  }
  copied_values_ += row.size();
  if (entry.port.is_rate) {
    for (double& value : row) value /= seconds;
  }
}

void OutputPorts::TakeFirst(Model& model) {
  copied_values_ = 0;
  shown_.Reset();
  for (Entry& entry : ports_) {
    if (entry.item->Gives() == OutputTime::Instant) TakeRow(model, entry, entry.item->NextRow(), 1.0);
  }
}

std::vector<NumericOutput*> OutputPorts::Unset(Model& model, const std::string& names) {
  std::vector<NumericOutput*> unset;
  const std::vector<std::string> named = ListOf(names);
  const auto is_named = [&](const std::string& name) { return std::ranges::find(named, name) != named.end(); };
  if (is_named("none")) return unset;
  std::vector<double> row;
  std::vector<NumericOutput*> instants;
  for (Entry& entry : ports_) {
    if (entry.item->Gives() != OutputTime::Instant) continue;
    instants.push_back(entry.item);
    if (!names.empty() || !unset.empty()) continue;
    row.resize(entry.port.variable.count);
    const std::uint64_t copied = copied_values_;
    TakeRow(model, entry, row, 1.0);
    copied_values_ = copied;  // counts published values only
    if (!AreMeant(row)) unset.push_back(entry.item);
  }
  const NumericOutput* const first = unset.empty() ? nullptr : unset.front();
  for (NumericOutput* item : instants) {
    if (item != first && (first != nullptr || is_named("*") || is_named(item->Id()))) unset.push_back(item);
  }
  return unset;
}

void OutputPorts::TakePart(Model& model, double seconds) {
  if (parts_ == nullptr) {
    parts_ = std::make_unique<Parts>();
    parts_->sums.resize(ports_.size());
  }
  for (std::size_t k = 0; k < ports_.size(); ++k) {
    Entry& entry = ports_[k];
    if (entry.item->Gives() != OutputTime::Span) continue;
    std::vector<double>& sum = parts_->sums[k];
    if (parts_->seconds == 0.0) sum.assign(entry.port.variable.count, 0.0);
    parts_->last.resize(sum.size());
    TakeRow(model, entry, parts_->last, seconds);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += parts_->last[i] * seconds;
  }
  parts_->seconds += seconds;
}

void OutputPorts::Take(Model& model, Stamp from, Stamp end, bool overshot, double seconds) {
  bool may_show = false;
  bool is_known = false;
  for (std::size_t i = 0; i < ports_.size(); ++i) {
    const auto& [item, name, port] = ports_[i];
    const bool is_span = item->Gives() == OutputTime::Span;
    const Stamp begin = is_span ? from : end;
    const Days duration = is_span ? end - from : Days{};
    const bool has_parts = is_span && parts_ != nullptr && parts_->seconds > 0.0;
    const bool is_large = port.variable.count >= ShownRows::kLeastShown && port.variable.kind == NumberType::Float64 &&
                          !port.is_rate && !has_parts;
    if (is_large && !std::exchange(is_known, true)) may_show = shown_.MayShow();
    if (is_large && may_show && Show(model, i, begin, duration)) continue;
    shown_.Own(i);
    const std::span<double> row = item->NextRow();
    TakeRow(model, ports_[i], row, seconds);
    for (std::size_t k = 0; has_parts && k < row.size(); ++k) {
      row[k] = (parts_->sums[i][k] + row[k] * seconds) / (parts_->seconds + seconds);
    }
    // A row of a model that went further is stamped at the time of the model.
    if (overshot) item->PublishAt(begin, duration);
  }
  DropParts();
}

void OutputPorts::Copy(Model& model, double seconds) {
  for (Entry& entry : ports_) TakeRow(model, entry, entry.item->NextRow(), seconds);
}

bool OutputPorts::Show(Model& model, std::size_t port, Stamp begin, Days duration) {
  const Variable& variable = ports_[port].port.variable;
  const auto* const values = static_cast<const double*>(model.ValuePtr(variable.name));
  const auto nbytes = model.VarNbytes(variable.name);
  if (values == nullptr || (nbytes && static_cast<std::size_t>(*nbytes) != variable.count * sizeof(double))) {
    return false;
  }
  shown_.Show(port, begin, duration, {values, variable.count});
  return true;
}

}  // namespace openmi::bmi
