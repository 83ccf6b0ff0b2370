#include "panels/embeddings/embedding_cloud.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

#include <QDateTime>
#include <QTimeZone>

#include "figures/figure.h"
#include "figures/numbers.h"
#include "figures/recipe_anchors.h"
#include "figures/recipe_embeddings.h"
#include "figures/style.h"
#include "figures/ticks.h"

namespace casp::widgets {

namespace {

/// Colour-blind-safe colours; further channels reuse them with other markers. Channels beyond that share the
/// last legend entry.
constexpr std::size_t channel_colours = 11, max_channels_named = 2 * channel_colours;
constexpr float nothing = std::numeric_limits<float>::quiet_NaN();

/// Whether it is a t-SNE layout, including its initialisation.
bool is_tsne(const store::EmbeddingLayout& layout) {
    return layout.iterations > 0 || std::isfinite(layout.perplexity);
}

QString name_of(const EmbeddingSet& set, const figures::RunInput& run, const store::EmbeddingLayout& layout) {
    const auto& v = set.values;
    QString text = run.label;
    // The distinguishing part comes first: a narrow view shows the beginning.
    if (is_tsne(layout) && std::isfinite(layout.kl)) {
        text += QStringLiteral(" · KL %1").arg(figures::number_text(layout.kl, 4));
        if (layout.common_runs > 1) text += QStringLiteral(" of %1 runs together").arg(layout.common_runs);
    }
    if (set.live)
        text += QStringLiteral(" · step %1").arg(v.step);
    else
        text += QStringLiteral(" · %1 windows, %2")
                    .arg(split_name(QString::fromStdString(v.split)), set.moment_text());
    return text;
}

/// Retrievals of each anchor: for a live run in training up to that step, else over the set's windows.
std::vector<std::int64_t> usage_of(const EmbeddingSet& set, const figures::RunInput* run) {
    if (set.live && run && run->record) {
        auto counts =
            figures::usage_counts(run->record->anchors, figures::UsageOf::training, set.values.step);
        if (!counts.empty()) return counts;
    }
    return set.values.usage;
}

/// Hover texts, created on request: a cloud has up to 100,000 points.
struct Names {
    std::shared_ptr<const EmbeddingSet> set;
    std::vector<std::pair<PointKind, std::int64_t>> points;
    QStringList channels;
    std::vector<std::int64_t> usage;
    std::vector<double> times;  ///< of the windows, seconds since 1970; empty: unknown

