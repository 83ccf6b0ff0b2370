#pragma once
// Arrays that make_analysis.py or make_strata.py of tests/oracle/ wrote.

#include <stdexcept>
#include <string>
#include <vector>

#include "store/safetensors.h"

namespace casp::test {

class AnalysisGolden {
public:
    /// `name`: of a file in tests/golden/.
    explicit AnalysisGolden(const std::string& name = "analysis.safetensors")
        : file_(std::string(CASP_SOURCE_DIR) + "/tests/golden/" + name) {}

    template <class T>
    [[nodiscard]] std::vector<T> get(const std::string& name) const {
        const auto& view = file_.at(name);
        if (store::size_of(view.dtype) != sizeof(T)) throw std::invalid_argument(name + " has another type");
        std::vector<T> values(view.nbytes / sizeof(T));
        store::read_bytes(view, std::as_writable_bytes(std::span(values)));
        return values;
    }
    [[nodiscard]] std::vector<float> floats(const std::string& name) const { return get<float>(name); }
    [[nodiscard]] std::vector<double> doubles(const std::string& name) const { return get<double>(name); }

private:
    store::SafetensorsFile file_;
};

}  // namespace casp::test
