#include "fmi-bridge/dcp/slave/ExchangeLog.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "openmi/sdk/Error.hpp"

namespace openmi::dcp {
namespace {

void AppendQuoted(std::string& line, std::string_view text) {
  line += '"';
  for (const char letter : text) {
    if (letter == '"') line += '"';
    line += letter;
  }
  line += '"';
}

void AppendValue(std::string& line, const TypedValue& value) {
  if (value.Type() == DataType::string) return AppendQuoted(line, value.Text());
  if (value.Type() == DataType::binary) {
    for (const char byte : value.Text()) {
      fmt::format_to(std::back_inserter(line), "{:02x}", static_cast<unsigned char>(byte));
    }
    return;
  }
  for (std::size_t i = 0; i < value.Elements(); ++i) {
    if (i > 0) line += ' ';
    if (IsFloat(value.Type())) {
      fmt::format_to(std::back_inserter(line), "{}", value.Number(i));
    } else {
      fmt::format_to(std::back_inserter(line), "{}", value.Integer(i));
    }
  }
}

const char* NameOfWay(VariableKind way) {
  return way == VariableKind::Input ? "input" : "output";
}

}  // namespace

ExchangeLog::ExchangeLog(const std::filesystem::path& path, const SlaveValues& values, std::span<const Index> variables)
    : values_(values), file_(path, std::ios::binary | std::ios::trunc) {
  if (!file_) {
    throw FileError({.file = path.string()},
                    "expected a file that can be written, for the exchanges of a slave, found none",
                    "check the folder");
  }
  for (const Index index : variables) {
    const VariableKind kind = values_.VariableAt(index).kind;
    if (kind == VariableKind::Input) inputs_.push_back(index);
    if (kind == VariableKind::Output) outputs_.push_back(index);
  }
  for (std::vector<Index>* list : {&inputs_, &outputs_}) {
    std::ranges::sort(*list);
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
  WriteNames(VariableKind::Input);
  WriteNames(VariableKind::Output);
}

void ExchangeLog::WriteNames(VariableKind way) {
  line_ = fmt::format("{},time (s)", NameOfWay(way));
  for (const Index index : Of(way)) {
    line_ += ',';
    AppendQuoted(line_, values_.VariableAt(index).name);
  }
  line_ += '\n';
  file_ << line_;
}

void ExchangeLog::Write(VariableKind way, double time) {
  if (Of(way).empty()) return;
  line_.clear();
  fmt::format_to(std::back_inserter(line_), "{},{:.9f}", NameOfWay(way), time);
  for (const Index index : Of(way)) {
    line_ += ',';
    AppendValue(line_, values_.At(index));
  }
  line_ += '\n';
  file_ << line_;
}

}  // namespace openmi::dcp
