#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace openmi {

/// SHA-256 of bytes that arrive in pieces.
///
/// Source: [FIPS180-4], section 6.2.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;

  /// Adds the next bytes.
  void Add(std::string_view bytes);
  /// The hash of all bytes since the last call: 64 hexadecimal digits in lower case.
  std::string Finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// SHA-256 of a file, 64 hexadecimal digits. Reads the file in pieces.
/// \throws FileError  the file cannot be read
std::string HashFile(const std::filesystem::path& path);

}  // namespace openmi
