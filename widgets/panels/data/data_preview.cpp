#include "panels/data/data_preview.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QCompleter>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QStyleOptionHeader>

#include "panels/data/data_text.h"
#include "panels/view/icons.h"
#include "panels/view/view_flow.h"

namespace casp::widgets {

namespace {

constexpr int max_lines = 12;
constexpr int field_digits = 34;

/// Shows elided names of the list in full.
class ColumnNames : public QStringListModel {
public:
    using QStringListModel::QStringListModel;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override {
        return QStringListModel::data(index, role == Qt::ToolTipRole ? Qt::DisplayRole : role);
    }
};

}  // namespace

ChannelJump::ChannelJump(QWidget* parent)
    : QWidget(parent), field_(new QLineEdit(this)), names_(new ColumnNames(this)) {
    field_->setAccessibleName(tr("Go to channel"));
    field_->setToolTip(tr(
        "Part of a channel's name. Enter goes to its column, Enter again to the next match (Ctrl+Shift+N)"));
    field_->setPlaceholderText(tr("part of the name"));
    field_->setClearButtonEnabled(true);
    field_->setMaximumWidth(fontMetrics().horizontalAdvance(u'0') * field_digits);
    auto* completer = new QCompleter(names_, field_);
    completer->setFilterMode(Qt::MatchContains);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    completer->setMaxVisibleItems(max_lines);
    completer->popup()->setTextElideMode(Qt::ElideMiddle);  // long names differ at their ends
    completer->popup()->setAccessibleName(tr("Channels found"));
    completer->popup()->setToolTip(tr("Channels whose name contains the text"));
    field_->setCompleter(completer);
    auto* label = new QLabel(tr("Go to channe&l"), this);
    label->setBuddy(field_);
    label->setToolTip(field_->toolTip());
    auto* row = make_layout<QHBoxLayout>(this);
    row->addWidget(label);
    row->addWidget(field_, 1);
    row->addStretch();
    connect(field_, &QLineEdit::returnPressed, this, &ChannelJump::go);
    connect(completer, qOverload<const QString&>(&QCompleter::activated), this, [this](const QString& name) {
        if (const int at = exact(name); at >= 0) Q_EMIT chosen(at);
    });
    set_channels({});
}

void ChannelJump::set_channels(const QStringList& names) {
    if (names != names_->stringList()) {
        names_->setStringList(names);
        field_->clear();
        searched_.clear();
        found_ = -1;
    }
    setEnabled(!names.isEmpty());
}

void ChannelJump::take_keyboard() {
    field_->setFocus(Qt::ShortcutFocusReason);
    field_->selectAll();
}

int ChannelJump::find(const QString& text, int first, Qt::MatchFlags how) const {
    const auto found = names_->match(names_->index(first % std::max(1, names_->rowCount())), Qt::DisplayRole,
                                     text, 1, how | Qt::MatchWrap);
    return found.isEmpty() ? -1 : found.front().row();
}

int ChannelJump::exact(const QString& text) const {
    const int at = find(text, 0, Qt::MatchExactly | Qt::MatchCaseSensitive);
    return at >= 0 ? at : find(text, 0, Qt::MatchFixedString);
}

void ChannelJump::go() {
    const auto text = field_->text().trimmed();
    if (text.isEmpty()) return;
    const int named = exact(text);
    found_ = named >= 0 ? named : find(text, text == searched_ ? found_ + 1 : 0, Qt::MatchContains);
    searched_ = text;
    if (found_ >= 0) {
        Q_EMIT chosen(found_);
        return;
    }
    Q_EMIT message(tr("No channel name contains “%1”.").arg(text), false);
    field_->selectAll();
}

namespace {

constexpr qint64 max_copied_cells = 200'000;
constexpr int fitted_columns = 60;
constexpr int longest_column = 24;  ///< characters; longer names are shortened in the middle

}  // namespace

void TablePreviewModel::set_table(std::shared_ptr<const data::Table> table) {
    beginResetModel();
    table_ = std::move(table);
    clock_only_ = false;
    if (has_time()) {
        // A file with a clock column only: seconds since midnight.
        clock_only_ = table_->format.time_format.empty() && std::ranges::all_of(table_->time, [](double t) {
                          return std::isnan(t) || (t >= 0 && t <= 86400);
                      });
    }
    endResetModel();
}

void TablePreviewModel::set_markers(std::vector<double> markers) {
    if (markers == markers_) return;
    markers_ = std::move(markers);
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1), {marker_role});
}

int TablePreviewModel::row_of_line(std::int64_t line) const {
    if (rowCount() == 0) return -1;
    const auto& anchors = table_->line_anchors;
    const auto after = std::upper_bound(anchors.begin(), anchors.end(), line,
                                        [](std::int64_t l, const auto& a) { return l < a.second; });
    if (after == anchors.begin()) return -1;
    const auto& [first_row, first_line] = *(after - 1);
    std::int64_t row = first_row + (line - first_line);
    // A line within a multi-line cell, or an empty one: the row before the next segment.
    if (after != anchors.end()) row = std::min(row, after->first - 1);
    return static_cast<int>(std::clamp<std::int64_t>(row, 0, rowCount() - 1));
}

