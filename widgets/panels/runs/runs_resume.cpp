#include "panels/runs/runs_resume.h"

#include <utility>

#include "run/preparation.h"
#include "state/core_message.h"

namespace casp::widgets {

namespace {

QString problem_of(const QStringList& folders, const std::stop_token& stop) {
    QStringList problems;
    for (const auto& folder : folders) {
        if (stop.stop_requested()) return {};
        const auto why = run::why_not_resumable(folder.toStdString());
        if (!why.empty()) problems << translated_message(why);
    }
    return problems.join(QLatin1Char('\n'));
}

}  // namespace

ResumeLook::ResumeLook(std::function<void()> changed) : changed_(std::move(changed)) {}

void ResumeLook::check(const QStringList& folders) {
    const auto wanted = folders.size() <= most ? folders : QStringList();
    if (wanted == folders_) return;
    folders_ = wanted;
    problem_.clear();
    check_again();
}

void ResumeLook::check_again() {
    job_.cancel();
    if (folders_.isEmpty()) return;
    job_.start([folders = folders_](const JobContext& job) { return problem_of(folders, job.stop); },
               {.done = [this](const QString& problem) {
                   if (problem == problem_) return;
                   problem_ = problem;
                   changed_();
               }});
}

}  // namespace casp::widgets
