#include <nettle/base64.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "composition/report/SvgTheme.hpp"

namespace openmi {
namespace {

constexpr unsigned kPaletteSize = 255;  // entry 0 of the palette is the transparent one

std::string BigEndian(std::uint32_t number) {
  return {static_cast<char>(number >> 24u), static_cast<char>(number >> 16u), static_cast<char>(number >> 8u),
          static_cast<char>(number)};
}

/// CRC-32 as PNG requires it (ISO 3309).
std::uint32_t Checksum(std::string_view bytes) {
  static const auto table = [] {
    std::array<std::uint32_t, 256> entries{};
    for (std::uint32_t i = 0; i < entries.size(); ++i) {
      std::uint32_t entry = i;
      for (int bit = 0; bit < 8; ++bit) entry = (entry & 1u) != 0 ? 0xEDB88320u ^ (entry >> 1u) : entry >> 1u;
      entries[i] = entry;
    }
    return entries;
  }();
  std::uint32_t crc = 0xFFFFFFFFu;
  for (const char byte : bytes) crc = table[(crc ^ static_cast<unsigned char>(byte)) & 0xFFu] ^ (crc >> 8u);
  return ~crc;
}

std::string Chunk(std::string_view type, std::string_view data) {
  const std::string body = std::string(type) + std::string(data);
  return BigEndian(static_cast<std::uint32_t>(data.size())) + body + BigEndian(Checksum(body));
}

/// A zlib stream of uncompressed blocks (RFC 1950, 1951): the images are too small to need a compressor.
std::string StoredStream(std::string_view bytes) {
  constexpr std::size_t most = 65535;
  std::string stream{"\x78\x01", 2};
  for (std::size_t begin = 0; begin < bytes.size(); begin += most) {
    const std::string_view block = bytes.substr(begin, most);
    const auto length = static_cast<std::uint16_t>(block.size());
    const auto inverse = static_cast<std::uint16_t>(~length);
    stream += static_cast<char>(begin + most >= bytes.size() ? 1 : 0);
    for (const std::uint16_t number : {length, inverse}) {
      stream += static_cast<char>(number & 0xFFu);
      stream += static_cast<char>(number >> 8u);
    }
    stream += block;
  }
  std::uint32_t first = 1;
  std::uint32_t second = 0;
  for (const char byte : bytes) {
    first = (first + static_cast<unsigned char>(byte)) % 65521u;
    second = (second + first) % 65521u;
  }
  return stream + BigEndian((second << 16u) | first);
}

}  // namespace

std::string EncodeBase64(std::string_view bytes) {
  std::string text(BASE64_ENCODE_RAW_LENGTH(bytes.size()), '\0');
  base64_encode_raw(text.data(), bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
  return text;
}

std::string ColourImage(std::span<const double> cells, std::size_t columns, double low, double high) {
  const std::size_t rows = cells.size() / columns;
  std::string scanlines;
  scanlines.reserve(rows * (columns + 1));
  for (std::size_t row = 0; row < rows; ++row) {
    scanlines += '\0';  // no filter
    for (const double value : cells.subspan(row * columns, columns)) {
      const double share = high > low ? std::clamp((value - low) / (high - low), 0.0, 1.0) : 0.5;
      scanlines += std::isfinite(value) ? static_cast<char>(1 + std::lround(share * (kPaletteSize - 1))) : '\0';
    }
  }
  std::string palette(3, '\0');
  for (unsigned i = 0; i < kPaletteSize; ++i) {
    const Rgb rgb = ScaleRgb(static_cast<double>(i) / (kPaletteSize - 1));
    for (const unsigned char part : {rgb.red, rgb.green, rgb.blue}) palette += static_cast<char>(part);
  }
  const std::string header = BigEndian(static_cast<std::uint32_t>(columns)) +
                             BigEndian(static_cast<std::uint32_t>(rows)) + std::string("\x08\x03\x00\x00\x00", 5);
  const std::string png = std::string("\x89PNG\r\n\x1A\n", 8) + Chunk("IHDR", header) + Chunk("PLTE", palette) +
                          Chunk("tRNS", std::string(1, '\0')) + Chunk("IDAT", StoredStream(scanlines)) +
                          Chunk("IEND", "");
  return "data:image/png;base64," + EncodeBase64(png);
}

}  // namespace openmi
