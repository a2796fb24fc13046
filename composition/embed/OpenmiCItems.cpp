// The C interface: items, kept states, observers and families.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "composition/embed/Handles.hpp"
#include "openmi/sdk/Missing.hpp"

using openmi::ArgumentError;
using openmi::EmbeddedRun;
using namespace openmi::embed;  // NOLINT: the pieces of this file

int openmi_item_size(openmi_run* handle, const char* item) {
  return With(handle,
              [&](EmbeddedRun& run) { return static_cast<int>(run.Desk().ElementCount(Needed(item, "item"))); });
}

int openmi_item_unit(openmi_run* handle, const char* item, char* buffer, size_t size) {
  return With(handle,
              [&](EmbeddedRun& run) { return Copy(run.Desk().Values(Needed(item, "item")).unit, buffer, size); });
}

int openmi_read(openmi_run* handle, const char* item, double* values, size_t count) {
  return With(handle, [&](EmbeddedRun& run) {
    Need(values, "values");
    const std::string name = Needed(item, "item");
    const openmi::DeskValues last = run.Desk().Values(name);
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
  return With(handle, [&](EmbeddedRun& run) {
    Need(values, "values");
    run.Desk().Override(Needed(item, "item"), {values, count});
    return 0;
  });
}

int openmi_free(openmi_run* handle, const char* item) {
  return With(handle, [&](EmbeddedRun& run) {
    run.Desk().Free(Needed(item, "item"));
    return 0;
  });
}

int openmi_supply_input(openmi_run* handle, const char* item, int between) {
  return With(handle, [&](EmbeddedRun& run) {
    if (between != OPENMI_PREVIOUS && between != OPENMI_LINEAR) {
      throw ArgumentError({.item = "between"},
                          fmt::format("expected OPENMI_PREVIOUS or OPENMI_LINEAR, found {}", between));
    }
    run.SupplyInput(Needed(item, "item"),
                    between == OPENMI_LINEAR ? openmi::SuppliedBetween::Linear : openmi::SuppliedBetween::Previous);
    return 0;
  });
}

int openmi_supply(openmi_run* handle, const char* item, double mjd, double duration, const double* values,
                  size_t count) {
  return With(handle, [&](EmbeddedRun& run) {
    Need(item, "item");
    Need(values, "values");
    run.Run().Supply(item, openmi::Stamp{mjd}, openmi::Days{duration}, {values, count});
    return 0;
  });
}

int openmi_find_item(openmi_run* handle, const char* item) {
  return With(handle, [&](EmbeddedRun& run, openmi_run& all) {
    openmi::OutputProxy& output = run.Desk().ProxyOf(Needed(item, "item"));
    const auto known =
        std::ranges::find_if(all.views, [&](const openmi::OutputView& view) { return &view.Output() == &output; });
    const auto number = known - all.views.begin();
    if (known == all.views.end()) all.views.emplace_back(output);
    return static_cast<int>(number);
  });
}

int openmi_read_item(openmi_run* handle, int item, double* values, size_t count, double* mjd, double* duration) {
  return With(handle, [&](EmbeddedRun&, openmi_run& all) {
    Need(values, "values");
    if (item < 0 || static_cast<std::size_t>(item) >= all.views.size()) {
      throw openmi::RangeError({}, fmt::format("expected an item below {}, found {}", all.views.size(), item),
                               "use what openmi_find_item gave");
    }
    const openmi::LatestRow row = all.views[static_cast<std::size_t>(item)].Latest();
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
  return With(handle, [&](EmbeddedRun& run, openmi_run& all) {
    Need(state, "state");
    all.states[all.last_state + 1] = {run.Begun().SaveState(), {}};
    *state = ++all.last_state;
    return 0;
  });
}

int openmi_restore_state(openmi_run* handle, int state) {
  return With(handle, [&](EmbeddedRun& run, openmi_run& all) {
    run.Begun().RestoreState(all.State(state).state);
    return 0;
  });
}

int openmi_drop_state(openmi_run* handle, int state) {
  return With(handle, [&](EmbeddedRun&, openmi_run& all) {
    all.State(state);
    all.states.erase(state);
    return 0;
  });
}

int openmi_state_size(openmi_run* handle, int state, size_t* size) {
  return With(handle, [&](EmbeddedRun& run, openmi_run& all) {
    Need(size, "size");
    KeptState& kept = all.State(state);
    if (kept.bytes.empty()) kept.bytes = run.Begun().SerializeState(kept.state);
    *size = kept.bytes.size();
    return 0;
  });
}

int openmi_state_bytes(openmi_run* handle, int state, void* bytes, size_t size) {
  return With(handle, [&](EmbeddedRun& run, openmi_run& all) {
    Need(bytes, "bytes");
    KeptState& kept = all.State(state);
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
  return With(handle, [&](EmbeddedRun& run, openmi_run& all) {
    Need(bytes, "bytes");
    Need(state, "state");
    const openmi::ByteView given(static_cast<const std::byte*>(bytes), size);
    all.states[all.last_state + 1] = {run.Begun().DeserializeState(given), {given.begin(), given.end()}};
    *state = ++all.last_state;
    return 0;
  });
}

int openmi_observe(openmi_run* handle, const char* item, openmi_observer observer, void* user) {
  return With(handle, [&](EmbeddedRun& run) {
    Need(observer, "observer");
    run.Observe(Needed(item, "item"),
                [observer, user](openmi::Stamp begin, openmi::Days duration, std::span<const double> row) {
                  observer(user, (begin + duration).mjd, duration.count, row.data(), row.size());
                });
    return 0;
  });
}

int openmi_disengage_family(openmi_run* handle, int component) {
  return With(handle, [&](EmbeddedRun& run, openmi_run& all) {
    const std::string id = all.Component(component).Id();
    run.Begun().Disengage(id);
    return 0;
  });
}

int openmi_engage_family(openmi_run* handle, int component) {
  return With(handle, [&](EmbeddedRun& run, openmi_run& all) {
    const std::string id = all.Component(component).Id();
    run.Begun().Engage(id);
    return 0;
  });
}

int openmi_family_state(openmi_run* handle, int component, openmi_family_status* status) {
  return With(handle, [&](EmbeddedRun& run, openmi_run& all) {
    Need(status, "status");
    const bool engaged = run.Desk().FamilyOf(all.Component(component).Id()).status == openmi::FamilyStatus::Engaged;
    *status = engaged ? OPENMI_FAMILY_ENGAGED : OPENMI_FAMILY_DISENGAGED;
    return 0;
  });
}
