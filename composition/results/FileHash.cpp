#include "composition/results/FileHash.hpp"

#include <fcntl.h>
#include <nettle/sha2.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <vector>

#include "composition/results/FileProblem.hpp"
#include "openmi/system/FileDescriptor.hpp"

namespace openmi {

struct Sha256::State {
  sha256_ctx context;
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  sha256_init(&state_->context);
}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::Add(std::string_view bytes) {
  sha256_update(&state_->context, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
}

std::string Sha256::Finish() {
  std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest = {};
  sha256_digest(&state_->context, digest.size(), digest.data());  // also resets the context
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : digest) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::string HashFile(const std::filesystem::path& path) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.IsOpen()) ThrowFileProblem(path, "read the file for its hash", errno);
  Sha256 hash;
  std::vector<char> buffer(1 << 18);
  for (;;) {
    const ssize_t count = read(file.Number(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) ThrowFileProblem(path, "read the file for its hash", errno);
    if (count == 0) return hash.Finish();
    hash.Add(std::string_view(buffer.data(), static_cast<std::size_t>(count)));
  }
}

}  // namespace openmi
