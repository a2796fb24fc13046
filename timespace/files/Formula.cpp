#include "timespace/files/Formula.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"

namespace openmi {
namespace {

constexpr std::string_view kRemedy =
    "use + - * / ^, comparisons, condition ? a : b, functions such as sqrt, exp, ln, sin, min, max, and the variables";

/// Refuses a single '=', which the library would read as an assignment.
void RefuseAssignment(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '=') continue;
    const bool compares = (i > 0 && std::string_view("=!<>").find(text[i - 1]) != std::string_view::npos) ||
                          (i + 1 < text.size() && text[i + 1] == '=');
    if (!compares) {
      throw FormatError({}, fmt::format("expected a formula without assignment, found '{}'", text),
                        "write == to compare");
    }
  }
}

/// Removes the functions that the formula does not name. Each parser has about thirty of them in its own table, which
/// needs more memory than the rest of the parser.
void KeepFunctions(mu::Parser& parser, const std::string& text) {
  const mu::funmap_type all = parser.GetFunDef();
  parser.ClearFun();
  for (const auto& [name, function] : all) {
    if (text.find(name) == std::string::npos) continue;
    void* const address = function.GetAddr();
    if (function.GetArgc() == 1) {
      parser.DefineFun(name, reinterpret_cast<mu::fun_type1>(address), function.IsOptimizable());
    } else if (function.GetArgc() == 2) {
      parser.DefineFun(name, reinterpret_cast<mu::fun_type2>(address), function.IsOptimizable());
    } else {  // any number of arguments
      parser.DefineFun(name, reinterpret_cast<mu::multfun_type>(address), function.IsOptimizable());
    }
  }
}

}  // namespace

struct Formula::Parser {
  mu::Parser parser;
  std::vector<double> values;  // the variables; the parser holds their addresses
  std::vector<std::size_t> used;
};

Formula::Formula(const std::string& text, const std::vector<std::string>& variables)
    : parser_(std::make_unique<Parser>()) {
  if (text.size() > kLongest) {
    throw FormatError({}, fmt::format("expected a formula of at most {} characters, found {}", kLongest, text.size()),
                      "compute it in several steps");
  }
  if (std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"'; })) {
    throw FormatError({}, "expected a formula of numbers in one line, found a text or a control character",
                      std::string(kRemedy));
  }
  RefuseAssignment(text);
  try {
    mu::Parser& parser = parser_->parser;
    parser.ResetLocale();  // a decimal point in every locale
    KeepFunctions(parser, text);
    // A variable may have the name of a constant.
    const auto constant = [&](const char* name, double value) {
      if (std::ranges::find(variables, name) == variables.end()) parser.DefineConst(name, value);
    };
    constant("pi", std::numbers::pi);
    constant("e", std::numbers::e);
    parser_->values.resize(variables.size());
    for (std::size_t i = 0; i < variables.size(); ++i) {
      parser.DefineVar(variables[i], &parser_->values[i]);
    }
    parser.SetExpr(text);
    const auto used = parser.GetUsedVar();
    for (const auto& [name, address] : used) {
      // The library accepts undefined names here.
      if (std::ranges::find(variables, name) == variables.end()) {
        throw mu::Parser::exception_type("unknown name \"" + name + "\"");
      }
    }
    for (std::size_t i = 0; i < variables.size(); ++i) {
      if (used.contains(variables[i])) parser_->used.push_back(i);
    }
    int results = 0;
    static_cast<void>(parser.Eval(results));
    if (results != 1) {
      throw FormatError({}, fmt::format("expected one formula, found {} in '{}'", results, text),
                        "write one for each output");
    }
  } catch (const mu::Parser::exception_type& error) {
    std::string names;
    for (const std::string& name : variables) names += (names.empty() ? "" : ", ") + name;
    throw FormatError({}, fmt::format("expected a formula of {}, found '{}': {}", names, text, error.GetMsg()),
                      std::string(kRemedy));
  }
}

Formula::Formula(Formula&&) noexcept = default;
Formula& Formula::operator=(Formula&&) noexcept = default;
Formula::~Formula() = default;

const std::vector<std::size_t>& Formula::Used() const {
  return parser_->used;
}

void Formula::Evaluate(std::span<const std::span<const double>> columns, std::span<double> out) {
  Parser& own = *parser_;
  for (std::size_t i = 0; i < out.size(); ++i) {
    bool missing = false;
    for (const std::size_t variable : own.used) {
      own.values[variable] = columns[variable][i];
      missing = missing || std::isnan(own.values[variable]);
    }
    if (missing) {
      out[i] = kNotANumber;
      continue;
    }
    const double value = own.parser.Eval();
    out[i] = std::isfinite(value) ? value : kNotANumber;
  }
}

}  // namespace openmi