int TablePreviewModel::column_of(const QString& name) const {
    if (table_ == nullptr) return -1;
    const auto& times = table_->format.time_columns;
    const std::string key = name.toStdString();
    const std::int64_t at = table_->find_column(key);
    if (at >= 0) return static_cast<int>(at) + (has_time() ? 1 : 0);
    return has_time() && std::ranges::find(times, key) != times.end() ? 0 : -1;
}

int TablePreviewModel::rowCount(const QModelIndex& parent) const {
    if (parent.isValid() || table_ == nullptr) return 0;
    return static_cast<int>(std::min<std::int64_t>(table_->rows(), std::numeric_limits<int>::max()));
}

int TablePreviewModel::columnCount(const QModelIndex& parent) const {
    if (parent.isValid() || table_ == nullptr) return 0;
    return static_cast<int>(table_->columns.size()) + (has_time() ? 1 : 0);
}

QVariant TablePreviewModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || table_ == nullptr) return {};
    const bool is_time = has_time() && index.column() == 0;
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::AlignVCenter | (is_time ? Qt::AlignLeft : Qt::AlignRight));
    const auto row = static_cast<std::size_t>(index.row());
    const auto column = static_cast<std::size_t>(index.column() - (has_time() ? 1 : 0));
    const double value = is_time ? table_->time[row] : table_->columns[column].values[row];
    switch (role) {
        case Qt::DisplayRole:
            if (std::isnan(value)) return is_time ? tr("no time") : tr("missing");
            return is_time ? time_text(table_->step.local.shown(value), clock_only_) : exact_text(value);
        case Qt::EditRole:
            return value;
        case missing_role:
            return std::isnan(value);
        case marker_role:
            return !is_time && std::ranges::find(markers_, value) != markers_.end();
        case Qt::ToolTipRole:
            if (std::isnan(value)) return tr("Line %1: no value").arg(table_->line_of(index.row()));
            if (data(index, marker_role).toBool())
                return tr("%1 looks like a marker for “no value”. See Preparation.").arg(exact_text(value));
            return {};
        default:
            return {};
    }
}

QString TablePreviewModel::time_title() const {
    QStringList names;
    for (const auto& name : table_->format.time_columns) names << native_text(name);
    return names.isEmpty() ? QStringLiteral("time") : names.join(QStringLiteral(" + "));
}

QVariant TablePreviewModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (table_ == nullptr) return {};
    if (orientation == Qt::Vertical) {
        if (role == Qt::DisplayRole) return QString::number(table_->line_of(section));
        if (role == Qt::ToolTipRole)
            return tr("Line %1 of the file, row %2 of the data (from 0)")
                .arg(table_->line_of(section))
                .arg(section);
        if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::AlignVCenter | Qt::AlignRight);
        return {};
    }
    const bool is_time = has_time() && section == 0;
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::AlignVCenter | (is_time ? Qt::AlignLeft : Qt::AlignRight));
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
    if (is_time)
        return role == Qt::DisplayRole
                   ? time_title()
                   : tr("Time axis, read as %1").arg(native_text(table_->format.time_format));
    const auto& column = table_->columns[static_cast<std::size_t>(section - (has_time() ? 1 : 0))];
    if (role == Qt::DisplayRole) return native_text(column.name);
    return tr("Channel “%1”, %2")
        .arg(native_text(column.name),
             column.missing == 0 ? tr("no cell is missing")
                                 : counted(column.missing, tr("missing cell"), tr("missing cells")));
}

void TablePreviewDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
    QStyledItemDelegate::initStyleOption(option, index);
    if (index.data(TablePreviewModel::missing_role).toBool()) {
        option->font.setItalic(true);
        option->palette.setColor(QPalette::Text, error_colour(option->palette));
        option->backgroundBrush =
            blended(option->palette.color(QPalette::Base), error_colour(option->palette), 0.12);
    } else if (index.data(TablePreviewModel::marker_role).toBool()) {
        option->font.setBold(true);
        option->palette.setColor(QPalette::Text, warning_colour(option->palette));
        option->backgroundBrush =
            blended(option->palette.color(QPalette::Base), warning_colour(option->palette), 0.14);
    }
}

ChannelNamesHeader::ChannelNamesHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {
    setSectionsClickable(true);
    setHighlightSections(true);
}

QString ChannelNamesHeader::shown_name(int section) const {
    QStyleOptionHeader option;
    initStyleOptionForIndex(&option, section);
    return option.text;
}

