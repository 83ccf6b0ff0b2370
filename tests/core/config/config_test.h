#pragma once
// What the tests of the configuration share.

#include <functional>
#include <string>

#include <QtTest>

#include "config/experiment.h"
#include "util/error.h"

namespace casp::config {

/// The message of the input Error that the call throws; "" (and a failed check) where it throws none.
inline std::string message_of(const std::function<void()>& call) {
    try {
        call();
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::input)
            return "an Error that is no input Error: " + std::string(error.what());
        return error.what();
    }
    return {};
}

inline Experiment parse(const std::string& toml, const std::vector<std::string>& sets = {}) {
    return load_text(toml, "exp.toml", "/base", sets);
}

inline std::string parse_error(const std::string& toml, const std::vector<std::string>& sets = {}) {
    return message_of([&] { (void)parse(toml, sets); });
}

inline bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// The line that every sweep of these tests begins with.
inline const std::string data = "data.path = \"catalog:ETTh1\"\n";

using Names = std::vector<std::string>;
using Notes = std::vector<Phrase>;

inline Names run_names(const Experiment& experiment) {
    Names names;
    for (const auto& run : expand(experiment)) names.push_back(run.name);
    return names;
}

}  // namespace casp::config

/// QVERIFY that shows the text in which something was to be found.
#define VERIFY_HAS(text, part) QVERIFY2(casp::config::has((text), (part)), std::string(text).c_str())
