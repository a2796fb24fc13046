#include "composition/hosts/WorkerKey.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <nettle/hmac.h>
#include <nettle/memops.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <span>
#include <utility>

#include "openmi/sdk/Error.hpp"
#include "openmi/system/FileDescriptor.hpp"

namespace openmi {
namespace {

void FillRandom(std::span<std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t got = getrandom(bytes.data(), bytes.size(), 0);
    if (got > 0) bytes = bytes.subspan(static_cast<std::size_t>(got));
    if (got < 0 && errno != EINTR) {
      throw FileError({}, std::string("expected random numbers of the system, found: ") + std::strerror(errno));
    }
  }
}

}  // namespace

WorkerKey WorkerKey::Make() {
  std::array<std::uint8_t, kSize> bytes{};
  FillRandom(bytes);
  return WorkerKey(fmt::format("{:02x}", fmt::join(bytes, "")));
}

WorkerKey WorkerKey::ForRows() const {
  return WorkerKey(fmt::format("{:02x}", fmt::join(Prove("rows", Nonce{}, Nonce{}, 0), "")));
}

WorkerKey::Nonce WorkerKey::MakeNonce() {
  Nonce nonce{};
  FillRandom(nonce);
  return nonce;
}

WorkerKey WorkerKey::Parse(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  const std::string_view word = begin == std::string_view::npos
                                    ? std::string_view()
                                    : text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
  if (word.size() < kSize) {
    throw ArgumentError({}, fmt::format("expected a key of at least {} characters, found {}", kSize, word.size()),
                        "make one with: openssl rand -hex 32");
  }
  return WorkerKey(std::string(word));
}

WorkerKey WorkerKey::Read(const std::string& file) {
  FileDescriptor opened(file == "-" ? dup(STDIN_FILENO) : open(file.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status {};
  if (!opened.IsOpen() || fstat(opened.Number(), &status) != 0) {
    throw FileError({.file = file}, std::string("expected a file with the key, found: ") + std::strerror(errno));
  }
  if (file != "-" && (status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    throw FileError(
        {.file = file},
        fmt::format("expected a key that only its owner can read, found permissions {:o}", status.st_mode & 0777U),
        fmt::format("chmod 600 {}", file));
  }
  std::string text;
  std::array<char, 1024> part{};
  while (text.find('\n') == std::string::npos && text.size() < part.size()) {
    const ssize_t got = read(opened.Number(), part.data(), part.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    text.append(part.data(), static_cast<std::size_t>(got));
  }
  try {
    return Parse(std::string_view(text).substr(0, text.find('\n')));
  } catch (const ArgumentError& error) {
    throw ArgumentError({.file = file}, error.Problem(), error.Remedy());
  }
}

WorkerKey::Proof WorkerKey::Prove(std::string_view role, const Nonce& of_run, const Nonce& of_worker,
                                  std::uint64_t ticket) const {
  std::array<std::uint8_t, 8> number{};
  for (std::size_t i = 0; i < number.size(); ++i) number[i] = static_cast<std::uint8_t>(ticket >> (8 * i));
  hmac_sha256_ctx context;
  hmac_sha256_set_key(&context, text_.size(), reinterpret_cast<const std::uint8_t*>(text_.data()));
  hmac_sha256_update(&context, role.size(), reinterpret_cast<const std::uint8_t*>(role.data()));
  hmac_sha256_update(&context, of_run.size(), of_run.data());
  hmac_sha256_update(&context, of_worker.size(), of_worker.data());
  hmac_sha256_update(&context, number.size(), number.data());
  Proof proof{};
  hmac_sha256_digest(&context, proof.size(), proof.data());
  return proof;
}

bool WorkerKey::Same(const Proof& a, const Proof& b) {
  return memeql_sec(a.data(), b.data(), a.size()) != 0;
}

}  // namespace openmi
