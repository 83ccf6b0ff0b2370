#include "state/plain_text.h"

#include "run/preparation.h"
#include "state/core_message.h"
#include "util/error.h"

namespace casp::widgets {

QString plain_text(const std::exception& failure) {
    if (const auto* error = dynamic_cast<const Error*>(&failure)) {
        auto parts = error->parts();
        if (parts.advice.find("--") != std::string::npos) parts.advice.clear();
        return translated_message(QString::fromStdString(parts.where), QString::fromStdString(parts.found),
                                  QString::fromStdString(parts.expected),
                                  QString::fromStdString(parts.advice));
    }
    return translated_message(run::plain_message(failure));
}

}  // namespace casp::widgets
