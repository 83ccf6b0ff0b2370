#include "audit/truth_match.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "util/error.h"

namespace casp::audit {

namespace {

/// Largest 1 - r² of two sequences that are the same up to rounding to float32, and to anything coarser.
constexpr double most_unlike = 1e-6, most_unlike_coarse = 1e-2;
constexpr std::int64_t neighbours = 8;  ///< rows beside a guess that coarse values may be more alike to
constexpr std::int64_t max_compared_steps = 96;
constexpr int sampled_windows = 6;
constexpr std::size_t searched_windows = 3;  ///< in the whole file; the others only after these
/// Bounds the search where many rows are equal.
constexpr std::size_t max_candidates = 4096;
constexpr std::size_t max_equal_places = 16;
constexpr double float_rounding = 5e-7;

std::span<const double> steps_of(const data::Column& column, std::int64_t row, std::int64_t steps) {
    return std::span(column.values).subspan(static_cast<std::size_t>(row), static_cast<std::size_t>(steps));
}

/// x = factor·y + shift, by least squares.
struct Fit {
    double factor = 0, shift = 0;
    double unlike = 1;  ///< 1 - r²
};

Fit fit(std::span<const double> x, std::span<const double> y) {
    const auto n = static_cast<double>(x.size());
    double mean_x = 0, mean_y = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        mean_x += x[i];
        mean_y += y[i];
    }
    mean_x /= n;
    mean_y /= n;
    double xx = 0, yy = 0, xy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double a = x[i] - mean_x, b = y[i] - mean_y;
        xx += a * a;
        yy += b * b;
        xy += a * b;
    }
    if (!(xx > 0) || !(yy > 0) || !(xy > 0)) return {};
    const double factor = xy / yy;
    return {factor, mean_x - factor * mean_y, 1 - xy / xx * (xy / yy)};
}

/// Largest 1 - r² of x and what was rounded to it.
double unlike_by(const Rounding& rounding, std::span<const double> x) {
    double mean = 0, spread = 0, rounded = 0;
    for (const double value : x) mean += value / static_cast<double>(x.size());
    for (const double value : x) {
        spread += (value - mean) * (value - mean);
        rounded += std::pow(rounding.slack(value), 2);
    }
    return spread > 0 ? std::clamp(rounded / spread, most_unlike, most_unlike_coarse) : most_unlike;
}

/// Truths of one window, channel by channel.
class Truths {
public:
    Truths(const WindowArray& array, std::int64_t window)
        : channels_(static_cast<std::size_t>(array.channels())),
          values_(static_cast<std::size_t>(array.horizon() * array.channels())) {
        array.read(window, values_);
    }
    [[nodiscard]] std::vector<double> channel(std::size_t k, std::int64_t steps) const {
        std::vector<double> x;
        for (std::size_t h = 0; h < static_cast<std::size_t>(steps); ++h)
            x.push_back(values_[h * channels_ + k]);
        return x;
    }
    [[nodiscard]] bool is_finite(std::size_t k, std::int64_t steps) const {
        const auto x = channel(k, steps);
        return std::all_of(x.begin(), x.end(), [](double v) { return std::isfinite(v); });
    }

private:
    std::size_t channels_;
    std::vector<double> values_;
};

std::size_t distinct(const std::vector<double>& x) { return std::set<double>(x.begin(), x.end()).size(); }

/// A window whose rows are known.
struct Anchor {
    std::int64_t window = 0, row = 0;
    Truths truths;
};

class ReferenceSearch {
public:
    ReferenceSearch(const WindowArray& truth, std::span<const std::int64_t> numbers,
                    const data::PreparedData& data, Rounding rounding)
        : truth_(truth),
          numbers_(numbers),
          data_(data),
          rounding_(std::move(rounding)),
          steps_(std::min(truth.horizon(), max_compared_steps)) {}

