#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace openmi {

/// Decides which requests a server on loopback answers.
///
/// Programs and pages of others can reach a port of this machine. A request is answered if its `Host` is this server by
/// its loopback address, so that a name that a stranger points at 127.0.0.1 (DNS rebinding) is refused; if its
/// `Origin`, where there is one, is a page of this server; and if it has the cookie that was given for the key in the
/// address.
class Gate {
 public:
  /// \param port  of the server
  explicit Gate(std::uint16_t port);

  /// The address to open, with the key: `http://127.0.0.1:4711/?key=...`.
  std::string Address() const;
  /// The value of `Set-Cookie` for a browser that knows the key. No script can read the cookie, and no other site makes
  /// the browser send it.
  std::string SetCookie() const;

  /// Whether a `Host` header names this server.
  bool IsHost(std::string_view host) const;
  /// Whether an `Origin` header names a page of this server.
  bool IsOrigin(std::string_view origin) const;
  /// Whether the target of a request is the address with the key. Takes the same time for each wrong key.
  bool IsKey(std::string_view target) const;
  /// Whether a `Cookie` header holds our cookie.
  bool IsCookie(std::string_view cookies) const;

 private:
  std::uint16_t port_;
  std::string key_;
  std::string cookie_;
};

/// The file in `folder` that a path of an address means, with references such as %20 replaced.
/// \returns nothing for a path that leads out of the folder, also by a link, that is hidden (a name with a dot in
///   front), or that names no regular file
std::optional<std::filesystem::path> FileInFolder(const std::filesystem::path& folder, std::string_view path);

}  // namespace openmi
