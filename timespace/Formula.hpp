#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace openmi {

/// A formula of numbers, "sqrt(u^2 + v^2)": read once, computed for rows of values.
///
/// Operators: + - * / ^, comparisons, && and ||, `condition ? a : b`. Functions: sin cos tan asin acos atan atan2 sinh
/// cosh tanh asinh acosh atanh exp ln log2 log10 sqrt abs sign rint min max sum avg. Constants: pi, e. There are no
/// loops, no assignments, no texts and no files: a formula costs what its length says, and can do nothing but compute.
class Formula {
 public:
  /// The longest text taken, in characters.
  static constexpr std::size_t kLongest = 2000;

  /// \param variables  the names it may use: letters, digits and '_', a letter first
  /// \throws FormatError  it cannot be read: names the text, the place and the reason
  Formula(const std::string& text, const std::vector<std::string>& variables);
  Formula(Formula&&) noexcept;
  Formula& operator=(Formula&&) noexcept;
  ~Formula();

  /// The places of the variables that occur in it.
  const std::vector<std::size_t>& Used() const;

  /// out[i] = f(columns[0][i], columns[1][i], ...).
  ///
  /// \param columns  one for each variable, in the order given; shape [variables][elements]
  /// \param out      shape [elements]; disjoint from the columns, or the same memory as one
  /// \note  NaN in a variable that occurs, and a result that is not finite (a root of -1, a division by 0), give NaN.
  ///        No allocation.
  void Evaluate(std::span<const std::span<const double>> columns, std::span<double> out);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace openmi
