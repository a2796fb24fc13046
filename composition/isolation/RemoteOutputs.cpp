#include "composition/isolation/RemoteOutputs.hpp"

#include <algorithm>
#include <deque>
#include <utility>

#include "composition/isolation/IsolatedProcess.hpp"
#include "composition/isolation/Wire.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/INumericRows.hpp"
#include "openmi/sdk/ItemList.hpp"

namespace openmi {
namespace {

constexpr int kOften = 3;  // from then on rows come without being fetched

}  // namespace

RemoteOutputs::RemoteOutputs(IBaseLinkableComponent& owner, IsolatedProcess& process, FetchValues fetch,
                             WorkerTalk talk)
    : owner_(owner), process_(process), fetch_(std::move(fetch)), talk_(std::move(talk)) {}

RemoteOutputs::~RemoteOutputs() {
  CloseRoutes();
}

void RemoteOutputs::CloseRoutes() {
  for (Out& output : outputs_) {
    for (const auto& one : output.routes) {
      if (const auto route = one.lock()) route->Close();
    }
  }
}

bool RemoteOutputs::AddRoute(const IBaseOutput& output, const std::shared_ptr<RowRoute>& route) {
  const auto found = std::ranges::find_if(outputs_, [&output](const Out& out) { return out.rows.get() == &output; });
  if (found == outputs_.end()) return false;
  route->rows = &process_.Rows();
  found->routes.push_back(route);
  return true;
}

void RemoteOutputs::MakePaths() {
  for (Out& output : outputs_) {
    for (const auto& one : output.routes) {
      const auto route = one.lock();
      const auto to = route != nullptr ? route->to.lock() : nullptr;
      if (to != nullptr && to->IsAlive()) process_.Paths().Make(process_, to);
    }
  }
}

void RemoteOutputs::ChooseWays() {
  for (Out& output : outputs_) {
    if (output.rows != nullptr) ChooseWay(output);
  }
}

void RemoteOutputs::ChooseWay(Out& output) {
  std::erase_if(output.routes, [](const auto& one) { return one.expired(); });
  const bool carries = process_.Rows().Carrier().Carries();
  std::vector<std::shared_ptr<RowRoute>>& sent = routes_;  // those whose rows are sent
  sent.clear();
  for (const auto& one : output.routes) {
    const auto route = one.lock();
    const auto to = route->to.lock();
    if (route->path == nullptr && to != nullptr) route->path = process_.Paths().Find(*to);
    if (route->path == nullptr) continue;
    route->input->SetReadsRows(false);
    if (!route->path->IsSeen()) {
      sent.push_back(route);
    } else if (!route->is_open) {
      route->Open();
    }
  }
  const bool is_sent = !carries || !output.rows->AreRowsRead();
  output.goes_to_run = !is_sent || output.fetches >= kOften;
  if (!is_sent && !output.sinks.empty()) {  // those that were sent until now
    try {
      output.rows->UseHistory()->FetchRows();
    } catch (const ModelError&) {  // the worker is gone, as the request that follows says
    }
  }
  sinks_.clear();
  for (const auto& route : sent) {
    if (!is_sent) {
      route->Close();
    } else if (std::ranges::find(sinks_, route->path->sink) == sinks_.end()) {
      sinks_.push_back(route->path->sink);
    }
  }
  output.has_news = output.has_news || sinks_ != output.sinks;
  if (output.has_news) output.sinks = sinks_;
  sent.clear();
}

void RemoteOutputs::Fetch(const RowHistory& rows) {
  std::vector<std::span<const double>> places;
  for (std::size_t i = 0; i < rows.Count(); ++i) {
    if (!rows.IsOwn(i) && !rows.Place(i).empty()) places.push_back(rows.Place(i));
  }
  for (Out& output : outputs_) {
    if (output.rows != nullptr && output.rows->UseHistory() == &rows) ++output.fetches;
  }
  if (!places.empty()) process_.FetchRows(places);
}

void RemoteOutputs::ReadItems(StateReader& reader) {
  CloseRoutes();
  outputs_.clear();
  items_.clear();
  are_asked_ = false;
  for (std::int64_t left = reader.ReadInteger(); left > 0; --left) {
    ItemDescription read = ReadItem(reader, &process_.Places());
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

void RemoteOutputs::WriteNeeds(StateWriter& request) {
  for (Out& output : outputs_) {
    request.Write((output.rows     ? output.rows->EarliestNeeded()
                   : output.values ? output.values->EarliestNeeded()
                                   : output.asked->EarliestNeeded())
                      .mjd);
    request.Write(output.goes_to_run);
    request.Write(output.has_news);
    if (!std::exchange(output.has_news, false)) continue;
    Write(request, output.sinks.size());
    for (const std::int64_t sink : output.sinks) request.Write(sink);
  }
}

void RemoteOutputs::Read(StateReader reader, Stamp now, bool is_preparing) {
  fresh_.clear();
  for (Out& output : outputs_) {
    if (reader.ReadBool() && output.rows && ReadRows(reader, *output.rows)) fresh_.push_back(output.rows.get());
    if (reader.ReadBool()) ReadBytes(reader, output.values.get());
    if (reader.ReadBool()) ReadRowTimes(reader, output.values.get());
    if (!reader.ReadBool()) continue;
    auto spatial = ReadSpatial(reader);
    if (output.rows) output.rows->SetSpatialDefinition(std::move(spatial));
  }
  for (Out& output : outputs_) {  // what was asked for was sent before the reply
    if (output.sinks.empty()) continue;
    for (const auto& one : output.routes) {
      const auto route = one.lock();
      if (route != nullptr && route->path != nullptr && !route->is_open) route->Open();
    }
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
    const std::span<double> values = process_.Rows().At(offset, size);
    if (travels) process_.Rows().Carrier().Receive(values);
    row.values = values;
    row.fetcher = !travels && process_.Rows().Carrier().Carries() ? this : nullptr;
  }
  return output.ShowRows(shown_);
}

void RemoteOutputs::ReadBytes(StateReader& reader, IsolatedValuesOutput* output) {
  const auto offset = static_cast<std::size_t>(reader.ReadInteger());
  const auto size = static_cast<std::size_t>(reader.ReadInteger());
  if (output == nullptr) return;
  std::span<double> words;
  if (size > 0) words = process_.Rows().At(offset, size / sizeof(double) + (size % sizeof(double) != 0 ? 1 : 0));
  process_.Rows().Carrier().Receive(words);
  output->ShowBytes({reinterpret_cast<const std::byte*>(words.data()), size});
}

void RemoteOutputs::ReadRowTimes(StateReader& reader, IsolatedValuesOutput* output) {
  std::deque<Stamp> rows;
  for (Stamp row{reader.ReadDouble()}; row != kFarFuture; row = Stamp{reader.ReadDouble()}) rows.push_back(row);
  if (output != nullptr) output->KnowRows(std::move(rows));
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
