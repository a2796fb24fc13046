#pragma once

#include <functional>
#include <memory>
#include <string>

#include "bmi-bridge/model/Backing.hpp"
#include "bmi-bridge/model/Model.hpp"

// One function for each way in which a library hands over its model, except the struct of C. Each fills a struct with
// functions that call those of the library, and leaves a function null if the library lacks it.
namespace openmi::bmi {

/// Finds the address of a function by its name; null if there is none.
using FindFunction = std::function<void*(const char*)>;

/// \throws LoadError  the library returns no object
std::unique_ptr<Backing> HandOverObject(::Bmi& bmi, const FindFunction& find);
/// \param entry  the function that makes the handle
/// \throws LoadError  the handle stays null
std::unique_ptr<Backing> HandOverBox(::Bmi& bmi, const FindFunction& find, const std::string& entry);
/// \throws LoadError  the library gives no further model
std::unique_ptr<Backing> HandOverInteger(::Bmi& bmi, const FindFunction& find);
/// Uses functions without a handle, in one of three forms.
///
/// As in the C binding of BMI 2.0; as in Fortran, with integers by pointer and lists of names in one block (MODFLOW 6);
/// or as before BMI 2 (`get_var`, `update` with a length of time).
std::unique_ptr<Backing> HandOverFlat(::Bmi& bmi, const FindFunction& find);

/// Makes an object of a class in Python.
/// \param file   a path, or the name of a module
/// \param entry  the name of the class; empty: the only one
/// \throws LoadError  the file cannot be used, or has no such class
std::unique_ptr<Backing> HandOverClass(::Bmi& bmi, const std::string& file, const std::string& entry);

/// Which of three Fortran functions handles the values of a variable.
enum class FortranType { Integer, Float, Double };
/// Derived from the name of the type ("integer", "real*8", "DOUBLE (5)") and the size of an item in bytes.
FortranType FortranTypeOf(const std::string& type, int itemsize);

}  // namespace openmi::bmi
