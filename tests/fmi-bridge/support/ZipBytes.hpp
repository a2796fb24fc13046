#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace openmi::test {

/// An entry of an archive, written as told, however wrong.
struct ZipEntry {
  std::string name;
  std::string content = {};
  std::uint16_t method = 0;      ///< 0 stores; for 8 the content is wrapped into deflate blocks that store
  std::uint16_t flags = 0x0800;  ///< the name is UTF-8
  std::uint32_t unix_mode = 0100644;
  std::optional<std::uint32_t> stated_size = {};
  std::optional<std::uint32_t> stated_check = {};
};

inline std::uint32_t Crc32(const std::string& bytes) {
  std::uint32_t sum = 0xffffffffU;
  for (const char c : bytes) {
    sum ^= static_cast<std::uint8_t>(c);
    for (int bit = 0; bit < 8; ++bit) sum = (sum >> 1U) ^ ((sum & 1U) != 0 ? 0xedb88320U : 0U);
  }
  return ~sum;
}

inline void Put16(std::string& out, std::uint32_t value) {
  out += static_cast<char>(value & 0xffU);
  out += static_cast<char>((value >> 8U) & 0xffU);
}

inline void Put32(std::string& out, std::uint32_t value) {
  Put16(out, value);
  Put16(out, value >> 16U);
}

/// Deflate without compression. Source: RFC 1951, 3.2.4.
inline std::string StoredDeflate(const std::string& bytes) {
  std::string out;
  std::size_t at = 0;
  do {
    const std::size_t size = std::min<std::size_t>(65535, bytes.size() - at);
    out += at + size == bytes.size() ? '\1' : '\0';
    Put16(out, static_cast<std::uint32_t>(size));
    Put16(out, ~static_cast<std::uint32_t>(size));
    out.append(bytes, at, size);
    at += size;
  } while (at < bytes.size());
  return out;
}

/// The archive's bytes. Source: APPNOTE.TXT 6.3, sections 4.3.7, 4.3.12 and 4.3.16.
inline std::string ZipBytes(const std::vector<ZipEntry>& entries) {
  std::string out, directory;
  for (const ZipEntry& entry : entries) {
    const std::string data = entry.method == 8 ? StoredDeflate(entry.content) : entry.content;
    std::string common;  // of both headers, from the version needed to the length of the extra field
    Put16(common, 20);
    Put16(common, entry.flags);
    Put16(common, entry.method);
    Put32(common, 0x58210000U);  // a time
    Put32(common, entry.stated_check.value_or(Crc32(entry.content)));
    Put32(common, static_cast<std::uint32_t>(data.size()));
    Put32(common, entry.stated_size.value_or(static_cast<std::uint32_t>(entry.content.size())));
    Put16(common, static_cast<std::uint32_t>(entry.name.size()));
    Put16(common, 0);
    const std::size_t offset = out.size();
    Put32(out, 0x04034b50U);
    out += common + entry.name + data;
    Put32(directory, 0x02014b50U);
    Put16(directory, (3U << 8U) | 20U);  // made on Unix
    directory += common;
    Put16(directory, 0);
    Put16(directory, 0);
    Put16(directory, 0);
    Put32(directory, entry.unix_mode << 16U);
    Put32(directory, static_cast<std::uint32_t>(offset));
    directory += entry.name;
  }
  const std::size_t begin = out.size();
  out += directory;
  Put32(out, 0x06054b50U);
  Put32(out, 0);
  Put16(out, static_cast<std::uint32_t>(entries.size()));
  Put16(out, static_cast<std::uint32_t>(entries.size()));
  Put32(out, static_cast<std::uint32_t>(directory.size()));
  Put32(out, static_cast<std::uint32_t>(begin));
  Put16(out, 0);
  return out;
}

}  // namespace openmi::test
