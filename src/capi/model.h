// Models behind handles. A collection's base model and the collection are two handles of one model.
#pragma once

#include <memory>
#include <mutex>

#include "capi/interface.h"
#include "isometric/model.h"

namespace isometric::capi {

class ModelState {
public:
    explicit ModelState(Model model) : model_(std::move(model)) {}

    // As it is now.
    Model model() const;
    const std::string& name() const { return name_; }
    Status overload(std::string_view metric, const std::vector<OptionText>& options);

private:
    mutable std::mutex mutex_;
    Model model_;
    const std::string name_ = model_.name();
};

// Errors for NULL and for handles that are none (any more).
Result<std::shared_ptr<ModelState>> find_model(const VmafModel* model);
Result<std::shared_ptr<ModelState>> find_collection(const VmafModelCollection* collection);

}  // namespace isometric::capi
