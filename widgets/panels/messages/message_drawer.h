#pragma once
// Message drawer at the bottom of the window: notes, warnings and errors with time and run.

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QTreeWidget>
#include <QWidget>

namespace casp::widgets {

enum class Severity { note, warning, error };

class MessageDrawer : public QWidget {
    Q_OBJECT
public:
    enum Column { time_column, severity_column, run_column, text_column };
    /// Maximum number of messages; the oldest are dropped.
    static constexpr int most = 5000;

    explicit MessageDrawer(QWidget* parent = nullptr);

    /// Appends a message; the list stays at the end unless the user has scrolled up. Equal ones in a row are
    /// one line. `run`: its folder, empty if it is about none; `name`: the run's, for display.
    void add(Severity severity, const QString& text, const QString& run = {}, const QString& name = {});
    [[nodiscard]] QStringList texts() const;  ///< of all messages, oldest first
    [[nodiscard]] QTreeWidget* view() const { return view_; }
    [[nodiscard]] QLineEdit* filter_box() const { return filter_; }

public Q_SLOTS:
    void copy();  ///< the selected lines, or all visible ones if none are selected
    void clear();

Q_SIGNALS:
    void run_requested(const QString& folder);  ///< its name was clicked, or the line opened

protected:
    void changeEvent(QEvent* event) override;

private:
    void fill_view();
    void fill_controls();
    void connect_parts();
    void show_severity(QTreeWidgetItem& line) const;
    /// By severity, and by words in text and run.
    [[nodiscard]] bool matches(const QTreeWidgetItem& line) const;
    void apply_filter();
    void show_details(const QTreeWidgetItem* line);
    void update_page();

    QStackedWidget* pages_;
    QTreeWidget* view_;
    QLabel* empty_;
    QLabel* details_;
    QLineEdit* filter_;
    QComboBox* least_;
    QPushButton* copy_;
    QPushButton* clear_;
};

}  // namespace casp::widgets
