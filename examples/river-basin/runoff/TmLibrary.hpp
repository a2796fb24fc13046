#pragma once

#include <cstddef>

// The entry points of the legacy library as gfortran names them: lower case, an underscore, everything by reference,
// and the lengths of the texts, in order, after the last argument. What each does stands in
// examples/river-basin/legacy.
extern "C" {
void tminit_(const char* file, const char* classes, int* error, std::size_t file_length, std::size_t classes_length);
void tmsize_(int* catchments, double* step_hours);
void tmname_(const int* catchment, char* name, double* area, std::size_t name_length);
void tmstep_(const double* rain, const double* evaporation, double* discharge);
void tmstor_(const int* catchment, double* store);
void tmtotl_(const int* catchment, double* total);
void tmerr_(char* text, std::size_t text_length);
void tmnsta_(int* count);
void tmgets_(double* states);
void tmputs_(const double* states);
void tmfin_();
}
