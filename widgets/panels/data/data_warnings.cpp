#include "panels/data/data_warnings.h"

#include <utility>

#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>

#include "panels/data/data_text.h"
#include "panels/view/view_flow.h"
#include "words/core_text.h"

namespace casp::widgets {

void WarningModel::set_table(std::shared_ptr<const data::Table> table) {
    beginResetModel();
    table_ = std::move(table);
    sentences_.clear();
    endResetModel();
}

const QString& WarningModel::sentence(int row) const {
    auto& sentence = sentences_[row];
    if (sentence.isEmpty()) {
        sentence = translated(table_->warnings[static_cast<std::size_t>(row)].text);
        if (!sentence.isEmpty()) sentence[0] = sentence[0].toUpper();
    }
    return sentence;
}

int WarningModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || table_ == nullptr ? 0 : static_cast<int>(table_->warnings.size());
}

int WarningModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columns; }

QVariant WarningModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || table_ == nullptr) return {};
    const auto& warning = table_->warnings[static_cast<std::size_t>(index.row())];
    if (role == line_role) return qint64{warning.line};
    if (role == name_role) return native_text(warning.column);
    if (role == Qt::ToolTipRole) {
        if (warning.line == 0) return sentence(index.row());
        return sentence(index.row()) + tr("\nEnter or click: go to line %1").arg(warning.line);
    }
    const bool number = index.column() == line_column || index.column() == count_column;
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::AlignVCenter | (number ? Qt::AlignRight : Qt::AlignLeft));
    if (role != Qt::DisplayRole && role != sort_role) return {};
    switch (index.column()) {
        case line_column:
            if (role == sort_role) return qint64{warning.line};
            return warning.line > 0 ? QString::number(warning.line) : tr("file");
        case kind_column:
            return warning_kind_text(static_cast<int>(warning.kind));
        case channel_column:
            return native_text(warning.column);
        case count_column:
            if (role == sort_role) return qint64{warning.count};
            return count_text(warning.count);
        default:
            return sentence(index.row());
    }
}

QVariant WarningModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    static const std::array<const char*, columns> titles{
        QT_TRANSLATE_NOOP("core", "Line"), QT_TRANSLATE_NOOP("core", "Kind"),
        QT_TRANSLATE_NOOP("core", "Column"), QT_TRANSLATE_NOOP("core", "Count"),
        QT_TRANSLATE_NOOP("core", "Warning")};
    static const std::array<const char*, columns> tips{
        QT_TRANSLATE_NOOP("core",
                          "Line of the file, counted from 1 including the header; “file”: the whole file"),
        QT_TRANSLATE_NOOP("core", "Kind of warning; docs/data.md lists them"),
        QT_TRANSLATE_NOOP("core", "Column the warning refers to"),
        QT_TRANSLATE_NOOP("core", "Number of occurrences"),
        QT_TRANSLATE_NOOP("core", "What was found and how it was handled")};
    const auto i = static_cast<std::size_t>(section);
    if (role == Qt::DisplayRole) return translated(titles.at(i));
    if (role == Qt::ToolTipRole) return translated(tips.at(i));
    if (role == Qt::TextAlignmentRole) {
        const bool number = section == line_column || section == count_column;
        return QVariant::fromValue(Qt::AlignVCenter | (number ? Qt::AlignRight : Qt::AlignLeft));
    }
    return {};
}

WarningList::WarningList(QWidget* parent)
    : QWidget(parent),
      model_(new WarningModel(this)),
      filter_(new QSortFilterProxyModel(this)),
      view_(new QTableView(this)),
      search_(new QLineEdit(this)),
      count_(new QLabel(this)) {
    filter_->setSourceModel(model_);
    filter_->setSortRole(WarningModel::sort_role);
    filter_->setSortCaseSensitivity(Qt::CaseInsensitive);
    filter_->setFilterCaseSensitivity(Qt::CaseInsensitive);
    filter_->setFilterKeyColumn(-1);  // all
    named(search_, tr("Search the warnings"),
          tr("Show warnings with this text in any column, such as a kind"));
    search_->setPlaceholderText(tr("Search warnings"));
    search_->setClearButtonEnabled(true);
    view_->setModel(filter_);
    named(view_, tr("Warnings about the file"), tr("Click or press Enter to go to the line in the preview"));
    view_->setSelectionBehavior(QAbstractItemView::SelectRows);
    view_->setSelectionMode(QAbstractItemView::SingleSelection);
    view_->setSortingEnabled(true);
    view_->sortByColumn(-1, Qt::AscendingOrder);  // import order until a header is clicked
    make_reading(view_);
    view_->horizontalHeader()->setStretchLastSection(true);
    const int digit = view_->fontMetrics().horizontalAdvance(u'0');
    view_->setColumnWidth(WarningModel::line_column, digit * 11);
    view_->setColumnWidth(WarningModel::kind_column, digit * 20);
    view_->setColumnWidth(WarningModel::channel_column, digit * 16);
    view_->setColumnWidth(WarningModel::count_column, digit * 11);
    auto* top = new QHBoxLayout;
    top->addWidget(count_);
    top->addStretch();
    top->addWidget(search_, 1);
    search_->setMaximumWidth(digit * 34);
    auto* all = make_layout<QVBoxLayout>(this, {0, 4, 0, 0});
    all->addLayout(top);
    all->addWidget(view_, 1);
    connect(search_, &QLineEdit::textChanged, this, [this](const QString& text) {
        filter_->setFilterFixedString(text.trimmed());
        update_count();
    });
    // Enter, and a click on platforms that activate on one click, emits both signals: handle one only.
    connect(view_, &QTableView::clicked, this, [this](const QModelIndex& index) {
        clicked_ =
            view_->style()->styleHint(QStyle::SH_ItemView_ActivateItemOnSingleClick, nullptr, view_) != 0;
        request_line(index);
    });
    connect(view_, &QTableView::activated, this, [this](const QModelIndex& index) {
        if (!std::exchange(clicked_, false)) request_line(index);
    });
    update_count();
}

void WarningList::set_table(std::shared_ptr<const data::Table> table) {
    if (table == table_) return;
    table_ = std::move(table);
    model_->set_table(table_);
    update_count();
}

void WarningList::update_count() {
    const int shown = filter_->rowCount();
    const int all = model_->rowCount();
    const bool any = all > 0;
    view_->setVisible(any);
    // Nothing to list: leave the space to the preview.
    setMaximumHeight(any ? QWIDGETSIZE_MAX : layout()->minimumSize().height());
    search_->setEnabled(any);
    count_->setText(
        !any           ? tr("No warnings")
        : shown == all ? tr("Warnings (%1)").arg(widgets::count_text(all))
                       : tr("Warnings (%1 of %2)").arg(widgets::count_text(shown), widgets::count_text(all)));
}

void WarningList::request_line(const QModelIndex& index) {
    const qint64 line = index.data(WarningModel::line_role).toLongLong();
    Q_EMIT line_requested(line, index.data(WarningModel::name_role).toString());
}

}  // namespace casp::widgets
