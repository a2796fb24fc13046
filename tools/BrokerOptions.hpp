#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "fmi-bridge/broker/component/StreamArguments.hpp"
#include "openmi/sdk/ArgumentList.hpp"

namespace openmi::tools {

/// The options for the address of a broker.
///
/// They are arguments of `openmi.broker.Stream` with the same names; --set sets the less frequent ones.
class BrokerOptions {
 public:
  BrokerOptions() : stream(arguments_) {}
  void AddTo(CLI::App& app);
  /// Sets an argument.
  /// \throws UsageFault  there is no argument with this name
  /// \throws ArgumentError  the argument does not accept the text
  void Set(const std::string& key, const std::string& text);
  /// Sets the arguments of `stream` to the options.
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