    QString operator()(std::size_t at) const {
        const auto [kind, point] = points[at];
        const auto& v = set->values;
        if (kind == PointKind::anchor) {
            auto text = QStringLiteral("anchor %1").arg(point);
            const auto i = static_cast<std::size_t>(point);
            if (i < usage.size()) text += QStringLiteral("\nretrieved %1 times").arg(counted(usage[i]));
            return text;
        }
        const auto row = set->row_of(kind, point);
        const auto channel = set->channel_of(row);
        auto text =
            QStringLiteral("window %1, %2")
                .arg(set->window_of(row))
                .arg(channel >= 0 && channel < channels.size() ? channels[static_cast<int>(channel)]
                                                               : QStringLiteral("channel %1").arg(channel));
        if (kind == PointKind::prompt) text.prepend(QStringLiteral("prompt of "));
        if (kind == PointKind::series && v.patches > 1)
            text += QStringLiteral(", patch %1").arg(point % v.patches);
        const auto i = static_cast<std::size_t>(row);
        const auto w = i / std::max<std::size_t>(1, v.channels.size());
        if (w < times.size())
            text += QStringLiteral("\nfrom ") +
                    QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(times[w] * 1000), Qt::UTC)
                        .toString(QStringLiteral("yyyy-MM-dd HH:mm"));
        if (i < v.mse.size())
            text += QStringLiteral("\nMSE %1").arg(figures::number_text(static_cast<double>(v.mse[i]), 4));
        const auto k = static_cast<std::size_t>(std::max<std::int64_t>(0, v.top_k));
        if (k > 0 && (i + 1) * k <= v.retrieved.size()) {
            text += QStringLiteral("\nretrieves");
            for (std::size_t j = 0; j < std::min<std::size_t>(k, 8); ++j)
                text += QStringLiteral(" %1").arg(v.retrieved[i * k + j]);
            if (k > 8) text += QStringLiteral(" …");
        }
        return text;
    }
};

float colour_value(const EmbeddingSet& set, const std::vector<std::int64_t>& usage, CloudColour colour,
                   PointKind kind, std::int64_t point) {
    const auto& v = set.values;
    if (colour == CloudColour::usage) {
        const auto i = static_cast<std::size_t>(point);
        return kind == PointKind::anchor && i < usage.size() ? std::log10(1 + static_cast<float>(usage[i]))
                                                             : nothing;
    }
    if (kind == PointKind::anchor) return nothing;
    const auto row = static_cast<std::size_t>(set.row_of(kind, point));
    if (colour == CloudColour::error)
        return row < v.mse.size() && v.mse[row] > 0 ? std::log10(v.mse[row]) : nothing;
    const auto w = row / std::max<std::size_t>(1, v.channels.size());
    return w < v.start.size() ? static_cast<float>(v.start[w]) : nothing;
}

bool is_numeric(CloudColour colour) {
    return colour == CloudColour::usage || colour == CloudColour::time || colour == CloudColour::error;
}

QString number_title(CloudColour colour) {
    return colour == CloudColour::usage   ? QStringLiteral("log₁₀(1 + retrievals)")
           : colour == CloudColour::error ? QStringLiteral("log₁₀ MSE")
                                          : QStringLiteral("first row of the window");
}

/// `again`: the colour is used for another channel already.
EmbeddingKind look_of(PointKind kind, const QColor& colour, const QString& name, bool again = false) {
    using figures::MarkerShape;
    switch (kind) {
        case PointKind::anchor:
            return {name, colour, MarkerShape::circle, 5.5};
        case PointKind::series:
            return {name, colour, again ? MarkerShape::square : MarkerShape::triangle, 6.5};
        default:
            return {name, colour, again ? MarkerShape::cross : MarkerShape::diamond, 6.5};
    }
}

QString channel_name(std::int64_t channel, const QStringList& names) {
    return channel >= 0 && channel < names.size() ? names[static_cast<int>(channel)]
                                                  : QStringLiteral("channel %1").arg(channel);
}

/// Kinds of a cloud and which of them a point is.
class Looks {
public:
    Looks(const EmbeddingSet& set, const figures::RunInput& run, const QStringList& channels,
          CloudColour colour)
        : by_channel_(colour == CloudColour::channel) {
        for (const auto kind : {PointKind::anchor, PointKind::series, PointKind::prompt}) {
            const auto number = static_cast<int>(kind);
            auto own = colour == CloudColour::run       ? run.colour
                       : colour == CloudColour::channel ? figures::neutral_colour()
                                                        : figures::kind_colour(number);
            if (kind != PointKind::anchor && by_channel_) {
                first_[static_cast<std::size_t>(kind)] = kinds_.size();
                const auto& list = set.values.channels;
                for (std::size_t c = 0; c < std::min(list.size(), max_channels_named + 1); ++c) {
                    const bool rest = c == max_channels_named;
                    const auto name = rest ? QStringLiteral("%1 more channels").arg(list.size() - c)
                                           : channel_name(list[c], channels);
                    own = rest ? figures::neutral_colour()
                               : figures::run_colour(static_cast<int>(c % channel_colours));
                    // The legend names a channel once.
                    auto look = look_of(kind, own, kind == PointKind::series ? name : QString(),
                                        !rest && c >= channel_colours);
                    if (rest) {
                        look.layer = -1;  // points without a class colour do not hide others
                        QStringList names;
                        for (std::size_t i = c; i < list.size(); ++i)
                            names << channel_name(list[i], channels);
                        look.about = QStringLiteral("%1: %2").arg(name, names.join(QStringLiteral(", ")));
                    }
                    kinds_.push_back(std::move(look));
                }
                continue;
            }
            first_[static_cast<std::size_t>(kind)] = kinds_.size();
            kinds_.push_back(look_of(kind, own, figures::kind_name(number)));
            // Anchors are few and would be hidden by prompts, which are formed from them; if colours encode a
            // property of windows, anchors are behind.
            if (kind == PointKind::anchor)
                kinds_.back().layer =
                    colour == CloudColour::kind || colour == CloudColour::run || colour == CloudColour::usage
                        ? 1
                        : -1;
        }
    }
    [[nodiscard]] std::uint8_t of(const EmbeddingSet& set, PointKind kind, std::int64_t point) const {
        auto at = first_[static_cast<std::size_t>(kind)];
        if (by_channel_ && kind != PointKind::anchor) {
            const auto m = static_cast<std::int64_t>(std::max<std::size_t>(1, set.values.channels.size()));
            at += std::min(static_cast<std::size_t>(set.row_of(kind, point) % m), max_channels_named);
        }
        return static_cast<std::uint8_t>(at);
    }
    [[nodiscard]] const std::vector<EmbeddingKind>& kinds() const { return kinds_; }

private:
    bool by_channel_;
    std::array<std::size_t, 3> first_{};
    std::vector<EmbeddingKind> kinds_;
};

}  // namespace

