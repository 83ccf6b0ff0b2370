#include "gui/left_sessions.h"

#include <QFileInfo>

namespace casp::gui {

QString LeftSessions::take(int own) {
    own_ = own;
    left_.clear();
    cut_off_.clear();
    QStringList problems;
    for (int number = own + 1; number <= SessionFile::most_windows; ++number) {
        auto file = first_.of_window(number);
        if (!QFileInfo::exists(file.path())) continue;
        auto lock = file.lock();
        if (!lock) continue;  // its window is open
        QString problem;
        auto state = file.read(&problem);
        if (!problem.isEmpty()) {
            problems << problem;
            continue;
        }
        if (!state.closed_properly) cut_off_.push_back(number);
        if (!state.going_runs.isEmpty() || !state.waiting_runs.isEmpty())
            left_.push_back({std::move(file), std::move(state), std::move(lock)});
    }
    return problems.join(' ');
}

std::vector<const SessionState*> LeftSessions::states() const {
    std::vector<const SessionState*> states;
    for (const auto& left : left_) states.push_back(&left.state);
    return states;
}

void LeftSessions::release_runs() {
    for (auto& left : left_) {
        left.state.going_runs.clear();
        left.state.waiting_runs.clear();
        left.state.finishing_runs.clear();
        left.state.failed_runs.clear();
        // If this fails, the next start finds the runs twice and offers them once.
        (void)left.file.write(left.state);
    }
    left_.clear();
}

int LeftSessions::windows_to_open() const {
    int count = 0;
    for (int number = own_ + 1; !cut_off_.empty() && number <= cut_off_.back(); ++number)
        if (first_.of_window(number).lock()) ++count;
    return count;
}

void LeftSessions::forget_cut_off() {
    for (const int number : cut_off_) {
        auto file = first_.of_window(number);
        const auto lock = file.lock();
        if (!lock) continue;
        QString problem;
        auto state = file.read(&problem);
        state.closed_properly = true;
        if (problem.isEmpty()) (void)file.write(state);
    }
    cut_off_.clear();
}

}  // namespace casp::gui