    /// The place of a window, found by its channel with the most distinct values.
    [[nodiscard]] std::optional<Anchor> find(std::int64_t window, const std::vector<Anchor>& known,
                                             const std::stop_token& stop) const {
        const Truths truths(truth_, window);
        std::vector<double> x;
        std::size_t best_channel = 0, most = 0;
        for (std::size_t k = 0; k < static_cast<std::size_t>(truth_.channels()); ++k) {
            if (!truths.is_finite(k, steps_)) continue;
            auto values = truths.channel(k, steps_);
            if (const auto n = distinct(values); n > most) {
                most = n;
                best_channel = k;
                x = std::move(values);
            }
        }
        if (most < 3) return {};
        const auto& columns = data_.table.columns;
        const auto limit = unlike_by(rounding_, x);
        std::vector<std::int64_t> guesses{data_.plan.test.target_begin + number_of(window)};
        for (const auto& anchor : known)
            guesses.push_back(anchor.row + number_of(window) - number_of(anchor.window));
        for (std::size_t i = 0; i < columns.size(); ++i) {
            // Usually the channel's own column.
            const auto& column = columns[(best_channel + i) % columns.size()];
            for (const auto row : guesses) {
                const auto found = most_alike(x, column, row, row + 1, limit);
                if (!found) continue;
                const auto beside =
                    most_alike(x, column, row - neighbours, row + neighbours + 1, found->unlike / 2);
                return Anchor{window, rounding_.is_coarse() && beside ? beside->row : row, truths};
            }
        }
        if (known.size() >= searched_windows) return {};
        const auto found = in_all_columns(x, limit, stop);
        return found ? std::optional(Anchor{window, found->row, truths}) : std::nullopt;
    }

    /// Of an array of one channel.
    [[nodiscard]] std::optional<ItemPlace> find_item(std::int64_t item, std::span<const ItemPlace> guesses,
                                                     const std::stop_token& stop) const {
        const auto x = Truths(truth_, item).channel(0, steps_);
        if (!std::all_of(x.begin(), x.end(), [](double v) { return std::isfinite(v); }) || distinct(x) < 3)
            return {};
        const auto limit = unlike_by(rounding_, x);
        for (const auto& [column, row] : guesses)
            if (most_alike(x, data_.table.columns[static_cast<std::size_t>(column)], row, row + 1, limit))
                return ItemPlace{column, row};
        return in_all_columns(x, limit, stop);
    }

    [[nodiscard]] std::int64_t steps() const { return steps_; }

private:
    struct Place {
        std::int64_t row = 0;
        double unlike = 0;
    };

    [[nodiscard]] std::int64_t number_of(std::int64_t window) const {
        return numbers_.empty() ? window : numbers_[static_cast<std::size_t>(window)];
    }

    [[nodiscard]] std::optional<ItemPlace> in_all_columns(std::span<const double> x, double limit,
                                                          const std::stop_token& stop) const {
        std::optional<ItemPlace> found;
        for (std::int64_t column = 0; column < std::ssize(data_.table.columns); ++column) {
            throw_if_stopped(stop);
            const auto place = most_alike(x, data_.table.columns[static_cast<std::size_t>(column)], 0,
                                          data_.table.rows(), limit);
            if (!place) continue;
            limit = place->unlike;
            found = ItemPlace{column, place->row};
        }
        return found;
    }

    /// The row of [first, end) with the smallest 1 - r² below `limit`.
    [[nodiscard]] std::optional<Place> most_alike(std::span<const double> x, const data::Column& column,
                                                  std::int64_t first, std::int64_t end, double limit) const {
        std::optional<Place> best;
        end = std::min(end, data_.table.rows() - truth_.horizon() + 1);
        for (auto row = std::max<std::int64_t>(0, first); row < end; ++row)
            if (const auto unlike = fit(x, steps_of(column, row, steps_)).unlike; unlike < limit) {
                limit = unlike;
                best = {row, unlike};
            }
        return best;
    }

    const WindowArray& truth_;
    std::span<const std::int64_t> numbers_;
    const data::PreparedData& data_;
    Rounding rounding_;
    std::int64_t steps_;
};

