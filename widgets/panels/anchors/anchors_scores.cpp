#include "panels/anchors/anchors_scores.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include <QComboBox>
#include <QLabel>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include "charts/view_frame.h"
#include "figures/numbers.h"
#include "figures/style.h"
#include "panels/view/view_flow.h"
#include "state/amount_text.h"
#include "state/plain_text.h"
#include "vtk/heatmap_view.h"

namespace casp::widgets {

namespace {

constexpr std::array<const char*, 3> maps{"viridis", "cividis", "magma"};
/// With more the cells of a figure are smaller than a pixel, and a vector file is too large.
constexpr std::int64_t most_figure_columns = 4000;

QString column_name(const EmbeddingSet& set, std::int64_t row, const QStringList& channels) {
    const auto channel = set.channel_of(row);
    return QStringLiteral("%1, %2")
        .arg(set.window_of(row))
        .arg(channel >= 0 && channel < channels.size() ? channels[static_cast<int>(channel)]
                                                       : QStringLiteral("channel %1").arg(channel));
}

}  // namespace

AnchorScores::AnchorScores(QWidget* parent) : QWidget(parent) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    view_ = new HeatmapView(this);
    view_->setAccessibleName(tr("Similarity matrix"));
    view_->set_titles({}, tr("anchor"), tr("window, channel"));
    column->addWidget(view_, 1);
    text_ = new QLabel;
    text_->setWordWrap(true);
    text_->setAccessibleName(tr("What the matrix shows"));
    text_->setForegroundRole(QPalette::WindowText);
    text_->setContentsMargins(6, 0, 6, 2);
    cancel_ = new QToolButton;
    cancel_->setText(tr("Cancel"));
    cancel_->setAccessibleName(tr("Cancel the order of the anchors"));
    cancel_->setToolTip(tr("Stops comparing the anchors; the matrix stays as it is"));
    cancel_->setFocusPolicy(Qt::StrongFocus);
    cancel_->hide();
    auto* line = new QHBoxLayout;
    line->setContentsMargins(0, 0, 4, 3);
    line->addWidget(text_, 1);
    line->addWidget(cancel_);
    column->addLayout(line);
    connect(cancel_, &QToolButton::clicked, this, &AnchorScores::cancel);
    setFocusProxy(view_);
    const auto combo = [this](const QStringList& items, const QString& name, const QString& tip) {
        auto* made = new QComboBox(this);
        made->addItems(items);
        made->setAccessibleName(name);
        made->setToolTip(tip);
        return made;
    };
    anchors_ =
        combo({tr("Top 100"), tr("All anchors")}, tr("Anchors in the matrix"),
              tr("The 100 anchors of highest mean similarity over the shown windows, or the whole pool"));
    order_ = combo({tr("By number"), tr("By usage"), tr("By mean similarity"), tr("Clustered")},
                   tr("Order of the anchors"), {});
    set_choice_tip(
        order_,
        tr("Rows from top to bottom: by number, most retrieved first, highest mean similarity first, or "
           "leaf order of an average-linkage clustering"));
    order_->setMinimumWidth(order_->fontMetrics().averageCharWidth() * 10);  // in a narrow header
    order_->setCurrentIndex(static_cast<int>(options_.order));
    map_ = combo({}, tr("Colour map of the similarities"),
                 tr("Perceptually uniform colour maps; cividis suits colour-blind readers"));
    for (const char* map : maps) map_->addItem(QString::fromLatin1(map));
    connect(anchors_, &QComboBox::currentIndexChanged, this, [this](int index) {
        options_.anchors = index == 0 ? 100 : 0;
        compute();
    });
    connect(order_, &QComboBox::currentIndexChanged, this, [this](int index) {
        options_.order = static_cast<analysis::AnchorOrder>(index);
        compute();
    });
    connect(map_, &QComboBox::currentIndexChanged, this, [this] {
        if (view_->matrix().rows == 0) return;
        auto matrix = view_->matrix();
        matrix.colour_map = map_->currentText();
        view_->set_matrix(std::move(matrix));
    });
    connect(view_, &HeatmapView::picked, this, &AnchorScores::picked);
}

void AnchorScores::join(ViewFrame& frame) {
    for (auto* control : {anchors_, order_, map_}) frame.add_control(control);
    frame.set_picture_source([this] { return view_->matrix().rows > 0 ? view_->to_image({}, 2) : QImage(); });
    frame.set_figure_source([this] { return figure(); });
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
    const bool same = set == set_ && channels == channels_;
    title_ = title;
    channels_ = channels;
    set_ = std::move(set);
    if (!set_) {
        job_.cancel();
        note_.clear();
        text_->clear();
        text_->hide();
        cancel_->hide();
        shown_set_ = nullptr;
        view_->set_empty_text(empty_text);
        if (view_->matrix().rows > 0) view_->set_matrix({});
        view_->set_titles({}, tr("anchor"), tr("window, channel"));
        return;
    }
    if (!same) compute();
}

