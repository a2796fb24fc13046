#include <gmock/gmock.h>

#include "ResultsFixture.hpp"
#include "composition/results/FileHash.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

std::string HashOf(std::string_view text) {
  Sha256 hash;
  hash.Add(text);
  return hash.Finish();
}

// The examples of FIPS 180-4 (csrc.nist.gov, "Examples with intermediate values", SHA-256) and, for the empty message,
// of the validation suite SHA256ShortMsg.
TEST(Sha256, EqualsTheVectorsOfTheStandard) {
  EXPECT_EQ(HashOf("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(HashOf(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(HashOf("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(HashOf(std::string(1'000'000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, DoesNotDependOnThePieces) {
  const std::string text(1000, 'x');
  for (std::size_t piece = 1; piece < 200; piece += 13) {
    Sha256 hash;
    for (std::size_t at = 0; at < text.size(); at += piece) hash.Add(std::string_view(text).substr(at, piece));
    EXPECT_EQ(hash.Finish(), HashOf(text)) << piece;
    EXPECT_EQ(hash.Finish(), HashOf("")) << "begins anew";
  }
}

using HashFileTest = ResultsTest;

TEST_F(HashFileTest, ReadsAFileLargerThanItsPieces) {
  WriteText(In("a"), std::string(1'000'000, 'a'));
  EXPECT_EQ(HashFile(In("a")), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_F(HashFileTest, NamesAFileItCannotRead) {
  EXPECT_THAT([this] { HashFile(In("nothing")); },
              testing::ThrowsMessage<FileError>(
                  testing::AllOf(testing::HasSubstr("nothing"), testing::HasSubstr("there is no such file"))));
  EXPECT_THROW(HashFile(folder_), FileError);
}

}  // namespace
}  // namespace openmi