/// Largest difference of equal values, of which one was rounded to float32 after or while it was scaled, and
/// once more if the array is coarser.
double tolerance(double scaled, double value, const ChannelMatch& match, const data::Scaler& own,
                 std::size_t column) {
    const double mean = match.scaling.scaler.mean[column], std = match.scaling.scaler.std[column];
    const double size = std::abs(value) + std::abs(mean) + std::abs(own.mean[column]) + own.std[column];
    return 2e-6 * std::abs(scaled) + float_rounding * size / std + match.rounding.slack(scaled);
}

/// A value of the data set as the array should have it.
double scaled_by(const Scaling& scaling, double value, std::size_t column) {
    return (value - scaling.scaler.mean[column]) / scaling.scaler.std[column];
}

/// Columns of the channels by their shape at the anchors; -1 where all of a channel's anchors are constant.
class ShapeMatch {
public:
    ShapeMatch(std::int64_t channels, const data::PreparedData& data, std::span<const Anchor> anchors,
               std::int64_t steps, const Rounding& rounding)
        : channels_(static_cast<std::size_t>(channels)),
          data_(data),
          anchors_(anchors),
          steps_(steps),
          rounding_(rounding) {}

    /// The scaling of the list with which all anchors have their values; nothing: none has.
    [[nodiscard]] std::optional<ChannelMatch> by_scaling(const std::vector<Scaling>& scalings) const {
        for (const auto& scaling : scalings) {
            ChannelMatch match{{}, scaling, rounding_};
            for (std::size_t k = 0; k < channels_; ++k) match.column.push_back(column_of(k, match));
            if (std::count(match.column.begin(), match.column.end(), -1) == 0) return match;
        }
        return {};
    }

    /// A scaling of the list for each channel; nothing: one has none of them.
    [[nodiscard]] std::optional<ChannelMatch> by_scaling_of_channels(
        const std::vector<Scaling>& scalings) const {
        ChannelMatch match{{}, scalings.front(), rounding_};
        std::vector<const Scaling*> of_column(data_.table.columns.size(), nullptr);
        for (std::size_t k = 0; k < channels_; ++k) {
            std::int64_t column = -1;
            for (auto scaling = scalings.begin(); column < 0 && scaling != scalings.end(); ++scaling) {
                match.scaling = *scaling;
                column = column_of(k, match);
                if (column >= 0) of_column[static_cast<std::size_t>(column)] = &*scaling;
            }
            if (column < 0) return {};
            match.column.push_back(column);
        }
        match.scaling = mixed_scaling(of_column, data_);
        return match;
    }

    /// Columns by correlation and the scaling estimated from the anchors.
    [[nodiscard]] std::optional<ChannelMatch> by_shape() const {
        ChannelMatch match{{}, {Scaling::Kind::foreign, "an unknown scaling", data_.scaler}, rounding_};
        for (std::size_t k = 0; k < channels_; ++k) match.column.push_back(fitted_column(k, match));
        const bool any = std::any_of(match.column.begin(), match.column.end(), [](auto c) { return c >= 0; });
        return any ? std::optional(match) : std::nullopt;
    }

private:
    /// At all anchors that have the channel, at least one.
    [[nodiscard]] bool fits(std::size_t channel, std::size_t column, const ChannelMatch& match) const {
        bool any = false;
        for (const auto& anchor : anchors_) {
            if (!anchor.truths.is_finite(channel, steps_)) continue;
            any = true;
            const auto x = anchor.truths.channel(channel, steps_);
            const auto y = steps_of(data_.table.columns[column], anchor.row, steps_);
            for (std::size_t i = 0; i < x.size(); ++i) {
                const double scaled = scaled_by(match.scaling, y[i], column);
                if (std::abs(x[i] - scaled) > tolerance(scaled, y[i], match, data_.scaler, column))
                    return false;
            }
        }
        return any;
    }