std::int64_t cloud_id(const EmbeddingSet& set, PointKind kind, std::int64_t point) {
    return kind == PointKind::anchor ? point : set.values.pool_size + set.row_of(kind, point);
}

EmbeddingPoints embedding_cloud(const std::shared_ptr<const EmbeddingSet>& set,
                                const store::EmbeddingLayout& layout, const figures::RunInput& run,
                                const CloudOptions& options) {
    EmbeddingPoints cloud;
    cloud.title = name_of(*set, run, layout);
    cloud.run = run.folder;
    const auto c = static_cast<std::size_t>(layout.components);
    if (c < 2 || layout.kind.size() != layout.row.size() || layout.points.size() != layout.kind.size() * c)
        return cloud;
    cloud.components = static_cast<int>(std::min<std::size_t>(c, 3));
    const auto shown = static_cast<std::size_t>(cloud.components);
    for (std::size_t i = 0; i < shown; ++i)
        cloud.axis_titles << (is_tsne(layout) ? QStringLiteral("t-SNE %1").arg(i + 1)
                                              : figures::component_title(layout, i));

    Names names;
    names.set = set;
    names.usage = usage_of(*set, &run);
    if (run.record) {
        for (const auto& name : run.record->data.channel_names)
            names.channels << QString::fromStdString(name);
        const auto& time = run.record->data.time;
        for (const auto start : set->values.start)
            if (start >= 0 && static_cast<std::size_t>(start) < time.size())
                names.times.push_back(time[static_cast<std::size_t>(start)]);
        if (names.times.size() != set->values.start.size()) names.times.clear();
    }
    const Looks looks(*set, run, names.channels, options.colour);
    cloud.kinds = looks.kinds();
    const bool numbers = is_numeric(options.colour);
    const auto wanted = [&](PointKind kind) {
        return std::find(options.kinds.begin(), options.kinds.end(), kind) != options.kinds.end();
    };
    const std::array<bool, 3> drawn{wanted(PointKind::anchor), wanted(PointKind::series),
                                    wanted(PointKind::prompt)};
    const auto n = layout.kind.size();
    cloud.points.reserve(n * shown);
    cloud.ids.reserve(n);
    cloud.kind.reserve(n);
    names.points.reserve(n);
    for (std::size_t i = 0; i < n; ++i) {
        const auto number = static_cast<std::size_t>(layout.kind[i]);
        if (number > 2 || !drawn[number]) continue;
        const auto kind = static_cast<PointKind>(number);
        const std::int64_t point = layout.row[i];
        for (std::size_t d = 0; d < shown; ++d) cloud.points.push_back(layout.points[i * c + d]);
        cloud.ids.push_back(cloud_id(*set, kind, point));
        cloud.kind.push_back(looks.of(*set, kind, point));
        names.points.emplace_back(kind, point);
        if (numbers) cloud.scalar.push_back(colour_value(*set, names.usage, options.colour, kind, point));
    }
    if (numbers) {
        cloud.scalar_title = number_title(options.colour);
        if (options.colour == CloudColour::error) cloud.colour_map = QStringLiteral("magma");
        if (options.range) {
            cloud.scalar_min = options.range->first;
            cloud.scalar_max = options.range->second;
        }
    }
    cloud.label_of = std::move(names);
    return cloud;
}

namespace {

constexpr int classes = 6;

/// Limits of the classes that replace a colour bar.
std::pair<double, double> scalar_range(const std::vector<const EmbeddingPoints*>& clouds) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const auto* cloud : clouds) {
        for (const auto value : cloud->scalar)
            if (std::isfinite(value)) {
                low = std::min<double>(low, value);
                high = std::max<double>(high, value);
            }
        low = cloud->scalar_min.value_or(low);
        high = cloud->scalar_max.value_or(high);
    }
    return low <= high ? std::pair{low, high} : std::pair{0.0, 0.0};
}

