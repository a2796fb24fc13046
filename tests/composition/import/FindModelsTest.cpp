// The OMI files of old models: paths of Windows, and which model a link of 1.4 means.

#include "tests/composition/import/ImportSupport.hpp"
#include "tests/support/ScratchFolder.hpp"

namespace openmi {
namespace {

using test::Lines;
using test::UiLink;
using test::Version1;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// An OMI file of 1.4. \param arguments  elements
std::string OldOmi(const std::string& arguments = {}) {
  return "<LinkableComponent Type=\"x.Y\" Assembly=\"bin\\y.dll\" "
         "xmlns=\"http://www.OpenMI.org/LinkableComponent.xsd\">"
         "<Arguments>" +
         arguments + "</Arguments></LinkableComponent>";
}

/// Reads a project in `folder`, and finds its models.
OldComposition Find(const ScratchFolder& folder, const std::string& project, Problems& problems) {
  OldComposition old = ReadOldText(project, folder / "p.opr", problems);
  FindModels(old, problems);
  return old;
}

std::string NamesOf(const OldComposition& old) {
  std::string names;
  for (const OldModel& model : old.models) names += model.name + "=" + model.path.filename().string() + ";";
  return names;
}

TEST(FindModels, PathsOfWindowsAreFoundWhateverTheirCase) {
  const ScratchFolder here;
  here.Write("Models/Rain Fall/CN.omi", OldOmi());
  here.Write("River.omi", OldOmi());
  Problems problems;
  const OldComposition old = Find(here,
                                  Version1("<model omi=\".\\models\\rain fall\\cn.OMI\"/>\n"
                                           "<model omi=\"C:\\Users\\me\\River.omi\"/>\n",
                                           ""),
                                  problems);
  EXPECT_EQ(Lines(problems), "");
  EXPECT_EQ(old.models[0].path, here.Path() / "Models/Rain Fall/CN.omi");
  EXPECT_EQ(old.models[1].path, here.Path() / "River.omi");
  EXPECT_EQ(old.models[0].file->assembly, "bin/y.dll");
}

TEST(FindModels, FilesThatAreMissingOrNoOmiFilesAreNotRead) {
  const ScratchFolder here;
  here.Write("secret.txt", "<LinkableComponent Type=\"secret\"/>");
  Problems problems;
  const OldComposition old =
      Find(here, Version1("<model omi=\"gone\\x.omi\"/>\n<model omi=\"secret.txt\"/>\n", ""), problems);
  EXPECT_EQ(Lines(problems), "");
  EXPECT_EQ(old.models[0].path, here.Path() / "gone/x.omi");
  EXPECT_FALSE(old.models[0].file);
  EXPECT_FALSE(old.models[1].file);
}

TEST(FindModels, ABrokenOmiFileIsReadAsFarAsPossible) {
  const ScratchFolder here;
  here.Write("a.omi", OldOmi("<Argument Key=\"ModelID\" Value=\"A\" IsOptional=\"false\"/>"));
  here.Write("b.omi", "<LinkableComponent");
  Problems problems;
  const OldComposition old =
      Find(here, Version1("<model omi=\"a.omi\"/>\n<model omi=\"b.omi\"/>\n", UiLink("A", "b")), problems);
  EXPECT_EQ(NamesOf(old), "A=a.omi;b=b.omi;");
  EXPECT_THAT(Lines(problems),
              AllOf(HasSubstr("warning: " + here / "a.omi:1: expected an attribute that Argument knows"),
                    HasSubstr("b.omi"), Not(HasSubstr("error: "))));
}

TEST(FindModels, AnArgumentAndAFileNameAreCertain) {
  const ScratchFolder here;
  here.Write("a.omi", OldOmi("<Argument Key=\"modelID\" Value=\"River 5E\"/>"));
  here.Write("DbReader.omi", OldOmi());
  Problems problems;
  const OldComposition old =
      Find(here, Version1("<model omi=\"a.omi\"/>\n<model omi=\"DbReader.omi\"/>\n", UiLink("Db Reader", "River 5E")),
           problems);
  EXPECT_EQ(Lines(problems), "");
  EXPECT_EQ(NamesOf(old), "River 5E=a.omi;Db Reader=DbReader.omi;");
  EXPECT_EQ(old.links[0].from.model, 1U);
  EXPECT_EQ(old.links[0].to.model, 0U);
}

TEST(FindModels, ASimilarNameAndTheOnlyOneLeftAreTakenWithAWarning) {
  const ScratchFolder here;
  for (const char* name : {"CNMethod.omi", "NRCS UnitHydrograph.omi"}) here.Write(name, OldOmi());
  Problems problems;
  const OldComposition old = Find(here,
                                  Version1("<model omi=\"CNMethod.omi\"/>\n<model omi=\"NRCS UnitHydrograph.omi\"/>\n",
                                           UiLink("Curve Number Method", "Unit Hydrograph")),
                                  problems);
  EXPECT_EQ(NamesOf(old), "Curve Number Method=CNMethod.omi;Unit Hydrograph=NRCS UnitHydrograph.omi;");
  EXPECT_THAT(
      Lines(problems),
      AllOf(HasSubstr("p.opr:4: the model 'Unit Hydrograph' of the links is taken to be 'NRCS UnitHydrograph.omi', "
                      "which has a similar name"),
            HasSubstr("p.opr:3: the model 'Curve Number Method' of the links is taken to be 'CNMethod.omi', which "
                      "is the only one left")));
}

TEST(FindModels, WhatIsNotCertainIsAsked) {
  const ScratchFolder here;
  for (const char* name : {"a.omi", "b.omi"}) here.Write(name, OldOmi());
  Problems problems;
  const OldComposition old =
      Find(here, Version1("<model omi=\"a.omi\"/>\n<model omi=\"b.omi\"/>\n", UiLink("Ground", "River")), problems);
  EXPECT_EQ(NamesOf(old), "Ground=;River=;");
  EXPECT_THAT(Lines(problems),
              HasSubstr("warning: " + here / "p.opr:3: left out: the model 'a.omi', of which the ids in "
                                             "the links cannot be told"));
  EXPECT_EQ(old.links[0].to.model, 1U);
}

TEST(FindModels, NamesThatOnlyDifferInSignsAreNotMixedUp) {
  const ScratchFolder here;
  here.Write("river.omi", OldOmi());
  Problems problems;
  const OldComposition old = Find(here, Version1("<model omi=\"river.omi\"/>\n", UiLink("River", "River!")), problems);
  EXPECT_EQ(NamesOf(old), "River=;River!=;") << "both could be river.omi";
}

}  // namespace
}  // namespace openmi
