#pragma once
// All settings of one run as a plain struct; its members are declared in options.def only.

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace casp::config {

/// `data.split`: a named rule, row counts, fractions or dates.
struct SplitSetting {
    /// "auto", "ett-hourly", "ett-minutely", "ratio"; "rows", "fractions", "dates": see below
    std::string rule = "auto";
    std::array<std::int64_t, 3> rows{};  ///< train, val, test rows; zeros unless rule is "rows"
    std::array<double, 3> fractions{};   ///< train, val, test; zeros unless rule is "fractions"
    std::array<std::string, 2> dates{};  ///< first row of validation, of test; empty unless rule is "dates"

    bool operator==(const SplitSetting&) const = default;
};

/// A value of a setting that only the user's own file knows.
using FreeValue =
    std::variant<std::int64_t, double, bool, std::string, std::vector<double>, std::vector<std::string>>;

/// Settings by names that only the user's own file knows: `python.options`.
using OptionTable = std::map<std::string, FreeValue>;

/// The settings of one run: `config.loss.lambda_cov`, `config.data.path`, `config.name`, ...
///
/// Nested structs are named as the tables of a TOML file ([data.csv] is `data_csv`) and members as its keys;
/// options.def declares their types, defaults, ranges, units and help. A default-constructed Config holds the
/// defaults. `data.path`, `backbone.path` and `train.continue_from` are absolute after loading, unless
/// they are empty, begin with "catalog:" or (the backbone's) are the word "untrained". A plain value: no
/// invariants; what comes from load() or expand() (experiment.h) has been checked.
struct Config {
    Config();  // in config.cpp: GCC 12 warns of uninitialised members where it inlines this

#define CASP_TOP(title)
#define CASP_TOP_END()
#define CASP_SECTION(Struct, member, title) struct Struct {
#define CASP_MODEL_SECTION(Struct, member, name, title) struct Struct {
#define CASP_SUBSECTION(Struct, member, table, title) struct Struct {
#define CASP_OPTION(type, key, default_value, limits, unit, symbol, help) type key = default_value;
#define CASP_END(Struct, member)                    \
    bool operator==(const Struct&) const = default; \
    }                                               \
    member;
#include "config/options.def"
#undef CASP_TOP
#undef CASP_TOP_END
#undef CASP_SECTION
#undef CASP_MODEL_SECTION
#undef CASP_SUBSECTION
#undef CASP_OPTION
#undef CASP_END

    bool operator==(const Config&) const = default;
};

}  // namespace casp::config
