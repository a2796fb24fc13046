#include <algorithm>
#include <cctype>
#include <memory>

#include "tools/Commands.hpp"
#include "tools/Inputs.hpp"
#include "tools/new/NewFiles.hpp"

namespace openmi::tools {
namespace {

/// A kind of separate project that builds, passes the check and runs.
///
/// Its templates are in templates/<kind>/, or in the folder of what it has in common with others. Their names and texts
/// contain `@Name@` ("linear-tank"), `@Class@` ("LinearTank") and `@Library@` ("linear_tank").
struct NewProject {
  const char* kind;     ///< of the sub-command
  const char* help;     ///< what it writes
  std::string example;  ///< an example of a name
  std::vector<std::string> files;
  std::string shared = {};  ///< the folder of templates that it shares
  bool is_built = true;     ///< has to be built before it runs
};

const std::vector<NewProject>& NewProjects() {
  static const std::vector<NewProject> projects = {
      {"component",
       "Write a component in C++ that builds, and a composition with it",
       "linear-tank",
       {"CMakeLists.txt", "@Class@.cpp", "@Name@.omi", "composition.xml"}},
      {"c-component",
       "Write a component in C for any compiler and later releases, and a composition with it",
       "c-tank",
       {"CMakeLists.txt", "@Library@.c", "@Name@.omi", "composition.xml"},
       "component"},
      {"python-component",
       "Write a component in Python, and a composition with it",
       "python-tank",
       {"@Library@.py", "@Name@.omi", "composition.xml"},
       "component",
       false},
      {"c-solver",
       "Write a wrapper for a solver in C with global arrays, the solver, and a composition",
       "old-tanks",
       {"CMakeLists.txt", "@Library@_solver.h", "@Library@_solver.c", "@Class@.cpp", "@Name@.omi", "composition.xml"},
       "solver"},
      {"fortran-solver",
       "Write a wrapper for a solver in Fortran with a common block, the solver, and a composition",
       "old-tanks",
       {"CMakeLists.txt", "@Library@_solver.f90", "@Class@.cpp", "@Name@.omi", "composition.xml"},
       "solver"},
      {"bmi-library",
       "Write a library in C that offers BMI 2.0, and the OMI file that makes it a component",
       "bmi-tank",
       {"CMakeLists.txt", "@Library@.c", "@Library@.cfg", "@Name@.omi", "composition.xml"}},
      {"adaptor",
       "Write an adaptor with its factory, a component that offers it, and a composition",
       "soft-limit",
       {"CMakeLists.txt", "@Class@.cpp", "@Name@-source.omi", "composition.xml"}},
  };
  return projects;
}

struct NewProjectArguments {
  std::string name;
  NewPlace place;
};

/// "linear-tank" as "LinearTank", or with another separator between the words.
std::string ClassOf(const std::string& name) {
  std::string text;
  bool is_first = true;
  for (const char sign : name) {
    if (std::isalnum(static_cast<unsigned char>(sign)) == 0) {
      is_first = true;
      continue;
    }
    text += is_first ? static_cast<char>(std::toupper(static_cast<unsigned char>(sign))) : sign;
    is_first = false;
  }
  return text;
}

std::string LibraryOf(std::string name) {
  std::ranges::replace(name, '-', '_');
  return name;
}

int Execute(NewProjectArguments arguments, const NewProject& project) {
  const std::string& name = arguments.name;
  const auto is_plain = [](char sign) {
    const auto code = static_cast<unsigned char>(sign);
    return code < 128 && (std::isalnum(code) != 0 || sign == '-' || sign == '_');
  };
  const bool begins_well = !name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) != 0;
  if (!begins_well || !std::ranges::all_of(name, is_plain)) {
    throw UsageFault{"expected a name of letters, digits and '-' that begins with a letter, found '" + name + "'"};
  }
  if (arguments.place.folder.empty()) arguments.place.folder = name;
  const TemplateValues values = {{"Name", name}, {"Class", ClassOf(name)}, {"Library", LibraryOf(name)}};
  std::vector<NewFile> files;
  for (const std::string& file : project.files) {
    std::string_view text = EmbeddedTemplate(project.kind + ("/" + file) + ".in");
    if (text.empty()) text = EmbeddedTemplate(project.shared + "/" + file + ".in");
    files.push_back({Filled(file, values), Filled(text, values)});
  }
  WriteNewFiles(arguments.place, files);
  return kSuccess;
}

/// Adds the sub-command that writes such a project with the name that the user gives.
void AddNewProject(CLI::App& group, Invocation& invocation, const NewProject& project) {
  auto arguments = std::make_shared<NewProjectArguments>();
  CLI::App* command = group.add_subcommand(project.kind, project.help);
  command
      ->add_option("NAME", arguments->name,
                   "Its id, such as " + project.example + "; the class, the library and the files are named after it")
      ->required();
  arguments->place.AddTo(*command, "NAME");
  const std::string& name = project.example;
  const std::string folder = project.is_built ? name + "/build" : name;
  command->footer(std::string("Examples:\n  openmi new ") + project.kind + " " + name +
                  (project.is_built ? "\n  cmake -S " + name + " -B " + folder + " && cmake --build " + folder : "") +
                  "\n  openmi run " + folder + "/composition.xml");
  command->callback([arguments, &invocation, &project] {
    invocation.execute = [arguments, &project] { return Execute(*arguments, project); };
  });
}

}  // namespace

void AddNew(CLI::App& app, Invocation& invocation) {
  CLI::App* group = app.add_subcommand("new", "Write the files of a new component, wrapper, adaptor or composition");
  group->require_subcommand(1);
  for (const NewProject& project : NewProjects()) AddNewProject(*group, invocation, project);
  AddNewComposition(*group, invocation);
  group->footer(
      "The files pass openmi check and run as they are. If you have to fill in something first, the file says what. "
      "Existing files are replaced only with --overwrite.\n\n"
      "Examples:\n"
      "  openmi new component linear-tank\n"
      "  openmi new c-component c-tank\n"
      "  openmi new python-component python-tank\n"
      "  openmi new c-solver old-tanks\n"
      "  openmi new fortran-solver old-tanks\n"
      "  openmi new bmi-library bmi-tank\n"
      "  openmi new adaptor soft-limit\n"
      "  openmi new composition rain.omi runoff.omi\n"
      "  openmi new fmu-composition plant.fmu controller.fmu");
}

}  // namespace openmi::tools
