#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>

#include "fmi-bridge/dcp/protocol/description/SlaveDescription.hpp"
#include "fmi-bridge/dcp/slave/SlaveRunner.hpp"
#include "fmi-bridge/dcp/slave/openmi_dcp.h"
#include "openmi/sdk/Error.hpp"

namespace {

thread_local std::string last_error;

/// Calls the hooks of a C program.
class HookedModel final : public openmi::dcp::SlaveModel {
 public:
  HookedModel(const openmi_dcp_hooks& hooks, void* user) : hooks_(hooks), user_(user) {}
  using SlaveModel::Attend;
  void Configure(openmi::dcp::SlaveValues&) override { Call("configure", hooks_.configure); }
  void Initialize(openmi::dcp::SlaveValues&) override { Call("initialize", hooks_.initialize); }
  void Step(openmi::dcp::SlaveValues&, const openmi::dcp::StepSpan& span) override {
    Require("step", hooks_.step(user_, span.begin, span.end));
  }
  void Stop(openmi::dcp::SlaveValues&) override { Call("stop", hooks_.stop); }
  void Reset(openmi::dcp::SlaveValues&) override { Call("reset", hooks_.reset); }

 private:
  void Call(const char* name, int (*hook)(void*)) {
    if (hook != nullptr) Require(name, hook(user_));
  }
  static void Require(const char* name, int outcome) {
    if (outcome == 0) return;
    throw openmi::ModelError({}, fmt::format("expected 0 from the hook '{}', found {}", name, outcome));
  }
  openmi_dcp_hooks hooks_;
  void* user_;
};

std::optional<std::uint16_t> Port(int number) {
  if (number < 0) return std::nullopt;
  if (number > 65535) {
    throw openmi::ArgumentError({}, fmt::format("expected a port up to 65535, found {}", number), "choose another");
  }
  return static_cast<std::uint16_t>(number);
}

}  // namespace

/// The object that the handle points to.
struct openmi_dcp_slave {
  openmi_dcp_slave(openmi::dcp::SlaveDescription read, const openmi_dcp_hooks& hooks, void* user,
                   openmi::dcp::SlaveOptions options)
      : description(std::move(read)), model(hooks, user), runner(description, model, std::move(options)) {}

  openmi::Where Place(int variable) const {
    return {.component = description.name, .item = description.At(variable).name};
  }
  openmi::dcp::TypedValue& At(int variable, bool is_text) {
    if (variable < 0 || static_cast<std::size_t>(variable) >= description.variables.size()) {
      throw openmi::ArgumentError({.component = description.name},
                                  fmt::format("expected a variable from 0 to {}, found {}",
                                              static_cast<long>(description.variables.size()) - 1, variable),
                                  "ask openmi_dcp_find");
    }
    openmi::dcp::TypedValue& value = runner.Values().At(variable);
    if (openmi::dcp::IsText(value.Type()) != is_text) {
      throw openmi::TypeError(Place(variable),
                              fmt::format("expected {}, found {}", is_text ? "a string or binary" : "numbers",
                                          openmi::dcp::NameOf(value.Type())),
                              is_text ? "use openmi_dcp_get or openmi_dcp_set" : "use the functions for texts");
    }
    return value;
  }
  openmi::dcp::TypedValue& Numbers(int variable, std::size_t count) {
    openmi::dcp::TypedValue& value = At(variable, false);
    if (count != value.Elements()) {
      throw openmi::RangeError(Place(variable),
                               fmt::format("expected room for {} elements, found {}", value.Elements(), count),
                               "ask openmi_dcp_count");
    }
    return value;
  }

  openmi::dcp::SlaveDescription description;
  HookedModel model;
  openmi::dcp::SlaveRunner runner;
};

namespace {

/// Calls `work`. What it throws becomes the last error, and `otherwise` is returned.
template <class Work, class Result>
Result Caught(Result otherwise, Work work) noexcept {
  try {
    last_error.clear();
    return work();
  } catch (const std::exception& error) {
    last_error = error.what();
  } catch (...) {
    last_error = "an exception of an unknown type";
  }
  return otherwise;
}

/// Calls `work` likewise, for a slave that is there.
template <class Work, class Result>
Result Guarded(const openmi_dcp_slave* slave, Result otherwise, Work work) noexcept {
  return Caught(otherwise, [&]() -> Result {
    if (slave == nullptr)
      throw openmi::ArgumentError({}, "expected a slave, found null", "check what openmi_dcp_open gave");
    return work();
  });
}

/// Calls `work` likewise.
/// \returns 0, or -1 where it throws
template <class Work>
int Done(const openmi_dcp_slave* slave, Work work) noexcept {
  return Guarded(slave, -1, [&] {
    work();
    return 0;
  });
}

}  // namespace

