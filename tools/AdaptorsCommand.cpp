#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "composition/check/CheckComposition.hpp"
#include "composition/check/DescribeComponent.hpp"
#include "composition/link/Composition.hpp"
#include "composition/report/ExplainLink.hpp"
#include "composition/report/LinkSample.hpp"
#include "composition/report/ReportNumbers.hpp"
#include "composition/report/SvgWriter.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "openmi/sdk/Utf8.hpp"
#include "timespace/times/Iso8601.hpp"
#include "tools/Commands.hpp"
#include "tools/Inputs.hpp"
#include "tools/OutputFile.hpp"
#include "tools/PrintProblems.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

using Json = nlohmann::ordered_json;

struct AdaptorsArguments {
  std::vector<std::string> words;
  bool json = false;
  bool all = false;
  std::string timeout = "60";
  bool explain = false;
  std::string output;
  std::string element;
  VariableOptions variables;
  bool in_child = false;
};

// Splits "component.item" at the first dot that ends the id of a component.
ItemSpec ParseItem(const std::string& text, const CompositionFile& file) {
  for (std::size_t point = text.find('.'); point != std::string::npos; point = text.find('.', point + 1)) {
    if (file.Component(text.substr(0, point)) != nullptr) return {text.substr(0, point), text.substr(point + 1)};
  }
  const std::size_t point = text.find('.');
  if (point == std::string::npos) throw UsageFault{"expected component.item, found '" + text + "'"};
  std::vector<std::string> ids;
  for (const ComponentSpec& component : file.components) ids.push_back(component.id);
  throw UsageFault{fmt::format("expected a component of the composition, found '{}'; {}", text.substr(0, point),
                               Suggest(text.substr(0, point), ids))};
}

// Adds "a.omi:item" as one of two components of a composition that is never written.
ItemSpec AddOmi(CompositionFile& file, const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) throw UsageFault{"expected FILE.omi:item, found '" + text + "'"};
  ExpectFile(text.substr(0, colon));
  ComponentSpec component;
  component.id =
      fmt::format("{}-{}", std::filesystem::path(text.substr(0, colon)).stem().string(), file.components.size() + 1);
  component.omi = std::filesystem::absolute(text.substr(0, colon)).string();
  file.components.push_back(component);
  return {component.id, text.substr(colon + 1)};
}

struct Question {
  CompositionFile file;
  ItemSpec from;
  ItemSpec to;
};

Question Asked(const AdaptorsArguments& arguments, Problems& problems) {
  Question question;
  if (arguments.words.size() == 3) {
    ExpectFile(arguments.words[0]);
    question.file = ReadCompositionFile(arguments.words[0], problems);
    question.from = ParseItem(arguments.words[1], question.file);
    question.to = ParseItem(arguments.words[2], question.file);
    std::erase_if(question.file.components, [&](const ComponentSpec& component) {
      return component.id != question.from.component && component.id != question.to.component;
    });
  } else {
    question.from = AddOmi(question.file, arguments.words[0]);
    question.to = AddOmi(question.file, arguments.words[1]);
  }
  return question;
}

Json Answer(const AdaptorsArguments& arguments, Problems& problems) {
  Question question = Asked(arguments, problems);
  Composition composition(std::move(question.file), arguments.variables.Values());
  composition.Load(problems);
  const std::string offers = OfferedAdaptors(composition, question.from, question.to);
  return offers.empty() ? Json() : Json::parse(offers);
}

// One element of one end of a link.
struct Column {
  Column(const LinkSample::End& end, const std::string& element, std::string label) {
    const auto found = std::ranges::find(end.elements, element);
    const std::size_t index =
        found != end.elements.end() ? static_cast<std::size_t>(found - end.elements.begin()) : std::size_t{0};
    series.label = std::move(label);
    if (!end.elements.empty()) series.label += ", " + end.elements[index];
    series.unit = PrettyUnit(end.unit);
    for (const LinkSample::Row& row : end.rows) {
      begins.push_back(row.begin.mjd);
      ends.push_back((row.begin + row.duration).mjd);
      values.push_back(index < row.values.size() ? row.values[index] : kNotANumber);
    }
    series.begins = begins;
    series.ends = ends;
    series.values = values;
  }
  Column(const Column&) = delete;
  Column& operator=(const Column&) = delete;

