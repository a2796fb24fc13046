#include "timespace/HistoryState.hpp"

#include <fmt/format.h>

#include "openmi/sdk/Error.hpp"

namespace openmi {

void WriteRows(StateWriter& writer, const RowHistory& rows) {
  writer.Write(static_cast<std::int64_t>(rows.Count()));
  for (std::size_t i = 0; i < rows.Count(); ++i) {
    writer.Write(rows.Begin(i).mjd);
    writer.Write(rows.Duration(i).count);
    writer.Write(rows.Row(i));
  }
}

RowHistory ReadRows(StateReader& reader, std::optional<std::size_t> width) {
  RowHistory rows;
  const std::int64_t count = reader.ReadInteger();
  for (std::int64_t i = 0; i < count; ++i) {
    const Stamp begin{reader.ReadDouble()};
    const Days duration{reader.ReadDouble()};
    const std::vector<double> row = reader.ReadDoubles();
    if (width && row.size() != *width) {
      throw FormatError({}, fmt::format("expected {} elements in a state, found {}", *width, row.size()),
                        "restore it with the arguments it was kept with");
    }
    if (!(duration.count >= 0.0) || !Before(rows.LatestEnd(), begin + duration)) {
      throw FormatError({}, "expected rows one after the other in a state, found one that does not end after the last",
                        "use an intact copy");
    }
    rows.Append(begin, duration, row);
  }
  return rows;
}

void ReplaceRows(RowHistory& history, const RowHistory& rows) {
  history.Clear();
  for (std::size_t i = 0; i < rows.Count(); ++i) history.Append(rows.Begin(i), rows.Duration(i), rows.Row(i));
}

}  // namespace openmi
