#include "panels/runs/runs_resume.h"

#include <utility>

#include "run/preparation.h"

namespace casp::widgets {

namespace {

QString problem_of(const QStringList& folders, const std::stop_token& stop) {
    QStringList problems;
    for (const auto& folder : folders) {
        if (stop.stop_requested()) return {};
        const auto why = run::why_not_resumable(folder.toStdString());
        if (!why.empty()) problems << QString::fromStdString(why);
    }
    return problems.join(QLatin1Char('\n'));
}

}  // namespace

ResumeLook::ResumeLook(std::function<void()> told) : told_(std::move(told)) {}

void ResumeLook::look_at(const QStringList& folders) {
    const auto wanted = folders.size() <= most ? folders : QStringList();
    if (wanted == folders_) return;
    folders_ = wanted;
    problem_.clear();
    look_again();
}

void ResumeLook::look_again() {
    ++looks_;  // what is still on its way is of others, or older
    if (folders_.isEmpty()) return;
    if (!pool_) pool_ = std::make_unique<WorkPool>(1);
    inbox_.run(
        *pool_, [folders = folders_, stop = pool_->stop_token()] { return problem_of(folders, stop); },
        [this, look = looks_](const QString& problem) {
            if (look != looks_ || problem == problem_) return;
            problem_ = problem;
            told_();
        });
}

}  // namespace casp::widgets
