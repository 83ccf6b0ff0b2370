#pragma once
// What the tests of core/data share.

#include <algorithm>
#include <cmath>
#include <QtTest/QtTest>
#include <string>
#include <string_view>
#include <vector>

#include "data/csv_import.h"
#include "util/error.h"

namespace casp::data {

inline Table read(std::string_view text, CsvOptions options = {}) {
    options.digest = false;
    return parse_csv(text, "test.csv", options);
}

inline std::vector<Warning> of_kind(const Table& table, WarningKind kind) {
    std::vector<Warning> found;
    for (const auto& warning : table.warnings)
        if (warning.kind == kind) found.push_back(warning);
    return found;
}

inline std::string names(const Table& table) {
    std::string text;
    for (const auto& column : table.columns) text += (text.empty() ? "" : "|") + column.name;
    return text;
}

/// The message of the input Error that `work` throws; empty where it throws none.
template <typename Work>
std::string input_message(const Work& work) {
    try {
        work();
    } catch (const Error& error) {
        return error.kind() == ErrorKind::input ? error.what() : std::string();
    }
    return {};
}

inline bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

inline QByteArray shown(const std::string& text) {
    return QByteArray::fromStdString(text).prepend("found: ");
}

/// Compares numbers bit by bit, any NaN with any NaN.
inline bool same(const std::vector<double>& a, const std::vector<double>& b) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](double x, double y) {
               return (std::isnan(x) && std::isnan(y)) || x == y;
           });
}

inline QByteArray bytes_of(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

constexpr double day = 86'400;  ///< seconds

}  // namespace casp::data

#define VERIFY_MESSAGE(text, part) QVERIFY2(casp::data::has(text, part), casp::data::shown(text).constData())
