#include "panels/anchors/anchor_inspector_panel.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QTableWidget>
#include <QVBoxLayout>

#include "charts/figure_view.h"
#include "charts/view_frame.h"
#include "figures/ticks.h"
#include "panels/view/view_flow.h"
#include "words/core_text.h"
#include "words/plain_text.h"

namespace casp::widgets {

namespace {

constexpr int shown_tokens = 20;
constexpr int shown_neighbours = 20;
constexpr std::size_t shown_windows = 200;
constexpr int min_box_width = 190;

QTableWidget* make_table(const QStringList& titles, const QString& name, const QString& tip) {
    auto* table = reading_table(nullptr, name, tip);
    table->setColumnCount(static_cast<int>(titles.size()));
    table->setHorizontalHeaderLabels(titles);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    table->setMinimumHeight(120);
    return table;
}

/// A row: a text, with what a click on it chooses, and numbers.
QTableWidgetItem* fill_row(QTableWidget* table, std::size_t index, const QString& text, std::int64_t chosen,
                           std::initializer_list<double> numbers) {
    const auto row = static_cast<int>(index);
    auto* first = new QTableWidgetItem(text);
    first->setData(Qt::UserRole, static_cast<qlonglong>(chosen));
    table->setItem(row, 0, first);
    int column = 1;
    for (const double value : numbers) {
        auto* item = new QTableWidgetItem(std::isfinite(value) ? figures::number_text(value, 4) : QString());
        item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        table->setItem(row, column++, item);
    }
    return first;
}

/// Fraction of all retrievals since the previous snapshot, and the coverage statistic c̃.
figures::Figure usage_figure(const store::AnchorHistory& history, std::int64_t anchor, const QColor& colour) {
    figures::Figure figure{QStringLiteral("anchor-usage-course"),
                           QStringLiteral("Usage of anchor %1 over training").arg(anchor)};
    if (history.snapshot_step.empty() || anchor >= history.pool_size) {
        figure.empty_text = QObject::tr("Usage over training appears with the first snapshot.");
        return figure;
    }
    const auto usage = analysis::anchor_usage(history, anchor);
    figures::Plot plot;
    plot.x.title = QStringLiteral("step");
    plot.x.integers = true;
    plot.y.title = QStringLiteral("fraction of retrievals (%)");
    const auto add = [&](const QString& name, const QColor& its_colour, auto value_at) -> auto& {
        auto& series = plot.series.emplace_back();
        series.name = name;
        series.colour = its_colour;
        series.kind = usage.step.size() > 1 ? figures::MarkKind::line : figures::MarkKind::points;
        for (std::size_t i = 0; i < usage.step.size(); ++i) {
            series.x.push_back(static_cast<double>(usage.step[i]));
            series.y.push_back(value_at(i));
        }
        return series;
    };
    auto& retrievals =
        add(QStringLiteral("retrievals"), colour, [&](std::size_t i) { return 100 * usage.share[i]; });
    if (retrievals.kind == figures::MarkKind::points) retrievals.width = 6;
    plot.y.min = 0;
    const auto none = [](double value) { return !(value > 0); };
    if (std::all_of(retrievals.y.begin(), retrievals.y.end(), none)) plot.y.max = 1;
    if (!usage.coverage.empty()) {
        auto& coverage = add(QStringLiteral("c̃"), figures::neutral_colour(),
                             [&](std::size_t i) { return static_cast<double>(usage.coverage[i]); });
        coverage.dashed = coverage.secondary = true;
        plot.y2.emplace();
        plot.y2->title = QStringLiteral("c̃");
    }
    figure.plots.push_back(std::move(plot));
    figure.caption = QStringLiteral(
                         "Fraction of all retrievals since the previous snapshot (solid) and coverage "
                         "statistic c̃ (dashed) of anchor %1.")
                         .arg(anchor);
    return figure;
}

}  // namespace

struct AnchorInspector::Table {
    QString folder;
    std::unique_ptr<analysis::TokenNeighbours> neighbours;
};

AnchorInspector::AnchorInspector(QWidget* parent) : QWidget(parent), table_(std::make_shared<Table>()) {
    auto* column = make_layout<QVBoxLayout>(this, {8, 2, 8, 6}, 4);
    column->addLayout(make_head());
    note_ = note_label(this, tr("Note on the anchor"));
    column->addWidget(note_);
    grid_ = new QGridLayout;
    grid_->setSpacing(8);
    column->addLayout(grid_, 1);
    make_boxes();
    arrange();
    connect_parts();
    show_anchor();
}

QLayout* AnchorInspector::make_head() {
    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    auto* label = new QLabel(tr("A&nchor"));
    number_ = new QSpinBox;
    number_->setRange(-1, -1);
    number_->setSpecialValueText(tr("None"));
    number_->setKeyboardTracking(false);
    number_->setAccessibleName(tr("Number of the anchor"));
    number_->setToolTip(tr("The shown anchor is the selected one; type a number to select another"));
    number_->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    label->setBuddy(number_);
    add_widgets(head, {label, number_});
    title_ = new QLabel;
    title_->setAccessibleName(tr("Usage of the anchor"));
    // A long name must not widen the page; the tooltip shows all of it.
    title_->setTextFormat(Qt::PlainText);
    title_->setWordWrap(true);
    title_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    title_->setMinimumWidth(120);
    head->addWidget(title_, 1);
    all_windows_ = new QPushButton(tr("Select all &windows that retrieve it"));
    all_windows_->setAccessibleName(tr("Select all windows that retrieve the anchor"));
    all_windows_->setToolTip(tr("Highlights them in the embeddings and shows them in the forecasts"));
    head->addWidget(all_windows_);
    head->addStretch();
    return head;
}

void AnchorInspector::make_boxes() {
    tokens_ = make_table(
        {tr("token"), tr("cosine")}, tr("Nearest tokens"),
        tr("Tokens of GPT-2's vocabulary whose embeddings have the largest cosine with the anchor; "
           "␣ is a space"));
    neighbours_ = make_table({tr("anchor"), tr("cosine")}, tr("Neighbours in the pool"),
                             tr("Anchors with the largest cosine to this one; click to select"));
    windows_ = make_table(
        {tr("window, channel"), tr("rank"), tr("similarity s")}, tr("Windows that retrieve it"),
        tr("Windows with this anchor among their K retrieved ones, by rank (1: the most similar) and "
           "similarity; click to select"));
    // Three columns are too wide for a quarter of a page: the table scrolls rather than truncate numbers.
    windows_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    windows_->horizontalHeader()->setSectionResizeMode(2, QHeaderView::Stretch);
    windows_->horizontalHeader()->setMinimumSectionSize(windows_->fontMetrics().horizontalAdvance("000") +
                                                        16);
    usage_ = new FigureView;
    usage_->setAccessibleName(tr("Usage over training"));
    const auto box = [](const QString& title, QWidget* content) {
        auto* made = new QWidget;
        auto* inner = make_layout<QVBoxLayout>(made, {}, 2);
        auto* name = new QLabel(title);
        name->setBuddy(content);
        inner->addWidget(name);
        inner->addWidget(content, 1);
        return made;
    };
    boxes_[0] = box(tr("Nearest tokens"), tokens_);
    boxes_[1] = box(tr("Neighbours in the pool"), neighbours_);
    boxes_[2] = box(tr("Windows that retrieve it"), windows_);
    boxes_[3] = box(tr("Usage over training"), usage_);
}

void AnchorInspector::connect_parts() {
    connect(number_, &QSpinBox::valueChanged, this, [this](int value) {
        if (value >= 0) Q_EMIT anchor_chosen(value);
    });
    const auto on_click = [this](QTableWidget* table, auto act) {
        connect(table, &QTableWidget::cellClicked, this, [act](int row, int) { act(row); });
        connect(table, &QTableWidget::cellActivated, this, [act](int row, int) { act(row); });
    };
    on_click(neighbours_, [this](int row) {
        if (auto* item = neighbours_->item(row, 0))
            Q_EMIT anchor_chosen(item->data(Qt::UserRole).toLongLong());
    });
    on_click(windows_, [this](int row) {
        auto* item = windows_->item(row, 0);
        if (!item || !choices_) return;
        const auto at = item->data(Qt::UserRole).toLongLong();
        Q_EMIT windows_chosen({{choices_->window_of(at), choices_->channel_of(at)}});
    });
    connect(all_windows_, &QPushButton::clicked, this, [this] {
        if (!choices_) return;
        std::vector<WindowChannel> pairs;
        for (const auto& choice : chosen_by_)
            pairs.emplace_back(choices_->window_of(choice.row), choices_->channel_of(choice.row));
        if (!pairs.empty()) Q_EMIT windows_chosen(pairs);
    });
}

AnchorInspector::~AnchorInspector() = default;

void AnchorInspector::join(ViewFrame& frame) {
    frame.set_figure_source([this] { return usage_->figure(); });
    frame.set_picture_source([this] { return anchor_ ? grab().toImage() : QImage(); });
    frame.set_busy_source([] { return false; });  // its figure does not need the lookup
}

QString AnchorInspector::note() const { return note_->text(); }

void AnchorInspector::arrange() {
    const int columns = width() >= 4 * min_box_width + 60 ? 4 : 2;
    if (columns == columns_) return;
    columns_ = columns;
    for (int c = 0; c < 4; ++c) grid_->setColumnStretch(c, c < columns ? (c == 3 ? 2 : 1) : 0);
    for (int i = 0; i < 4; ++i) {
        grid_->removeWidget(boxes_[i]);
        grid_->addWidget(boxes_[i], i / columns, i % columns);
    }
}

void AnchorInspector::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

void AnchorInspector::set_run(const figures::RunInput* run, std::shared_ptr<const EmbeddingSet> vectors,
                              std::shared_ptr<const EmbeddingSet> choices) {
    if (vectors && vectors->values.anchors.empty()) vectors = nullptr;
    const auto folder = run ? run->folder : QString();
    const bool other_run = folder != folder_;
    const bool other_vectors = other_run || vectors != vectors_;
    const bool other_choices = other_run || choices != choices_;
    folder_ = folder;
    label_ = run ? run->label : QString();
    colour_ = run ? run->colour : QColor();
    if (!run || !run->record) {
        history_ = {};
    } else if (const auto& h = run->record->anchors; other_run || h.snapshot_step != history_.snapshot_step ||
                                                     h.last_is_live != history_.last_is_live ||
                                                     h.usage_test.size() != history_.usage_test.size()) {
        history_ = h;
    }
    channels_.clear();
    if (run && run->record)
        for (const auto& name : run->record->data.channel_names) channels_ << QString::fromStdString(name);
    vectors_ = std::move(vectors);
    choices_ = std::move(choices);
    auto pool = history_.pool_size;
    if (vectors_) pool = std::max(pool, vectors_->values.pool_size);
    if (choices_) pool = std::max(pool, choices_->values.pool_size);
    {
        const QSignalBlocker block(number_);
        number_->setRange(-1, static_cast<int>(pool) - 1);
        number_->setValue(anchor_ ? static_cast<int>(*anchor_) : -1);
    }
    show_anchor();
    if (other_choices) show_windows();
    if (other_vectors) look_up();
}

void AnchorInspector::set_anchor(std::optional<std::int64_t> anchor) {
    if (anchor == anchor_) return;
    anchor_ = anchor;
    {
        const QSignalBlocker block(number_);
        number_->setValue(anchor_ ? static_cast<int>(*anchor_) : -1);
    }
    show_anchor();
    show_windows();
    look_up();
}

void AnchorInspector::show_anchor() {
    const bool some = anchor_ && !folder_.isEmpty();
    for (auto* box : boxes_) box->setVisible(some);
    title_->setVisible(some);
    all_windows_->setVisible(some);
    if (!some) {
        note_->setText((folder_.isEmpty() ? tr("Choose a run on the left, then click an anchor in any view.")
                                          : tr("Click an anchor in any view, or type its number above.")) +
                       QLatin1Char(' ') +
                       tr("Its nearest words in GPT-2's vocabulary, its neighbours in the pool, the windows "
                          "that retrieve "
                          "it and its usage over training appear here."));
        note_->show();
        figures::Figure nothing;
        nothing.empty_text = note_->text();
        usage_->set_figure(std::move(nothing));
        return;
    }
    usage_->set_figure(usage_figure(history_, *anchor_, colour_));
    auto text = label_;
    if (*anchor_ < history_.pool_size && !history_.usage_test.empty()) {
        const auto usage = analysis::anchor_usage(history_, *anchor_);
        if (usage.test >= 0) text += tr(" · retrieved %1 times by the test windows").arg(counted(usage.test));
        if (std::isfinite(usage.test_share) && usage.test > 0)
            text += tr(" (%1 % of all)").arg(figures::number_text(100 * usage.test_share, 3));
    }
    title_->setText(text);
    title_->setToolTip(text);
}

void AnchorInspector::show_windows() {
    chosen_by_.clear();
    windows_->setRowCount(0);
    all_windows_->setEnabled(false);
    if (!anchor_ || !choices_ || choices_->values.top_k <= 0) return;
    const auto& v = choices_->values;
    const bool scores = v.similarity.size() == static_cast<std::size_t>(v.rows * v.pool_size);
    chosen_by_ = analysis::rows_retrieving(
        *anchor_, v.retrieved, v.top_k,
        scores ? std::span<const float>(v.similarity) : std::span<const float>(), scores ? v.pool_size : 0);
    auto shown = chosen_by_;
    std::stable_sort(shown.begin(), shown.end(), [](const auto& a, const auto& b) {
        if (a.rank != b.rank) return a.rank < b.rank;
        return std::isfinite(a.similarity) && std::isfinite(b.similarity) && a.similarity > b.similarity;
    });
    const auto count = std::min(shown.size(), shown_windows);
    windows_->setRowCount(static_cast<int>(count));
    for (std::size_t i = 0; i < count; ++i) {
        const auto row = shown[i].row;
        const auto channel = choices_->channel_of(row);
        const auto name = channel >= 0 && channel < channels_.size() ? channels_[static_cast<int>(channel)]
                                                                     : tr("channel %1").arg(channel);
        fill_row(windows_, i, QStringLiteral("%1, %2").arg(choices_->window_of(row)).arg(name), row,
                 {static_cast<double>(shown[i].rank + 1), static_cast<double>(shown[i].similarity)});
    }
    all_windows_->setEnabled(!chosen_by_.empty());
    auto* name = boxes_[2]->findChild<QLabel*>();
    name->setText(chosen_by_.empty()
                      ? tr("No %1 window retrieves it").arg(split_name(QString::fromStdString(v.split)))
                  : chosen_by_.size() > count
                      ? tr("Retrieved by %1 of %2 rows (%3 shown)")
                            .arg(counted(static_cast<std::int64_t>(chosen_by_.size())), counted(v.rows))
                            .arg(count)
                      : tr("Retrieved by %1 of %2 rows")
                            .arg(counted(static_cast<std::int64_t>(chosen_by_.size())), counted(v.rows)));
}

void AnchorInspector::look_up() {
    neighbours_job_.cancel();
    texts_job_.cancel();
    tokens_->setRowCount(0);
    neighbours_->setRowCount(0);
    if (!anchor_ || folder_.isEmpty()) return;
    if (!vectors_ || *anchor_ >= vectors_->values.pool_size) {
        show_note(
            note_,
            tr("Press Compute embeddings above for words and neighbours: they need the anchor's vector. "
               "During training it is always available."));
        return;
    }
    show_note(note_, tr("Looking up the nearest words…"));
    neighbours_job_.start(
        [set = vectors_, anchor = *anchor_](const JobContext&) {
            const auto& v = set->values;
            return analysis::near_anchors(v.anchors, v.dimension, anchor, shown_neighbours);
        },
        {.done = [this](const std::vector<analysis::NearAnchor>& near) { show_neighbours(near); },
         .failed = [this](const std::exception& failure) { neighbours_->setToolTip(plain_text(failure)); }});
    texts_job_.start(
        [table = table_, folder = folder_, set = vectors_, anchor = *anchor_](const JobContext& job) {
            const auto& v = set->values;
            if (table->folder != folder || !table->neighbours) {
                table->folder = folder;
                table->neighbours.reset();
                table->neighbours = std::make_unique<analysis::TokenNeighbours>(folder.toStdString());
            }
            const auto d = static_cast<std::size_t>(v.dimension);
            auto tokens = table->neighbours->nearest(
                std::span(v.anchors).subspan(static_cast<std::size_t>(anchor) * d, d), shown_tokens, job.stop,
                job.progress);
            return Found{std::move(tokens), translated(table->neighbours->remark())};
        },
        {.done = [this](const Found& found) { take(found); },
         .failed =
             [this](const std::exception& failure) {
                 take({{}, plain_text(failure)});
             },
         .progress =
             [this](const Progress& p) {
                 if (p.total > 0)
                     note_->setText(tr("Looking up the nearest words: %1 %").arg(100 * p.done / p.total));
             }});
}

void AnchorInspector::take(const Found& found) {
    show_note(note_, found.remark);
    tokens_->setRowCount(static_cast<int>(found.tokens.size()));
    for (std::size_t i = 0; i < found.tokens.size(); ++i) {
        const auto& token = found.tokens[i];
        fill_row(tokens_, i, QString::fromStdString(token.label), token.token, {token.cosine})
            ->setToolTip(tr("token %1").arg(token.token));
    }
}

void AnchorInspector::show_neighbours(const std::vector<analysis::NearAnchor>& near) {
    neighbours_->setRowCount(static_cast<int>(near.size()));
    for (std::size_t i = 0; i < near.size(); ++i)
        fill_row(neighbours_, i, QString::number(near[i].anchor), near[i].anchor, {near[i].cosine});
}

}  // namespace casp::widgets
