#include "gui/remote_status.h"

#include <utility>

#include <QLabel>
#include <QStatusBar>

#include "gui/info_bar.h"
#include "gui/notices.h"
#include "state/core_message.h"
#include "state/remote_folder.h"

namespace casp::gui {

namespace {

using State = remote::MirrorStatus::State;

const auto connection_key = QStringLiteral("remote");
const auto copying_key = QStringLiteral("remote-copying");

QString short_text(const remote::MirrorStatus& status, const QString& machine) {
    switch (status.state) {
        case State::connecting:
            return RemoteStatus::tr("%1: connecting…").arg(machine);
        case State::connected:
            if (status.complete)
                return RemoteStatus::tr("%1: connected, %2 runs").arg(machine).arg(status.runs);
            return RemoteStatus::tr("%1: listing runs, %2 of %3")
                .arg(machine)
                .arg(status.listed)
                .arg(status.runs);
        case State::waiting:
            return RemoteStatus::tr("%1: not connected, trying again in %2 s")
                .arg(machine)
                .arg(status.retry_seconds, 0, 'g', 2);
        case State::stopped:
            break;
    }
    return RemoteStatus::tr("%1: not connected").arg(machine);
}

}  // namespace

RemoteStatus::RemoteStatus(QStatusBar& bar, Notices& notices, QObject* parent)
    : QObject(parent), notices_(notices), info_(notices.bar()) {
    label_ = new QLabel(&bar);
    label_->setAccessibleName(tr("Connection to the remote folder"));
    label_->hide();
    bar.addPermanentWidget(label_);
}

void RemoteStatus::follow(widgets::RemoteFolder* remote) {
    if (remote_) remote_->disconnect(this);
    remote_ = remote;
    label_->setVisible(remote != nullptr);
    info_.remove(connection_key);
    info_.remove(copying_key);
    shown_.clear();
    if (remote == nullptr) return;
    connect(remote, &widgets::RemoteFolder::status_changed, this, &RemoteStatus::update);
    connect(remote, &widgets::RemoteFolder::copying_changed, this, &RemoteStatus::update_copying);
    update();
}

void RemoteStatus::update() {
    if (!remote_) return;
    const auto& status = remote_->status();
    label_->setText(short_text(status, remote_->machine()));
    const auto problem = widgets::translated_message(status.problem);
    label_->setToolTip(problem.isEmpty() ? remote_->address() : remote_->address() + '\n' + problem);
    // A connection that comes back at once needs no words.
    constexpr double brief_seconds = 2;
    if (status.state == State::stopped ||
        (status.state == State::waiting && status.retry_seconds > brief_seconds))
        show_problem();
    if (status.state != State::connected) return;
    info_.remove(connection_key);
    shown_.clear();
}

void RemoteStatus::show_problem() {
    const auto text = widgets::translated_message(remote_->status().problem);
    // Each attempt fails with the same words, which may have been closed.
    if (std::exchange(shown_, text) == text) return;
    notices_.log(text, Notices::Level::error);
    info_.show_message(
        connection_key, text, true,
        {{tr("Connect now"), tr("Tries to connect to %1 at once").arg(remote_->machine()), [this] {
              shown_.clear();
              if (remote_) remote_->connect_now();
          }}});
}

void RemoteStatus::update_copying() {
    if (!remote_) return;
    const auto text = remote_->copying();
    if (text.isEmpty()) return info_.remove(copying_key);
    if (info_.has(copying_key)) return info_.set_text(copying_key, text);
    info_.show_message(copying_key, text, false, {}, 0, false);
}

}  // namespace casp::gui
