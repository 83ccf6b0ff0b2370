#pragma once
// Files that are dropped anywhere: on the window, on a floating panel, on a field that would take their names
// as text.

#include <QObject>
#include <QStringList>

class QMimeData;
class QWidget;

namespace casp::gui {

/// Filters the application's events as long as it lives.
class FileDrops : public QObject {
    Q_OBJECT
public:
    explicit FileDrops(QWidget& window);

    void take(const QMimeData& files);

Q_SIGNALS:
    void dropped(const QStringList& paths);
    void refused(const QString& text);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget& window_;
};

}  // namespace casp::gui
