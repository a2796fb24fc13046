// The C interface: items, kept states, observers and families.

#include <algorithm>
#include <cmath>
#include <cstring>

#include "composition/embed/EmbeddedRun.hpp"
#include "openmi/sdk/Missing.hpp"

using openmi::ArgumentError;
using openmi::StateError;
using namespace openmi::embed;  // NOLINT: the pieces of this file

int openmi_item_size(openmi_run* handle, const char* item) {
  return With(handle, [&](openmi_run& run) { return static_cast<int>(Desk(run).ElementCount(Needed(item, "item"))); });
}

int openmi_item_unit(openmi_run* handle, const char* item, char* buffer, size_t size) {
  return With(handle, [&](openmi_run& run) { return Copy(Desk(run).Values(Needed(item, "item")).unit, buffer, size); });
}

int openmi_read(openmi_run* handle, const char* item, double* values, size_t count) {
  return With(handle, [&](openmi_run& run) {
    Need(values, "values");
    const std::string name = Needed(item, "item");
    const openmi::DeskValues last = Desk(run).Values(name);
    if (last.values.size() != count) {
      throw openmi::RangeError(
          {.item = name}, fmt::format("expected a place for {} values, found one for {}", last.values.size(), count),
          last.values.empty() ? "begin the run first" : "see openmi_item_size");
    }
    std::ranges::copy(last.values, values);
    return 0;
  });
}

int openmi_write(openmi_run* handle, const char* item, const double* values, size_t count) {
  return With(handle, [&](openmi_run& run) {
    Need(values, "values");
    Desk(run).Override(Needed(item, "item"), {values, count});
    return 0;
  });
}

int openmi_free(openmi_run* handle, const char* item) {
  return With(handle, [&](openmi_run& run) {
    Desk(run).Free(Needed(item, "item"));
    return 0;
  });
}

int openmi_supply_input(openmi_run* handle, const char* item, int between) {
  return With(handle, [&](openmi_run& run) {
    run.RequireUnloaded();
    if (between != OPENMI_PREVIOUS && between != OPENMI_LINEAR) {
      throw ArgumentError({.item = "between"},
                          fmt::format("expected OPENMI_PREVIOUS or OPENMI_LINEAR, found {}", between));
    }
    const auto [component, id] = openmi::RunDesk::Cut(Needed(item, "item"));
    run.supplied.emplace_back(openmi::ItemSpec{component, id}, between == OPENMI_LINEAR
                                                                   ? openmi::SuppliedBetween::Linear
                                                                   : openmi::SuppliedBetween::Previous);
    return 0;
  });
}

int openmi_supply(openmi_run* handle, const char* item, double mjd, double duration, const double* values,
                  size_t count) {
  return With(handle, [&](openmi_run& run) {
    Need(item, "item");
    Need(values, "values");
    Desk(run);
    run.run->Supply(item, openmi::Stamp{mjd}, openmi::Days{duration}, {values, count});
    return 0;
  });
}

int openmi_find_item(openmi_run* handle, const char* item) {
  return With(handle, [&](openmi_run& run) {
    openmi::OutputProxy& output = Desk(run).ProxyOf(Needed(item, "item"));
    const auto known =
        std::ranges::find_if(run.views, [&](const openmi::OutputView& view) { return &view.Output() == &output; });
    const auto number = known - run.views.begin();
    if (known == run.views.end()) run.views.emplace_back(output);
    return static_cast<int>(number);
  });
}

int openmi_read_item(openmi_run* handle, int item, double* values, size_t count, double* mjd, double* duration) {
  return With(handle, [&](openmi_run& run) {
    Need(values, "values");
    if (item < 0 || static_cast<std::size_t>(item) >= run.views.size()) {
      throw openmi::RangeError({}, fmt::format("expected an item below {}, found {}", run.views.size(), item),
                               "use what openmi_find_item gave");
    }
    const openmi::LatestRow row = run.views[static_cast<std::size_t>(item)].Latest();
    if (row.values.size() != count) {
      throw openmi::RangeError(
          {}, fmt::format("expected a place for {} values, found one for {}", row.values.size(), count),
          row.values.empty() ? "begin the run first" : "see openmi_item_size");
    }
    std::ranges::copy(row.values, values);
    const bool has_time = row.begin != openmi::kFarPast;
    if (mjd != nullptr) *mjd = has_time ? row.begin.mjd : openmi::kNotANumber;
    if (duration != nullptr) *duration = has_time ? row.duration.count : openmi::kNotANumber;
    return 0;
  });
}

