#include "state/run_data.h"

#include <algorithm>
#include <cmath>

#include "config/options.h"
#include "config/text_utils.h"

namespace casp::widgets {

namespace {

constexpr qsizetype longest_label = 40;

QString symbol_of(const std::string& key) {
    const auto* option = config::find_option(key);
    if (option == nullptr) return QString::fromStdString(key);
    return QString::fromStdString(option->symbol.empty() ? option->member : option->symbol);
}

/// What a swept path or list is worth in a legend: the end of it.
QString value_text(const std::string& value) {
    const auto text = QString::fromStdString(value);
    return text.size() > 16 ? QStringLiteral("…") + text.right(15) : text;
}

}  // namespace

double RunPace::share() const {
    if (step <= 0 || last_step <= 0) return stage_share;
    return std::clamp(static_cast<double>(step) / static_cast<double>(last_step), 0.0, 1.0);
}

QString RunSummary::label() const {
    QString text = row.data.empty() ? batch : QString::fromStdString(row.data);
    if (!row.data.empty() && row.horizon > 0) text += QStringLiteral("-%1").arg(row.horizon);
    const QString separator = QStringLiteral(" · ");
    bool lambda_named = false, seed_named = false;
    for (const auto& [key, value] : row.swept) {
        // The first part says these already.
        if (key == "data.path" || key == "data.horizon" || key == "preset") continue;
        lambda_named = lambda_named || key == "loss.lambda_cov";
        seed_named = seed_named || key == "train.seed";
        text += separator + symbol_of(key) + QLatin1Char(' ') + value_text(value);
    }
    if (!lambda_named && std::isfinite(row.lambda_cov))
        text +=
            separator + QStringLiteral("λ_cov ") + QString::fromStdString(config::shortest(row.lambda_cov));
    const auto seed = separator + QStringLiteral("seed %1").arg(row.seed);
    if (!seed_named && text.size() + seed.size() <= longest_label) text += seed;
    if (text.size() > longest_label) text = text.left(longest_label - 1) + QStringLiteral("…");
    return text;
}

}  // namespace casp::widgets
