#pragma once
// Warnings about a file with line numbers: model, filter and list.

#include <memory>
#include <unordered_map>

#include <QAbstractTableModel>
#include <QLabel>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QWidget>

#include "data/table.h"

namespace casp::widgets {

/// The warnings of a table, in import order.
class WarningModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { line_column, kind_column, channel_column, count_column, text_column, columns };
    enum Role { sort_role = Qt::UserRole + 1, line_role, name_role };
    using QAbstractTableModel::QAbstractTableModel;

    void set_table(std::shared_ptr<const data::Table> table);
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    /// With a capital, in the window's language.
    [[nodiscard]] const QString& sentence(int row) const;

    std::shared_ptr<const data::Table> table_;
    mutable std::unordered_map<int, QString> sentences_;  ///< of rows that were asked for
};

/// The list with a search in all columns, such as a kind. A click or Enter on a warning requests its line.
class WarningList : public QWidget {
    Q_OBJECT
public:
    explicit WarningList(QWidget* parent = nullptr);
    void set_table(std::shared_ptr<const data::Table> table);
    [[nodiscard]] QTableView* view() { return view_; }
    [[nodiscard]] QLineEdit* search() { return search_; }
    [[nodiscard]] QString count_text() const { return count_->text(); }

Q_SIGNALS:
    /// Of several places, the first.
    void line_requested(qint64 line, const QString& column);

private:
    void request_line(const QModelIndex& index);
    void update_count();
    std::shared_ptr<const data::Table> table_;
    WarningModel* model_;
    QSortFilterProxyModel* filter_;
    QTableView* view_;
    QLineEdit* search_;
    QLabel* count_;
    bool clicked_ = false;
};

}  // namespace casp::widgets