size_t openmi_dcp_last_error(char* buffer, size_t size) {
  if (buffer != nullptr && size > 0) {
    const std::size_t kept = std::min(size - 1, last_error.size());
    std::memcpy(buffer, last_error.data(), kept);
    buffer[kept] = '\0';
  }
  return last_error.size();
}

openmi_dcp_slave* openmi_dcp_open(const char* description, const openmi_dcp_hooks* hooks, void* user, const char* host,
                                  int udp_port, int tcp_port) {
  return Caught(static_cast<openmi_dcp_slave*>(nullptr), [&] {
    if (description == nullptr || hooks == nullptr || hooks->step == nullptr) {
      throw openmi::ArgumentError({}, "expected a description and hooks with a step, found null", "give all three");
    }
    openmi::Problems problems;
    openmi::dcp::SlaveDescription read = openmi::dcp::LoadOwnDescription(description, problems);
    openmi::ThrowIfErrors(problems);
    openmi::dcp::SlaveOptions options;
    if (host != nullptr) options.host = host;
    options.udp_port = Port(udp_port);
    options.tcp_port = Port(tcp_port);
    return std::make_unique<openmi_dcp_slave>(std::move(read), *hooks, user, std::move(options)).release();
  });
}

void openmi_dcp_close(openmi_dcp_slave* slave) {
  const std::unique_ptr<openmi_dcp_slave> owner(slave);
}

int openmi_dcp_port(openmi_dcp_slave* slave, int is_tcp) {
  return Guarded(slave, -1, [&] {
    using openmi::dcp::TransportProtocol;
    const std::uint16_t port =
        slave->runner.ControlEndpoint(is_tcp != 0 ? TransportProtocol::TCP_IPv4 : TransportProtocol::UDP_IPv4).port;
    if (port == 0) {
      throw openmi::ArgumentError({.file = slave->description.file},
                                  "expected a transport of the slave, found one that it lacks",
                                  "add it to TransportProtocols");
    }
    return int{port};
  });
}

int openmi_dcp_find(openmi_dcp_slave* slave, const char* name) {
  return Guarded(slave, -1, [&] {
    const openmi::dcp::TypedValue& value = slave->runner.Values().Named(name == nullptr ? "" : name);
    return static_cast<int>(&value - slave->runner.Values().All().data());
  });
}

size_t openmi_dcp_count(openmi_dcp_slave* slave, int variable) {
  return Guarded(slave, std::size_t{0}, [&] { return slave->At(variable, false).Elements(); });
}

int openmi_dcp_get(openmi_dcp_slave* slave, int variable, double* values, size_t count) {
  return Done(slave, [&] { slave->Numbers(variable, count).Numbers({values, count}); });
}

int openmi_dcp_set(openmi_dcp_slave* slave, int variable, const double* values, size_t count) {
  return Done(slave, [&] { slave->Numbers(variable, count).SetNumbers({values, count}); });
}

const char* openmi_dcp_get_text(openmi_dcp_slave* slave, int variable, size_t* size) {
  return Guarded(slave, static_cast<const char*>(nullptr), [&] {
    const std::string_view text = slave->At(variable, true).Text();
    if (size != nullptr) *size = text.size();
    return text.data();
  });
}

int openmi_dcp_set_text(openmi_dcp_slave* slave, int variable, const char* text, size_t size) {
  return Done(slave, [&] {
    openmi::dcp::TypedValue& value = slave->At(variable, true);
    if (!value.SetText({text, size})) {
      throw openmi::RangeError({.component = slave->description.name},
                               fmt::format("expected a text of at most {} bytes, found {}", value.MaxSize(), size),
                               "shorten it, or raise maxSize in the description");
    }
  });
}

int openmi_dcp_run(openmi_dcp_slave* slave) {
  return Done(slave, [&] {
    slave->runner.Run();
    if (!slave->runner.Problem().empty())
      throw openmi::ModelError({.component = slave->description.name}, slave->runner.Problem());
  });
}

void openmi_dcp_attend(openmi_dcp_slave* slave) {
  static_cast<void>(Done(slave, [&] { slave->model.Attend(); }));
}

int openmi_dcp_report(openmi_dcp_slave* slave, int level, const char* message) {
  return Done(slave, [&] {
    if (level < 0 || level > static_cast<int>(openmi::dcp::LogLevel::Debug) || message == nullptr) {
      throw openmi::RangeError({.component = slave->description.name},
                               fmt::format("expected a level from 0 to 4 and a message, found level {}", level));
    }
    slave->runner.Report(static_cast<openmi::dcp::LogLevel>(level), message);
  });
}

void openmi_dcp_stop(openmi_dcp_slave* slave) {
  if (slave != nullptr) slave->runner.Stop();
}
