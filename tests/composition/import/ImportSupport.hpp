#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "composition/import/OldComposition.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi::test {

/// A project of the editor of 1.4: these models and links, and a trigger that asks in 2009.
inline std::string Version1(const std::string& models, const std::string& links) {
  return "<guiComposition version=\"1.0\">\n<models>\n" + models +
         "<model omi=\"Oatc.OpenMI.Gui.Trigger\" rect_x=\"1\" rect_y=\"1\" rect_width=\"9\" rect_height=\"9\"/>\n"
         "</models>\n<links>\n" +
         links +
         "</links>\n<runproperties listenedeventtypes=\"1111\" triggerinvoke=\"08/21/2009 10:00:00\" "
         "runinsamethread=\"0\" showeventsinlistbox=\"1\" logfilename=\"run.log\"/>\n</guiComposition>\n";
}

/// A link of 1.4 between models of these ids.
inline std::string UiLink(const std::string& from, const std::string& to, const std::string& operations = {},
                          const std::string& quantity = "flow") {
  return "<uilink model_providing=\"" + from + "\" model_accepting=\"" + to +
         "\">\n<link id=\"1\" source_elementset=\"reach\" source_quantity=\"" + quantity +
         "\" target_elementset=\"basin\" target_quantity=\"inflow\">" + operations + "</link>\n</uilink>\n";
}

/// The problems as lines, each with its severity in front.
inline std::string Lines(const Problems& problems) {
  std::string lines;
  for (const Problem& problem : problems) {
    lines += std::string(SeverityName(problem.severity)) + ": " + FormatProblem(problem) + "\n";
  }
  return lines;
}

}  // namespace openmi::test
