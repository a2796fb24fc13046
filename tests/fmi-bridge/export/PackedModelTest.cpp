// What an exported FMU takes along of what its components name.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "fmi-bridge/export/PackedModel.hpp"
#include "tests/support/ScratchFolder.hpp"

namespace openmi::exported {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class PackedModels : public ::testing::Test {
 protected:
  /// A wrapped solver that reads `pond.dat` where no argument says otherwise.
  /// \param attributes  of its element
  /// \param inside      the element
  Problems Pack(const std::string& attributes, const std::string& inside = {}) const {
    std::filesystem::copy(OPENMI_SOURCE_DIR "/examples/legacy-solvers/pond.dat", scratch_ / "pond.dat",
                          std::filesystem::copy_options::overwrite_existing);
    const std::string path = scratch_.Write(
        "ponds.xml",
        "<?xml version=\"1.0\"?>\n<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"ponds\">\n"
        "<Component Id=\"pond\" Type=\"Pond\" Assembly=\"" OPENMI_BINARY_DIR "/lib/openmi2/liblegacy_pond.so\" " +
            attributes + ">" + inside +
            "</Component>\n<Run From=\"2020-01-01T00:00Z\" To=\"2020-01-01T01:00Z\"/></Composition>\n");
    Problems problems;
    Composition composition(ReadCompositionFile(path, problems));
    composition.Load(problems);
    composition.Connect(problems);
    EXPECT_FALSE(HasErrors(problems)) << (problems.empty() ? "" : FormatProblem(problems[0]));
    PackedModel packed(composition, scratch_.Path() / "model");
    packed.Write({"pond"});
    return packed.Notes();
  }

  const ScratchFolder scratch_{"packed"};
};

TEST_F(PackedModels, TakeFilesAlongThatArgumentsNameByTheirDefaults) {
  EXPECT_THAT(Pack(""), IsEmpty());
  EXPECT_TRUE(std::filesystem::exists(scratch_ / "model/pond.dat"));
  EXPECT_THAT(scratch_.Read("model/composition.xml"), HasSubstr("Key=\"file\" Value=\"pond.dat\""));
}

TEST_F(PackedModels, PutInNoVariableOfTheMachineTheyRunOn) {
  std::filesystem::copy(OPENMI_SOURCE_DIR "/examples/legacy-solvers/pond.dat", scratch_ / "${home}.dat");
  EXPECT_THAT(Pack("", "<Argument Key=\"file\" Value=\"$${home}.dat\"/>"), IsEmpty());
  EXPECT_TRUE(std::filesystem::exists(scratch_ / "model/${home}.dat"));
  Problems problems;
  Composition there(ReadCompositionFile(scratch_ / "model/composition.xml", problems), {{"home", "of-another"}});
  there.Load(problems);
  EXPECT_THAT(problems, IsEmpty()) << FormatProblem(problems[0]);
}

TEST_F(PackedModels, WarnOfComponentsThatNeedAProcessOfTheirOwn) {
  EXPECT_THAT(Pack("Isolation=\"process\""), IsEmpty()) << "the FMU has one anyway";
  const Problems notes = Pack("Isolation=\"instance\"");
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].severity, Problem::Warning);
  EXPECT_EQ(notes[0].where.component, "pond");
  EXPECT_THAT(notes[0].remedy, HasSubstr("permission to execute"));
}

}  // namespace
}  // namespace openmi::exported
