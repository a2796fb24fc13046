#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <lz4frame.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "fmi-bridge/osmp/trace/McapReader.hpp"
#include "fmi-bridge/osmp/trace/McapWriter.hpp"
#include "fmi-bridge/osmp/trace/TraceSummary.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/composition/run/RunFixture.hpp"

namespace {

using namespace openmi;
using namespace openmi::osi;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr std::uint64_t kSecond = 1'000'000'000;

class Mcap : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              ("mcap-" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string File(const std::string& name) const { return (folder_ / name).string(); }
  std::string BytesOf(const std::string& name) const {
    std::ifstream file(File(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void WriteBytes(const std::string& name, std::string_view bytes) const {
    std::ofstream(File(name), std::ios::binary) << bytes;
  }

  /// A message of a type with that time and `size` bytes that are no field of it.
  static std::vector<std::byte> MessageAt(double seconds, std::size_t size) {
    MessageWriter writer;
    WriteHead(writer, {3, 7, 0}, TimestampOf(seconds));
    if (size > 0) writer.Length(1000, std::vector<std::byte>(size, std::byte{static_cast<unsigned char>(size)}));
    const Message message = writer.Written();
    return {message.begin(), message.end()};
  }
  /// Ground truths of 100 kB each 0.1 s and, at every other time, a small sensor view.
  void WriteTwo(const std::string& name, int steps) const {
    McapWriter writer(File(name));
    for (int i = 0; i < steps; ++i) Write(writer, i);
    writer.Close();
  }
  static void Write(McapWriter& writer, int step) {
    const double time = 0.1 * step;
    const auto nanos = static_cast<std::uint64_t>(step) * kSecond / 10;
    writer.Write(writer.Add({"truth", "GroundTruth", {3, 7, 0}}, Schema::Subset()), nanos,
                 MessageAt(time, 100'000 + static_cast<std::size_t>(step)));
    if (step % 2 == 0) {
      writer.Write(writer.Add({"view/front", "SensorView", {3, 10, 0}}, Schema::Subset()), nanos,
                   MessageAt(time, step == 0 ? 0 : 7));
    }
  }
  std::string Refusal(const std::string& name) const {
    try {
      McapReader reader(File(name));
      for (const McapChannel& channel : reader.Channels()) {
        for (const McapPlace& place : reader.MessagesOf(channel.id)) reader.At(place, channel.id);
      }
      return reader.Problem();
    } catch (const Error& error) {
      return error.what();
    }
  }
  std::filesystem::path folder_;
};

TEST_F(Mcap, WhatIsWrittenIsReadAgainByTime) {
  WriteTwo("two.mcap", 40);
  McapReader reader(File("two.mcap"));
  ASSERT_EQ(reader.Channels().size(), 2u);
  EXPECT_EQ(reader.Channels()[1].topic, "view/front");
  EXPECT_EQ(reader.Channels()[1].schema, "osi3.SensorView");
  EXPECT_EQ(reader.Channels()[0].metadata.at("net.asam.osi.trace.channel.osi_version"), "3.7.0");
  const auto truths = reader.MessagesOf(0);
  const auto views = reader.MessagesOf(1);
  ASSERT_EQ(truths.size(), 40u);
  ASSERT_EQ(views.size(), 20u);
  EXPECT_NE(truths.front().chunk, truths.back().chunk) << "40 messages of 100 kB need several chunks";
  for (const std::size_t i : {39u, 3u, 20u}) {
    EXPECT_TRUE(std::ranges::equal(reader.At(truths[i], 0), MessageAt(0.1 * static_cast<double>(i), 100'000 + i))) << i;
  }
  EXPECT_EQ(views[5].nanos, kSecond);
  EXPECT_EQ(reader.Problem(), "");
}

TEST_F(Mcap, AFileThatWasCutOffIsReadUpToThere) {
  WriteTwo("two.mcap", 40);
  const std::string bytes = BytesOf("two.mcap");
  WriteBytes("cut.mcap", bytes.substr(0, bytes.size() - 30));
  McapReader cut(File("cut.mcap"));
  EXPECT_EQ(cut.MessagesOf(0).size(), 40u);
  EXPECT_EQ(cut.Problem(), "") << "all data are there, only the index is not";
  McapReader whole(File("two.mcap"));
  const std::uint64_t last_chunk = whole.MessagesOf(0).back().chunk;
  WriteBytes("half.mcap", bytes.substr(0, last_chunk + 100));
  McapReader half(File("half.mcap"));
  EXPECT_LT(half.MessagesOf(0).size(), 40u);
  EXPECT_GT(half.MessagesOf(0).size(), 10u);
  EXPECT_THAT(half.Problem(), AllOf(HasSubstr("cut off"), HasSubstr(std::to_string(last_chunk))));
  const TraceSummary summary = Summarize(File("half.mcap"), {}, "truth");
  EXPECT_EQ(summary.messages, half.MessagesOf(0).size());
  EXPECT_THAT(summary.problem, HasSubstr("cut off"));
}

TEST_F(Mcap, ARunThatGoesOnWritesTheBytesOfOneThatWasNotStopped) {
  const auto write = [this](const std::string& name, bool is_stopped) {
    auto writer = std::make_unique<McapWriter>(File(name));
    for (int i = 0; i < 15; ++i) Write(*writer, i);
    const std::uint64_t size = writer->Flush();  // a checkpoint is written in both
    if (is_stopped) {
      for (int i = 15; i < 30; ++i) Write(*writer, i);  // after the checkpoint, and lost
      writer->Flush();
      writer = std::make_unique<McapWriter>(File(name), size);
    }
    for (int i = 15; i < 40; ++i) Write(*writer, i);
    writer->Close();
  };
  write("whole.mcap", false);
  write("again.mcap", true);
  EXPECT_TRUE(BytesOf("whole.mcap") == BytesOf("again.mcap"));
  EXPECT_THROW(McapWriter(File("again.mcap"), 100'000'000), FileError);
  WriteBytes("other.mcap", std::string(1000, 'x'));
  EXPECT_THROW(McapWriter(File("other.mcap"), 1000), FormatError);
}

/// A file of records without an index, as other tools may write it.
class McapByHand : public Mcap {
 protected:
  static std::string RecordsOf(int messages) {
    McapBytes records;
    McapBytes schema;
    schema.Add(std::uint16_t{1});
    schema.AddText("osi3.GroundTruth");
    schema.AddText("protobuf");
    schema.AddText("");
    records.AddRecord(McapRecord::Schema, schema.Bytes());
    McapBytes channel;
    channel.Add(std::uint16_t{5});
    channel.Add(std::uint16_t{1});
    channel.AddText("truth");
    channel.AddText("protobuf");
    channel.AddTexts({});
    records.AddRecord(McapRecord::Channel, channel.Bytes());
    for (int i = messages; i-- > 0;) {  // the last one first
      McapBytes message;
      message.Add(std::uint16_t{5});
      message.Add(static_cast<std::uint32_t>(i));
      message.Add(static_cast<std::uint64_t>(i) * kSecond);
      message.Add(static_cast<std::uint64_t>(i) * kSecond);
      message.AddRaw(std::string(static_cast<std::size_t>(i + 1), static_cast<char>('a' + i)));
      records.AddRecord(McapRecord::OneMessage, message.Bytes());
    }
    return records.Bytes();
  }
  static std::string ChunkOf(std::string_view records, std::string_view method, std::string_view packed,
                             std::uint64_t size, std::uint32_t crc) {
    McapBytes chunk;
    chunk.Add(std::uint64_t{0});
    chunk.Add(3 * kSecond);
    chunk.Add(size);
    chunk.Add(crc);
    chunk.AddText(method);
    chunk.Add(static_cast<std::uint64_t>(packed.size()));
    chunk.AddRaw(packed);
    static_cast<void>(records);
    return chunk.Bytes();
  }
  static std::string FileOf(McapRecord kind, std::string_view content, std::string_view summary = {}) {
    McapBytes file;
    file.AddRaw(kMcapMagic);
    McapBytes header;
    header.AddText("");
    header.AddText("by hand");
    file.AddRecord(McapRecord::Header, header.Bytes());
    file.AddRecord(kind, content);
    file.AddRecord(McapRecord::DataEnd, std::string(4, '\0'));
    McapBytes footer;
    footer.Add(static_cast<std::uint64_t>(summary.empty() ? 0 : file.Bytes().size()));
    footer.Add(std::uint64_t{0});
    footer.Add(std::uint32_t{0});
    file.AddRaw(summary);
    file.AddRecord(McapRecord::Footer, footer.Bytes());
    file.AddRaw(kMcapMagic);
    return file.Bytes();
  }
  void ExpectFour(const std::string& name) const {
    McapReader reader(File(name));
    EXPECT_EQ(reader.Problem(), "");
    ASSERT_EQ(reader.Channels().size(), 1u);
    EXPECT_TRUE(reader.Channels()[0].IsOsi());
    const auto places = reader.MessagesOf(5);
    ASSERT_EQ(places.size(), 4u);
    for (std::size_t i = 0; i < 4; ++i) {
      const Message message = reader.At(places[i], 5);
      EXPECT_EQ(message.size(), i + 1) << "sorted by time";
      EXPECT_EQ(static_cast<char>(message[0]), static_cast<char>('a' + i));
    }
  }
};

TEST_F(McapByHand, ChunksOfEachMethodAndWithoutAnIndexAreRead) {
  const std::string records = RecordsOf(4);
  const auto file = [&](std::string_view method, std::string_view packed) {
    return FileOf(McapRecord::Chunk, ChunkOf(records, method, packed, records.size(), Crc32(records)));
  };
  WriteBytes("plain.mcap", file("", records));
  ExpectFour("plain.mcap");
  WriteBytes("channels.mcap",
             FileOf(McapRecord::Chunk, ChunkOf(records, "", records, records.size(), 0), RecordsOf(0)));
  ExpectFour("channels.mcap");  // a summary with channels alone
  WriteBytes("zstd.mcap", file("zstd", CompressZstd(records)));
  ExpectFour("zstd.mcap");
  std::string lz4(LZ4F_compressFrameBound(records.size(), nullptr), '\0');
  lz4.resize(LZ4F_compressFrame(lz4.data(), lz4.size(), records.data(), records.size(), nullptr));
  WriteBytes("lz4.mcap", file("lz4", lz4));
  ExpectFour("lz4.mcap");
  McapBytes loose;  // records in no chunk
  loose.AddRaw(FileOf(McapRecord::Metadata, std::string(8, '\0')));
  std::string bytes = loose.Bytes();
  bytes.insert(bytes.find(std::string("\x0F\x04\0\0", 4)), records);
  WriteBytes("loose.mcap", bytes);
  ExpectFour("loose.mcap");
}

TEST_F(McapByHand, DamagedChunksAreNamed) {
  const std::string records = RecordsOf(4);
  const std::string packed = CompressZstd(records);
  const auto refusal = [&](std::string_view method, std::string_view bytes, std::uint64_t size, std::uint32_t crc) {
    WriteBytes("x.mcap", FileOf(McapRecord::Chunk, ChunkOf(records, method, bytes, size, crc)));
    return Refusal("x.mcap");
  };
  const std::uint64_t size = records.size();
  EXPECT_EQ(refusal("zstd", packed, size, 0), "");
  EXPECT_THAT(refusal("zstd", packed, size, 7), AllOf(HasSubstr("CRC"), HasSubstr("byte 32")));
  EXPECT_THAT(refusal("zstd", packed, size + 1, 0), HasSubstr("out of zstd"));
  EXPECT_THAT(refusal("zstd", packed, size - 1, 0), HasSubstr("zstd"));
  EXPECT_THAT(refusal("zstd", packed.substr(3), size, 0), HasSubstr("damaged bytes of zstd"));
  EXPECT_THAT(refusal("zstd", packed, std::uint64_t{1} << 40, 0), HasSubstr("at most 1 GiB"));
  EXPECT_THAT(refusal("brotli", packed, size, 0), HasSubstr("found 'brotli'"));
  EXPECT_THAT(refusal("lz4", packed, size, 0), HasSubstr("lz4"));
  EXPECT_THAT(refusal("", records.substr(0, size - 3), size - 3, 0), HasSubstr("more bytes"));
  EXPECT_THAT(refusal("", "", size, 0), HasSubstr("expected"));
}

/// The bytes of fields, each with its type.
std::string FieldBytes(auto... fields) {
  McapBytes bytes;
  const auto add = [&bytes](const auto& field) {
    if constexpr (std::is_convertible_v<decltype(field), std::string_view>) {
      bytes.AddRaw(field);
    } else {
      bytes.Add(field);
    }
  };
  (add(fields), ...);
  return bytes.Bytes();
}

std::string RecordBytes(McapRecord kind, const std::string& content) {
  McapBytes bytes;
  bytes.AddRecord(kind, content);
  return bytes.Bytes();
}

/// A file that ends with this summary.
/// \param start  byte at which the footer says that it starts; 0: where it does
std::string WithSummary(const std::string& summary, std::uint64_t start = 0, std::uint32_t crc = 0) {
  const std::string data = std::string(kMcapMagic) + RecordBytes(McapRecord::Header, std::string(8, '\0')) +
                           RecordBytes(McapRecord::DataEnd, std::string(4, '\0'));
  return data + summary +
         RecordBytes(McapRecord::Footer,
                     FieldBytes(start == 0 ? std::uint64_t{data.size()} : start, std::uint64_t{0}, crc)) +
         std::string(kMcapMagic);
}

struct HostileCase {
  const char* what;
  std::string bytes;
  const char* words;
};

std::vector<HostileCase> HostileFiles() {
  using Kind = McapRecord;
  using U16 = std::uint16_t;
  using U32 = std::uint32_t;
  using U64 = std::uint64_t;
  const std::string magic(kMcapMagic);
  static constexpr char kNone[] =
      "expected an MCAP file of version 0, found one that does not begin as such; name an .mcap file";
  static constexpr char kCut[] = "expected a record at byte 8, found the end; the file was cut off";
  const std::string schema = RecordBytes(Kind::Schema, FieldBytes(U16{1}, U32{1}, "a", U32{0}, U32{0}));
  const std::string channel =
      RecordBytes(Kind::Channel, FieldBytes(U16{5}, U16{1}, U32{1}, "t", U32{8}, "protobuf", U32{0}));
  std::vector<HostileCase> cases = {
      {"ZIP", "PK\x03\x04", kNone},
      {"PNG", "\x89PNG\r\n\x1A\n", kNone},
      {"a later version", "\x89MCAP1\r\n", kNone},
      {"ends of lines changed by a transfer", "\x89MCAP0\n\n", kNone},
      {"lower case", "\x89mcap0\r\n", kNone},
      {"top bit lost", "\x09MCAP0\r\n", kNone},
      {"text", "message\n1\n", kNone},
      {"a start only", magic, kCut},
      {"the start and the end", magic + magic, "the file was cut off"},
      {"a length above the file", magic + FieldBytes(U16{3}).substr(0, 1) + FieldBytes(U64{100}),
       "expected 100 bytes of a record at byte 8, found 0 until the end; the file was cut off"},
      {"a length without end", magic + "\x03" + FieldBytes(~U64{0}), "expected 18446744073709551615 bytes of a record"},
      {"a length of 2 to the power of 63", magic + "\x05" + FieldBytes(U64{1} << 63), "bytes of a record at byte 8"},
      {"zeros", magic + std::string(100, '\0'), "the file was cut off"},
      {"a schema of no bytes", magic + RecordBytes(Kind::Schema, ""),
       "the record at byte 8: expected 2 more bytes, found 0"},
      {"a schema with its id only", magic + RecordBytes(Kind::Schema, FieldBytes(U16{1})),
       "expected 4 more bytes, found 0"},
      {"a schema cut in its name", magic + RecordBytes(Kind::Schema, FieldBytes(U16{1}, U32{9}, "a")),
       "expected 9 more bytes, found 1"},
      {"a schema with a name without end", magic + RecordBytes(Kind::Schema, FieldBytes(U16{1}, ~U32{0}, "a")),
       "expected 4294967295 more bytes, found 1"},
      {"a schema without an encoding", magic + RecordBytes(Kind::Schema, FieldBytes(U16{1}, U32{1}, "a")),
       "expected 4 more bytes, found 0"},
      {"a channel of no bytes", magic + RecordBytes(Kind::Channel, ""), "expected 2 more bytes, found 0"},
      {"a channel with its id only", magic + RecordBytes(Kind::Channel, FieldBytes(U16{5})),
       "expected 2 more bytes, found 0"},
      {"a channel without a topic", magic + RecordBytes(Kind::Channel, FieldBytes(U16{5}, U16{1})),
       "expected 4 more bytes"},
      {"a channel cut in its topic", magic + RecordBytes(Kind::Channel, FieldBytes(U16{5}, U16{1}, U32{2}, "t")),
       "expected 2 more bytes, found 1"},
      {"a channel without an encoding", magic + RecordBytes(Kind::Channel, FieldBytes(U16{5}, U16{1}, U32{1}, "t")),
       "expected 4 more bytes, found 0"},
      {"a channel without metadata",
       magic + RecordBytes(Kind::Channel, FieldBytes(U16{5}, U16{1}, U32{1}, "t", U32{0})),
       "expected 4 more bytes, found 0"},
      {"metadata cut in a key",
       magic + RecordBytes(Kind::Channel, FieldBytes(U16{5}, U16{1}, U32{0}, U32{0}, U32{5}, U32{7}, "k")),
       "expected 7 more bytes, found 1"},
      {"metadata with a key only",
       magic + RecordBytes(Kind::Channel, FieldBytes(U16{5}, U16{1}, U32{0}, U32{0}, U32{5}, U32{1}, "k")),
       "expected 4 more bytes, found 0"},
      {"metadata above the record",
       magic + RecordBytes(Kind::Channel, FieldBytes(U16{5}, U16{1}, U32{0}, U32{0}, U32{50})),
       "expected 50 more bytes, found 0"},
      {"a message of no bytes", magic + RecordBytes(Kind::OneMessage, ""), "expected 2 more bytes, found 0"},
      {"a message with its channel only", magic + RecordBytes(Kind::OneMessage, FieldBytes(U16{5})),
       "expected 4 more bytes"},
      {"a message without a time", magic + RecordBytes(Kind::OneMessage, FieldBytes(U16{5}, U32{0})),
       "expected 8 more bytes"},
      {"a message with half a time", magic + RecordBytes(Kind::OneMessage, FieldBytes(U16{5}, U32{0}, U32{0})),
       "expected 8 more bytes, found 4"},
      {"a message without the other time",
       magic + schema + channel + RecordBytes(Kind::OneMessage, FieldBytes(U16{5}, U32{0}, U64{0})) +
           RecordBytes(Kind::DataEnd, std::string(4, '\0')),
       "a message at byte"},
      {"a chunk of no bytes", magic + RecordBytes(Kind::Chunk, ""), "expected 16 more bytes, found 0"},
      {"a chunk without a size", magic + RecordBytes(Kind::Chunk, FieldBytes(U64{0}, U64{0})),
       "expected 8 more bytes, found 0"},
      {"a chunk without a CRC", magic + RecordBytes(Kind::Chunk, FieldBytes(U64{0}, U64{0}, U64{0})),
       "expected 4 more bytes"},
      {"a chunk without a method", magic + RecordBytes(Kind::Chunk, FieldBytes(U64{0}, U64{0}, U64{0}, U32{0})),
       "expected 4 more bytes, found 0"},
      {"a chunk with a method without end",
       magic + RecordBytes(Kind::Chunk, FieldBytes(U64{0}, U64{0}, U64{0}, U32{0}, ~U32{0})),
       "expected 4294967295 more bytes, found 0"},
      {"a chunk without records", magic + RecordBytes(Kind::Chunk, FieldBytes(U64{0}, U64{0}, U64{0}, U32{0}, U32{0})),
       "expected 8 more bytes, found 0"},
      {"a chunk cut in its records",
       magic + RecordBytes(Kind::Chunk, FieldBytes(U64{0}, U64{0}, U64{9}, U32{0}, U32{0}, U64{9}, "abc")),
       "expected 9 more bytes, found 3"},
      {"a chunk that states another size",
       magic + RecordBytes(Kind::Chunk, FieldBytes(U64{0}, U64{0}, U64{9}, U32{0}, U32{0}, U64{3}, "abc")),
       "expected 9 bytes, found 3"},
      {"a chunk of another method",
       magic + RecordBytes(Kind::Chunk, FieldBytes(U64{0}, U64{0}, U64{3}, U32{0}, U32{4}, "gzip", U64{3}, "abc")),
       "expected bytes that are compressed by zstd or lz4, found 'gzip'"},
      {"a chunk of more than a GiB",
       magic + RecordBytes(Kind::Chunk,
                           FieldBytes(U64{0}, U64{0}, (U64{1} << 30) + 1, U32{0}, U32{4}, "zstd", U64{3}, "abc")),
       "expected a chunk of at most 1 GiB, found 1073741825 bytes"},
      {"a chunk of all bytes there are",
       magic + RecordBytes(Kind::Chunk, FieldBytes(U64{0}, U64{0}, ~U64{0}, U32{0}, U32{3}, "lz4", U64{3}, "abc")),
       "expected a chunk of at most 1 GiB"},
      {"a chunk with a cut record",
       magic + RecordBytes(Kind::Chunk, FieldBytes(U64{0}, U64{0}, U64{5}, U32{0}, U32{0}, U64{5},
                                                   "\x03"
                                                   "abcd")),
       "expected 8 more bytes, found 4"},
      {"a chunk with a record above it",
       magic + RecordBytes(Kind::Chunk, FieldBytes(U64{0}, U64{0}, U64{9}, U32{0}, U32{0}, U64{9}, "\x03", U64{500})),
       "expected 500 more bytes, found 0"},
      {"a chunk with a short message",
       magic + RecordBytes(Kind::Chunk, FieldBytes(U64{0}, U64{0}, U64{9}, U32{0}, U32{0}, U64{9}, "\x05", U64{0})),
       "expected 2 more bytes, found 0"},
      {"a summary before the file", WithSummary("", 1), "expected a summary before it, found byte 1"},
      {"a summary in the start", WithSummary("", 7), "expected a summary before it, found byte 7"},
      {"a summary after the file", WithSummary("", 100'000), "expected a summary before it, found byte 100000"},
      {"a summary without end", WithSummary("", ~U64{0}),
       "expected a summary before it, found byte 1844674407370955161"},
      {"another CRC", WithSummary(schema + channel, 0, 7),
       "the summary at byte 38: expected a CRC of 00000007, found "},
      {"a cut record in the summary",
       WithSummary(schema + "\x04"
                            "ab"),
       "the summary at byte 38: expected 8 more bytes"},
      {"a record above the summary", WithSummary(schema + "\x04" + FieldBytes(U64{999})), "expected 999 more bytes"},
      {"short statistics", WithSummary(RecordBytes(Kind::Statistics, "abc")), "expected 8 more bytes, found 3"},
      {"a short schema in the summary", WithSummary(RecordBytes(Kind::Schema, "a")), "expected 2 more bytes, found 1"},
      {"a short channel in the summary", WithSummary(RecordBytes(Kind::Channel, "abc")),
       "expected 2 more bytes, found 1"},
      {"a short index of chunks", WithSummary(RecordBytes(Kind::ChunkIndex, "abc")), "expected 16 more bytes, found 3"},
      {"an index of chunks without a place", WithSummary(RecordBytes(Kind::ChunkIndex, FieldBytes(U64{0}, U64{0}))),
       "expected 8 more bytes, found 0"},
      {"an index of chunks without indexes",
       WithSummary(RecordBytes(Kind::ChunkIndex, FieldBytes(U64{0}, U64{0}, U64{8}, U64{9}))),
       "expected 4 more bytes, found 0"},
      {"an index of chunks with half an index",
       WithSummary(RecordBytes(Kind::ChunkIndex, FieldBytes(U64{0}, U64{0}, U64{8}, U64{9}, U32{4}, U32{5}))),
       "expected 8 more bytes, found 2"},
      {"an index after the file",
       WithSummary(
           schema + channel +
           RecordBytes(Kind::ChunkIndex, FieldBytes(U64{0}, U64{0}, U64{8}, U64{9}, U32{10}, U16{5}, U64{100'000}))),
       "bytes at byte 100000: expected 9 of them, found 0 until the end of the file"},
      {"an index that is another record",
       WithSummary(schema + channel +
                   RecordBytes(Kind::ChunkIndex, FieldBytes(U64{0}, U64{0}, U64{8}, U64{9}, U32{10}, U16{5}, U64{8}))),
       "a record at byte 8: expected the index of channel 5, found another record"},
  };
  for (std::size_t size = 0; size < magic.size(); ++size) {
    cases.push_back({"cut in the start", magic.substr(0, size), kNone});
  }
  for (std::size_t size = 1; size < 9; ++size) {
    cases.push_back({"cut in the head of a record", magic + std::string(size, '\x03'), kCut});
  }
  return cases;
}

TEST_F(Mcap, HostileFilesSayWhatIsWrong) {
  const std::vector<HostileCase> cases = HostileFiles();
  EXPECT_GE(cases.size(), 60U);
  for (const HostileCase& one : cases) {
    SCOPED_TRACE(one.what);
    WriteBytes("hostile.mcap", one.bytes);
    EXPECT_THAT(Refusal("hostile.mcap"), HasSubstr(one.words));
  }
}

TEST_F(Mcap, EachCutAndEachChangedByteIsReadOrRefused) {
  WriteTwo("two.mcap", 3);
  const std::string bytes = BytesOf("two.mcap");
  std::mt19937 random(7);
  int refused = 0;
  for (int i = 0; i < 600; ++i) {
    std::string other = bytes;
    if (i % 3 == 0) {
      other.resize(random() % other.size());
    } else {
      // Mostly within the last 1000 bytes, where the index is.
      const std::size_t at = i % 3 == 1 ? random() % other.size() : other.size() - 1 - random() % 1000;
      other[at] = static_cast<char>(random());
    }
    WriteBytes("other.mcap", other);
    if (!Refusal("other.mcap").empty()) ++refused;
  }
  EXPECT_GT(refused, 200);
}

TEST_F(Mcap, ChannelsAreChosenByTopicOrType) {
  WriteTwo("two.mcap", 3);
  const auto refusal = [&](const std::string& topic, const std::string& type) {
    try {
      OpenTrace(File("two.mcap"), topic, type);
    } catch (const ArgumentError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(refusal("", ""), AllOf(HasSubstr("'truth' (GroundTruth)"), HasSubstr("'view/front' (SensorView)")));
  EXPECT_THAT(refusal("thruth", ""), HasSubstr("did you mean 'truth'?"));
  EXPECT_THAT(refusal("truth", "SensorView"), HasSubstr("'truth' with osi3.GroundTruth"));
  EXPECT_THAT(refusal("", "SensorData"), HasSubstr("expected a channel of SensorData"));
  EXPECT_EQ(OpenTrace(File("two.mcap"), "", "SensorView")->Times().size(), 2u);
}

TEST_F(Mcap, ChannelsArePlayedAndRecordedTogether) {
  WriteTwo("two.mcap", 25);
  const auto component = [](const std::string& id, const std::string& type, const std::string& file) {
    return "<Component Id=\"" + id + "\" Type=\"openmi.osi." + type + "\" Assembly=\"openmi-osmp-bridge\">" +
           openmi::testing::ArgumentXml("file", file) +
           openmi::testing::ArgumentXml("channels", "gt=truth front=view/front") + "</Component>";
  };
  openmi::testing::Made made(
      component("trace", "Trace", File("two.mcap")) + component("recorder", "Recorder", File("again.mcap")) +
      openmi::testing::LinkXml("trace.gt", "recorder.gt") + openmi::testing::LinkXml("trace.front", "recorder.front") +
      "<Run From=\"2020-01-01T00:00Z\" To=\"2020-01-01T00:00:02.4Z\"/>");
  ASSERT_EQ(made.Text(), "");
  const RunRecord record = made.Run();
  EXPECT_TRUE(record.is_complete);
  std::string told;
  for (const Problem& problem : record.problems) told += FormatProblem(problem) + "\n";
  EXPECT_THAT(told,
              AllOf(HasSubstr("found GroundTruth.field 1000, which is not in the subset that is built in"),
                    HasSubstr("found SensorView.field 1000") /* not in the first */, HasSubstr("in osi-table-file")));
  McapReader first(File("two.mcap"));
  McapReader second(File("again.mcap"));
  for (std::uint16_t channel = 0; channel < 2; ++channel) {
    const auto expected = first.MessagesOf(channel);
    const auto found = second.MessagesOf(channel);
    ASSERT_EQ(expected.size(), found.size()) << channel;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(expected[i].nanos, found[i].nanos);
      EXPECT_TRUE(std::ranges::equal(first.At(expected[i], channel), second.At(found[i], channel))) << i;
    }
  }
  EXPECT_THAT(BytesOf("again.mcap"), HasSubstr("net.asam.osi.trace"));
}

TEST_F(Mcap, TheSchemaOfATypeHoldsAllThatItContains) {
  const std::string bytes = Schema::Subset().Descriptors("SensorView");
  for (const char* name : {"osi3", "SensorView", "GroundTruth", "global_ground_truth", ".osi3.MovingObject"}) {
    EXPECT_THAT(bytes, HasSubstr(name));
  }
  EXPECT_THAT(Schema::Subset().Descriptors("Timestamp"), ::testing::Not(HasSubstr("GroundTruth")));
  EXPECT_THROW(Schema::Subset().Descriptors("SensorVew"), ArgumentError);
}

}  // namespace
