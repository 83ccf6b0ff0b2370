#pragma once
// The session of this window: taken, restored, and saved a moment after every change.

#include <functional>
#include <memory>
#include <vector>

#include <QByteArray>
#include <QLockFile>
#include <QObject>
#include <QString>
#include <QTimer>

#include "gui/session.h"

namespace casp::gui {

class Notices;

/// Owns the first session file that no other window has: session.json, session-2.json, … If none can be
/// taken, it tries again with each save.
class SessionKeeper : public QObject {
    Q_OBJECT
public:
    /// `notices` must outlive it.
    SessionKeeper(SessionFile first, Notices& notices, QObject* parent);

    /// Takes a session and reads it.
    void begin();
    [[nodiscard]] SessionState& state() { return state_; }
    [[nodiscard]] bool owns_session() const { return owns_; }
    [[nodiscard]] LeftSessions& left() { return left_; }

    /// A part of the session, by its key in the file. `restore` gets what was saved (empty: nothing) and
    /// returns false if that cannot be used.
    void add_part(const QString& key, std::function<QByteArray()> save,
                  std::function<bool(const QByteArray&)> restore);
    /// Writes into the state before it is saved.
    void add_source(std::function<void(SessionState&)> source) { sources_.push_back(std::move(source)); }
    /// Restores the parts in the order in which they were added, then reports what could not be read.
    void restore_parts(const SessionState& saved);
    void report_second_window();

    /// False: it could not be saved, which is reported once.
    bool save() { return write(false); }
    bool write(bool closed_properly);
    void save_soon();
    /// The same, without postponing a save that is due.
    void keep_saving_soon() {
        if (!soon_.isActive()) save_soon();
    }
    /// While the window closes, changes are not saved any more.
    void set_closing(bool closing) { closing_ = closing; }
    void hold_back() { soon_.stop(); }
    /// Why the last save failed; empty: it did not.
    [[nodiscard]] const QString& problem() const { return problem_; }
    void end();

Q_SIGNALS:
    /// The session of a window that began without one.
    void taken(const casp::gui::SessionState& saved);

private:
    struct Part {
        QString key;
        std::function<QByteArray()> save;
        std::function<bool(const QByteArray&)> restore;
    };
    /// Returns what prevents it, or "".
    QString take();
    void report(const QString& problem);

    const SessionFile first_;
    SessionFile file_;
    SessionState state_;
    std::unique_ptr<QLockFile> lock_;
    LeftSessions left_;
    Notices& notices_;
    std::vector<Part> parts_;
    std::vector<std::function<void(SessionState&)>> sources_;
    bool owns_ = false, closing_ = false;
    int window_number_ = 1;
    QString problem_;
    QString unread_;  ///< of what begin() read
    QTimer regular_;  ///< for layout and page controls, which report no change
    QTimer soon_;
};

}  // namespace casp::gui
