#include "tools/BrokerOptions.hpp"

#include <fmt/format.h>

#include "openmi/sdk/Suggest.hpp"
#include "tools/Inputs.hpp"

namespace openmi::tools {

void BrokerOptions::AddTo(CLI::App& app) {
  AddShown(app, "--host", host_, "HOST", "Host of the broker");
  AddValue(app, "--port", port_, "PORT", "Port of the broker (default: 5672, with TLS 5671)");
  AddValue(app, "--username", username_, "NAME", "Name to log in with (default: guest)");
  AddValue(app, "--password-file", password_file_, "FILE",
           "File with the password in its first line (default: the environment variable OPENMI_BROKER_PASSWORD, else "
           "'guest')");
  app.add_flag("--tls", has_tls_, "Encrypt the connection; the broker's certificate and its host name are verified");
  AddValue(app, "--tls-ca-file", tls_ca_file_, "FILE",
           "PEM file with the trusted authorities (default: those of the system)");
  AddValue(app, "--argument,--set", settings_, "KEY=VALUE",
           "Any other argument of openmi.broker.Stream that concerns the broker, such as virtual-host=/plant");
}

void BrokerOptions::Set(const std::string& key, const std::string& text) {
  ArgumentItem* argument = arguments_.Find(key);
  if (argument == nullptr) {
    std::vector<std::string> ids;
    for (const IArgument* one : arguments_.Items()) ids.push_back(one->Id());
    throw UsageFault{fmt::format("--argument: expected an argument of openmi.broker.Stream, found '{}'; {}", key,
                                 Suggest(key, ids))};
  }
  argument->SetValueAsString(text);
}

void BrokerOptions::Apply() {
  const auto set = [this](const char* key, const std::string& text) {
    if (!text.empty()) Set(key, text);
  };
  set("host", host_);
  set("port", port_);
  set("username", username_);
  set("password-file", password_file_);
  set("tls-ca-file", tls_ca_file_);
  if (has_tls_) Set("tls", "true");
  for (const std::string& setting : settings_) {
    const auto [key, text] = ParseSetting(setting, "--argument");
    Set(key, text);
  }
}

}  // namespace openmi::tools