    /// The channel's own column if it fits, else the first free one.
    [[nodiscard]] std::int64_t column_of(std::size_t channel, const ChannelMatch& match) const {
        const auto columns = data_.table.columns.size();
        const auto taken = [&](std::size_t column) {
            return std::find(match.column.begin(), match.column.end(), static_cast<std::int64_t>(column)) !=
                   match.column.end();
        };
        if (channel < columns && !taken(channel) && fits(channel, channel, match))
            return static_cast<std::int64_t>(channel);
        for (std::size_t column = 0; column < columns; ++column)
            if (!taken(column) && fits(channel, column, match)) return static_cast<std::int64_t>(column);
        return -1;
    }

    /// All anchors together, so that the fit has the range of all of them.
    [[nodiscard]] std::int64_t fitted_column(std::size_t channel, ChannelMatch& match) const {
        std::vector<const Anchor*> anchors;
        std::vector<double> x;
        for (const auto& anchor : anchors_) {
            if (!anchor.truths.is_finite(channel, steps_)) continue;
            anchors.push_back(&anchor);
            for (const double value : anchor.truths.channel(channel, steps_)) x.push_back(value);
        }
        if (x.empty()) return -1;
        const auto fit_to = [&](std::size_t column) {
            std::vector<double> y;
            for (const auto* anchor : anchors)
                for (const double value : steps_of(data_.table.columns[column], anchor->row, steps_))
                    y.push_back(value);
            return fit(x, y);
        };
        std::int64_t best = -1;
        Fit found;
        found.unlike = unlike_by(rounding_, x);
        for (std::size_t column = 0; column < data_.table.columns.size(); ++column)
            if (const auto one = fit_to(column); one.unlike < found.unlike) {
                found = one;
                best = static_cast<std::int64_t>(column);
            }
        if (best < 0) return best;
        const auto column = static_cast<std::size_t>(best);
        match.scaling.scaler.std[column] = 1 / found.factor;
        match.scaling.scaler.mean[column] = -found.shift / found.factor;
        return best;
    }

    std::size_t channels_;
    const data::PreparedData& data_;
    std::span<const Anchor> anchors_;
    std::int64_t steps_;
    const Rounding& rounding_;
};

/// Finds windows by their values.
class RowFinder {
public:
    RowFinder(const ChannelMatch& channels, const data::PreparedData& data, std::int64_t horizon)
        : channels_(channels), data_(data), horizon_(horizon) {
        std::size_t most = 0;
        for (std::size_t k = 0; k < channels.column.size(); ++k) {
            if (channels.column[k] < 0) continue;
            const auto& values = column(k).values;
            const auto n = std::set<double>(values.begin(), values.end()).size();
            if (n > most) {
                most = n;
                key_ = k;
            }
        }
        const auto& values = column(key_).values;
        for (std::int64_t row = 0; row + horizon <= data.table.rows(); ++row)
            index_.emplace_back(values[static_cast<std::size_t>(row)], row);
        std::sort(index_.begin(), index_.end());
        scale_rows();
    }

    /// Whether the finite values of the window are those of the rows from `row` on, at least one of them.
    [[nodiscard]] bool is_at(const std::vector<double>& window, std::int64_t row) const {
        if (row < 0 || row + horizon_ > data_.table.rows()) return false;
        const auto* expected = expected_.data() + static_cast<std::size_t>(row) * channels_.column.size();
        bool any = false;
        for (std::size_t i = 0; i < window.size(); ++i) {
            if (!std::isfinite(window[i]) || std::isnan(expected[i].value)) continue;
            if (!(std::abs(window[i] - expected[i].value) <= expected[i].slack)) return false;
            any = true;
        }
        return any;
    }

    /// All rows, at most `max_equal_places`, at which the window is.
    [[nodiscard]] std::vector<std::int64_t> places(const std::vector<double>& window) const {
        std::vector<std::int64_t> rows;
        const double scaled = window[key_];
        if (!std::isfinite(scaled)) return rows;
        const auto c = static_cast<std::size_t>(channels_.column[key_]);
        const double std = channels_.scaling.scaler.std[c], mean = channels_.scaling.scaler.mean[c];
        const double value = scaled * std + mean;
        const double slack = 2 * std * tolerance(scaled, value, channels_, data_.scaler, c);
        auto at = std::lower_bound(index_.begin(), index_.end(), std::pair(value - slack, std::int64_t{0}));
        for (std::size_t n = 0; at != index_.end() && at->first <= value + slack && n < max_candidates;
             ++at, ++n) {
            if (is_at(window, at->second)) rows.push_back(at->second);
            if (rows.size() == max_equal_places) break;
        }
        return rows;
    }

private:
    /// A value of the data set as the array should have it; NaN: the channel is no column.
    struct Expected {
        double value = std::numeric_limits<double>::quiet_NaN();
        double slack = 0;
    };

