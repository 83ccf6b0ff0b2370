#include "panels/data/collection_view.h"

#include <algorithm>
#include <utility>

#include <QAbstractTableModel>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStringList>
#include <QTabWidget>
#include <QVBoxLayout>

#include "config/options.h"
#include "figures/recipe_series.h"
#include "panels/data/data_readings.h"
#include "panels/data/data_text.h"
#include "panels/experiment/option_text.h"
#include "panels/view/view_flow.h"
#include "words/core_text.h"

namespace casp::widgets {

namespace {

constexpr int list_digits = 34;

enum SeriesColumn { id_column, length_column, last_column, series_columns };

}  // namespace

/// The series of a collection, in the order of the file.
class CollectionView::Table : public QAbstractTableModel {
public:
    using QAbstractTableModel::QAbstractTableModel;
    /// Null: no rows.
    void set_collection(std::shared_ptr<const data::SeriesCollection> collection) {
        beginResetModel();
        collection_ = std::move(collection);
        endResetModel();
    }
    /// What a column is sorted by.
    [[nodiscard]] double number(int series, int column) const {
        return column == length_column ? static_cast<double>(collection_->length(series))
               : column == last_column ? collection_->training_of(series).back()
                                       : series;
    }
    [[nodiscard]] int rowCount(const QModelIndex& parent) const override {
        return parent.isValid() || collection_ == nullptr ? 0 : static_cast<int>(collection_->size());
    }
    [[nodiscard]] int columnCount(const QModelIndex& parent) const override {
        return parent.isValid() ? 0 : series_columns;
    }
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override {
        if (role == Qt::TextAlignmentRole) return alignment(index.column());
        if (!index.isValid() || role != Qt::DisplayRole) return {};
        if (index.column() == id_column)
            return native_text(collection_->ids[static_cast<std::size_t>(index.row())]);
        const double value = number(index.row(), index.column());
        return index.column() == length_column ? widgets::count_text(static_cast<std::int64_t>(value))
                                               : exact_text(value);
    }
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
        if (orientation != Qt::Horizontal) return {};
        if (role == Qt::TextAlignmentRole) return alignment(section);
        const QStringList names{CollectionView::tr("Series"), CollectionView::tr("n"),
                                CollectionView::tr("Last value")};
        const QStringList tips{CollectionView::tr("Id of the series; sorts in the order of the file"),
                               CollectionView::tr("Number of training values"),
                               CollectionView::tr("Last training value: the persistence forecast")};
        return role == Qt::DisplayRole   ? names[section]
               : role == Qt::ToolTipRole ? tips[section]
                                         : QVariant();
    }

private:
    [[nodiscard]] static QVariant alignment(int column) {
        return QVariant::fromValue(Qt::AlignVCenter | (column == id_column ? Qt::AlignLeft : Qt::AlignRight));
    }
    std::shared_ptr<const data::SeriesCollection> collection_;
};

/// Filtered by a part of the id.
class CollectionView::List : public QSortFilterProxyModel {
public:
    explicit List(Table* table) : QSortFilterProxyModel(table), table_(table) {
        setSourceModel(table);
        setFilterCaseSensitivity(Qt::CaseInsensitive);
    }
    void set_filter(const QString& text) {
        beginResetModel();
        {
            const QSignalBlocker block(this);  // every stretch of rows would be a signal of its own
            setFilterFixedString(text.trimmed());
        }
        endResetModel();
    }
    [[nodiscard]] int series_at(int row) const { return mapToSource(index(row, 0)).row(); }
    [[nodiscard]] int row_of(std::int64_t series) const {  // −1: filtered out
        return mapFromSource(table_->index(static_cast<int>(series), 0)).row();
    }

protected:
    bool lessThan(const QModelIndex& a, const QModelIndex& b) const override {
        return table_->number(a.row(), a.column()) < table_->number(b.row(), b.column());
    }

private:
    Table* table_;
};

