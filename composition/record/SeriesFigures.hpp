#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "openmi/sdk/Missing.hpp"

namespace openmi {

/// What is known of one element of a series over time, in the unit of the series; NaN: there is no number.
struct ElementFigures {
  double smallest = kNotANumber;
  double largest = kNotANumber;
  double smallest_time = kNotANumber;  ///< the end of the first row with that value, Modified Julian Day, UTC
  double largest_time = kNotANumber;
  double sum = 0.0;
  double last = kNotANumber;  ///< of the last row; NaN if it is missing there
  std::size_t count = 0;
  std::size_t missing = 0;

  double Mean() const { return count > 0 ? sum / static_cast<double>(count) : kNotANumber; }
  void Add(double time, double value);
  /// Adds what is known of another element; of equal extremes the earlier one counts.
  void Join(const ElementFigures& other);
};

/// Quantiles over the elements of a series, in one row or in several rows that follow each other.
struct FigureBand {
  /// The shares of `quantiles`.
  static constexpr std::array<double, 7> kShares{0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0};

  double begin = 0.0;  ///< of the first row, Modified Julian Day, UTC
  double end = 0.0;    ///< of the last row
  /// The first and the last one are those of all rows; the others are means over the rows. NaN: there is no number.
  std::array<double, 7> quantiles{};
};

/// Statistics of each element of a series over time, and quantiles over the elements at each time, from rows as they
/// come. The memory depends on the number of elements, not on that of rows.
class SeriesFigures {
 public:
  SeriesFigures() = default;
  explicit SeriesFigures(std::size_t elements) : elements_(elements) {}
  /// Those of rows that are all there.
  /// \param begins  of the rows; shape [n], or empty: the same as `ends`
  /// \param ends    shape [n]
  /// \param values  row by row; shape [n * elements]
  static SeriesFigures Of(std::size_t elements, std::span<const double> begins, std::span<const double> ends,
                          std::span<const double> values);

  /// \param begin  of the row, Modified Julian Day, UTC; of an instant, its time
  /// \param row    shape [elements]; NaN where missing
  void Add(double begin, double end, std::span<const double> row);
  void Clear() { *this = SeriesFigures(elements_.size()); }

  /// Shape [elements].
  std::span<const ElementFigures> Elements() const { return elements_; }
  /// Of all elements together.
  ElementFigures All() const;
  std::size_t RowCount() const { return rows_; }
  /// At most `most` bands, which together cover all rows. Of more than 2000 elements, quantiles are those of one row in
  /// each band of several rows.
  std::vector<FigureBand> Bands(std::size_t most) const;

 private:
  struct Band {
    double begin = 0.0;
    double end = 0.0;
    std::array<double, 7> quantiles{};  // sums of `sampled` rows, but for the first and the last one
    std::size_t sampled = 0;
    void Add(const Band& other);
  };
  Band BandOf(double begin, double end, std::span<const double> row);
  static std::vector<Band> Joined(std::span<const Band> bands, std::size_t each);

  std::vector<ElementFigures> elements_;
  std::size_t rows_ = 0;
  std::vector<Band> bands_;
  std::size_t rows_each_ = 1;  // of a band
  std::size_t rows_in_last_ = 0;
  std::vector<double> numbers_;  // of the present row
};

}  // namespace openmi
