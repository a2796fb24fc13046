#include "studio/server/Gate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "composition/control/ControlAddress.hpp"

namespace openmi {
namespace {

// Compares in the same time wherever the first difference is.
bool IsSame(std::string_view found, std::string_view expected) {
  if (found.size() != expected.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    difference |= static_cast<unsigned char>(found[i]) ^ static_cast<unsigned char>(expected[i]);
  }
  return difference == 0;
}

std::optional<std::string> Unquoted(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      plain += text[i];
      continue;
    }
    const auto digit = [&](std::size_t at) -> int {
      const char c = at < text.size() ? text[at] : 'x';
      if (c >= '0' && c <= '9') return c - '0';
      if (c >= 'a' && c <= 'f') return c - 'a' + 10;
      if (c >= 'A' && c <= 'F') return c - 'A' + 10;
      return -1;
    };
    const int high = digit(i + 1);
    const int low = digit(i + 2);
    if (high < 0 || low < 0 || high + low == 0) return std::nullopt;
    plain += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return plain;
}

}  // namespace

Gate::Gate(std::uint16_t port) : port_(port), key_(NewControlToken()), cookie_(NewControlToken()) {}

std::string Gate::Address() const {
  return fmt::format("http://127.0.0.1:{}/?key={}", port_, key_);
}

std::string Gate::SetCookie() const {
  return fmt::format("openmi-studio-{}={}; HttpOnly; SameSite=Strict; Path=/", port_, cookie_);
}

bool Gate::IsHost(std::string_view host) const {
  return host == fmt::format("127.0.0.1:{}", port_) || host == fmt::format("localhost:{}", port_);
}

bool Gate::IsOrigin(std::string_view origin) const {
  constexpr std::string_view kScheme = "http://";
  return origin.starts_with(kScheme) && IsHost(origin.substr(kScheme.size()));
}

bool Gate::IsKey(std::string_view target) const {
  return IsSame(target, "/?key=" + key_);
}

bool Gate::IsCookie(std::string_view cookies) const {
  const std::string name = fmt::format("openmi-studio-{}=", port_);
  while (!cookies.empty()) {
    const std::size_t end = std::min(cookies.find(';'), cookies.size());
    std::string_view one = cookies.substr(0, end);
    one.remove_prefix(std::min(one.find_first_not_of(' '), one.size()));
    if (one.starts_with(name) && IsSame(one.substr(name.size()), cookie_)) return true;
    cookies.remove_prefix(std::min(end + 1, cookies.size()));
  }
  return false;
}

std::optional<std::filesystem::path> FileInFolder(const std::filesystem::path& folder, std::string_view path) {
  namespace fs = std::filesystem;
  const auto plain = Unquoted(path);
  if (!plain || plain->empty() || plain->find('\0') != std::string::npos) return std::nullopt;
  const fs::path relative(*plain);
  if (relative.is_absolute()) return std::nullopt;
  for (const fs::path& part : relative) {
    if (part.empty() || part.string().starts_with('.')) return std::nullopt;
  }
  std::error_code error;
  const fs::path root = fs::canonical(folder, error);
  if (error) return std::nullopt;
  const fs::path file = fs::canonical(root / relative, error);
  if (error || !fs::is_regular_file(file, error)) return std::nullopt;
  const auto [at, end] = std::ranges::mismatch(root, file);
  if (at != root.end()) return std::nullopt;
  return file;
}

}  // namespace openmi
