#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"
#include "study/results/StudyRows.hpp"
#include "study/run/StudyJournal.hpp"
#include "tests/support/ScratchFolder.hpp"

namespace openmi {
namespace {

MemberResult ResultOf(std::uint64_t member, const SeriesShape& shape) {
  MemberResult result{.member = member, .values = {"1.5", "a b"}};
  result.objectives = {0.25, kNotANumber};
  result.series = {{HashOf(shape.ToBytes()), {1.0, kNotANumber, 3.0}}};
  return result;
}

SeriesShape Shape() {
  SeriesShape shape;
  shape.series.id = "pond.outflow";
  shape.series.unit = "m3 s-1";
  shape.begins = {0.0, 1.0, 2.0};
  shape.times = {1.0, 2.0, 3.0};
  return shape;
}

void WriteSome(const std::filesystem::path& path) {
  StudyJournal journal(path, StudyInfo{"<Study/>", "<Composition/>", "", {"data", "/x"}}, false);
  for (std::uint64_t member : {0u, 1u, 2u}) journal.Start(member, 1);
  journal.End(ResultOf(0, Shape()), {Shape().ToBytes()});
  journal.End(ResultOf(2, Shape()), {std::string()});
}

TEST(StudyJournal, IsReadBack) {
  const ScratchFolder folder("journal");
  WriteSome(folder.Path() / "s.study");
  const StudyJournalReader reader(folder.Path() / "s.study");
  EXPECT_EQ(reader.Info().study_text, "<Study/>");
  EXPECT_EQ(reader.DoneCount(), 2u);
  EXPECT_EQ(reader.Starts(1), 1);
  EXPECT_FALSE(reader.Read(1).has_value());
  const auto result = reader.Read(2);
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(result->values, (MemberValues{"1.5", "a b"}));
  EXPECT_EQ(result->series[0].values[2], 3.0);
  EXPECT_EQ(reader.Shapes().at(result->series[0].shape).series.unit, "m3 s-1");
}

// Whatever byte a killed process stopped at, what was written before counts and nothing else does.
TEST(StudyJournal, CutAtAnyByteKeepsWholeBlocks) {
  const ScratchFolder folder("journal");
  const auto path = folder.Path() / "s.study";
  WriteSome(path);
  std::ifstream file(path, std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(file)), {});
  std::uint64_t last = 0;
  for (std::size_t size = 8; size <= whole.size(); ++size) {
    std::ofstream(path, std::ios::binary | std::ios::trunc).write(whole.data(), static_cast<std::streamsize>(size));
    const StudyJournalReader reader(path);
    EXPECT_LE(reader.ValidBytes(), size);
    EXPECT_GE(reader.DoneCount(), last);
    last = reader.DoneCount();
  }
  EXPECT_EQ(last, 2u);
}

TEST(StudyJournal, AChangedByteEndsItThere) {
  const ScratchFolder folder("journal");
  const auto path = folder.Path() / "s.study";
  WriteSome(path);
  std::ifstream file(path, std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(file)), {});
  for (std::size_t at = 8; at < whole.size(); at += 3) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x40);
    std::ofstream(path, std::ios::binary | std::ios::trunc)
        .write(changed.data(), static_cast<std::streamsize>(changed.size()));
    const StudyJournalReader reader(path);
    EXPECT_LE(reader.ValidBytes(), at) << "byte " << at;
  }
}

// Results behind a damage are not thrown away without a word.
TEST(StudyJournal, RefusesToCutWholeBlocksBehindADamage) {
  const ScratchFolder folder("journal");
  const auto path = folder.Path() / "s.study";
  WriteSome(path);
  const std::uintmax_t size = std::filesystem::file_size(path);
  {
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(8 + 30);  // in the block of the texts
    file.put('#');
  }
  const StudyJournalReader reader(path);
  EXPECT_TRUE(reader.IsDamaged());
  {
    StudyJournal journal(path);
    try {
      journal.GoOn(reader);
      FAIL() << "it was cut";
    } catch (const FormatError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("found damage at byte 8 before"));
      EXPECT_THAT(error.what(), testing::HasSubstr("truncate --size=8 "));
    }
  }
  EXPECT_EQ(std::filesystem::file_size(path), size);
}

TEST(StudyJournal, GoesOnAfterACut) {
  const ScratchFolder folder("journal");
  const auto path = folder.Path() / "s.study";
  WriteSome(path);
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 5);
  {
    StudyJournal journal(path);
    journal.GoOn(StudyJournalReader(path));
    journal.Retry(0);
    journal.Start(1, 2);
    journal.End(ResultOf(1, Shape()), {std::string()});
  }
  const StudyJournalReader reader(path);
  EXPECT_EQ(reader.DoneCount(), 1u);  // 0 runs again, and the result of 2 was cut off
  EXPECT_FALSE(reader.Read(0).has_value());
  EXPECT_FALSE(reader.Read(2).has_value());
  EXPECT_TRUE(reader.Read(1).has_value());
}

// For instance a value that was set within a time step: each row is a line.
TEST(StudyCsv, RowsOfTheSameEndAreLinesOfTheirOwn) {
  const ScratchFolder folder("journal");
  SeriesShape shape = Shape();
  shape.begins = {0.0, 1.0, 1.5};
  shape.times = {1.0, 2.0, 2.0};
  {
    StudyJournal journal(folder.Path() / "s.study", {}, false);
    journal.Start(0, 1);
    journal.End(ResultOf(0, shape), {shape.ToBytes()});
  }
  const StudyJournalReader reader(folder.Path() / "s.study");
  SeriesColumns columns(reader);
  WriteStudyCsv(reader, columns, 1, folder.Path() / "s.csv");
  std::ifstream file(folder.Path() / "s.csv");
  const std::string csv((std::istreambuf_iterator<char>(file)), {});
  EXPECT_THAT(csv, testing::EndsWith("\n1,1858-11-18T00:00:00Z,1\n1,1858-11-19T00:00:00Z,NaN\n"
                                     "1,1858-11-19T00:00:00Z,3\n"));
}

// What a release wrote is read by every later one.
TEST(StudyJournal, ReadsTheFirstForm) {
  const StudyJournalReader reader(OPENMI_SOURCE_DIR "/tests/study/data/form-1.study");
  EXPECT_EQ(reader.DoneCount(), 3u);
  EXPECT_EQ(reader.ValidBytes(), 23'200u);
  const auto result = reader.Read(2);
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(result->end, MemberEnd::Done);
  ASSERT_EQ(result->series.size(), 1u);
  const SeriesShape& shape = reader.Shapes().at(result->series[0].shape);
  EXPECT_EQ(shape.series.unit, "mm d-1");
  EXPECT_EQ(result->series[0].values.size(), shape.times.size());
  ASSERT_EQ(reader.Observations().size(), 1u);
  EXPECT_EQ(reader.Observations()[0].compare, "flow");
}

TEST(StudyJournal, RefusesASecondWriterAndOtherFiles) {
  const ScratchFolder folder("journal");
  const auto path = folder.Path() / "s.study";
  StudyJournal journal(path, {}, false);
  EXPECT_THROW(StudyJournal(path, {}, true), FileError);
  EXPECT_THROW(StudyJournal{path}, FileError);
  folder.Write("other.study", "something else that is no journal");
  EXPECT_THROW(StudyJournalReader(folder.Path() / "other.study"), FormatError);
}

}  // namespace
}  // namespace openmi