CollectionView::CollectionView(QWidget* parent)
    : QWidget(parent), table_(new Table(this)), model_(new List(table_)) {
    setAccessibleName(tr("Collection of series"));
    warnings_ = new QLabel(this);
    warnings_->setAccessibleName(tr("Warnings about the series"));
    warnings_->setWordWrap(true);
    warnings_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* splitter = new QSplitter(Qt::Horizontal, this);
    add_widgets(splitter, {build_list(), build_figures()});
    splitter->setChildrenCollapsible(false);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({fontMetrics().horizontalAdvance(u'0') * list_digits, 800});
    auto* layout = make_layout<QVBoxLayout>(this, {0, 4, 0, 0});
    add_widgets(layout, {warnings_, build_offer()});
    auto* pages = new QTabWidget(this);
    pages->setDocumentMode(true);
    pages->addTab(splitter, tr("&Series"));
    pages->addTab(build_readings(), tr("How it was rea&d"));
    layout->addWidget(pages, 1);
    connect(filter_, &QLineEdit::textChanged, this,
            [this](const QString& text) { model_->set_filter(text); });
    connect(model_, &QAbstractItemModel::modelReset, this, &CollectionView::select_again);
    connect(list_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &CollectionView::show_series);
    offer_preset({});
    show_warnings();
    select_again();
}

QWidget* CollectionView::build_offer() {
    offer_ = new QWidget(this);
    offer_text_ = new QLabel(offer_);
    preset_ = named(new QPushButton(offer_), tr("Use the preset for these series"),
                    tr("Applies the preset and keeps the data file, name and run settings (Ctrl+Z undoes)"));
    auto* row = make_layout<QHBoxLayout>(offer_);
    add_widgets(row, {offer_text_, preset_});
    row->addStretch();
    connect(preset_, &QPushButton::clicked, this, [this] { Q_EMIT preset_requested(preset_name_); });
    return offer_;
}

QWidget* CollectionView::build_readings() {
    readings_ = new QLabel(this);
    readings_->setAccessibleName(tr("How this file was read"));
    readings_->setTextFormat(Qt::RichText);
    readings_->setWordWrap(true);
    readings_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    readings_->setAlignment(Qt::AlignTop | Qt::AlignLeading);
    readings_->setContentsMargins(0, 6, 0, 0);
    auto* area = new QScrollArea(this);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setWidget(readings_);
    return area;
}

/// Decisions of the reader, in its order: what, found and why, and the setting that changes it.
void CollectionView::show_readings() {
    QString rows;
    if (collection_ != nullptr)
        for (const auto& reading : collection_->readings) {
            const auto* option = config::find_option(reading.key);
            auto what = option != nullptr ? option_name(*option) : translated(reading.what);
            what[0] = what[0].toUpper();
            const auto text = DataReadings::reading_text(reading);
            rows += QStringLiteral("<tr><td>%1</td><td>%2</td><td>%3</td></tr>")
                        .arg(what.toHtmlEscaped(), text.toHtmlEscaped(),
                             native_text(reading.key).toHtmlEscaped());
        }
    readings_->setText(
        QStringLiteral("<p>%1</p><table cellpadding='4'>%2</table>")
            .arg(tr("Each decision is detected from the content. The setting in the last column "
                    "changes it (Experiment page).")
                     .toHtmlEscaped(),
                 rows));
}

QWidget* CollectionView::build_list() {
    auto* side = new QWidget(this);
    filter_ = new QLineEdit(side);
    filter_->setPlaceholderText(tr("Part of the id"));
    named(filter_, tr("Filter series"),
          tr("Lists the series whose id contains this text. Enter moves to the list."));
    filter_->setClearButtonEnabled(true);
    list_ = new QTableView(side);
    list_->setModel(model_);
    named(list_, tr("Series"), tr("Select a series to plot its values (arrow keys)"));
    list_->setSelectionBehavior(QAbstractItemView::SelectRows);
    list_->setSelectionMode(QAbstractItemView::SingleSelection);
    list_->setSortingEnabled(true);
    list_->sortByColumn(id_column, Qt::AscendingOrder);
    make_reading(list_);
    list_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    list_->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    const int digit = list_->fontMetrics().horizontalAdvance(u'0');
    list_->setColumnWidth(id_column, digit * 12);
    list_->setColumnWidth(length_column, digit * 9);
    count_ = new QLabel(side);
    auto* layout = make_layout<QVBoxLayout>(side);
    layout->addWidget(filter_);
    layout->addWidget(list_, 1);
    layout->addWidget(count_);
    connect(filter_, &QLineEdit::returnPressed, list_, qOverload<>(&QWidget::setFocus));
    return side;
}

