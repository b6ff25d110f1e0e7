// The built-in figures: a text that holds support vectors once, however many models share them (docs/metrics/model.md, section 7).
//
// Sections stand between empty lines; their first word says what they are, '#' starts a comment line.
//
//     vectors NAME FEATURES                    then one support vector a line: its values, '-' where none is listed
//     regression NAME VECTORS KERNEL rho=R ... then its terms in the order of the sum: COEFFICIENT of the vector after the last one's,
//                                              or NUMBER:COEFFICIENT of vector NUMBER, counted from 0
//     model NAME   or   collection NAME        then lines of a key and its values:
//         type TRAINING NORMALISATION          starts the description of a model
//         output SLOPE INTERCEPT
//         feature NAME SLOPE INTERCEPT [OPTION=VALUE ...]      without slope and intercept where normalisation is none
//         transform on|off [p0=N] [p1=N] [p2=N] [out_lte_in] [out_gte_in] [knots=X,Y;X,Y...]
//         clip MINIMUM MAXIMUM
//         chroma_correction N
//         regression NAME                      ends a model; another such line is one more model that differs in nothing else
#pragma once

#include <string_view>
#include <vector>

#include "isometric/status.h"
#include "model/definition.h"

namespace isometric {

// The model or collection of that name. Errors (Code::bad_model) name the section.
Result<ModelSet> read_model_table(std::string_view table, std::string_view name);

// The names of the models of a table, in its order.
std::vector<std::string_view> model_table_names(std::string_view table);

}  // namespace isometric
