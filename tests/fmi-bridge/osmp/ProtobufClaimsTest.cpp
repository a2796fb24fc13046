// What a library would register with a shared libprotobuf, read off its file.
#include <dlfcn.h>
#include <gmock/gmock.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "composition/isolation/IsolatedComponent.hpp"
#include "fmi-bridge/fmi/run/ProtobufClaims.hpp"
#include "tests/composition/run/RunFixture.hpp"
#include "tests/fmi-bridge/osmp/ModelText.hpp"
#include "tests/support/Sanitized.hpp"

namespace openmi::fmi {
namespace {

using ::testing::HasSubstr;

TEST(ProtobufClaims, DescriptionsAreFoundByTheirNames) {
  // Each begins with its name as field 1; what it imports is field 3 and none of its own.
  std::string bytes(100, '\x7F');
  bytes += "\x0A\x10osi_common.proto\x12\x04osi3\x1A\x11osi_version.proto";
  bytes.append(7, '\0');
  bytes += "\x0A\x11osi_version.proto\x12\x04osi3 and text that names osi_lane.proto";
  EXPECT_EQ(DescribedProtoFiles(bytes), (std::vector<std::string>{"osi_common.proto", "osi_version.proto"}));
  EXPECT_TRUE(DescribedProtoFiles("").empty());
  EXPECT_TRUE(DescribedProtoFiles(".proto").empty());
}

TEST(ProtobufClaims, AProgramWithoutProtobufClaimsNothing) {
  EXPECT_TRUE(ProtobufClaims("/proc/self/exe", "me").empty());
  EXPECT_TRUE(ProtobufClaims("/none", "me").empty());
  EXPECT_TRUE(ReadSharedObject("x", std::string(4096, '\x7F')).needed.empty());
}

TEST(ProtobufClaims, LibrariesAreSearchedWhereTheLoaderIsConfiguredTo) {
  const ScratchFolder folder;
  folder.Write("ld.so.conf",
               "# /commented\n  /first  # why\n\ninclude\tconf.d/*.conf other/none*.conf\n"
               "hwcap 1 nosegneg\n/with blanks/lib \n/kind=libc6\n/last");
  folder.Write("conf.d/a.conf", "/a\ninclude ../deep/x.conf\n");
  folder.Write("conf.d/b.conf", "/b\n");
  folder.Write("conf.d/c.conf.old", "/old\n");
  folder.Write("deep/x.conf", "/x\ninclude ../ld.so.conf x.conf\n");  // files that include each other end
  EXPECT_EQ(ConfiguredFolders(folder / "ld.so.conf"),
            (std::vector<std::string>{"/first", "/a", "/x", "/b", "/with blanks/lib", "/kind", "/last"}));
  EXPECT_TRUE(ConfiguredFolders(folder / "none").empty());
}

const bool children_crash = test::LetChildrenCrash();

TEST(ProtobufClaims, TwoModelsOfOneFileEndTheProcessThatLoadsBothByHand) {
  ASSERT_TRUE(children_crash);
  EXPECT_EQ(ProtobufClaims(OPENMI_FIRST_MODEL, "one").size(), 1U);
  const auto load = [](std::initializer_list<const char*> libraries) {
    for (const char* library : libraries) {
      if (dlopen(library, RTLD_NOW | RTLD_LOCAL) == nullptr) std::_Exit(1);
    }
    std::_Exit(0);
  };
  for (const char* one : {OPENMI_FIRST_MODEL, OPENMI_SECOND_MODEL}) {
    EXPECT_EXIT(load({one}), ::testing::ExitedWithCode(0), "");
  }
  EXPECT_EXIT(load({OPENMI_FIRST_MODEL, OPENMI_SECOND_MODEL}), ::testing::KilledBySignal(SIGABRT), "note.proto");
}

/// An FMU with the library, in a folder.
std::string WriteFmu(const ScratchFolder& folder, const std::string& name, const char* library,
                     const std::string& variables) {
  folder.Write(name + "/modelDescription.xml", osmp::ModelText2(variables));
  std::filesystem::create_directories(folder.Path() / name / "binaries" / "linux64");
  std::filesystem::copy_file(library, folder.Path() / name / "binaries" / "linux64" / "m.so");
  return folder / name;
}

std::string Model(const std::string& id, const std::string& fmu) {
  return "<Component Id=\"" + id + "\" Type=\"openmi.fmi.Fmu\" Assembly=\"openmi-fmi-bridge\">" +
         openmi::testing::ArgumentXml("fmu", fmu) + "</Component>";
}

TEST(ProtobufClaims, ThatCompositionsHoldBothNobodyHasToKnow) {
  const ScratchFolder folder;
  const std::string source = WriteFmu(folder, "source", OPENMI_FIRST_MODEL,
                                      osmp::TripleText2("OSMPSensorViewOut", "SensorView", osmp::kOutputAttributes, 3));
  const std::string sensor = WriteFmu(
      folder, "sensor", OPENMI_SECOND_MODEL,
      osmp::TripleText2("OSMPSensorViewIn", "SensorView", osmp::kInputAttributes, 0) +
          R"(<ScalarVariable name="seen" valueReference="50" causality="output" variability="discrete"><Integer/></ScalarVariable>)");
  openmi::testing::Made made(Model("source", source) + Model("sensor", sensor) + Model("more", sensor) +
                             openmi::testing::LinkXml("source.OSMPSensorViewOut", "sensor.OSMPSensorViewIn") +
                             openmi::testing::LinkXml("source.OSMPSensorViewOut", "more.OSMPSensorViewIn") +
                             "<Observe Item=\"sensor.seen\"/><Observe Item=\"more.seen\"/>"
                             "<Run From=\"2020-01-01T00:00Z\" To=\"2020-01-01T00:00:02Z\"/>");
  ASSERT_EQ(made.Text(), "");
  EXPECT_THAT(made.Text(Problem::Note),
              HasSubstr("runs in another process, because 'source' also claims note.proto of"));
  const auto process_of = [&made](const char* id) {
    const auto* isolated = dynamic_cast<const IsolatedComponent*>(
        &made.composition->Instances().at(*made.composition->IndexOf(id)).Component());
    return isolated != nullptr ? isolated->Process().Id() : 0;
  };
  EXPECT_EQ(process_of("source"), 0);
  EXPECT_NE(process_of("sensor"), 0);
  EXPECT_EQ(process_of("more"), process_of("sensor")) << "instances of one FMU share a process";
  const RunRecord record = made.Run();
  EXPECT_TRUE(record.is_complete) << openmi::testing::ErrorsOf(record);
  ASSERT_EQ(record.series.size(), 2U);
  for (const RecordedSeries& series : record.series) {
    ASSERT_EQ(series.values.size(), 101U);
    EXPECT_EQ(series.values.back(), 16.0);
  }
}

TEST(ProtobufClaims, WhatStaysInTheProcessWhenItsComponentGoesIsSeen) {
  const ScratchFolder folder;
  const auto run = [&folder](const std::string& name, const char* library) {
    const std::string fmu = WriteFmu(folder, name, library, osmp::SensorText2());
    openmi::testing::Made made(Model("sensor", fmu) + "<Run From=\"2020-01-01T00:00Z\" To=\"2020-01-01T00:00:01Z\"/>");
    EXPECT_EQ(made.Text(), "");
    EXPECT_TRUE(made.Run().is_complete);
    return made.Text(Problem::Note);
  };
  run("one", OPENMI_FIRST_MODEL);
  // The same at another place, as an archive is when it is unpacked again; and another one.
  EXPECT_THAT(run("again", OPENMI_FIRST_MODEL), HasSubstr("runs in another process"));
  EXPECT_THAT(run("other", OPENMI_SECOND_MODEL), HasSubstr("claims note.proto of"));
}

}  // namespace
}  // namespace openmi::fmi
