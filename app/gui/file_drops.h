#pragma once
// Files that are dropped anywhere: on the window, on a floating panel, on a field that would take their names
// as text.

#include <functional>

#include <QObject>
#include <QPointer>
#include <QStringList>

class QDropEvent;
class QLabel;
class QMimeData;
class QWidget;

namespace casp::gui {

/// Filters the application's events during its lifetime. While files are dragged, what a drop will do is
/// shown over what it concerns: the page Forecasts, which takes some files itself, else the whole window.
class FileDrops : public QObject {
    Q_OBJECT
public:
    /// `describe`: what opening files does; empty: nothing.
    FileDrops(QWidget& window, std::function<QString(const QStringList& paths)> describe);

    void take(const QMimeData& files);

Q_SIGNALS:
    void dropped(const QStringList& paths);
    void refused(const QString& text);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// Shows `text` over the widget; null or empty: over none.
    void show_over(QWidget* area, const QString& text);

    QWidget& window_;
    std::function<QString(const QStringList&)> describe_;
    QStringList described_;  ///< the last files, which are looked at once
    QString description_;
    QPointer<QLabel> overlay_;
};

}  // namespace casp::gui
