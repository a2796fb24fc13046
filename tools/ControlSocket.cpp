#include "tools/ControlSocket.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cctype>
#include <cstdio>
#include <cstdlib>

#include "openmi/sdk/Utf8.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

ControlAddress AddressOf(const std::string& id, const std::string& at) {
  if (at.empty()) {
    std::string name;
    for (const char c : id.substr(0, 40)) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '-';
    return {.socket = ControlFolder() / fmt::format("{}-{}.sock", name, getpid()), .port = 0, .token = {}};
  }
  ControlAddress address = ControlAddress::Parse(at);
  if (const char* token = std::getenv("OPENMI_CONTROL_TOKEN"); token != nullptr) address.token = token;
  return address;
}

}  // namespace

ControlSocket::ControlSocket(CompositionRun& run, const std::string& at) : desk_(run) {
  const ControlAddress asked = AddressOf(run.Model().File().id, at);
  server_ = std::make_unique<ControlServer>(asked, desk_.Greeting(),
                                            [this](const std::string& line) { return desk_.Answer(line); });
  const bool is_new_token = asked.token.empty() && !server_->Address().token.empty();
  PrintLine(stderr, PrintableText(fmt::format("listening at {}{}", server_->Address().Text(),
                                              is_new_token ? ", token " + server_->Address().token : std::string())));
}

ControlSocket::~ControlSocket() {
  server_->Stop();
  desk_.Close();
  server_.reset();
}

}  // namespace openmi::tools
