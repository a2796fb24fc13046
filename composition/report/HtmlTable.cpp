#include "composition/report/HtmlTable.hpp"

#include <fmt/format.h>

#include <iterator>

#include "composition/report/SvgWriter.hpp"

namespace openmi {

HtmlTable::HtmlTable(std::vector<HtmlColumn> columns) : columns_(std::move(columns)) {}

void HtmlTable::AddRow(const std::vector<std::string>& cells, std::string_view css_class) {
  rows_ += css_class.empty() ? "<tr>" : fmt::format("<tr class=\"{}\">", css_class);
  for (std::size_t i = 0; i < columns_.size() && i < cells.size(); ++i) {
    const bool is_head = i == 0 && !cells[i].empty();
    const std::string_view tag = is_head ? "th" : "td";
    fmt::format_to(std::back_inserter(rows_), "<{}{}{}>{}</{}>", tag, is_head ? " scope=\"row\"" : "",
                   columns_[i].is_number ? " class=\"n\"" : "", cells[i], tag);
  }
  rows_ += "</tr>\n";
}

std::string HtmlTable::Finish(std::string_view css_class) const {
  if (rows_.empty()) return {};
  std::string head;
  for (const HtmlColumn& column : columns_) {
    if (column.title.empty()) {
      head += "<td></td>";
      continue;
    }
    fmt::format_to(std::back_inserter(head), "<th scope=\"col\"{}{}>{}</th>", column.is_number ? " class=\"n\"" : "",
                   column.help.empty() ? "" : fmt::format(" title=\"{}\"", EscapeMarkup(column.help)),
                   EscapeMarkup(column.title));
  }
  return fmt::format("<div class=\"scroll\"><table{}><thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody></table></div>\n",
                     css_class.empty() ? "" : fmt::format(" class=\"{}\"", css_class), head, rows_);
}

std::string HtmlSpan(std::string_view css_class, std::string_view text) {
  return fmt::format("<span class=\"{}\">{}</span>", css_class, EscapeMarkup(text));
}

std::string HtmlFigure(std::string_view title, std::string_view note, bool is_invented, std::string_view picture,
                       std::string_view foot) {
  return fmt::format("<figure><figcaption><b>{}</b>{}{}</figcaption>\n<div class=\"scroll\">{}</div>{}</figure>\n",
                     EscapeMarkup(title), note.empty() ? "" : HtmlSpan("note", note),
                     is_invented ? HtmlSpan("badge invented", "invented") : "", picture, foot);
}

}  // namespace openmi
