// Writes the project's model table (src/model/table.h) from model definitions.
#pragma once

#include <string>
#include <vector>

#include "isometric/status.h"
#include "model/definition.h"

namespace isometric {

struct NamedModels {
    std::string name;
    ModelSet set;
};

// Reading the result gives the same definitions. Vectors of equal bits are written once for all models. An error for names and option
// values with blanks, which the format cannot hold.
Result<std::string> write_model_table(const std::vector<NamedModels>& models);

}  // namespace isometric
