#pragma once
// Preview of the table as read, with millions of rows directly from the shared table.

#include <memory>
#include <vector>

#include <QAbstractTableModel>
#include <QHeaderView>
#include <QLineEdit>
#include <QStringList>
#include <QStringListModel>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QWidget>

#include "data/table.h"

namespace casp::widgets {

/// Completes while typing. Enter goes to the channel of that name, else to the next one whose name contains
/// the text; Enter again goes to the following match, wrapping around. GUI thread.
class ChannelJump : public QWidget {
    Q_OBJECT
public:
    explicit ChannelJump(QWidget* parent = nullptr);

    /// Names in the order of the table; none: the field is disabled.
    void set_channels(const QStringList& names);
    [[nodiscard]] QLineEdit* field() const { return field_; }
    /// Gives the field the focus with all text selected.
    void take_keyboard();

Q_SIGNALS:
    void chosen(int channel);
    void message(const QString& text, bool is_error);

private:
    void go();
    [[nodiscard]] int exact(const QString& text) const;
    /// The first channel from `first` on that matches, wrapping around; −1: none.
    [[nodiscard]] int find(const QString& text, int first, Qt::MatchFlags how) const;

    QLineEdit* field_;
    QStringListModel* names_;
    QString searched_;  ///< last search text, and its match
    int found_ = -1;
};

/// Rows and columns of a data::Table without a copy. Column 0 is the time where the file has one; vertical
/// headers are the lines of the file. GUI thread.
class TablePreviewModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role {
        missing_role = Qt::UserRole + 1,  ///< bool: the cell holds no number (or the row no time)
        marker_role                       ///< bool: one of markers()
    };
    using QAbstractTableModel::QAbstractTableModel;

    void set_table(std::shared_ptr<const data::Table> table);
    [[nodiscard]] const std::shared_ptr<const data::Table>& table() const { return table_; }
    /// Highlighted values: listed or suspicious sentinels.
    void set_markers(std::vector<double> markers);
    [[nodiscard]] const std::vector<double>& markers() const { return markers_; }

    [[nodiscard]] bool has_time() const { return table_ != nullptr && !table_->time.empty(); }
    /// Row of a line of the file (the last row starting at or before it); −1: before the first row.
    [[nodiscard]] int row_of_line(std::int64_t line) const;
    /// Model column of a file column by name, including the time; −1: not found.
    [[nodiscard]] int column_of(const QString& name) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QString time_title() const;
    std::shared_ptr<const data::Table> table_;
    std::vector<double> markers_;
    bool clock_only_ = false;
};

/// Highlights missing cells and markers in both themes, not by colour only.
class TablePreviewDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

/// Elides long names in the middle, because they differ at their ends. (QHeaderView's elide mode cuts
/// right-aligned text at the left.)
class ChannelNamesHeader : public QHeaderView {
public:
    explicit ChannelNamesHeader(QWidget* parent);
    /// As it is painted.
    [[nodiscard]] QString shown_name(int section) const;

protected:
    void initStyleOptionForIndex(QStyleOptionHeader* option, int section) const override;
};

class TablePreview : public QTableView {
    Q_OBJECT
public:
    explicit TablePreview(QWidget* parent = nullptr);

    void set_table(std::shared_ptr<const data::Table> table);
    [[nodiscard]] TablePreviewModel& preview() { return *model_; }
    /// Scrolls to a line of the file and makes the cell current. `column` empty: the first one. False if the
    /// line has no row (before the first, or no table).
    bool show_line(std::int64_t line, const QString& column);
    /// Scrolls to a channel (index in the table) and makes its cell in a visible row current.
    void show_channel(int channel);

Q_SIGNALS:
    void message(const QString& text, bool is_error);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;  ///< Ctrl+C copies the selected cells, tab-separated

private:
    TablePreviewModel* model_;
};

}  // namespace casp::widgets
