// Option dictionaries behind handles.
#pragma once

#include <vector>

#include "capi/interface.h"
#include "isometric/option.h"
#include "isometric/status.h"

namespace isometric::capi {

// The options of a dictionary that a function consumes; NULL has none. An error for a handle that was consumed or freed before.
Result<std::vector<OptionText>> take_dictionary(VmafFeatureDictionary* dictionary);

// Sees to it that a dictionary is consumed on every path out of a function.
class ConsumedDictionary {
public:
    explicit ConsumedDictionary(VmafFeatureDictionary* dictionary) : dictionary_(dictionary) {}
    ~ConsumedDictionary();
    ConsumedDictionary(const ConsumedDictionary&) = delete;
    ConsumedDictionary& operator=(const ConsumedDictionary&) = delete;

private:
    VmafFeatureDictionary* const dictionary_;
};

}  // namespace isometric::capi