/// A row per point, with all components.
figures::Numbers cloud_numbers(const std::vector<const EmbeddingPoints*>& clouds) {
    figures::Numbers numbers;
    int components = 0;
    for (const auto* cloud : clouds) components = std::max(components, cloud->components);
    numbers.columns << QStringLiteral("picture") << QStringLiteral("point");
    for (int c = 0; c < components; ++c)
        numbers.columns << clouds.front()->axis_titles.value(c).section(QStringLiteral(" ("), 0, 0);
    const bool scalar =
        std::any_of(clouds.begin(), clouds.end(), [](const auto* cloud) { return !cloud->scalar.empty(); });
    if (scalar) numbers.columns << clouds.front()->scalar_title;
    for (const auto* cloud : clouds)
        for (std::size_t i = 0; i < cloud->size(); ++i) {
            QStringList row{cloud->title, cloud->label_of
                                              ? cloud->label_of(i).section(QLatin1Char('\n'), 0, 0)
                                              : QString::number(cloud->ids[i])};
            for (int c = 0; c < components; ++c)
                row << (c < cloud->components
                            ? figures::exact_text(
                                  cloud->points[i * static_cast<std::size_t>(cloud->components) +
                                                static_cast<std::size_t>(c)])
                            : QString());
            if (scalar)
                row << (i < cloud->scalar.size() && std::isfinite(cloud->scalar[i])
                            ? figures::exact_text(cloud->scalar[i])
                            : QString());
            numbers.rows.push_back(std::move(row));
        }
    return numbers;
}

figures::Series marks(const EmbeddingKind& look, const QString& name) {
    figures::Series s;
    s.kind = figures::MarkKind::points;
    s.name = name;
    s.colour = look.colour;
    s.marker = look.marker;
    s.width = std::max(2.0, look.size - 1.5);
    s.opacity = 0.8;
    return s;
}

/// Every `parts`th point, from number `part` on.
figures::Series part_of(const figures::Series& whole, std::size_t part, std::size_t parts) {
    auto s = whole;
    for (auto* values : {&s.x, &s.y}) values->clear();
    s.ids.clear();
    s.opacity *= figures::cloud_opacity(whole.x.size());
    for (auto i = part; i < whole.x.size(); i += parts) {
        s.x.push_back(whole.x[i]);
        s.y.push_back(whole.y[i]);
        s.ids.push_back(whole.ids[i]);
    }
    return s;
}

}  // namespace

figures::Figure cloud_figure(const std::vector<const EmbeddingPoints*>& clouds, const QString& id,
                             const QString& title) {
    figures::Figure figure;
    figure.id = id;
    figure.title = title;
    figure.columns = clouds.size() == 4 ? 2 : static_cast<int>(std::max<std::size_t>(1, clouds.size()));
    const auto [low, high] = scalar_range(clouds);
    for (const auto* cloud : clouds) {
        if (cloud->size() == 0) continue;
        figures::Plot plot;
        plot.title = cloud->title;
        plot.x.title = cloud->axis_titles.value(0);
        plot.y.title = cloud->axis_titles.value(1);
        // Series by kind, or by kind and class; points without a value last.
        std::vector<figures::Series> series;
        const bool by_number = !cloud->scalar.empty();
        const auto per_kind = by_number ? classes + 1 : 1;
        for (const auto& kind : cloud->kinds)
            for (int c = 0; c < per_kind; ++c) {
                auto s = marks(kind, kind.name);
                if (by_number && c < classes) {
                    const double step = (high - low) / classes;
                    s.name = QStringLiteral("%1: %2 to %3")
                                 .arg(cloud->scalar_title, figures::number_text(low + c * step, 3),
                                      figures::number_text(low + (c + 1) * step, 3));
                    s.colour = QColor::fromRgb(
                        figures::map_colour(cloud->colour_map, (c + 0.5) / static_cast<double>(classes)));
                } else if (by_number) {
                    s.colour = figures::neutral_colour();
                }
                series.push_back(std::move(s));
            }
        const auto n = static_cast<std::size_t>(cloud->components);
        for (std::size_t i = 0; i < cloud->size(); ++i) {
            auto at = static_cast<std::size_t>(cloud->kind[i]) * static_cast<std::size_t>(per_kind);
            if (by_number) {
                const auto value = static_cast<double>(cloud->scalar[i]);
                at += !std::isfinite(value) ? classes
                      : high > low          ? static_cast<std::size_t>(std::clamp<double>(
                                         (value - low) / (high - low) * classes, 0, classes - 1))
                                            : 0;
            }
            const auto x = static_cast<double>(cloud->points[i * n]),
                       y = static_cast<double>(cloud->points[i * n + 1]);
            if (!std::isfinite(x) || !std::isfinite(y)) continue;
            series[at].x.push_back(x);
            series[at].y.push_back(y);
            series[at].ids.push_back(cloud->ids[i]);
        }
        // In the view's drawing order: lower layers first, and within a layer the series in turn.
        const auto parts = figures::cloud_parts(cloud->size(), series.size());
        std::vector<std::tuple<int, std::size_t, std::size_t>> order;
        for (std::size_t i = 0; i < series.size(); ++i)
            for (std::size_t part = 0; part < parts; ++part)
                order.emplace_back(cloud->kinds[i / static_cast<std::size_t>(per_kind)].layer, part, i);
        std::sort(order.begin(), order.end());
        QStringList named;
        for (const auto& [layer, number, at] : order) {
            auto s = part_of(series[at], number, parts);
            if (s.x.empty()) continue;
            if (named.contains(s.name)) s.name.clear();  // once in the legend
            s.run = cloud->run;
            named << s.name;
            plot.series.push_back(std::move(s));
        }
        figure.plots.push_back(std::move(plot));
    }
    figure.numbers = cloud_numbers(clouds);
    figures::share_axes(figure.plots, 0.04);
    figure.aspect = 0.8;
    return figure;
}

