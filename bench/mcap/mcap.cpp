// Traces in MCAP files of 1 GB (GroundTruths of 190 kB whose numbers do not compress well): all messages read, beside
// the same chunks read and unpacked by zstd with nothing else, and the time until a message in the middle is there,
// beside reading and unpacking its chunk. The file is in the cache of the system. Both alternate; the median of the
// paired ratios counts. `mcap keep` leaves the file in the folder for temporary files, for other readers.

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/support/Report.hpp"
#include "fmi-bridge/osmp/trace/McapTrace.hpp"
#include "fmi-bridge/osmp/trace/McapWriter.hpp"

namespace {

using namespace openmi::osi;

constexpr std::size_t kMessage = 190'000;
constexpr std::size_t kMessages = 5'500;
constexpr double kReadBound = 1.5;

std::filesystem::path Path() {
  return std::filesystem::temp_directory_path() / "openmi-bench-trace.mcap";
}

double WriteFile() {
  // A quarter of the bytes is noise, as the lower bytes of coordinates are; more messages than a chunk holds differ.
  std::vector<std::vector<std::byte>> noise(16, std::vector<std::byte>(kMessage));
  std::mt19937 random(1);
  for (auto& one : noise) {
    for (std::size_t i = 0; i < kMessage; ++i) one[i] = static_cast<std::byte>(i % 4 == 0 ? random() : i / 64);
  }
  return bench::WallSeconds([&] {
    McapWriter writer(Path().string());
    const std::uint16_t channel = writer.Add({"truth", "GroundTruth", {3, 8, 0}}, Schema::Subset());
    MessageWriter message;
    for (std::size_t i = 0; i < kMessages; ++i) {
      message.Clear();
      WriteHead(message, {3, 8, 0}, TimestampOf(0.02 * static_cast<double>(i)));
      message.Length(1000, noise[i % noise.size()]);
      writer.Write(channel, i * 20'000'000, message.Written());
    }
    writer.Close();
  });
}

/// A chunk as the limit reads it: where its packed bytes are, and how many there will be.
struct Chunk {
  std::uint64_t at = 0, packed = 0, unpacked = 0;
};

std::vector<Chunk> ChunksOf(std::ifstream& file) {
  std::vector<Chunk> chunks;
  std::string head(kMcapRecordHead + 64, '\0');
  const std::uint64_t size = std::filesystem::file_size(Path());
  for (std::uint64_t at = kMcapMagic.size(); at + head.size() < size;) {
    file.seekg(static_cast<std::streamoff>(at));
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    McapFields fields(head);
    const auto kind = static_cast<McapRecord>(fields.Next<std::uint8_t>());
    const auto length = fields.Next<std::uint64_t>();
    if (kind == McapRecord::Chunk) {
      fields.Take(16);
      const auto unpacked = fields.Next<std::uint64_t>();
      fields.Next<std::uint32_t>();
      fields.Text();
      const auto packed = fields.Next<std::uint64_t>();
      chunks.push_back({at + kMcapRecordHead + length - packed, packed, unpacked});
    }
    at += kMcapRecordHead + length;
  }
  return chunks;
}

/// \returns the sum of some bytes, so that nothing is left out
std::size_t UnpackOnly(std::ifstream& file, const Chunk& chunk, std::string& packed, std::string& unpacked) {
  packed.resize(chunk.packed);
  unpacked.resize(chunk.unpacked);
  file.seekg(static_cast<std::streamoff>(chunk.at));
  file.read(packed.data(), static_cast<std::streamsize>(packed.size()));
  if (ZSTD_decompress(unpacked.data(), unpacked.size(), packed.data(), packed.size()) != chunk.unpacked) {
    throw std::runtime_error("expected a whole chunk");
  }
  return static_cast<unsigned char>(unpacked[unpacked.size() / 2]);
}

void Run(bench::Report& report) {
  const double written = WriteFile();
  const double megabytes = static_cast<double>(kMessages * kMessage) / 1e6;
  report.Line("write", megabytes / written, "MB/s", "itself", megabytes / written, {},
              fmt::format("{:.0f} MB, {:.0f} MB in the file", megabytes,
                          static_cast<double>(std::filesystem::file_size(Path())) / 1e6));
  std::ifstream file(Path(), std::ios::binary);
  const std::vector<Chunk> chunks = ChunksOf(file);
  std::string packed;
  std::string unpacked;
  std::size_t sum = 0;
  const auto read = bench::InTurn(
      5,
      [&] {
        return bench::WallSeconds([&] {
                 const auto trace = OpenTrace(Path().string(), "", "");
                 std::size_t count = 0;
                 while (const auto message = trace->Next()) count += message->size() > kMessage ? 1 : 0;
                 if (count != kMessages) throw std::runtime_error("expected all messages");
               }) /
               megabytes * 1e6;
      },
      [&] {
        return bench::WallSeconds([&] {
                 for (const Chunk& chunk : chunks) sum += UnpackOnly(file, chunk, packed, unpacked);
               }) /
               megabytes * 1e6;
      });
  report.Line("read", read, "ms/GB", "zstd alone", bench::Bound::AtMost(kReadBound));
  openmi::Bytes message;
  const auto find = bench::InTurn(
      15,
      [&] {
        return bench::WallSeconds([&] {
                 const auto trace = OpenTrace(Path().string(), "", "");
                 const auto times = trace->Times();
                 const auto at = std::ranges::lower_bound(times, std::int64_t{20'000'000} * (kMessages / 2));
                 trace->ReadAt(static_cast<std::uint64_t>(at - times.begin()), message);
               }) *
               1e3;
      },
      [&] {
        return bench::WallSeconds([&] {
                 std::ifstream opened(Path(), std::ios::binary);
                 sum += UnpackOnly(opened, chunks[chunks.size() / 2], packed, unpacked);
               }) *
               1e3;
      });
  report.Line("find", find, "ms", "its chunk alone", {},
              fmt::format("opened, found by time, {} bytes read; check sum {}", message.size(), sum % 7));
  if (!report.Wants("keep") || report.Words().empty()) std::filesystem::remove(Path());
}

}  // namespace

int main(int count, char** words) {
  return bench::Main("mcap", count, words, Run);
}
