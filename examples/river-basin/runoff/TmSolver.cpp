#include "examples/river-basin/runoff/TmSolver.hpp"

#include <atomic>

#include "examples/river-basin/runoff/TmLibrary.hpp"
#include "openmi/sdk/Error.hpp"

namespace riverbasin {

namespace {

std::atomic<bool> in_use = false;

std::string Trimmed(std::string text) {
  const std::size_t last = text.find_last_not_of(' ');
  text.resize(last == std::string::npos ? 0 : last + 1);
  return text;
}

}  // namespace

void TmSolver::Open(const std::string& file, const std::string& classes) {
  if (open_) Close();
  if (in_use.exchange(true)) {
    throw openmi::StateError({}, "expected to be alone with the runoff solver, found another component using it",
                             "put all catchments into one input file: the solver keeps its state in globals");
  }
  open_ = true;
  int error = 0;
  const std::string no_classes = " ";
  const std::string& class_file = classes.empty() ? no_classes : classes;
  tminit_(file.c_str(), class_file.c_str(), &error, file.size(), class_file.size());
  if (error != 0) {
    std::string text(132, ' ');
    tmerr_(text.data(), text.size());
    Close();
    const std::string problem = "expected an input file of the runoff solver, it answers: " + Trimmed(text);
    if (error == 1)
      throw openmi::FileError({.file = file}, problem, "correct the arguments 'parameters' and 'classes'");
    throw openmi::FormatError({.file = file}, problem, "examples/river-basin/legacy/tminit.f90 describes the file");
  }
  int count = 0;
  tmsize_(&count, &step_hours_);
  catchments_.clear();
  for (int i = 1; i <= count; ++i) {
    std::string name(16, ' ');
    double area = 0.0;
    tmname_(&i, name.data(), &area, name.size());
    catchments_.push_back({Trimmed(name), area});
  }
}

void TmSolver::Close() {
  if (!open_) return;
  tmfin_();
  open_ = false;
  in_use = false;
}

void TmSolver::Step(std::span<const double> rain, std::span<const double> evaporation, std::span<double> discharge) {
  tmstep_(rain.data(), evaporation.data(), discharge.data());
}

double TmSolver::Storage(std::size_t catchment) const {
  const int number = static_cast<int>(catchment) + 1;
  std::array<double, 5> store{};
  tmstor_(&number, store.data());
  double sum = 0.0;
  for (const double part : store) sum += part;
  return sum;
}

TmSolver::Totals TmSolver::TotalsOf(std::size_t catchment) const {
  const int number = static_cast<int>(catchment) + 1;
  std::array<double, 3> total{};
  tmtotl_(&number, total.data());
  return {total[0], total[1], total[2]};
}

std::vector<double> TmSolver::States() const {
  int count = 0;
  tmnsta_(&count);
  std::vector<double> states(static_cast<std::size_t>(count));
  tmgets_(states.data());
  return states;
}

void TmSolver::SetStates(std::span<const double> states) {
  tmputs_(states.data());
}

}  // namespace riverbasin