    void scale_rows() {
        const auto n = channels_.column.size();
        expected_.resize(static_cast<std::size_t>(data_.table.rows()) * n);
        for (std::size_t k = 0; k < n; ++k) {
            if (channels_.column[k] < 0) continue;
            const auto c = static_cast<std::size_t>(channels_.column[k]);
            const auto& values = column(k).values;
            for (std::size_t row = 0; row < values.size(); ++row) {
                const double scaled = scaled_by(channels_.scaling, values[row], c);
                expected_[row * n + k] = {scaled, tolerance(scaled, values[row], channels_, data_.scaler, c)};
            }
        }
    }

    [[nodiscard]] const data::Column& column(std::size_t channel) const {
        return data_.table.columns[static_cast<std::size_t>(channels_.column[channel])];
    }

    const ChannelMatch& channels_;
    const data::PreparedData& data_;
    std::int64_t horizon_;
    std::size_t key_ = 0;                                 ///< channel with the most distinct values
    std::vector<Expected> expected_;                      ///< [rows, channels]
    std::vector<std::pair<double, std::int64_t>> index_;  ///< its values with their rows, ascending
};

/// The first windows, of which each has several places, go before the first that has one, unless the first of
/// all is where it is expected.
void place_leading(const std::vector<std::vector<std::int64_t>>& leading, std::int64_t expected,
                   std::vector<std::int64_t>& row) {
    const auto n = leading.size();
    if (n == 0 || n + 1 >= row.size() || row.front() == expected || row[n] < 0) return;
    const auto step = row[n + 1] > row[n] ? row[n + 1] - row[n] : 1;
    for (auto w = n; w-- > 0;) {
        const auto place = row[w + 1] - step;
        if (std::find(leading[w].begin(), leading[w].end(), place) == leading[w].end()) return;
        row[w] = place;
    }
}

}  // namespace

std::optional<ItemPlace> find_item(const WindowArray& truth, std::int64_t item,
                                   std::span<const ItemPlace> guesses, const data::PreparedData& data,
                                   const std::stop_token& stop) {
    return ReferenceSearch(truth, {}, data, rounding_of(truth)).find_item(item, guesses, stop);
}

std::optional<ChannelMatch> match_channels(const WindowArray& truth, std::span<const std::int64_t> numbers,
                                           const data::PreparedData& data, const std::stop_token& stop) {
    if (truth.horizon() > data.table.rows()) return {};
    const auto rounding = rounding_of(truth);
    const ReferenceSearch search(truth, numbers, data, rounding);
    std::vector<Anchor> anchors;
    const auto last = truth.windows() - 1;
    for (int i = 0; i < sampled_windows; ++i)
        if (const auto anchor = search.find(last * i / (sampled_windows - 1), anchors, stop))
            anchors.push_back(*anchor);
    if (anchors.empty()) return {};
    const auto scalings = possible_scalings(data);
    const auto shapes_of = [&](const Rounding& of, std::size_t first, std::size_t count) {
        return ShapeMatch(truth.channels(), data, std::span(anchors).subspan(first, count), search.steps(),
                          of);
    };
    // Values with few digits may be exact.
    std::vector<Rounding> roundings{rounding};
    if (rounding.is_coarse() && !truth.is_half()) roundings.insert(roundings.begin(), Rounding{});
    for (const auto& of : roundings) {
        if (auto match = shapes_of(of, 0, anchors.size()).by_scaling(scalings)) return match;
        // A sample that was found by chance, or is damaged, must not hide the others.
        for (std::size_t i = 0; i < anchors.size(); ++i)
            if (auto match = shapes_of(of, i, 1).by_scaling(scalings)) return match;
        if (auto match = shapes_of(of, 0, anchors.size()).by_scaling_of_channels(scalings)) return match;
    }
    return shapes_of(rounding, 0, anchors.size()).by_shape();
}

