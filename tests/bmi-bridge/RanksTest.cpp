// BMI libraries that take a communicator.

#include "tests/bmi-bridge/BmiFixture.hpp"
#include "tests/composition/run/RunFixture.hpp"
#include "tests/support/Ranks.hpp"

namespace openmi::bmi {
namespace {

using openmi::testing::ArgumentXml;
using openmi::testing::Made;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const bool ranks_start = test::LetRanksStart();

std::string Model(const std::string& library, const std::string& config) {
  return "<Component Id=\"model\" Type=\"openmi.bmi.Model\" Assembly=\"" OPENMI_BINARY_DIR
         "/lib/openmi2/libopenmi-bmi-bridge.so\" Ranks=\"2\">" +
         ArgumentXml("library", TestLibrary(library)) + ArgumentXml("config-file", config) +
         ArgumentXml("working-directory", std::filesystem::path(config).parent_path().string()) + "</Component>\n";
}

TEST(BmiRanks, GetACommunicatorByAFunction) {
  const ScratchFolder folder;
  Made made(Model("heat_ranks", folder.Write("plate.cfg", "6 4 0.05 100000\n")) +
            "<Observe Item=\"model.plate_surface__temperature\"/>" + openmi::testing::RunXml("2015-12-01T00:01Z"));
  ASSERT_THAT(made.Text(), IsEmpty());
  const RunRecord record = made.Run(RunMode::Step);
  EXPECT_THAT(openmi::testing::ErrorsOf(record), IsEmpty());
  const std::vector<std::string>& ids = record.series.at(0).series.elements;
  ASSERT_EQ(ids.size(), 48U);
  EXPECT_EQ(ids[0], "0:0");
  EXPECT_EQ(ids[24], "1:0");
  EXPECT_EQ(record.series.at(0).values.at(0), 0.0);  // the rank
  EXPECT_EQ(record.series.at(0).values.at(24), 1.0);
}

TEST(BmiRanks, GetACommunicatorByAnInput) {
  const ScratchFolder folder;
  Made made(Model("store_ranks", folder.Write("store.cfg", "rows 1\n")) + "<Observe Item=\"model.level\"/>" +
            openmi::testing::RunXml("2015-12-01T00:01Z"));
  ASSERT_THAT(made.Text(), IsEmpty());
  const RunRecord record = made.Run(RunMode::Step);
  EXPECT_EQ(record.series.at(0).values.at(0), 200.0);  // of both ranks
}

TEST(BmiRanks, AreRefusedByAModelThatTakesNone) {
  const ScratchFolder folder;
  Made made(Model("store_model", folder.Write("store.cfg", "rows 1\n")) + openmi::testing::RunXml());
  EXPECT_THAT(made.Text(), AllOf(HasSubstr("expected a model that takes a communicator"),
                                 HasSubstr("initialize_mpi or the input bmi_mpi_comm_handle")));
}

}  // namespace
}  // namespace openmi::bmi
