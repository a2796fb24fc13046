#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "fmi-bridge/broker/component/StreamArguments.hpp"
#include "openmi/sdk/ArgumentList.hpp"

namespace openmi::tools {

/// The options that say where a broker is. They are arguments of `openmi.broker.Stream`, under the same names; those
/// that are rare are set by --set.
class BrokerOptions {
 public:
  BrokerOptions() : stream(arguments_) {}
  void AddTo(CLI::App& app);
  /// Sets an argument. \throws UsageFault  there is none of that name. \throws ArgumentError  it does not take the text
  void Set(const std::string& key, const std::string& text);
  /// Puts the options into `stream`.
  void Apply();

 private:
  ArgumentList arguments_;
  std::string host_ = "localhost";
  std::string port_;
  std::string username_;
  std::string password_file_;
  std::string tls_ca_file_;
  bool has_tls_ = false;
  std::vector<std::string> settings_;

 public:
  broker::StreamArguments stream;
};

}  // namespace openmi::tools