  std::vector<double> begins, ends, values;
  ExplainedSeries series;
};

ElementMap MapOf(const LinkSample::End& end, const LinkSample::Row& row) {
  ElementMap map;
  map.title = fmt::format("{}, {}", end.item, FormatIsoTime(row.begin + row.duration));
  map.unit = end.unit;
  map.is_geographic = end.is_geographic;
  map.elements = end.places;
  for (std::size_t i = 0; i < map.elements.size() && i < row.values.size(); ++i) map.elements[i].value = row.values[i];
  return map;
}

// The places at both ends, at the time of the last answer with a value.
std::string PlacesPicture(const LinkSample& sample, const std::string& chain) {
  const auto has_value = [](const LinkSample::Row& row) {
    return std::ranges::any_of(row.values, [](double value) { return std::isfinite(value); });
  };
  const auto answer = std::ranges::find_if(sample.target.rows.rbegin(), sample.target.rows.rend(), has_value);
  if (answer == sample.target.rows.rend() || sample.source.rows.empty()) return {};
  const LinkSample::Row* given = &sample.source.rows.front();
  for (const LinkSample::Row& row : sample.source.rows) {
    if (!Before(answer->begin + answer->duration, row.begin + row.duration)) given = &row;
  }
  return ExplainSpaceSvg(MapOf(sample.source, *given), MapOf(sample.target, *answer), chain);
}

// The rows of a link's source, and what its adaptors make of them, as a picture.
Json Explanation(const AdaptorsArguments& arguments, Problems& problems) {
  constexpr std::size_t kAnswers = 60;
  CompositionFile file = ReadCompositionFile(arguments.words[0], problems);
  const ItemSpec from = ParseItem(arguments.words[1], file);
  const ItemSpec to = ParseItem(arguments.words[2], file);
  Composition composition(std::move(file), arguments.variables.Values());
  composition.Load(problems);
  composition.Connect(problems);
  CheckComposition(composition, problems);
  if (HasErrors(problems)) return {};
  const auto link = std::ranges::find_if(composition.Links(), [&](const Link& one) {
    return one.Spec().from.Text() == from.Text() && one.Spec().to.Text() == to.Text();
  });
  if (link == composition.Links().end()) {
    std::vector<std::string> links;
    for (const Link& one : composition.Links()) links.push_back(one.Spec().Text());
    throw UsageFault{fmt::format("expected a link of the composition, found '{}' to '{}'; {}", from.Text(), to.Text(),
                                 Suggest(from.Text() + " -> " + to.Text(), links))};
  }
  const LinkSample sample = SampleLink(composition, *link, kAnswers);
  if (!arguments.element.empty() &&
      std::ranges::find(sample.source.elements, arguments.element) == sample.source.elements.end() &&
      std::ranges::find(sample.target.elements, arguments.element) == sample.target.elements.end()) {
    std::vector<std::string> known = sample.source.elements;
    known.insert(known.end(), sample.target.elements.begin(), sample.target.elements.end());
    throw UsageFault{fmt::format("expected an element of the link, found '{}'; {}", arguments.element,
                                 Suggest(arguments.element, known))};
  }
  std::string chain;
  for (const std::string& id : sample.adaptors) chain += (chain.empty() ? "" : ", ") + id;
  if (chain.empty()) chain = "no adaptor";
  const Column source(sample.source, arguments.element, sample.source.item);
  const Column target(sample.target, arguments.element, sample.target.item);
  Json json;
  json["pictures"] = Json::array();
  if (sample.maps_places && !sample.source.places.empty() && !sample.target.places.empty()) {
    if (std::string places = PlacesPicture(sample, chain); !places.empty()) {
      json["pictures"].push_back(std::move(places));
    }
  }
  json["pictures"].push_back(ExplainTimeSvg(
      source.series, target.series, fmt::format("{} to {}: {}", sample.source.item, sample.target.item, chain)));
  return json;
}

