#include <string>
#include <string_view>

#include "components/population/RowTable.hpp"
#include "components/population/RowText.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/fuzz/FuzzTarget.hpp"

namespace openmi::fuzz {
namespace {

using population::RowTable;
using population::RowText;

/// What a population does with a table: each row has a key of its own, an element and a cell in each column.
void UseTable(const RowTable& table) {
  Require(table.RowCount() > 0 && table.Keys().size() == table.RowCount());
  Require(static_cast<std::size_t>(table.Elements()->ElementCount()) == table.RowCount());
  for (std::size_t row = 0; row < table.RowCount(); ++row) {
    Require(table.RowOf(table.Keys()[row]) == static_cast<int>(row));
    for (std::size_t column = 0; column < table.Columns().size(); ++column) table.Cell(row, static_cast<int>(column));
  }
  for (const ElementAttribute& attribute : table.Elements()->Attributes()) {
    Require(attribute.values.size() == table.RowCount());
  }
}

}  // namespace

// Any bytes are a table of a population, or an error; so is any text with places for its cells.
OPENMI_FUZZ_TARGET(row_table) {
  for (const char* ending : {".csv", ".geojson"}) {
    for (const char* key : {"", "id"}) {
      try {
        const std::string path = FileOf(input, ending);
        RowTable table = RowTable::Read({path, "", key});
        UseTable(table);
        const RowTable other = table;
        table.Join("other", other);
        UseTable(table);
        const auto find = [&](std::string_view name) { return table.ColumnOf(name); };
        const RowText text(input, find, table.Columns());
        std::vector<int> missing;
        text.For([&](int column) -> const std::string& { return table.Cell(0, column); }, missing);
      } catch (const Error&) {
      }
    }
  }
}

}  // namespace openmi::fuzz
