#include "util/error.h"

namespace casp {

namespace {

std::string sentence(const Error::Parts& parts) {
    std::string text;
    if (!parts.where.empty()) text += parts.where + ": ";
    text += parts.found;
    if (!parts.expected.empty()) text += "; expected " + parts.expected;
    if (!text.empty() && text.back() != '.') text += '.';
    if (!parts.advice.empty()) text += ' ' + parts.advice;
    return text;
}

}  // namespace

Error::Error(ErrorKind kind, Parts parts)
    : std::runtime_error(sentence(parts)), kind_(kind), parts_(std::move(parts)) {}

Error input_error(std::string where, std::string found, std::string expected, std::string advice) {
    return {ErrorKind::input, {std::move(where), std::move(found), std::move(expected), std::move(advice)}};
}

Error run_error(std::string where, std::string found, std::string expected, std::string advice) {
    return {ErrorKind::run, {std::move(where), std::move(found), std::move(expected), std::move(advice)}};
}

Cancelled::Cancelled() : Error(ErrorKind::interrupted, {{}, "cancelled", {}, {}}) {}

}  // namespace casp
