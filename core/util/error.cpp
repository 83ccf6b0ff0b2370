#include "util/error.h"

namespace casp {

namespace {

Phrase phrase_of_parts(const Error::Parts& parts) {
    auto text = parts.found;
    if (!parts.expected.empty()) text = Phrase("%1; expected %2", std::move(text), parts.expected);
    if (!parts.where.empty()) {
        // "train" is a key there, not a word.
        const auto& where = parts.where;
        text = Phrase("%1: %2", where.arguments().empty() ? Phrase(where.text()) : where, std::move(text));
    }
    if (!text.empty() && text.english().back() != '.') text = Phrase("%1.", std::move(text));
    return parts.advice.empty() ? text : Phrase("%1 %2", std::move(text), parts.advice);
}

}  // namespace

Error::Error(ErrorKind kind, Parts parts)
    : std::runtime_error(phrase_of_parts(parts).english()), kind_(kind), parts_(std::move(parts)) {}

Phrase Error::phrase() const { return phrase_of_parts(parts_); }

Phrase phrase_of(const std::exception& failure) {
    const auto* error = dynamic_cast<const Error*>(&failure);
    return error != nullptr ? error->phrase() : Phrase(std::string(failure.what()));
}

Error input_error(Phrase where, Phrase found, Phrase expected, Phrase advice) {
    return {ErrorKind::input, {std::move(where), std::move(found), std::move(expected), std::move(advice)}};
}

Error run_error(Phrase where, Phrase found, Phrase expected, Phrase advice) {
    return {ErrorKind::run, {std::move(where), std::move(found), std::move(expected), std::move(advice)}};
}

Cancelled::Cancelled() : Error(ErrorKind::interrupted, {{}, "cancelled", {}, {}}) {}

}  // namespace casp
