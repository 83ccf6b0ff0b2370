#pragma once
// Message drawer at the bottom of the window: messages with run and advice.

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QStackedWidget>
#include <QTableView>
#include <QWidget>

#include "panels/messages/message_log.h"

namespace casp::widgets {

class MessageDrawer : public QWidget {
    Q_OBJECT
public:
    explicit MessageDrawer(QWidget* parent = nullptr);

    /// Appends a message; the list stays at the end unless the user has scrolled up.
    void add(Message message);
    [[nodiscard]] MessageLog* log() const { return log_; }
    [[nodiscard]] QTableView* view() const { return view_; }
    [[nodiscard]] QLineEdit* filter_box() const { return filter_; }

public Q_SLOTS:
    void copy();  ///< the selected lines, or all visible ones if none are selected
    void clear();

Q_SIGNALS:
    /// For a badge: counts since the last clear().
    void counts_changed(int errors, int warnings);
    void run_requested(const QString& folder);  ///< its name was clicked, or the line opened

protected:
    void changeEvent(QEvent* event) override;

private:
    void apply_filter();
    void show_details(const QModelIndex& index);
    void update_page();

    MessageLog* log_;
    QSortFilterProxyModel* proxy_;
    QStackedWidget* pages_;
    QTableView* view_;
    QLabel* empty_;
    QLabel* details_;
    QLineEdit* filter_;
    QComboBox* least_;
    QPushButton* copy_;
    QPushButton* clear_;
};

/// The page in the window's list of pages (panels/view/page_spec.h).
struct PageSpec;
[[nodiscard]] PageSpec messages_page_spec();

}  // namespace casp::widgets