QWidget* CollectionView::build_figures() {
    auto* figures = new QSplitter(Qt::Vertical, this);
    curve_ = add_figure(tr("Series"), figures);
    curve_->setAccessibleName(tr("Values of the series"));
    lengths_ = add_figure(tr("Lengths"), figures);
    lengths_->setAccessibleName(tr("Lengths of the series"));
    figures->setChildrenCollapsible(false);
    figures->setStretchFactor(0, 2);
    figures->setStretchFactor(1, 1);
    return figures;
}

FigureView* CollectionView::add_figure(const QString& title, QWidget* parent) {
    auto* frame = new ViewFrame(title, QStringLiteral("data"), parent);
    auto* view = new FigureView(frame);
    frame->set_content(view);
    connect(frame, &ViewFrame::message, this, [this](const QString& text) { Q_EMIT message(text, false); });
    frames_ << frame;
    return view;
}

void CollectionView::set_collection(std::shared_ptr<const data::SeriesCollection> collection) {
    if (collection == collection_) return;
    const bool same_file =
        collection != nullptr && collection_ != nullptr && collection->path == collection_->path;
    if (!same_file) {
        filter_->clear();
        series_ = -1;
    }
    collection_ = std::move(collection);
    all_lengths_.clear();
    for (std::int64_t series = 0; collection_ != nullptr && series < collection_->size(); ++series)
        all_lengths_.push_back(collection_->length(series));
    table_->set_collection(collection_);
    show_warnings();
    show_readings();
}

void CollectionView::set_holds_out(bool holds_out) {
    if (std::exchange(holds_out_, holds_out) != holds_out) curve_->set_figure(curve_figure());
}

void CollectionView::offer_preset(const QString& name) {
    preset_name_ = name;
    offer_->setVisible(!name.isEmpty());
    offer_text_->setText(tr("A preset has look-back, horizon and loss for these series."));
    preset_->setText(tr("Use preset %1").arg(name));
}

void CollectionView::take_keyboard() {
    filter_->setFocus(Qt::ShortcutFocusReason);
    filter_->selectAll();
}

void CollectionView::show_warnings() {
    QStringList lines;
    if (collection_ != nullptr)
        for (const auto& warning : collection_->warnings)
            lines << QStringLiteral("⚠ ") + translated(warning.text);
    warnings_->setText(lines.join(u'\n'));
    warnings_->setVisible(!lines.isEmpty());
}

void CollectionView::show_count() {
    const auto shown = model_->rowCount(), all = static_cast<int>(all_lengths_.size());
    count_->setText(shown == all
                        ? tr("%1 series").arg(widgets::count_text(all))
                        : tr("%1 of %2 series").arg(widgets::count_text(shown), widgets::count_text(all)));
}

void CollectionView::select_again() {
    show_count();
    const int row = std::max(0, model_->row_of(series_));
    list_->setCurrentIndex(model_->index(row, id_column));
    if (model_->rowCount() == 0) show_series();
}

void CollectionView::show_series() {
    if (model_->rowCount() > 0) series_ = model_->series_at(list_->currentIndex().row());
    curve_->set_figure(curve_figure());
    lengths_->set_figure(lengths_figure());
}

figures::Figure CollectionView::curve_figure() const {
    if (collection_ == nullptr || series_ < 0) return figures::series_values({}, {}, {}, 0);
    return figures::series_values(native_text(collection_->ids[static_cast<std::size_t>(series_)]),
                                  collection_->training_of(series_), collection_->test_of(series_),
                                  holds_out_ ? collection_->horizon : 0);
}

figures::Figure CollectionView::lengths_figure() const {
    return figures::series_lengths(all_lengths_, series_ < 0 ? 0 : collection_->length(series_));
}

}  // namespace casp::widgets
