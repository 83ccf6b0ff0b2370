#pragma once
// A library that is opened by its name when it is needed, so that the program is not linked with it.

#include <string>
#include <vector>

namespace casp {

/// Its functions; it stays open for the life of the process. Thread-safe.
class SharedLibrary {
public:
    /// The first of `names`, or paths, that the process has loaded already, else that the loader finds.
    /// Throws std::runtime_error with the loader's message.
    explicit SharedLibrary(const std::vector<std::string>& names);

    /// Makes `function` the library's; throws std::runtime_error if there is none of this name.
    template <class Function>
    void find(Function*& function, const char* name) const {
        function = reinterpret_cast<Function*>(address(name));
    }

private:
    [[nodiscard]] void* address(const char* name) const;

    void* library_ = nullptr;
};

}  // namespace casp