QString short_label(const figures::RunInput& run, const std::vector<figures::RunInput>& runs) {
    const auto separator = QStringLiteral(" · ");
    QStringList own;
    for (const auto& part : run.label.split(separator))
        if (runs.size() < 2 || std::any_of(runs.begin(), runs.end(), [&](const auto& other) {
                return !other.label.split(separator).contains(part);
            }))
            own << part;
    return own.isEmpty() ? run.label : own.join(separator);
}

std::optional<std::pair<double, double>> colour_range(const EmbeddingSet& set, const figures::RunInput* run,
                                                      CloudColour colour) {
    if (!is_numeric(colour)) return std::nullopt;
    const auto usage = usage_of(set, run);
    double low = std::numeric_limits<double>::infinity(), high = -low;
    const auto take = [&](PointKind kind, std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i)
            if (const auto value = static_cast<double>(colour_value(set, usage, colour, kind, i));
                std::isfinite(value)) {
                low = std::min(low, value);
                high = std::max(high, value);
            }
    };
    take(PointKind::anchor, set.values.pool_size);
    if (colour != CloudColour::usage) take(PointKind::prompt, set.rows());  // of a row, not of a patch
    if (low > high) return std::nullopt;
    return std::pair{low, high};
}

PickedPoints picked_points(const EmbeddingSet& set, const std::vector<std::int64_t>& ids) {
    PickedPoints picked;
    for (const auto id : ids) {
        if (id < set.values.pool_size) {
            picked.anchors.push_back(id);
            continue;
        }
        const auto row = id - set.values.pool_size;
        if (const auto window = set.window_of(row); window >= 0)
            picked.pairs.emplace_back(window, set.channel_of(row));
    }
    auto& pairs = picked.pairs;
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return picked;
}

std::set<std::int64_t> ids_of(const EmbeddingSet& set, const std::set<std::int64_t>& anchors,
                              const std::set<std::int64_t>& windows, const std::set<std::int64_t>& channels,
                              const std::vector<WindowChannel>& pairs) {
    std::set<std::int64_t> ids;
    for (const auto anchor : anchors)
        if (anchor < set.values.pool_size) ids.insert(ids.end(), anchor);
    const auto& v = set.values;
    const auto m = v.channels.size();
    for (const auto& pair : pairs)
        if (const auto row = set.row_of_pair(pair); row >= 0) ids.insert(ids.end(), v.pool_size + row);
    if (windows.empty() || m == 0 || !pairs.empty()) return ids;
    std::vector<char> in_channel(m, 1);
    for (std::size_t c = 0; c < m && !channels.empty(); ++c)
        in_channel[c] = channels.count(v.channels[c]) > 0;
    for (std::size_t w = 0; w < v.windows.size(); ++w) {
        if (windows.count(v.windows[w]) == 0) continue;
        for (std::size_t c = 0; c < m; ++c)
            if (in_channel[c]) ids.insert(ids.end(), v.pool_size + static_cast<std::int64_t>(w * m + c));
    }
    return ids;
}

}  // namespace casp::widgets
