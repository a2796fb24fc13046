#include "fmi-bridge/osmp/trace/McapRecords.hpp"

#include <fmt/format.h>
#include <lz4frame.h>
#include <zlib.h>
#include <zstd.h>

#include <memory>

namespace openmi::osi {
namespace {

void DecompressLz4(std::string_view bytes, std::string& result) {
  LZ4F_dctx* made = nullptr;
  if (LZ4F_isError(LZ4F_createDecompressionContext(&made, LZ4F_VERSION)) != 0) throw std::bad_alloc();
  const std::unique_ptr<LZ4F_dctx, decltype(&LZ4F_freeDecompressionContext)> context(made,
                                                                                     &LZ4F_freeDecompressionContext);
  std::size_t written = 0;
  while (!bytes.empty()) {
    std::size_t room = result.size() - written;
    std::size_t taken = bytes.size();
    const std::size_t wanted =
        LZ4F_decompress(context.get(), result.data() + written, &room, bytes.data(), &taken, nullptr);
    if (LZ4F_isError(wanted) != 0) throw McapError(fmt::format("damaged bytes of lz4: {}", LZ4F_getErrorName(wanted)));
    if (taken == 0 && room == 0) break;  // more than was announced
    written += room;
    bytes.remove_prefix(taken);
    if (wanted == 0) break;
  }
  if (written != result.size() || !bytes.empty()) {
    throw McapError(fmt::format("expected {} bytes out of lz4, found {}", result.size(),
                                bytes.empty() ? fmt::format("{}", written) : std::string("more")));
  }
}

}  // namespace

std::string_view McapFields::Take(std::uint64_t count) {
  if (count > rest_.size()) throw McapError(fmt::format("expected {} more bytes, found {}", count, rest_.size()));
  const std::string_view taken = rest_.substr(0, count);
  rest_.remove_prefix(count);
  return taken;
}

std::map<std::string, std::string> McapFields::Texts() {
  McapFields pairs(Text());
  std::map<std::string, std::string> texts;
  while (!pairs.IsEmpty()) {
    const std::string_view key = pairs.Text();
    texts.insert_or_assign(std::string(key), std::string(pairs.Text()));
  }
  return texts;
}

void McapBytes::AddTexts(const std::map<std::string, std::string>& pairs) {
  McapBytes content;
  for (const auto& [key, value] : pairs) {
    content.AddText(key);
    content.AddText(value);
  }
  AddText(content.Bytes());
}

std::uint32_t Crc32(std::string_view bytes, std::uint32_t before) {
  return static_cast<std::uint32_t>(::crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::string CompressZstd(std::string_view bytes) {
  std::string result(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size = ZSTD_compress(result.data(), result.size(), bytes.data(), bytes.size(), ZSTD_CLEVEL_DEFAULT);
  if (ZSTD_isError(size) != 0) throw McapError(ZSTD_getErrorName(size));
  result.resize(size);
  return result;
}

void Decompress(std::string_view method, std::string_view bytes, std::uint64_t size, std::string& result) {
  if (method.empty()) {
    if (bytes.size() != size) throw McapError(fmt::format("expected {} bytes, found {}", size, bytes.size()));
    result = bytes;
    return;
  }
  if (method != "zstd" && method != "lz4") {
    throw McapError(fmt::format("expected bytes that are compressed by zstd or lz4, found '{}'", method));
  }
  result.resize(size);
  if (method == "lz4") return DecompressLz4(bytes, result);
  const std::size_t found = ZSTD_decompress(result.data(), result.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(found) != 0) throw McapError(fmt::format("damaged bytes of zstd: {}", ZSTD_getErrorName(found)));
  if (found != size) throw McapError(fmt::format("expected {} bytes out of zstd, found {}", size, found));
}

}  // namespace openmi::osi
