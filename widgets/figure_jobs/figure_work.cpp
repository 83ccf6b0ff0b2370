#include "figure_jobs/figure_work.h"

#include <cstdint>
#include <utility>

namespace casp::figure_jobs {

void FigureWork::begin_figure(std::size_t number) {
    figure_ = number;
    report({}, number);
}

void FigureWork::finish() { report({}, titles_.size()); }

ProgressFn FigureWork::progress(std::string subject, std::string of) {
    return [this, subject = std::move(subject), of = std::move(of)](const Progress& progress) {
        auto text = progress.stage + of;
        if (!subject.empty()) text += " (" + subject + ")";
        if (text == stage_ && std::chrono::steady_clock::now() - reported_ < std::chrono::milliseconds(100))
            return;
        stage_ = text;
        if (progress.total > 0)
            text += ", " + std::to_string(progress.done) + " of " + std::to_string(progress.total) + " " +
                    progress.unit;
        report(text, figure_);
    };
}

void FigureWork::report(const std::string& doing, std::size_t done) {
    if (!listener_ || titles_.empty()) return;
    reported_ = std::chrono::steady_clock::now();
    const auto& title = titles_[figure_];
    const auto count = titles_.size();
    std::string line;
    if (count > 1) line = "Figure " + std::to_string(figure_ + 1) + " of " + std::to_string(count) + ": ";
    // Avoids "t-SNE: t-SNE of series".
    line += doing.empty() ? title : doing.starts_with(title) ? doing : title + " · " + doing;
    listener_({line, static_cast<std::int64_t>(100 * done / count), 100, "%"});
}

}  // namespace casp::figure_jobs
