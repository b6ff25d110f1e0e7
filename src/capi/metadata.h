// Metadata callbacks of a context.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "capi/interface.h"

namespace isometric::capi {

class MetadataHandlers {
public:
    void add(const VmafMetadataConfiguration& cfg);
    // Calls those of a score, without locks.
    void call(std::string_view name, unsigned index, double score) const;

private:
    struct Handler {
        std::string name;
        void (*callback)(void*, VmafMetadata*);
        void* data;
    };
    using Handlers = std::vector<Handler>;

    mutable std::mutex mutex_;
    std::shared_ptr<const Handlers> handlers_;  // replaced, never changed
};

}  // namespace isometric::capi
