#include "fmi-bridge/export/dcp/ServedModel.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <span>
#include <utility>

#include "composition/link/Composition.hpp"
#include "fmi-bridge/export/CollectInterface.hpp"
#include "fmi-bridge/export/ExportSource.hpp"

namespace openmi::dcp {

namespace {

constexpr std::chrono::milliseconds kAttendEvery{5};  // one look costs little compared with this

}  // namespace

using exported::ExportedVariable;
using exported::VariableRole;

ServedModel::ServedModel(const exported::ExportOptions& model, const DescribeOptions& options, Problems& problems) {
  exported::ExportSource source = exported::ReadExportSource(model, problems);
  CompositionFile file = source.file;
  exported::ExportInterface interface;
  {
    Composition composition(std::move(source.file), model.variables);
    composition.Load(problems);
    composition.Connect(problems);
    ThrowIfErrors(problems);
    interface = exported::CollectInterface(composition, source.options, source.is_single, problems);
    file.run->trigger = exported::TriggersOf(composition, interface);
  }
  exported::LeaveToMaster(file);
  description_ = DescribeModel(interface, options);
  for (const ExportedVariable& variable : interface.variables) {
    if (variable.role == VariableRole::Time) continue;
    const bool is_text = variable.type == exported::VariableType::String;
    places_.push_back({.first = is_text ? variable.first - interface.slots : variable.first,
                       .count = variable.count,
                       .role = variable.role,
                       .is_text = is_text});
  }
  slots_.resize(interface.slots);
  texts_ = interface.texts;
  model_ = std::make_unique<exported::ExportedModel>(std::move(interface), std::move(file), model.variables);
  model_->UseValues(slots_.data());
  model_->PutStartValues();
  model_->SetLookUp([this] {
    const auto now = std::chrono::steady_clock::now();
    if (now - attended_ < kAttendEvery) return;
    Attend();
    attended_ = now;
  });
}

void ServedModel::Fetch(const SlaveValues& values, VariableRole role) {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const Place& place = places_[i];
    if (place.role != role || place.is_text) continue;
    values.At(static_cast<Index>(i)).Numbers(std::span(slots_).subspan(place.first, place.count));
  }
}

void ServedModel::Put(SlaveValues& values) const {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const Place& place = places_[i];
    if (place.role != VariableRole::Output) continue;
    values.At(static_cast<Index>(i)).SetNumbers(std::span(slots_).subspan(place.first, place.count));
  }
}

void ServedModel::Evaluate(SlaveValues& values) {
  model_->PutStartValues();
  Fetch(values, VariableRole::Parameter);
  Fetch(values, VariableRole::Input);
  started_ = slots_;
  std::vector<std::string> texts(texts_);
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (places_[i].is_text) texts[places_[i].first] = values.At(static_cast<Index>(i)).Text();
  }
  model_->Evaluate(0.0, std::nullopt, std::move(texts));
  has_compared_steps_ = false;
  Put(values);
}

void ServedModel::TakeUpNews(bool is_logged) {
  for (Problem& news : model_->TakeNews()) {
    static constexpr LogLevel kLevels[] = {LogLevel::Information, LogLevel::Warning, LogLevel::Error};
    if (is_logged) Report(kLevels[news.severity], FormatProblem(news));
    news_.push_back(std::move(news));
  }
}

void ServedModel::Configure(SlaveValues& values) {
  Noted([&] { Evaluate(values); });
}

void ServedModel::Initialize(SlaveValues& values) {
  Fetch(values, VariableRole::Input);
  bool is_same = true;
  for (const Place& place : places_) {
    if (place.role != VariableRole::Input || place.is_text) continue;
    is_same = is_same && std::memcmp(slots_.data() + place.first, started_.data() + place.first,
                                     place.count * sizeof(double)) == 0;
  }
  if (!is_same) Noted([&] { Evaluate(values); });
}

void ServedModel::CompareSteps(const StepSpan& span) {
  if (std::exchange(has_compared_steps_, true)) return;
  const double own = model_->OwnStepSeconds();
  const double steps = own > 0.0 ? span.Length() / own : 1.0;
  if (std::round(steps) >= 1.0 && std::abs(steps - std::round(steps)) < 1e-6 * steps) return;
  Problems problems;
  AddWarning(problems, {.item = "time-step"},
             fmt::format("expected steps of {} s, like the model's own, or a multiple, found one of {} s: values "
                         "between two steps of the model are interpolated linearly",
                         own, span.Length()),
             "set the parameter time-step, or the master's step");
  Report(LogLevel::Warning, FormatProblem(problems.front()));
  news_.push_back(std::move(problems.front()));
}

void ServedModel::Step(SlaveValues& values, const StepSpan& span) {
  CompareSteps(span);
  Fetch(values, VariableRole::Input);
  Noted([&] { model_->Step(span.begin, span.Length()); });
  Put(values);
}

void ServedModel::Stop(SlaveValues&) {
  Noted([&] { model_->Terminate(); });
}

void ServedModel::Reset(SlaveValues&) {
  model_->Reset();
}

}  // namespace openmi::dcp
