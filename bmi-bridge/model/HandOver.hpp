#pragma once

#include <functional>
#include <memory>
#include <string>

#include "bmi-bridge/model/Backing.hpp"
#include "bmi-bridge/model/Model.hpp"

// One function for each way in which a library hands its model over but the struct of C: each fills a struct with
// functions that call the library's own, and leaves null what it lacks.
namespace openmi::bmi {

/// The address of a function by its name; null where there is none.
using FindFunction = std::function<void*(const char*)>;

/// \throws LoadError  no object comes back
std::unique_ptr<Backing> HandOverObject(::Bmi& bmi, const FindFunction& find);
/// \param entry  the function that makes the handle
/// \throws LoadError  the handle stays null
std::unique_ptr<Backing> HandOverBox(::Bmi& bmi, const FindFunction& find, const std::string& entry);
/// \throws LoadError  there is no more model
std::unique_ptr<Backing> HandOverInteger(::Bmi& bmi, const FindFunction& find);
/// Functions without a handle, in one of three dialects: as BMI 2.0 in C has them; as Fortran has them, with integers
/// by pointer and lists of names in one block (MODFLOW 6); or in the style before BMI 2 (`get_var`, `update` by a
/// length).
std::unique_ptr<Backing> HandOverFlat(::Bmi& bmi, const FindFunction& find);

/// Which of three functions of Fortran takes the values of a variable.
enum class FortranType { Integer, Float, Double };
/// By the name of the type ("integer", "real*8", "DOUBLE (5)") and the size of an item in bytes.
FortranType FortranTypeOf(const std::string& type, int itemsize);

}  // namespace openmi::bmi