int ExecuteInChild(const AdaptorsArguments& arguments) {
  AnswerStream answer;
  Json json;
  Problems problems;
  try {
    json["answer"] = arguments.explain ? Explanation(arguments, problems) : Answer(arguments, problems);
  } catch (const UsageFault& fault) {
    json["usage"] = fault.text;
  } catch (const RangeError& error) {
    json["usage"] = error.Problem() + "; " + error.Remedy();
  } catch (const Error& error) {
    AddError(problems, error.Place(), error.Problem(), error.Remedy());
  }
  json["problems"] = ToJson(problems);
  answer.Finish(json);
}

std::string SideText(const Json& side) {
  std::string text = fmt::format("{} [{}]", side.value("item", ""), side.value("unit", ""));
  if (side.contains("elements")) text += fmt::format(", {} elements", side["elements"].get<int>());
  if (side.contains("spans")) text += side["spans"].get<bool>() ? ", spans" : ", instants";
  return text;
}

std::string ArgumentText(const Json& argument) {
  std::string text = fmt::format("{} = {}", argument.value("id", ""), argument.at("value").dump());
  if (argument.value("unit", "1") != "1") text += " " + argument["unit"].get<std::string>();
  if (argument.contains("possible_values")) text += "  one of " + argument["possible_values"].dump();
  const std::string caption = argument.value("caption", "");
  if (!caption.empty() && caption != argument.value("id", "")) text += "  " + caption;
  return text;
}

constexpr std::size_t kOffersShown = 8;

// Prints the offers. Adaptors of one kind share arguments; each argument is explained where it first occurs.
// \param most  the largest number to print
// \returns how many are omitted
std::size_t PrintOffers(const Json& answer, bool fitting, std::size_t most, std::set<std::string>& explained) {
  std::size_t count = 0;
  for (const Json& offer : answer.at("adaptors")) {
    if (offer.value("fits", false) != fitting || count++ >= most) continue;
    PrintLine(stdout, PrintableText(fmt::format("  {:<22} {}", offer.value("id", ""), offer.value("description", ""))));
    std::string known;
    for (const Json& argument : offer.at("arguments")) {
      const std::string text = ArgumentText(argument);
      if (explained.insert(text).second) {
        PrintLine(stdout, PrintableText(fmt::format("{:>25}{}", "", text)));
      } else {
        known += (known.empty() ? "" : ", ") + argument.value("id", "");
      }
    }
    if (!known.empty()) PrintLine(stdout, PrintableText(fmt::format("{:>25}{}: as above", "", known)));
  }
  return count - std::min(count, most);
}

void Print(const Json& answer, bool all) {
  PrintLine(stdout, PrintableText(fmt::format("from {}", SideText(answer.at("from")))));
  PrintLine(stdout, PrintableText(fmt::format("to   {}", SideText(answer.at("to")))));
  if (answer.contains("units_convert")) {
    const std::string advice = answer.value("advice", "");
    PrintLine(stdout,
              PrintableText(answer["units_convert"].get<bool>() ? std::string("units are converted automatically")
                            : advice.empty()                    ? std::string("units do not convert")
                                                                : "units do not convert: " + advice));
  }
  std::set<std::string> explained;
  const Json& offers = answer.at("adaptors");
  const bool any_fits = std::ranges::any_of(offers, [](const Json& offer) { return offer.value("fits", false); });
  PrintLine(stdout, Painted(any_fits ? "fit between the two, the most suitable first:"
                                     : "no single adaptor fits between the two",
                            Colour::Bold, stdout));
  const std::size_t most = all ? offers.size() : kOffersShown;
  const std::size_t more = PrintOffers(answer, true, most, explained);
  if (all) {
    PrintLine(stdout, Painted("fit the output, before or after others:", Colour::Bold, stdout));
    PrintOffers(answer, false, most, explained);
    return;
  }
  const auto others = static_cast<std::size_t>(
      std::ranges::count_if(offers, [](const Json& offer) { return !offer.value("fits", false); }));
  if (more + others == 0) return;
  std::string text = more > 0 ? fmt::format("{} more that fit between the two", more) : "";
  if (others > 0) text += fmt::format("{}{} that fit the output before or after others", more > 0 ? ", " : "", others);
  PrintLine(stdout, "and " + text + "; --all lists them");
}

