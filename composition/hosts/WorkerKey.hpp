#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace openmi {

/// A secret that a run and its workers share. A worker that does not know it is not let in, and a worker lets no run
/// use it that does not know it.
class WorkerKey {
 public:
  static constexpr std::size_t kSize = 32;
  using Nonce = std::array<std::uint8_t, 32>;
  using Proof = std::array<std::uint8_t, 32>;

  /// The environment variable that may hold the key.
  static constexpr char kVariable[] = "OPENMI_WORKER_KEY";

  /// A key of this run only, of random bytes.
  static WorkerKey Make();
  /// \param text  as Text gives it, or any other text of at least 32 characters; blanks around it are dropped
  /// \throws ArgumentError  it is shorter
  static WorkerKey Parse(std::string_view text);
  /// The key of a file, or of standard input for "-": its first line.
  /// \throws FileError      it cannot be read, or others than its owner may read it
  /// \throws ArgumentError  the key is too short
  static WorkerKey Read(const std::string& file);

  /// 64 hexadecimal digits, for the worker's standard input.
  const std::string& Text() const { return text_; }
  /// A key that follows from this one, for connections between workers.
  WorkerKey ForRows() const;
  static Nonce MakeNonce();
  /// HMAC-SHA256 of a role and of what both sides made up.
  /// \param role  "worker" or "run": none can send back what the other proved
  Proof Prove(std::string_view role, const Nonce& of_run, const Nonce& of_worker, std::uint64_t ticket) const;
  /// Compares in a time that does not depend on the bytes.
  static bool Same(const Proof& a, const Proof& b);

 private:
  explicit WorkerKey(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

}  // namespace openmi