void ChannelNamesHeader::initStyleOptionForIndex(QStyleOptionHeader* option, int section) const {
    QHeaderView::initStyleOptionForIndex(option, section);
    auto bold = font();  // as the current column's is
    bold.setBold(true);
    const int margin = 2 * style()->pixelMetric(QStyle::PM_HeaderMargin, nullptr, this);
    option->text =
        QFontMetrics(bold).elidedText(option->text, Qt::ElideMiddle, sectionSize(section) - 2 * margin);
}

TablePreview::TablePreview(QWidget* parent) : QTableView(parent), model_(new TablePreviewModel(this)) {
    setModel(model_);
    setItemDelegate(new TablePreviewDelegate(this));
    setAccessibleName(tr("Preview of the table"));
    setToolTip(tr("Values as read; line numbers of the file on the left"));
    setAlternatingRowColors(true);
    setWordWrap(false);
    setTabKeyNavigation(false);  // Tab moves to the next control
    setVerticalScrollMode(QAbstractItemView::ScrollPerItem);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 7);
    verticalHeader()->setHighlightSections(true);
    setHorizontalHeader(new ChannelNamesHeader(this));
    horizontalHeader()->setDefaultSectionSize(fontMetrics().horizontalAdvance(u'0') * 12);
}

void TablePreview::set_table(std::shared_ptr<const data::Table> table) {
    if (table == model_->table()) return;
    model_->set_table(std::move(table));
    // Compute widths from the first rows: the view would otherwise use all of them.
    const int rows = std::min(model_->rowCount(), 200);
    const int margin = fontMetrics().horizontalAdvance(u'0') * 3;
    for (int c = 0; c < std::min(model_->columnCount(), fitted_columns); ++c) {
        int widest = fontMetrics().horizontalAdvance(
            model_->headerData(c, Qt::Horizontal, Qt::DisplayRole).toString() + u'0');
        for (int r = 0; r < rows; ++r)
            widest = std::max(widest, fontMetrics().horizontalAdvance(
                                          model_->index(r, c).data(Qt::DisplayRole).toString()));
        const int least = fontMetrics().horizontalAdvance(QStringLiteral("missing"));
        const int most = fontMetrics().horizontalAdvance(u'0') * longest_column;
        setColumnWidth(c, std::clamp(widest, least, most) + margin);
    }
    const auto last = model_->headerData(std::max(0, model_->rowCount() - 1), Qt::Vertical, Qt::DisplayRole);
    verticalHeader()->setFixedWidth(fontMetrics().horizontalAdvance(last.toString()) + margin);
}

bool TablePreview::show_line(std::int64_t line, const QString& column) {
    const int row = model_->row_of_line(line);
    if (row < 0) return false;
    const int at = std::max(0, model_->column_of(column));
    const QModelIndex index = model_->index(row, at);
    setCurrentIndex(index);
    scrollTo(index, QAbstractItemView::PositionAtCenter);
    return true;
}

void TablePreview::show_channel(int channel) {
    const int column = channel + (model_->has_time() ? 1 : 0);
    if (channel < 0 || column >= model_->columnCount() || model_->rowCount() == 0) return;
    const int first = std::max(0, rowAt(0)), last = rowAt(viewport()->height() - 1);
    const int now = currentIndex().row();
    const bool seen = now >= first && (last < 0 || now <= last);
    const QModelIndex index = model_->index(seen ? now : first, column);
    setCurrentIndex(index);
    scrollTo(index);
}

void TablePreview::paintEvent(QPaintEvent* event) {
    QTableView::paintEvent(event);
    if (model_->table() != nullptr) return;
    QPainter painter(viewport());
    painter.setPen(muted_colour(palette()));
    painter.drawText(viewport()->rect().adjusted(24, 24, -24, -24), Qt::AlignCenter | Qt::TextWordWrap,
                     tr("The rows of the file appear here when it has been read."));
}

void TablePreview::keyPressEvent(QKeyEvent* event) {
    if (!event->matches(QKeySequence::Copy)) {
        QTableView::keyPressEvent(event);
        return;
    }
    const auto ranges = selectionModel()->selection();
    qint64 cells = 0;
    for (const auto& range : ranges) cells += qint64{range.height()} * range.width();
    if (cells > max_copied_cells) {
        Q_EMIT message(
            tr("%1 cells are too many for the clipboard (at most %2). Select fewer, or use the file itself.")
                .arg(count_text(cells), count_text(max_copied_cells)),
            true);
        return;
    }
    QString text;
    for (const auto& range : ranges) {
        for (int r = range.top(); r <= range.bottom(); ++r) {
            for (int c = range.left(); c <= range.right(); ++c) {
                const QModelIndex cell = model_->index(r, c);
                if (c > range.left()) text += u'\t';
                if (!cell.data(TablePreviewModel::missing_role).toBool())
                    text += cell.data(Qt::DisplayRole).toString();
            }
            text += u'\n';
        }
    }
    if (text.isEmpty()) return;
    QApplication::clipboard()->setText(text);
    Q_EMIT message(tr("%1 copied").arg(counted(cells, tr("cell"), tr("cells"))), false);
}

}  // namespace casp::widgets