RowMatch match_rows(const WindowArray& truth, std::span<const std::int64_t> numbers,
                    const ChannelMatch& channels, const data::PreparedData& data, const ProgressFn& progress,
                    const std::stop_token& stop) {
    const RowFinder finder(channels, data, truth.horizon());
    const auto first = data.plan.test.target_begin;
    const auto end = first + data.plan.test.windows;
    std::vector<bool> used(static_cast<std::size_t>(data.table.rows()), false);
    std::vector<double> window(static_cast<std::size_t>(truth.horizon() * truth.channels()));
    RowMatch match;
    std::vector<std::vector<std::int64_t>> leading;  // places of the first windows, until one is unambiguous
    bool is_leading = true;
    std::int64_t before = -2, step = 1, last_step = 1;  // step: of the last windows, if they have the same
    for (std::int64_t w = 0; w < truth.windows(); ++w) {
        if (w % 256 == 0) {
            throw_if_stopped(stop);
            if (progress) progress({Stage::matching_windows, w, truth.windows(), "windows"});
        }
        truth.read(w, window);
        const auto places = finder.places(window);
        match.ambiguous += places.size() > 1 ? 1 : 0;
        is_leading = is_leading && places.size() > 1;
        if (is_leading) leading.push_back(places);
        std::int64_t row = -1;
        const auto is_free = [&](std::int64_t r) { return !used[static_cast<std::size_t>(r)]; };
        // Without a value to look up, or with too many places, the list may lack these.
        const auto is_at = [&](std::int64_t r) {
            return std::find(places.begin(), places.end(), r) != places.end() ||
                   ((places.empty() || places.size() == max_equal_places) && finder.is_at(window, r));
        };
        const auto expected = first + (numbers.empty() ? w : numbers[static_cast<std::size_t>(w)]);
        if (is_at(before + step) && is_free(before + step)) {
            row = before + step;
        } else if (is_at(expected) && is_free(expected)) {
            row = expected;
        } else if (!places.empty()) {
            row = places.front();
            for (const auto place : places)
                if (is_free(place) && place >= first && place < end) {
                    row = place;
                    break;
                }
        }
        if (row >= 0) used[static_cast<std::size_t>(row)] = true;
        match.row.push_back(row);
        if (row >= 0) step = row - before == last_step ? last_step : 1;
        last_step = row >= 0 ? row - before : last_step;
        before = row >= 0 ? row : before + step;
    }
    place_leading(leading, first + (numbers.empty() ? 0 : numbers.front()), match.row);
    if (progress) progress({Stage::matching_windows, truth.windows(), truth.windows(), "windows"});
    return match;
}

void rescale_window(std::span<const double> values, const ChannelMatch& channels,
                    const data::PreparedData& data, std::vector<double>& out) {
    const auto columns = data.table.columns.size(), count = channels.column.size();
    const auto horizon = values.size() / count;
    out.assign(horizon * columns, std::numeric_limits<double>::quiet_NaN());
    for (std::size_t k = 0; k < count; ++k) {
        if (channels.column[k] < 0) continue;
        const auto c = static_cast<std::size_t>(channels.column[k]);
        const auto& from = channels.scaling.scaler;
        // Not scaled back and forth where nothing changes: the values stay as they are.
        const bool same = from.mean[c] == data.scaler.mean[c] && from.std[c] == data.scaler.std[c];
        const double factor = from.std[c] / data.scaler.std[c];
        const double shift = (from.mean[c] - data.scaler.mean[c]) / data.scaler.std[c];
        for (std::size_t h = 0; h < horizon; ++h) {
            const double value = values[h * count + k];
            out[h * columns + c] = same ? value : value * factor + shift;
        }
    }
}

}  // namespace casp::audit
