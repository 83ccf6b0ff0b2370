#pragma once
// The start page: open a CSV, try the sample, or reopen recent files.

#include <QStringList>
#include <QWidget>

class QLabel;
class QLayout;
class QListWidget;

namespace casp::gui {

class StartPage : public QWidget {
    Q_OBJECT
public:
    explicit StartPage(QWidget* parent = nullptr);

    void set_recent(const QStringList& files, const QStringList& folders);

Q_SIGNALS:
    void try_requested();
    void sample_requested();
    void open_requested();                     ///< a file dialog
    void path_requested(const QString& path);  ///< a recent file or folder
    void presets_requested();
    void fetch_requested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QLayout* make_commands(QWidget* page);
    QLayout* make_recent(QWidget* page);

    QListWidget* recent_files_;
    QListWidget* recent_folders_;
};

}  // namespace casp::gui