void AnchorScores::compute() {
    if (!set_) return;
    job_.start(
        [set = set_, options = options_, channels = channels_,
         map = map_->currentText()](const JobContext& job) {
            Made made;
            const auto& v = set->values;
            auto scores = analysis::score_matrix(v.similarity, v.pool_size, v.retrieved, v.top_k, options,
                                                 job.stop, job.progress);
            auto& m = made.matrix;
            m.rows = static_cast<std::int64_t>(scores.anchor.size());
            m.columns = static_cast<std::int64_t>(scores.row.size());
            m.values = std::move(scores.values);
            m.value_title = QStringLiteral("cosine similarity s");
            m.colour_map = map;
            m.row_ids = scores.anchor;
            m.column_ids = scores.row;
            for (const auto row : scores.row) m.column_names << column_name(*set, row, channels);
            made.note = set->text();
            if (scores.rows_total > m.columns)
                made.note += tr("; %1 of %2 columns, evenly spaced")
                                 .arg(counted(m.columns), counted(scores.rows_total));
            return made;
        },
        {.done = [this](Made made) { take(std::move(made)); },
         .failed =
             [this](const std::exception& failure) {
                 take({{}, plain_text(failure)});
             },
         .progress = [this](const Progress&) { show_progress(); }});
}

void AnchorScores::show_progress() {
    const auto fraction = job_.fraction();
    if (fraction < 0 || job_.elapsed() < progress_delay_ms_) return;
    auto text = tr("Comparing anchors for their order: %1 %").arg(qRound(100 * fraction));
    if (const auto left = time_left_text(job_.seconds_left()); !left.isEmpty()) text += tr(", %1").arg(left);
    text_->setText(text);
    text_->show();
    cancel_->show();
}

void AnchorScores::cancel() {
    if (!is_busy()) return;
    job_.cancel();
    if (cancel_->hasFocus()) order_->setFocus();
    cancel_->hide();
    text_->setText(note_);
    text_->setVisible(!note_.isEmpty());
    const bool of_another = shown_set_ != set_;
    if (of_another)
        options_.order = analysis::AnchorOrder::mean_similarity;  // takes no time
    else
        options_ = shown_options_;
    const QSignalBlocker a(anchors_), b(order_);
    anchors_->setCurrentIndex(options_.anchors == 100 ? 0 : 1);
    order_->setCurrentIndex(static_cast<int>(options_.order));
    if (of_another)
        compute();
    else
        name_columns();
}

/// The cancelled matrix may have had other channel names.
void AnchorScores::name_columns() {
    if (shown_channels_ == channels_) return;
    shown_channels_ = channels_;
    auto matrix = view_->matrix();
    if (matrix.rows == 0) return;
    matrix.column_names.clear();
    for (const auto row : matrix.column_ids) matrix.column_names << column_name(*set_, row, channels_);
    view_->set_titles(title_, tr("anchor"), tr("window, channel"));
    view_->set_matrix(std::move(matrix));
    Q_EMIT shown();
}

void AnchorScores::take(Made made) {
    shown_options_ = options_;
    shown_set_ = set_;
    shown_channels_ = channels_;
    if (cancel_->hasFocus()) order_->setFocus();
    cancel_->hide();
    note_ = made.note;
    text_->setText(note_);
    text_->setVisible(!note_.isEmpty());
    view_->set_titles(title_, tr("anchor"), tr("window, channel"));
    view_->set_matrix(std::move(made.matrix));
    Q_EMIT shown();
}

void AnchorScores::set_highlight(const std::set<std::int64_t>& anchors,
                                 const std::vector<WindowChannel>& pairs) {
    std::set<std::int64_t> rows;
    for (const auto& pair : pairs)
        if (const auto row = set_ ? set_->row_of_pair(pair) : -1; row >= 0) rows.insert(rows.end(), row);
    view_->set_highlight(anchors, rows);
}

figures::Figure AnchorScores::figure() const {
    figures::Figure figure;
    figure.id = QStringLiteral("similarity-matrix");
    figure.title = QStringLiteral("Similarity of anchors and windows");
    figure.caption = note_;
    if (view_->matrix().rows == 0) return figure;
    figures::Plot plot;
    plot.title = title_;
    plot.x.title = QStringLiteral("window, channel");
    plot.y.title = QStringLiteral("anchor");
    auto matrix = view_->matrix();
    if (matrix.columns > most_figure_columns) {
        const auto chosen = analysis::evenly_spaced(matrix.columns, most_figure_columns);
        figures::Heatmap fewer = matrix;
        fewer.columns = static_cast<std::int64_t>(chosen.size());
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
        figure.caption += QStringLiteral("; drawn: %1 of %2 columns, evenly spaced")
                              .arg(counted(fewer.columns), counted(matrix.columns));
        figure.numbers = figures::cells_of(title_.isEmpty() ? plot.y.title : title_,
                                           std::make_shared<const figures::Heatmap>(std::move(matrix)));
        matrix = std::move(fewer);
    }
    plot.heatmap = std::move(matrix);
    figure.plots.push_back(std::move(plot));
    return figure;
}

void AnchorScores::save(QJsonObject& object) const {
    object[QStringLiteral("score_anchors")] = anchors_->currentIndex();
    object[QStringLiteral("score_order")] = order_->currentIndex();
    object[QStringLiteral("score_map")] = map_->currentIndex();
}

void AnchorScores::restore(const QJsonObject& object) {
    anchors_->setCurrentIndex(std::clamp(object.value(QStringLiteral("score_anchors")).toInt(), 0, 1));
    order_->setCurrentIndex(
        std::clamp(object.value(QStringLiteral("score_order")).toInt(order_->currentIndex()), 0, 3));
    map_->setCurrentIndex(std::clamp(object.value(QStringLiteral("score_map")).toInt(), 0, 2));
}

}  // namespace casp::widgets
