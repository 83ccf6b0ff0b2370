#pragma once
// A whole .npy file, its values in the file's order.

#include <string>
#include <string_view>
#include <vector>

#include "data/npy.h"

namespace casp::data {

struct NpyArray : NpyHeader {
    std::vector<double> values;
};

inline NpyArray parse_npy(std::string_view bytes, const std::string& where) {
    NpyArray array{parse_npy_header(bytes, bytes.size(), where), {}};
    array.values.resize(array.count);
    read_npy_values(array, bytes.data() + array.data, array.values);
    return array;
}

}  // namespace casp::data
