#include "python/bindings/Model.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <nlohmann/json.hpp>

#include "composition/report/GraphSvg.hpp"
#include "composition/report/RunReport.hpp"
#include "fmi-bridge/fmi/ssp/ImportByPart.hpp"
#include "openmi/sdk/Error.hpp"
#include "python/bindings/Module.hpp"
#include "python/bindings/Specs.hpp"

namespace openmi::python {
namespace py = pybind11;
namespace fs = std::filesystem;

Model::Model(const fs::path& path) {
  if (!ssp::IsSystemStructure(path) && path.extension() != ".fmu") {
    file_ = ReadCompositionFile(path, problems_);
    return;
  }
  ssp::ImportedSystem system = ssp::ImportByPart(path, problems_);
  file_ = std::move(system.composition);
  imported_ = fs::absolute(path);
  files_ = std::move(system.package);
}

Model::Model(std::string id, const fs::path& folder) : is_built_(true) {
  file_.id = std::move(id);
  file_.path = fs::absolute(folder.empty() ? "." : folder).lexically_normal() / (file_.id + ".xml");
}

CompositionFile& Model::Build() {
  if (!imported_.empty()) file_.path = imported_.parent_path() / (file_.id + ".xml");
  is_built_ = true;
  return file_;
}

void Model::SetArgument(const std::string& component, const std::string& key, const std::string& value) {
  SetArgumentOf(file_, component, key, value);
  if (!is_built_) arguments_.push_back({component, key, value});
}

void Model::Save(const fs::path& path) {
  if (!imported_.empty()) {
    throw ArgumentError(
        {.file = path.string()},
        fmt::format("expected a composition that was built or read from a composition file, found one made "
                    "of '{}', whose FMUs are not part of it",
                    imported_.filename().string()),
        imported_.extension() == ".fmu" ? "openmi new fmu-composition writes a composition of FMUs"
                                        : "openmi new composition writes it with its FMUs");
  }
  const fs::path here = fs::absolute(file_.Folder()).lexically_normal();
  const fs::path there = fs::absolute(path).lexically_normal();
  if (fs::weakly_canonical(here) != fs::weakly_canonical(there.parent_path())) {
    throw ArgumentError({.file = path.string()},
                        fmt::format("expected a file in {}, where the composition's relative paths start, found one "
                                    "elsewhere",
                                    here.string()),
                        "save it there, or make it with openmi.Composition(id, folder=...)");
  }
  WriteCompositionFile(file_, path);
  file_.path = there;
}

CompositionFile Model::Read(Problems& problems) const {
  if (is_built_) return ReadCompositionText(Text(), file_.path, problems);
  problems.insert(problems.end(), problems_.begin(), problems_.end());
  return file_;
}

nlohmann::ordered_json Model::ToJson() const {
  nlohmann::ordered_json json = {{"path", Path().string()}, {"arguments", arguments_}};
  if (is_built_) json["text"] = Text();
  return json;
}

Model Model::FromJson(const nlohmann::ordered_json& json) {
  const fs::path path = json.at("path").get<std::string>();
  if (!json.contains("text")) {
    Model model(path);
    for (const auto& [component, key, value] : json.at("arguments").get<std::vector<std::array<std::string, 3>>>()) {
      model.SetArgument(component, key, value);
    }
    return model;
  }
  Model model("", path.parent_path());
  model.file_ = ReadCompositionText(json.at("text").get<std::string>(), path, model.problems_);
  model.is_built_ = false;  // its lines are those of the text
  return model;
}

void AddModel(py::module_& module) {
  const auto list = [](auto member) {
    return [member](const Model& self) {
      return Member<std::decay_t<decltype(self.File().*member)>>::ToPython(self.File().*member);
    };
  };
  const auto add = [](auto member) {
    using List = std::decay_t<decltype(std::declval<CompositionFile>().*member)>;
    return [member](Model& self, const typename List::value_type& one) { (self.Build().*member).push_back(one); };
  };
  const auto text = [](std::string CompositionFile::*member) {
    return std::pair([member](const Model& self) { return self.File().*member; },
                     [member](Model& self, std::string value) { self.Build().*member = std::move(value); });
  };
  const auto [id, set_id] = text(&CompositionFile::id);
  const auto [caption, set_caption] = text(&CompositionFile::caption);
  const auto [description, set_description] = text(&CompositionFile::description);
  py::class_<Model>(module, "Model", "A composition: a file that was read, or one that is built.")
      .def(py::init<fs::path>(), py::arg("path"))
      .def(py::init<std::string, fs::path>(), py::arg("id"), py::arg("folder"))
      .def_property("id", id, set_id)
      .def_property("caption", caption, set_caption)
      .def_property("description", description, set_description)
      .def_property_readonly("path", [](const Model& self) { return self.Path().string(); })
      .def_property_readonly("components", list(&CompositionFile::components))
      .def_property_readonly("links", list(&CompositionFile::links))
      .def_property_readonly("iterates", list(&CompositionFile::iterates))
      .def_property_readonly("observes", list(&CompositionFile::observes))
      .def_property_readonly("compares", list(&CompositionFile::compares))
      .def_property("run", list(&CompositionFile::run),
                    [](Model& self, const std::optional<RunSpec>& run) { self.Build().run = run; })
      .def_property("checkpoints", list(&CompositionFile::checkpoints),
                    [](Model& self, const std::optional<CheckpointSpec>& given) { self.Build().checkpoints = given; })
      .def_property("results", list(&CompositionFile::results),
                    [](Model& self, const ResultsSpec& results) { self.Build().results = results; })
      .def("add_component", add(&CompositionFile::components))
      .def("add_link", add(&CompositionFile::links))
      .def("add_iterate", add(&CompositionFile::iterates))
      .def("add_observe", add(&CompositionFile::observes))
      .def("add_compare", add(&CompositionFile::compares))
      .def("set_argument", &Model::SetArgument)
      .def("uses_variable",
           [](const Model& self, const std::string& name) {
             const std::string all = self.Text();
             return all.find("${" + name + "}") != std::string::npos ||
                    all.find("${" + name + ":") != std::string::npos;
           })
      .def("xml", &Model::Text)
      .def("save", &Model::Save)
      .def("diagram",
           [](const Model& self) { return GraphSvg(DescribeGraph(self.File()), {.use = SvgUse::Standalone}); });
}

}  // namespace openmi::python
