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
    writer.Length(1000, std::vector<std::byte>(size, std::byte{static_cast<unsigned char>(size)}));
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
      writer.Write(writer.Add({"view/front", "SensorView", {3, 10, 0}}, Schema::Subset()), nanos, MessageAt(time, 7));
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
  static std::string FileOf(McapRecord kind, std::string_view content) {
    McapBytes file;
    file.AddRaw(kMcapMagic);
    McapBytes header;
    header.AddText("");
    header.AddText("by hand");
    file.AddRecord(McapRecord::Header, header.Bytes());
    file.AddRecord(kind, content);
    file.AddRecord(McapRecord::DataEnd, std::string(4, '\0'));
    McapBytes footer;
    footer.Add(std::uint64_t{0});
    footer.Add(std::uint64_t{0});
    footer.Add(std::uint32_t{0});
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
  EXPECT_TRUE(made.Run().is_complete);
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
