// The devices that device tests run on: by default every emulated one. ISOMETRIC_TEST_BACKEND names another backend, whose driver may be a
// test's (fake_driver.cpp) or a real one, and ISOMETRIC_TEST_DEVICES some of its devices.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "device/backend.h"
#include "tests/support/bits.h"
#include "tests/support/fill.h"

namespace isometric::test {

inline std::string backend_under_test() {
    const char* name = std::getenv("ISOMETRIC_TEST_BACKEND");
    return name ? name : "emulated";
}

inline const Devices& devices_under_test() {
    static const Devices devices = [] {
        const char* selection = std::getenv("ISOMETRIC_TEST_DEVICES");
        Result<Devices> found = select_devices(backend_under_test(), selection ? selection : "all");
        if (found) return *found;
        ADD_FAILURE() << found.error().message;
        return Devices();
    }();
    return devices;
}

// Runs a function on each device.
template <class Function>
void for_each_device(Function function) {
    ASSERT_FALSE(devices_under_test().empty());
    for (const auto& device : devices_under_test()) {
        SCOPED_TRACE(device->info().backend + " " + device->info().name);
        function(*device);
    }
}

// Device memory with the values.
template <class T>
Buffer uploaded(Device& device, Queue& queue, const std::vector<T>& values) {
    Result<Buffer> buffer = device.allocate(values.size() * sizeof(T));
    EXPECT_TRUE(buffer);
    EXPECT_TRUE(queue.upload(*buffer, 0, values.data(), values.size() * sizeof(T)));
    EXPECT_TRUE(queue.finish());  // the values may be gone after the call
    return *buffer;
}

template <class T>
std::vector<T> read_all(Queue& queue, const Buffer& buffer) {
    std::vector<T> values(buffer.size() / sizeof(T));
    EXPECT_TRUE(queue.read_back(values.data(), buffer, 0, buffer.size()));
    const Status status = queue.finish();
    EXPECT_TRUE(status) << status.error().message;
    return values;
}

inline testing::AssertionResult ok(const Status& status) {
    if (status) return testing::AssertionSuccess();
    return testing::AssertionFailure() << status.error().message;
}

}  // namespace isometric::test
