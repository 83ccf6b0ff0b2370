#include "panels/data/data_warnings.h"

#include <map>
#include <utility>

#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>

#include "panels/data/data_text.h"
#include "panels/view/view_flow.h"
#include "state/core_message.h"
#include "state/core_text.h"

namespace casp::widgets {

namespace {

/// Kinds in the order of the enumeration, with the number of warnings of each.
std::map<int, std::int64_t> counts(const data::Table* table) {
    std::map<int, std::int64_t> counts;
    if (table != nullptr)
        for (const auto& warning : table->warnings) ++counts[static_cast<int>(warning.kind)];
    return counts;
}

}  // namespace

void WarningModel::set_table(std::shared_ptr<const data::Table> table) {
    beginResetModel();
    table_ = std::move(table);
    sentences_.clear();
    endResetModel();
}

const QString& WarningModel::sentence(int row) const {
    auto& sentence = sentences_[row];
    if (sentence.isEmpty()) {
        sentence = translated_message(table_->warnings[static_cast<std::size_t>(row)].text);
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
    if (role == kind_role) return static_cast<int>(warning.kind);
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

void WarningFilter::set_kind(int kind) {
    kind_ = kind;
    invalidateFilter();
}

bool WarningFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
    const auto kind = sourceModel()->index(row, 0, parent).data(WarningModel::kind_role);
    return (kind_ < 0 || kind.toInt() == kind_) && QSortFilterProxyModel::filterAcceptsRow(row, parent);
}

WarningList::WarningList(QWidget* parent)
    : QWidget(parent),
      model_(new WarningModel(this)),
      filter_(new WarningFilter(this)),
      view_(new QTableView(this)),
      kinds_(new QComboBox(this)),
      search_(new QLineEdit(this)),
      count_(new QLabel(this)) {
    filter_->setSourceModel(model_);
    filter_->setSortRole(WarningModel::sort_role);
    filter_->setSortCaseSensitivity(Qt::CaseInsensitive);
    filter_->setFilterCaseSensitivity(Qt::CaseInsensitive);
    filter_->setFilterKeyColumn(-1);  // all
    named(kinds_, tr("Kind of warning"), tr("Show warnings of one kind only"));
    kinds_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    kinds_->setMinimumContentsLength(12);  // the hint is too narrow for a full-width parenthesis
    named(search_, tr("Search the warnings"), tr("Show warnings that contain this text"));
    search_->setPlaceholderText(tr("Search warnings"));
    search_->setClearButtonEnabled(true);
    view_->setModel(filter_);
    named(view_, tr("Warnings about the file"), tr("Click or press Enter to go to the line in the preview"));
    view_->setSelectionBehavior(QAbstractItemView::SelectRows);
    view_->setSelectionMode(QAbstractItemView::SingleSelection);
    view_->setSortingEnabled(true);
    view_->sortByColumn(-1, Qt::AscendingOrder);  // import order until a header is clicked
    view_->setWordWrap(false);
    view_->setTabKeyNavigation(false);
    view_->setAlternatingRowColors(true);
    view_->verticalHeader()->hide();
    view_->verticalHeader()->setDefaultSectionSize(view_->fontMetrics().height() + 7);
    view_->horizontalHeader()->setStretchLastSection(true);
    const int digit = view_->fontMetrics().horizontalAdvance(u'0');
    view_->setColumnWidth(WarningModel::line_column, digit * 11);
    view_->setColumnWidth(WarningModel::kind_column, digit * 20);
    view_->setColumnWidth(WarningModel::channel_column, digit * 16);
    view_->setColumnWidth(WarningModel::count_column, digit * 11);
    auto* top = new QHBoxLayout;
    top->addWidget(count_);
    top->addStretch();
    top->addWidget(kinds_);
    top->addWidget(search_, 1);
    search_->setMaximumWidth(digit * 34);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 4, 0, 0);
    all->addLayout(top);
    all->addWidget(view_, 1);
    connect(kinds_, &QComboBox::currentIndexChanged, this, [this](int index) {
        filter_->set_kind(index <= 0 ? -1 : kinds_->itemData(index).toInt());
        update_count();
    });
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
    const QSignalBlocker blocker(kinds_);
    kinds_->clear();
    // The number of lines; folded warnings are counted in the column "Count".
    kinds_->addItem(tr("All kinds (%1)").arg(widgets::count_text(model_->rowCount())));
    for (const auto& [kind, count] : counts(table_.get()))
        kinds_->addItem(tr("%1 (%2)").arg(warning_kind_text(kind), widgets::count_text(count)), kind);
    filter_->set_kind(-1);
    update_count();
}

void WarningList::update_count() {
    const int shown = filter_->rowCount();
    const int all = model_->rowCount();
    const bool any = all > 0;
    view_->setVisible(any);
    // Nothing to list: leave the space to the preview.
    setMaximumHeight(any ? QWIDGETSIZE_MAX : layout()->minimumSize().height());
    kinds_->setEnabled(any);
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
