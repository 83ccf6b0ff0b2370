#pragma once
// Files that are dropped anywhere: on the window, on a floating panel, on a field that would take their names
// as text.

#include <QObject>
#include <QPointer>
#include <QStringList>

class QDropEvent;
class QLabel;
class QMimeData;
class QWidget;

namespace casp::gui {

/// Filters the application's events during its lifetime. The page Forecasts
/// takes some files itself: what a drop will do is then shown over it.
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
    /// Shows `text` over the page; null: over none.
    void show_over(QWidget* page, const QString& text);

    QWidget& window_;
    QPointer<QLabel> overlay_;
};

}  // namespace casp::gui
