#include "composition/isolation/RowPath.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "composition/isolation/IsolatedProcess.hpp"
#include "composition/isolation/Wire.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

void Begin(StateWriter& request, HostRequest kind) {
  request.Clear();
  request.Write(static_cast<std::int64_t>(kind));
  request.Write(std::int64_t{0});  // no component
}

}  // namespace

std::shared_ptr<RowPath> RowPaths::Find(const IsolatedProcess& to) const {
  const auto found = std::ranges::find_if(paths_, [&to](const auto& path) { return path->to.lock().get() == &to; });
  return found != paths_.end() && (*found)->source >= 0 ? *found : nullptr;
}

void RowPaths::Make(IsolatedProcess& from, const std::shared_ptr<IsolatedProcess>& to) {
  for (const auto& path : paths_) {
    if (path->to.lock() == to) return;
  }
  auto path = std::make_shared<RowPath>();
  path->to = to;
  std::vector<RowPathFigures>& figures = from.Record()->figures.paths;
  path->figures = figures.size();
  figures.push_back(
      {.to = to->Record()->number, .is_network = to.get() != &from && (to->IsElsewhere() || from.IsElsewhere())});
  if (to.get() == &from || (!to->IsElsewhere() && !from.IsElsewhere())) {
    const bool is_own = to.get() == &from;
    StateWriter request;
    Begin(request, HostRequest::SeeRows);
    request.Write(is_own);
    const auto lock = to->Lock();
    to->CallWith(request, is_own ? -1 : from.Rows().Descriptor());
    path->source = to->Paths().AddSource(from.Record(), path->figures);
  } else {
    Connect(from, *to, *path);
  }
  paths_.push_back(std::move(path));
}

void RowPaths::WriteMeeting(StateWriter& request, const IsolatedProcess& worker, bool listens) const {
  if (listens) Write(request, worker.IsElsewhere() ? std::string() : meeting_.listen);
  Write(request, worker.IsElsewhere() ? std::string() : meeting_.key);
}

void RowPaths::Connect(IsolatedProcess& from, IsolatedProcess& to, RowPath& path) {
  const auto from_lock = from.Lock();
  const auto to_lock = to.Lock();
  StateWriter request;
  Begin(request, HostRequest::ExpectRows);
  WriteMeeting(request, to, true);
  StateReader expected = to.Call(request);
  const std::string address = expected.ReadText();
  const std::int64_t ticket = expected.ReadInteger();
  const std::int64_t number = expected.ReadInteger();

  Begin(request, HostRequest::SendRows);
  Write(request, address);
  request.Write(ticket);
  WriteMeeting(request, from, false);
  const std::string failure = from.Call(request).ReadText();

  Begin(request, HostRequest::TakeRows);
  request.Write(number);
  request.Write(failure.empty());
  Write(request, from.Who());
  const bool is_there = to.Call(request).ReadBool();
  if (failure.empty()) path.sink = sinks_++;
  if (is_there) {
    path.source = to.Paths().AddSource(from.Record(), path.figures);
    return;
  }
  failures_.push_back(fmt::format("expected {} to reach {} at {}, found: {}; their rows pass through the run",
                                  from.Who(), to.Who(), address, failure));
}

std::int64_t RowPaths::AddSource(std::shared_ptr<WorkerRecord> from, std::size_t figures) {
  sources_.push_back({std::move(from), figures});
  return static_cast<std::int64_t>(sources_.size() - 1);
}

std::span<const WorkerTimes::Wait> RowPaths::ReadCounts(StateReader& reader, WorkerFigures& figures) {
  for (std::int64_t sink = 0, left = reader.ReadInteger(); left > 0; --left, ++sink) {
    const auto count = static_cast<std::uint64_t>(reader.ReadInteger());
    const auto bytes = static_cast<std::uint64_t>(reader.ReadInteger());
    for (const auto& path : paths_) {
      if (path->sink != sink) continue;
      path->count = count;
      figures.paths[path->figures].rows = count;
      figures.paths[path->figures].bytes = bytes;
    }
  }
  waits_.clear();
  std::size_t number = 0;
  for (std::int64_t left = reader.ReadInteger(); left > 0; --left, ++number) {
    const auto bytes = static_cast<std::uint64_t>(reader.ReadInteger());
    const double waited = reader.ReadDouble();
    if (number >= sources_.size()) continue;
    Source& source = sources_[number];
    RowPathFigures& way = source.from->figures.paths[source.figures];
    if (!way.is_network) way.bytes = bytes;
    waits_.push_back({source.from->number, waited - std::exchange(source.waited, waited)});
  }
  return waits_;
}

}  // namespace openmi
