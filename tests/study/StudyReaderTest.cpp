#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "study/model/Member.hpp"
#include "study/model/StudyFile.hpp"
#include "tests/support/ScratchFolder.hpp"

namespace openmi {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> TextsOf(const Problems& problems) {
  std::vector<std::string> texts;
  for (const Problem& problem : problems) texts.push_back(FormatProblem(problem));
  return texts;
}

StudyFile Read(const std::string& text, Problems& problems) {
  return ReadStudyText(text, "study.xml", problems);
}

constexpr char kHead[] = "<Study xmlns=\"urn:openmi2:study:1\" Id=\"s\" Composition=\"c.xml\">\n";

TEST(StudyReader, ReadsEverything) {
  Problems problems;
  const StudyFile study =
      Read(std::string(kHead) +
               "<Vary Id=\"k\" Argument=\"pond.k\" Unit=\"d\" From=\"0.5\" To=\"20\" Scale=\"log\"/>\n"
               "<Vary Id=\"how\" Adaptor=\"rain\" Number=\"2\" Key=\"factor\" From=\"1\" To=\"2\"/>\n"
               "<Vary Id=\"model\" Component=\"pond\"><Value Is=\"a.omi\"/><Value Is=\"b.omi\"><Argument Key=\"n\" "
               "Value=\"3\"/></Value></Vary>\n"
               "<Design Method=\"sobol\" Members=\"64\" Seed=\"9\"/>\n"
               "<Objective Id=\"fit\" Compare=\"q\" Measure=\"kge\" Window=\"w\" Weight=\"0.5\"/>\n"
               "<Objective Id=\"top\" Item=\"pond.outflow\" Measure=\"maximum\" Goal=\"maximize\"/>\n"
               "<Workers Count=\"3\" TimeLimit=\"PT2S\" MemoryLimit=\"1 GB\" Members=\"50\"/>\n</Study>",
           problems);
  EXPECT_THAT(TextsOf(problems), ElementsAre());
  ASSERT_EQ(study.varies.size(), 3u);
  EXPECT_EQ(study.varies[0].TargetText(), "pond.k");
  EXPECT_EQ(study.varies[0].At(0.5), "3.1622776601683795");
  EXPECT_EQ(study.varies[1].target, VaryTarget::AdaptorArgument);
  EXPECT_EQ(study.varies[2].values[1].arguments[0].value, "3");
  EXPECT_EQ(study.varies[2].At(0.49), "a.omi");
  EXPECT_EQ(study.varies[2].At(0.5), "b.omi");
  EXPECT_EQ(study.design->seed, 9u);
  EXPECT_EQ(study.objectives[0].CostOf(0.75), 0.25);
  EXPECT_EQ(study.objectives[1].CostOf(4.0), -4.0);
  EXPECT_EQ(study.workers.time_limit_seconds, 2.0);
  EXPECT_EQ(study.workers.memory_limit_bytes, 1'000'000'000u);
}

TEST(StudyReader, ReportsAllProblemsAtOnceWithTheirLines) {
  Problems problems;
  Read(std::string(kHead) +
           "<Vary Id=\"k\" Argument=\"pond\" From=\"0.5\" To=\"0.1\"/>\n"
           "<Vary Id=\"k\" Argument=\"pond.n\" From=\"-1\" To=\"1\" Scale=\"log\"/>\n"
           "<Vary Id=\"m\" Argument=\"pond.m\" Unitt=\"d\"/>\n"
           "<Design Method=\"latin\" Members=\"0\"/>\n"
           "<Objective Id=\"a\" Compare=\"q\" Measure=\"mean\"/>\n"
           "<Objective Id=\"b\" Measure=\"nse\"/>\n"
           "</Study>",
       problems);
  const std::vector<std::string> texts = TextsOf(problems);
  for (const char* expected : {
           "study.xml:2: expected component.argument in 'Argument' of Vary, found 'pond'",
           "study.xml:2: expected an end above the start 0.5 in 'To' of Vary, found 0.1",
           "study.xml:3: expected each 'Id' of Vary once, found 'k' again; the first is on line 2",
           "study.xml:3: expected a start above 0 for a logarithmic scale, found -1",
           "study.xml:4: expected values in Vary 'm', found none",
           "did you mean 'Unit'?",
           "latin-hypercube",
           "expected a whole number from 1",
           "study.xml:6: expected a measure of a comparison, found 'mean'",
           "study.xml:7: expected either 'Compare' or 'Item' in Objective, found none",
       }) {
    EXPECT_THAT(texts, Contains(HasSubstr(expected)));
  }
}

TEST(StudyReader, WantsACostForACalibration) {
  Problems problems;
  Read(std::string(kHead) +
           "<Vary Id=\"k\" Argument=\"pond.k\" From=\"1\" To=\"2\"/>\n<Calibrate Budget=\"5\"/>\n</Study>",
       problems);
  EXPECT_THAT(TextsOf(problems),
              ElementsAre(HasSubstr("study.xml:3: expected an Objective with a weight for a calibration, found none")));
}

TEST(StudyReader, NamesTheCommandForAComposition) {
  Problems problems;
  Read("<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"c\"/>", problems);
  EXPECT_THAT(TextsOf(problems), ElementsAre(HasSubstr("this is a composition: run it with openmi run")));
}

constexpr char kComposition[] =
    "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"c\">\n"
    "<Component Id=\"rain\" Omi=\"rain.omi\"/><Component Id=\"pond\" Omi=\"a.omi\"><Argument Key=\"k\" "
    "Value=\"1\"/></Component>\n"
    "<Link Id=\"l\" From=\"rain.r\" To=\"pond.q\"><Adaptor Id=\"linear\"/></Link><Observe Item=\"pond.out\"/>\n"
    "<Run From=\"2020-01-01T00:00Z\" To=\"2020-01-02T00:00Z\"/></Composition>";

TEST(StudyPlan, MakesTheCompositionOfAMember) {
  const ScratchFolder folder("plan");
  folder.Write("pond.par.in", "depth @{d}\nslope @{s} ! @{d}\n");
  std::filesystem::create_directory(folder.Path() / "start");
  folder.Write("start/pond.par.in", "start @{d}\n");
  Problems problems;
  StudyFile study = ReadStudyText(
      std::string(kHead) +
          "<Vary Id=\"k\" Argument=\"pond.k\" From=\"1\" To=\"9\"/><Vary Id=\"d\" From=\"1\" To=\"2\"/>"
          "<Vary Id=\"s\" From=\"0\" To=\"1\"/><Vary Id=\"model\" Component=\"pond\"><Value Is=\"b.omi\"/></Vary>"
          "<Vary Id=\"state\" InitialState=\"pond\"><Value Is=\"wet.state\"/></Vary>"
          "<Vary Id=\"how\" Adaptor=\"l\"><Value Is=\"block\"/></Vary>"
          "<Template Argument=\"pond.parameters\" Of=\"pond.par.in\"/>"
          "<Template Argument=\"pond.start\" Of=\"start/pond.par.in\"/>"
          "<Design Method=\"sobol\" Members=\"2\"/></Study>",
      folder.Path() / "study.xml", problems);
  CompositionFile composition = ReadCompositionText(kComposition, folder.Path() / "c.xml", problems);
  const StudyPlan plan(std::move(study), std::move(composition), problems);
  ASSERT_THAT(TextsOf(problems), ElementsAre());
  const Member member = plan.Make({"7", "1.5", "0.25", "b.omi", "wet.state", "block"}, folder.Path() / "out");
  const ComponentSpec& pond = *member.composition.Component("pond");
  EXPECT_EQ(pond.omi, "b.omi");
  EXPECT_EQ(pond.initial_state, "wet.state");
  EXPECT_EQ(pond.arguments[0].value, "7");
  EXPECT_EQ(pond.arguments[1].value, (folder.Path() / "out" / "pond-parameters-pond.par").string());
  EXPECT_EQ(member.composition.links[0].adaptors[0].id, "block");
  ASSERT_EQ(member.files.size(), 2u);
  EXPECT_EQ(member.files[0].text, "depth 1.5\nslope 0.25 ! 1.5\n");
  EXPECT_EQ(member.files[1].text, "start 1.5\n");
  EXPECT_NE(member.files[0].path, member.files[1].path);
}

TEST(StudyPlan, ReportsTargetsThatDoNotExist) {
  Problems problems;
  StudyFile study = Read(std::string(kHead) +
                             "<Vary Id=\"a\" Argument=\"pondd.k\" From=\"1\" To=\"9\"/>\n"
                             "<Vary Id=\"b\" Adaptor=\"ll\" Key=\"x\" From=\"1\" To=\"9\"/>\n"
                             "<Vary Id=\"c\" Adaptor=\"l\" Number=\"2\"><Value Is=\"block\"/></Vary>\n"
                             "<Objective Id=\"o\" Compare=\"q\" Measure=\"nse\"/>\n<Objective Id=\"p\" "
                             "Item=\"pond.outt\" Measure=\"mean\"/>\n"
                             "<Design Method=\"sobol\" Members=\"2\"/></Study>",
                         problems);
  CompositionFile composition = ReadCompositionText(kComposition, "c.xml", problems);
  const StudyPlan plan(std::move(study), std::move(composition), problems);
  EXPECT_THAT(
      TextsOf(problems),
      ElementsAre(
          HasSubstr("study.xml:2: expected the Id of a component of 'c.xml', found 'pondd'; did you mean 'pond'?"),
          HasSubstr("study.xml:3: expected the Id of a link of 'c.xml', found 'll'; there are: l"),
          HasSubstr("study.xml:4: expected adaptor 2 on the link 'l', found 1 adaptors"),
          HasSubstr("study.xml:5: expected the Id of a Compare of 'c.xml', found 'q'"),
          HasSubstr("study.xml:6: expected an observed item of 'c.xml', found 'pond.outt'; did you mean 'pond.out'?")));
}

}  // namespace
}  // namespace openmi