int openmi_keep_state(openmi_run* handle, int* state) {
  return With(handle, [&](openmi_run& run) {
    Need(state, "state");
    run.states[run.last_state + 1] = {run.Begun().SaveState(), {}};
    *state = ++run.last_state;
    return 0;
  });
}

int openmi_restore_state(openmi_run* handle, int state) {
  return With(handle, [&](openmi_run& run) {
    run.Begun().RestoreState(run.State(state).state);
    return 0;
  });
}

int openmi_drop_state(openmi_run* handle, int state) {
  return With(handle, [&](openmi_run& run) {
    run.State(state);
    run.states.erase(state);
    return 0;
  });
}

int openmi_state_size(openmi_run* handle, int state, size_t* size) {
  return With(handle, [&](openmi_run& run) {
    Need(size, "size");
    KeptState& kept = run.State(state);
    if (kept.bytes.empty()) kept.bytes = run.Begun().SerializeState(kept.state);
    *size = kept.bytes.size();
    return 0;
  });
}

int openmi_state_bytes(openmi_run* handle, int state, void* bytes, size_t size) {
  return With(handle, [&](openmi_run& run) {
    Need(bytes, "bytes");
    KeptState& kept = run.State(state);
    if (kept.bytes.empty()) kept.bytes = run.Begun().SerializeState(kept.state);
    if (kept.bytes.size() != size) {
      throw openmi::RangeError({},
                               fmt::format("expected a place for {} bytes, found one for {}", kept.bytes.size(), size),
                               "see openmi_state_size");
    }
    std::memcpy(bytes, kept.bytes.data(), size);
    return 0;
  });
}

int openmi_state_from_bytes(openmi_run* handle, const void* bytes, size_t size, int* state) {
  return With(handle, [&](openmi_run& run) {
    Need(bytes, "bytes");
    Need(state, "state");
    const openmi::ByteView given(static_cast<const std::byte*>(bytes), size);
    run.states[run.last_state + 1] = {run.Begun().DeserializeState(given), {given.begin(), given.end()}};
    *state = ++run.last_state;
    return 0;
  });
}

int openmi_observe(openmi_run* handle, const char* item, openmi_observer observer, void* user) {
  return With(handle, [&](openmi_run& run) {
    Need(observer, "observer");
    const std::string name = Needed(item, "item");
    Desk(run);
    if (run.run->State() != openmi::RunState::Created) {
      throw StateError({.item = name}, "expected a run that was not begun yet, found that it was",
                       "observe before openmi_begin");
    }
    openmi::OutputProxy& proxy = Desk(run).ProxyOf(name);
    auto watcher = std::make_unique<Watcher>(run, observer, user, run.observing);
    proxy.AddListener(*watcher);
    run.watchers.emplace_back(&proxy, std::move(watcher));
    return 0;
  });
}

int openmi_disengage_family(openmi_run* handle, int component) {
  return With(handle, [&](openmi_run& run) {
    const std::string id = run.Component(component).Id();
    run.Begun().Disengage(id);
    return 0;
  });
}

int openmi_engage_family(openmi_run* handle, int component) {
  return With(handle, [&](openmi_run& run) {
    const std::string id = run.Component(component).Id();
    run.Begun().Engage(id);
    return 0;
  });
}

int openmi_family_state(openmi_run* handle, int component, openmi_family_status* status) {
  return With(handle, [&](openmi_run& run) {
    Need(status, "status");
    const bool engaged = Desk(run).FamilyOf(run.Component(component).Id()).status == openmi::FamilyStatus::Engaged;
    *status = engaged ? OPENMI_FAMILY_ENGAGED : OPENMI_FAMILY_DISENGAGED;
    return 0;
  });
}
