// openmi import: a project of the configuration editor becomes a composition that runs once its components are
// replaced.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/Command.hpp"

namespace {

using openmi::ChildResult;
using testing::AllOf;
using testing::HasSubstr;

/// wave -> tank -> trigger, with the names that the test's components have.
void WriteProject(const Workplace& here) {
  here.Write("old/pond.opr",
             "<guiComposition version=\"1.0\">\n<models>\n<model omi=\"models\\wave.omi\"/>\n<model "
             "omi=\"Models\\tank.omi\"/>\n<model omi=\"Oatc.OpenMI.Gui.Trigger\"/>\n</models>\n<links>\n<uilink "
             "model_providing=\"wave\" model_accepting=\"The Tank\"><link id=\"2\" source_elementset=\"s\" "
             "source_quantity=\"flow\" target_elementset=\"t\" target_quantity=\"inflow\"><dataoperation id=\"Linear "
             "Conversion\"><argument key=\"A\" value=\"2\"/></dataoperation></link></uilink>\n<uilink "
             "model_providing=\"The Tank\" model_accepting=\"Oatc.OpenMI.Gui.Trigger\"><link id=\"4\" "
             "source_elementset=\"t\" source_quantity=\"volume\" target_elementset=\"T\" "
             "target_quantity=\"Q\"/></uilink>\n</links>\n<runproperties triggerinvoke=\"01/02/2020 "
             "00:00:00\"/>\n</guiComposition>\n");
  for (const char* name : {"wave", "tank"}) {
    here.Write("old/models/" + std::string(name) + ".omi",
               "<LinkableComponent Type=\"Old\" Assembly=\"..\\bin\\old.dll\" "
               "xmlns=\"http://www.openmi.org/LinkableComponent.xsd\"/>\n");
  }
}

TEST(ImportCommand, AProjectRunsOnceItsComponentsAreReplaced) {
  const Workplace here;
  WriteProject(here);
  here.WriteOmi("wave.omi", "test.Wave");
  here.WriteOmi("tank.omi", "test.Tank");
  const ChildResult done = here.Run({"import", "old/pond.opr", "-o", "new", "--replace", "wave=wave.omi", "--replace",
                                     "The-Tank=tank.omi", "--from", "2020-01-01T00:00Z"});
  EXPECT_EQ(done.exit_code, 0) << done.out << done.err;
  const std::string text = here.Read("new/pond.xml");
  EXPECT_THAT(
      text, AllOf(HasSubstr("<!-- Made from pond.opr by openmi import.\n"),
                  HasSubstr("<Component Id=\"The-Tank\" Caption=\"The Tank\" Omi=\"../tank.omi\"/>"),
                  HasSubstr("<Run From=\"2020-01-01T00:00:00Z\" To=\"2020-01-02T00:00:00Z\" Trigger=\"The-Tank\"/>")));
  const ChildResult check = here.Run({"check", "new/pond.xml"});
  EXPECT_EQ(check.exit_code, 0) << check.out << check.err;
  const ChildResult run = here.Run({"run", "new/pond.xml"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(here.Read("results/pond.csv"), HasSubstr("The-Tank.volume"));
}

TEST(ImportCommand, WhatIsLeftToDoIsPrintedAndInTheFile) {
  const Workplace here;
  WriteProject(here);
  const ChildResult done = here.Run({"import", "old/pond.opr"});
  EXPECT_EQ(done.exit_code, 5) << done.err;
  EXPECT_THAT(
      done.out,
      AllOf(HasSubstr("old/pond.opr:3: wave: expected a component for this system, found a class in a Windows or "
                      ".NET library: 'Old' in '../bin/old.dll'; write the OMI file of a component that runs here in "
                      "Omi, or import again with --replace 'wave=FILE.omi'"),
            HasSubstr("pond.xml: not ready to run: do what its comment asks for, then run openmi check")));
  const std::string text = here.Read("pond.xml");
  EXPECT_THAT(text,
              AllOf(HasSubstr("  To do before it runs:\n  * pond.opr:3: wave: "),
                    HasSubstr("import again with the option replace 'wave=FILE.omi'"),
                    HasSubstr("  Left out, or taken to be so:\n  * pond.opr:4: the model 'The Tank' of the links"),
                    HasSubstr("Omi=\"old/models/wave.omi\"")));
  EXPECT_THAT(here.Run({"check", "pond.xml"}).out, HasSubstr("wave.omi:1: wave: expected the library"))
      << "the composition can be read, and the check names what to replace";
}

TEST(ImportCommand, VariablesAndHyphensOfTheOldFileStayText) {
  const Workplace here;
  here.Write("x.opr", "<opr version=\"2.0\"><models><model omi=\"${HOME}\\a--b.omi\"/></models><connections/></opr>");
  EXPECT_EQ(here.Run({"import", "x.opr"}).exit_code, 5);
  EXPECT_THAT(here.Read("x.xml"), AllOf(HasSubstr("Omi=\"$${HOME}/a--b.omi\""), HasSubstr("'${HOME}\\a- -b.omi'")));
  EXPECT_THAT(here.Run({"check", "x.xml"}).out, HasSubstr("expected an OMI file, found no '"));
}

TEST(ImportCommand, WrongFilesAndOptionsAreRefused) {
  const Workplace here;
  WriteProject(here);
  EXPECT_EQ(here.Run({"import", "none.opr"}).exit_code, 3);
  here.Write("a.xml", "<Composition/>");
  const ChildResult other = here.Run({"import", "a.xml"});
  EXPECT_EQ(other.exit_code, 4);
  EXPECT_THAT(other.err,
              HasSubstr("a.xml:1: expected guiComposition or opr, a project of the OpenMI configuration editor"));
  const ChildResult id = here.Run({"import", "old/pond.opr", "--replace", "wav=old/models/wave.omi"});
  EXPECT_EQ(id.exit_code, 4);
  EXPECT_THAT(id.err, HasSubstr("expected the id of a component to replace, found 'wav'; did you mean 'wave'?"));
  EXPECT_EQ(here.Run({"import", "old/pond.opr", "--replace", "wave=none.omi"}).exit_code, 3);
  EXPECT_EQ(here.Run({"import", "old/pond.opr", "--replace", "wave"}).exit_code, 2);
  EXPECT_EQ(here.Run({"import", "old/pond.opr", "--from", "yesterday"}).exit_code, 2);
  EXPECT_EQ(here.Run({"import", "old/pond.opr", "--name", "../up"}).exit_code, 2);
  here.Write("pond.xml", "mine");
  EXPECT_EQ(here.Run({"import", "old/pond.opr"}).exit_code, 7);
  EXPECT_EQ(here.Read("pond.xml"), "mine");
  EXPECT_EQ(here.Run({"import", "old/pond.opr", "--overwrite"}).exit_code, 5);
  here.Write("empty.opr", "<opr version=\"2.0\"/>");
  EXPECT_EQ(here.Run({"import", "empty.opr"}).exit_code, 5);
  EXPECT_FALSE(std::filesystem::exists(here / "empty.xml"));
}

}  // namespace
