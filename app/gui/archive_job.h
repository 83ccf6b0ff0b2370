#pragma once
// A run folder packed into one file, on a thread of its own.

#include <thread>

#include <QObject>
#include <QString>

namespace casp::gui {

class ArchiveJob : public QObject {
    Q_OBJECT
public:
    ArchiveJob(QString run_folder, QString file, QObject* parent);

    void start();
    void cancel() { thread_.request_stop(); }

Q_SIGNALS:
    void progress(double share);                        ///< 0 … 1
    void finished(const QString& text, bool is_error);  ///< also after cancel

private:
    QString folder_, file_;
    std::jthread thread_;  ///< the last member: joined before the others go
};

}  // namespace casp::gui
