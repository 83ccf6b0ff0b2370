#include "batch/child_process.h"

#include <unistd.h>

#include <algorithm>

namespace casp::batch {

std::vector<std::string> environment_with(const std::vector<std::string>& replaced) {
    std::vector<std::string> all;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string text = *entry;
        const auto name = text.substr(0, text.find('=') + 1);
        if (std::none_of(replaced.begin(), replaced.end(),
                         [&](const auto& r) { return r.starts_with(name); }))
            all.push_back(text);
    }
    all.insert(all.end(), replaced.begin(), replaced.end());
    return all;
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
    std::vector<char*> pointers;
    pointers.reserve(words.size() + 1);
    for (auto& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    return pointers;
}

}  // namespace casp::batch
