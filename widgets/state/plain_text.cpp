#include "state/plain_text.h"

#include <utility>

#include "run/preparation.h"
#include "util/error.h"

namespace casp::widgets {

QString plain_text(const std::exception& failure) {
    if (const auto* error = dynamic_cast<const Error*>(&failure)) {
        auto parts = error->parts();
        if (parts.advice.find("--") != std::string::npos) parts.advice.clear();
        return QString::fromUtf8(Error(error->kind(), std::move(parts)).what());
    }
    return QString::fromStdString(run::plain_message(failure));
}

}  // namespace casp::widgets
