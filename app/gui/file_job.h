#pragma once
// Writing a file on a thread of its own, with cancel: an archive of a run, a copy of its weights.

#include <functional>
#include <stop_token>
#include <thread>

#include <QObject>
#include <QString>

namespace casp::gui {

class FileJob : public QObject {
    Q_OBJECT
public:
    /// Runs on the job's thread; returns what is to be said besides ("" for nothing), throws where it fails,
    /// Cancelled where it was stopped.
    using Work = std::function<QString(const std::stop_token&)>;
    FileJob(Work work, QString done_text, QObject* parent);

    void start();
    void cancel() { thread_.request_stop(); }

Q_SIGNALS:
    void finished(const QString& text, bool is_error);  ///< also after cancel

private:
    Work work_;
    QString done_text_;
    std::jthread thread_;  ///< the last member: joined before the others go
};

/// Copies a file under a temporary name and renames it; throws casp::Errors, and Cancelled.
void copy_file(const QString& from, const QString& to, const std::stop_token& stop);

}  // namespace casp::gui
