#include "Markup.hpp"

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xpath.h>

#include <memory>
#include <stdexcept>

namespace openmi {
namespace {

using Document = std::unique_ptr<xmlDoc, decltype(&xmlFreeDoc)>;

Document Read(const std::string& text) {
  return {xmlReadMemory(text.data(), static_cast<int>(text.size()), "page.xml", nullptr,
                        XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_HUGE),
          xmlFreeDoc};
}

void DropNamespaces(xmlNode* node) {
  for (; node != nullptr; node = node->next) {
    if (node->type == XML_ELEMENT_NODE) {
      node->ns = nullptr;
      DropNamespaces(node->children);
    }
  }
}

using Found = std::unique_ptr<xmlXPathObject, decltype(&xmlXPathFreeObject)>;

template <typename Use>
void ForEach(const std::string& text, const std::string& expression, Use use) {
  const Document document = Read(text);
  if (!document) {
    throw std::runtime_error("not well-formed");
  }
  DropNamespaces(xmlDocGetRootElement(document.get()));
  const std::unique_ptr<xmlXPathContext, decltype(&xmlXPathFreeContext)> context{xmlXPathNewContext(document.get()),
                                                                                 xmlXPathFreeContext};
  const Found found{xmlXPathEvalExpression(reinterpret_cast<const xmlChar*>(expression.c_str()), context.get()),
                    xmlXPathFreeObject};
  if (!found) {
    throw std::runtime_error("no such expression: " + expression);
  }
  for (int i = 0; found->nodesetval != nullptr && i < found->nodesetval->nodeNr; ++i) {
    use(found->nodesetval->nodeTab[i]);
  }
}

}  // namespace

MarkupCheck CheckMarkup(const std::string& text) {
  xmlResetLastError();
  if (Read(text)) {
    return {true, {}};
  }
  const auto* error = xmlGetLastError();
  return {false, error == nullptr ? "unknown" : std::to_string(error->line) + ": " + error->message};
}

std::size_t CountNodes(const std::string& text, const std::string& expression) {
  std::size_t count = 0;
  ForEach(text, expression, [&](xmlNode*) { ++count; });
  return count;
}

std::string TextOf(const std::string& text, const std::string& expression) {
  std::string all;
  ForEach(text, expression, [&](xmlNode* node) {
    xmlChar* content = xmlNodeGetContent(node);
    all += reinterpret_cast<const char*>(content);
    xmlFree(content);
  });
  return all;
}

}  // namespace openmi