int Execute(const AdaptorsArguments& arguments) {
  Problems problems;
  if (arguments.words.size() < 2 || arguments.words.size() > 3)
    throw UsageFault{"expected COMPOSITION FROM TO, or A.omi:item B.omi:item"};
  if (arguments.explain && arguments.words.size() != 3)
    throw UsageFault{"expected COMPOSITION FROM TO with --explain: only a link of a composition can be drawn"};
  (void)Asked(arguments, problems);  // reports missing and misspelt names before anything is loaded
  problems.clear();
  std::vector<std::string> argv = {"adaptors"};
  argv.insert(argv.end(), arguments.words.begin(), arguments.words.end());
  for (const std::string& one : arguments.variables.Arguments()) argv.push_back(one);
  if (arguments.explain) argv.emplace_back("--explain");
  if (!arguments.element.empty()) argv.insert(argv.end(), {"--element", arguments.element});
  const ChildAnswer child = AskThisProgram(argv, ParseNumber(arguments.timeout, "--timeout"));
  if (!child.IsThere()) {
    problems.push_back(DeathOf(child, {.file = arguments.words[0]}));
    PrintProblems(stderr, problems);
    return kProblemsFound;
  }
  if (child.value.contains("usage")) throw UsageFault{child.value["usage"]};
  problems = ProblemsFromJson(child.value.at("problems"));
  std::erase_if(problems, [](const Problem& problem) { return problem.severity == Problem::Note; });
  const Json answer = child.value.value("answer", Json());
  if (!answer.is_object()) {
    PrintProblems(stderr, problems);
    return kProblemsFound;
  }
  if (arguments.explain) {
    WriteOutput(arguments.output.empty() ? NamedAfter(arguments.words[0], ".link.svg") : arguments.output,
                Stacked(answer.at("pictures").get<std::vector<std::string>>()));
  } else if (arguments.json) {
    PrintLine(stdout, JsonText(answer));
  } else {
    Print(answer, arguments.all);
  }
  PrintProblems(stderr, problems);
  return HasErrors(problems) ? kProblemsFound : kSuccess;
}

}  // namespace

void AddAdaptors(CLI::App& app, Invocation& invocation) {
  auto arguments = std::make_shared<AdaptorsArguments>();
  CLI::App* adaptors = app.add_subcommand("adaptors", "List the adaptors that fit a link between two items");
  adaptors
      ->add_option("ITEMS", arguments->words,
                   "COMPOSITION component.output component.input, or A.omi:output B.omi:input")
      ->required()
      ->expected(2, 3);
  adaptors->add_flag("--explain", arguments->explain,
                     "Draw how the adaptors of the link change the values of its source");
  AddValue(*adaptors, "-o,--output,--output-file", arguments->output, "OUT",
           "SVG file of --explain; '-' is standard output (default: the name of COMPOSITION with .link.svg)");
  AddValue(*adaptors, "--element", arguments->element, "ID", "Element that --explain draws (default: the first)");
  adaptors->add_flag("--all", arguments->all, "List all adaptors that fit, not only the most suitable ones");
  adaptors->add_flag("--json", arguments->json, "Print JSON with all adaptors that fit");
  AddTimeout(*adaptors, arguments->timeout);
  arguments->variables.AddTo(*adaptors);
  AddChildFlag(*adaptors, arguments->in_child);
  adaptors->footer(
      "Examples:\n"
      "  openmi adaptors upper-creek.xml rain.precipitation runoff.precipitation\n"
      "  openmi adaptors upper-creek.xml rain.precipitation runoff.precipitation --explain -o link.svg\n"
      "  openmi adaptors creek.omi:outflow reservoir.omi:inflow --json");
  adaptors->callback([arguments, &invocation] {
    invocation.execute = [arguments] { return arguments->in_child ? ExecuteInChild(*arguments) : Execute(*arguments); };
  });
}

}  // namespace openmi::tools
