#include "gui/window_closing.h"

#include <iostream>
#include <utility>

#include <QCloseEvent>
#include <QFileInfo>
#include <QWidget>

#include "gui/info_bar.h"
#include "gui/notices.h"
#include "gui/run_queue.h"
#include "gui/session_keeper.h"

namespace casp::gui {

WindowClosing::WindowClosing(SessionKeeper& session, RunQueue& queue, Notices& notices, QWidget& window)
    : QObject(&window), session_(session), queue_(queue), notices_(notices), window_(window) {
    connect(&queue_, &RunQueue::changed, this, [this] {
        if (!queue_.is_held()) holds_queue_ = false;
    });
    connect(&queue_, &RunQueue::run_added, this, [this] {
        if (holds_queue_ && !closing_) stay_open();
    });
}

void WindowClosing::note_failed_run(const QString& run_folder, const QString& text) {
    if (!closing_) return;
    failed_ << tr("%1 failed while the window closed; its progress since the last checkpoint is lost. %2")
                   .arg(QFileInfo(run_folder).fileName(), text);
    anyway_ = false;  // the user did not know this when answering
}

void WindowClosing::stay_open() {
    failed_.clear();
    notices_.bar().remove(QStringLiteral("closing"));
    if (!std::exchange(holds_queue_, false)) return;
    queue_.hold(false);
}

void WindowClosing::set_closing(bool closing) {
    closing_ = closing;
    session_.set_closing(closing);
}

void WindowClosing::close_for_signal() {
    for_signal_ = true;
    window_.close();
}

bool WindowClosing::may_close() {
    const bool saved = session_.write(!queue_.is_running());
    auto lost = failed_;
    if (!saved)
        lost.prepend(tr("What you entered since the last save would be lost. %1").arg(session_.problem()));
    if (lost.isEmpty() || anyway_) return true;
    if (for_signal_) {
        for (const auto& text : std::as_const(lost)) {
            if (on_terminal_.contains(text)) continue;
            on_terminal_ << text;
            std::cerr << "caspstudio: " << text.toStdString() << std::endl;
        }
        return true;
    }
    ask(lost, saved);
    return false;
}

void WindowClosing::ask(const QStringList& lost, bool saved) {
    std::vector<InfoButton> buttons;
    if (!saved)
        buttons.push_back({tr("Try again"), tr("Saves again, and closes the window if that succeeds"),
                           [this] { window_.close(); }});
    buttons.push_back({tr("Close anyway"), tr("Closes the window without what could not be saved"), [this] {
                           anyway_ = true;
                           failed_.clear();
                           window_.close();
                       }});
    buttons.push_back(
        {tr("Keep open"), tr("Keeps the window open and releases the queue"), [this] { stay_open(); }});
    notices_.bar().show_message(QStringLiteral("closing"), lost.join('\n'), true, buttons);
}

void WindowClosing::handle(QCloseEvent* event) {
    session_.hold_back();
    if (closing_ && queue_.is_running()) return event->ignore();  // its checkpoint is being written
    set_closing(may_close());
    if (!closing_) return event->ignore();
    if (queue_.is_running()) {
        // The run stops after its step and writes a checkpoint; the window closes after that.
        notices_.bar().show_message(QStringLiteral("closing"),
                                    tr("Saving a checkpoint of the run; the window closes afterwards."));
        connect(
            &queue_, &RunQueue::finished, this, [this] { window_.close(); }, Qt::SingleShotConnection);
        holds_queue_ = holds_queue_ || !queue_.is_held();
        queue_.interrupt_all();
        return event->ignore();
    }
    session_.end();
    event->accept();
}

}  // namespace casp::gui
