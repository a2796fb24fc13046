#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace openmi {

/// A formula of numbers, such as "sqrt(u^2 + v^2)". It is parsed once and evaluated for rows of values.
///
/// Operators: `+ - * / ^`, comparisons, `&&` and `||`, `condition ? a : b`. Functions: sin cos tan asin acos atan atan2
/// sinh cosh tanh asinh acosh atanh exp ln log2 log10 sqrt abs sign rint min max sum avg. Constants: pi, e. There are
/// no loops, assignments, texts or files: the cost of a formula is bounded by its length, and it can do nothing but
/// compute.
class Formula {
 public:
  /// The maximum length of the text, in characters.
  static constexpr std::size_t kLongest = 2000;

  /// \param variables  the allowed names: letters, digits and '_', a letter first
  /// \throws FormatError  the formula cannot be parsed; names the text, the position and the reason
  Formula(const std::string& text, const std::vector<std::string>& variables);
  Formula(Formula&&) noexcept;
  Formula& operator=(Formula&&) noexcept;
  ~Formula();

  /// The indices of the variables that occur in the formula.
  const std::vector<std::size_t>& Used() const;

  /// Computes `out[i] = f(columns[0][i], columns[1][i], ...)`.
  ///
  /// \param columns  one for each variable, in the order of the constructor; shape [variables][elements]
  /// \param out      shape [elements]; disjoint from the columns, or the same memory as one of them
  /// \note  The result is NaN when a variable in the formula is NaN, or the result is not finite (a root of -1, a
  ///   division by 0). No allocation.
  void Evaluate(std::span<const std::span<const double>> columns, std::span<double> out);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace openmi
