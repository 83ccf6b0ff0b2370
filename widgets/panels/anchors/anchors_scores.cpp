#include "panels/anchors/anchors_scores.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <QComboBox>
#include <QLabel>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include "charts/figure_view.h"
#include "charts/view_frame.h"
#include "figures/numbers.h"
#include "panels/view/view_flow.h"
#include "words/plain_text.h"

namespace casp::widgets {

namespace {

/// With more the cells of a figure are smaller than a pixel, and a vector file is too large.
constexpr std::int64_t max_figure_columns = 4000;

QString column_name(const EmbeddingSet& set, std::int64_t row, const QStringList& channels) {
    const auto channel = set.channel_of(row);
    return QStringLiteral("%1, %2")
        .arg(set.window_of(row))
        .arg(channel >= 0 && channel < channels.size() ? channels[static_cast<int>(channel)]
                                                       : QStringLiteral("channel %1").arg(channel));
}

/// Some of its columns, evenly spaced.
figures::Heatmap with_fewer_columns(const figures::Heatmap& matrix) {
    auto fewer = matrix;
    const auto chosen = analysis::evenly_spaced(matrix.columns, max_figure_columns);
    fewer.columns = std::ssize(chosen);
    fewer.values.clear();
    fewer.column_ids.clear();
    fewer.column_names.clear();
    for (std::int64_t r = 0; r < matrix.rows; ++r)
        for (const auto c : chosen)
            fewer.values.push_back(matrix.values[static_cast<std::size_t>(r * matrix.columns + c)]);
    for (const auto c : chosen) {
        fewer.column_ids.push_back(matrix.column_ids[static_cast<std::size_t>(c)]);
        fewer.column_names << matrix.column_names[static_cast<int>(c)];
    }
    return fewer;
}

}  // namespace

AnchorScores::AnchorScores(QWidget* parent) : QWidget(parent) {
    auto* column = make_layout<QVBoxLayout>(this, {}, 2);
    view_ = new FigureView;
    column->addWidget(view_, 1);
    text_ = new QLabel;
    text_->setWordWrap(true);
    text_->setAccessibleName(tr("What the matrix shows"));
    text_->setForegroundRole(QPalette::WindowText);
    text_->setContentsMargins(6, 0, 6, 5);
    column->addWidget(text_);
    setFocusProxy(view_);
    const auto combo = [this](const QStringList& items, const QString& name) {
        auto* made = new QComboBox(this);
        made->addItems(items);
        made->setAccessibleName(name);
        return made;
    };
    anchors_ = combo({tr("Top 100"), tr("All anchors")}, tr("Anchors in the matrix"));
    anchors_->setToolTip(
        tr("The 100 anchors of highest mean similarity over the shown windows, or the whole pool"));
    order_ = combo({tr("By number"), tr("By usage"), tr("By mean similarity"), tr("Clustered")},
                   tr("Order of the anchors"));
    set_choice_tip(
        order_,
        tr("Rows from top to bottom: by number, most retrieved first, highest mean similarity first, or "
           "leaf order of an average-linkage clustering"));
    order_->setMinimumWidth(order_->fontMetrics().averageCharWidth() * 10);  // in a narrow header
    order_->setCurrentIndex(static_cast<int>(options_.order));
    connect(anchors_, &QComboBox::currentIndexChanged, this, [this](int index) {
        options_.anchors = index == 0 ? 100 : 0;
        compute();
    });
    connect(order_, &QComboBox::currentIndexChanged, this, [this](int index) {
        options_.order = static_cast<analysis::AnchorOrder>(index);
        compute();
    });
    connect(view_, &FigureView::cells_picked, this, &AnchorScores::picked);
}

void AnchorScores::join(ViewFrame& frame) {
    for (auto* control : {anchors_, order_}) frame.add_control(control);
    frame.set_figure_source([this] { return figure(); });
}

const figures::Heatmap* AnchorScores::matrix() const {
    const auto& plots = view_->figure().plots;
    return plots.empty() ? nullptr : &*plots.front().heatmap;
}

void AnchorScores::set_options(const analysis::ScoreOptions& options) {
    options_ = options;
    const QSignalBlocker a(anchors_), b(order_);
    anchors_->setCurrentIndex(options.anchors == 100 ? 0 : 1);
    order_->setCurrentIndex(static_cast<int>(options.order));
    compute();
}

void AnchorScores::show_set(std::shared_ptr<const EmbeddingSet> set, const QString& title,
                            const QStringList& channels, const QString& empty_text) {
    if (set && !set->has_similarity()) set = nullptr;
    const bool same = set && set == set_ && channels == channels_;
    title_ = title;
    channels_ = channels;
    set_ = std::move(set);
    if (set_ && !same) compute();
    if (set_) return;
    job_.cancel();
    show_figure({}, empty_text);
}

void AnchorScores::compute() {
    if (!set_) return;
    view_->set_busy(true);
    job_.start(
        [set = set_, options = options_, channels = channels_](const JobContext& job) {
            const auto& v = set->values;
            auto scores = analysis::score_matrix(v.similarity, v.pool_size, v.retrieved, v.top_k, options,
                                                 job.stop, job.progress);
            figures::Heatmap m;
            m.rows = std::ssize(scores.anchor);
            m.columns = std::ssize(scores.row);
            m.values = std::move(scores.values);
            m.min = scores.lowest;
            m.max = scores.highest;
            m.value_title = QStringLiteral("cosine similarity s");
            m.row_ids = scores.anchor;
            m.column_ids = scores.row;
            for (const auto row : scores.row) m.column_names << column_name(*set, row, channels);
            auto note = set->text();
            if (scores.rows_total > m.columns)
                note += tr("; %1 of %2 columns, evenly spaced")
                            .arg(counted(m.columns), counted(scores.rows_total));
            return std::pair(std::move(m), note);
        },
        {.done = [this](auto made) { show_figure(std::move(made.first), made.second); },
         .failed = [this](const std::exception& failure) { show_figure({}, plain_text(failure)); }});
}

void AnchorScores::show_figure(std::optional<figures::Heatmap> matrix, const QString& text) {
    figures::Figure figure{QStringLiteral("similarity-matrix"),
                           QStringLiteral("Similarity of anchors and windows")};
    (matrix ? figure.caption : figure.empty_text) = text;
    if (matrix) {
        auto& plot = figure.plots.emplace_back();
        plot.title = title_;
        plot.x.title = QStringLiteral("window, channel");
        plot.y.title = QStringLiteral("anchor");
        plot.heatmap = std::move(matrix);
    }
    text_->setText(figure.caption);
    text_->setVisible(!figure.caption.isEmpty());
    view_->set_figure(std::move(figure));
    view_->set_busy(false);
    if (this->matrix() != nullptr) Q_EMIT shown();
}

void AnchorScores::set_highlight(const std::set<std::int64_t>& anchors,
                                 const std::vector<WindowChannel>& pairs) {
    std::set<std::int64_t> rows;
    for (const auto& pair : pairs)
        if (const auto row = set_ ? set_->row_of_pair(pair) : -1; row >= 0) rows.insert(rows.end(), row);
    view_->set_highlight_of_cells(anchors, rows);
}

figures::Figure AnchorScores::figure() const {
    const auto* whole = matrix();
    if (whole == nullptr || whole->columns <= max_figure_columns) return view_->figure();
    auto figure = view_->figure();
    auto& plot = figure.plots.front();
    figure.caption += QStringLiteral("; drawn: %1 of %2 columns, evenly spaced")
                          .arg(counted(max_figure_columns), counted(whole->columns));
    plot.heatmap = with_fewer_columns(*whole);
    figure.numbers = figures::cells_of(title_.isEmpty() ? plot.y.title : title_,
                                       std::make_shared<const figures::Heatmap>(*whole));
    return figure;
}

void AnchorScores::save(QJsonObject& object) const {
    object[QStringLiteral("score_anchors")] = anchors_->currentIndex();
    object[QStringLiteral("score_order")] = order_->currentIndex();
}

void AnchorScores::restore(const QJsonObject& object) {
    anchors_->setCurrentIndex(std::clamp(object.value(QStringLiteral("score_anchors")).toInt(), 0, 1));
    order_->setCurrentIndex(
        std::clamp(object.value(QStringLiteral("score_order")).toInt(order_->currentIndex()), 0, 3));
}

}  // namespace casp::widgets
