#include <gmock/gmock.h>

#include <random>

#include "ResultsFixture.hpp"
#include "composition/results/CsvText.hpp"
#include "composition/results/JournalBlock.hpp"
#include "composition/results/ReadResults.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

/// Changes, removes, doubles or cuts some bytes.
std::string Damaged(std::string bytes, std::mt19937& random) {
  const int count = std::uniform_int_distribution<int>(1, 4)(random);
  for (int i = 0; i < count && !bytes.empty(); ++i) {
    const std::size_t at = std::uniform_int_distribution<std::size_t>(0, bytes.size() - 1)(random);
    const std::size_t length = std::uniform_int_distribution<std::size_t>(1, 12)(random);
    constexpr std::string_view kSpecial = "\",\n\r#[]()=\\u:-TZ0e.\xff\x7f";
    switch (std::uniform_int_distribution<int>(0, 5)(random)) {
      case 0:
        bytes[at] = static_cast<char>(std::uniform_int_distribution<int>(0, 255)(random));
        break;
      case 1:
        bytes[at] = kSpecial[std::uniform_int_distribution<std::size_t>(0, kSpecial.size() - 1)(random)];
        break;
      case 2:
        bytes.erase(at, length);
        break;
      case 3:
        bytes.insert(at, bytes.substr(at, length));
        break;
      case 4:
        bytes.resize(at);
        break;
      default:
        bytes.replace(at, std::min<std::size_t>(8, bytes.size() - at), 8, '\xff');  // a huge count
    }
  }
  return bytes;
}

class DamagedFilesTest : public ResultsTest {
 protected:
  /// Either read, with rows that fit together, or refused with a message that names the file.
  void ReadAll(const std::string& name, int times) {
    const std::string whole =
        TextOf(std::filesystem::path(OPENMI_SOURCE_DIR) / "tests/composition/results/data" / name);
    ASSERT_FALSE(whole.empty());
    const unsigned seed = std::random_device{}();
    std::mt19937 random(seed);
    int read = 0;
    int refused = 0;
    for (int i = 0; i < times; ++i) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", case " << i);
      WriteText(In(name), Damaged(whole, random));
      try {
        const ResultTable table = ReadResults(In(name));
        for (const ResultRows& rows : table.series) {
          ASSERT_EQ(rows.values.size(), rows.ends.size() * rows.series.Width());
          ASSERT_EQ(rows.begins.size(), rows.ends.size());
          ASSERT_TRUE(rows.series.x.empty() || rows.series.x.size() == rows.series.elements.size());
          ASSERT_EQ(rows.series.x.size(), rows.series.y.size());
          for (std::size_t row = 1; row < rows.ends.size(); ++row) ASSERT_LT(rows.ends[row - 1], rows.ends[row]);
        }
        ++read;
      } catch (const Error& error) {
        ASSERT_THAT(error.what(), testing::HasSubstr(name));
        ++refused;
      }
    }
    EXPECT_GT(read, times / 50);
    EXPECT_GE(refused, 1);
  }
};

TEST_F(DamagedFilesTest, CsvIsReadOrRefused) {
  ReadAll("form-1.csv", 1500);
}

TEST_F(DamagedFilesTest, JournalIsReadOrRefused) {
  ReadAll("form-1.journal", 1500);
}

TEST_F(DamagedFilesTest, DescriptionsInAJournalAreReadOrRefused) {
  // Behind the check sums, so that the reader of the bytes is tried as well.
  std::mt19937 random(3);
  const std::string whole = PackSeries(Discharge());
  int refused = 0;
  for (int i = 0; i < 5000; ++i) {
    const auto series = UnpackSeries(Damaged(whole, random));
    if (!series) {
      ++refused;
    } else {
      EXPECT_LE(series->elements.size(), whole.size());
    }
  }
  EXPECT_GT(refused, 250);
  EXPECT_TRUE(UnpackSeries(whole).has_value());
}

}  // namespace
}  // namespace openmi
