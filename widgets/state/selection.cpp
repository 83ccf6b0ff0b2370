#include "state/selection.h"

#include "words/core_text.h"

namespace casp::widgets {

namespace {

constexpr std::size_t max_entries = 200;
constexpr std::size_t max_channels_named = 3;
constexpr std::size_t max_numbers_named = 4;

QString numbers(const QString& one, const QString& several, const std::set<std::int64_t>& values) {
    if (values.size() > max_numbers_named) return QStringLiteral("%1 %2").arg(values.size()).arg(several);
    QStringList texts{values.size() == 1 ? one : several};
    for (const auto value : values) texts << QString::number(value);
    return texts.join(QLatin1Char(' '));
}

QString windows_text(const SelectionState& state) {
    const QString split = state.split.isEmpty() ? QString() : translated(state.split) + QLatin1Char(' ');
    if (state.windows.size() == 1) return QObject::tr("%1window %2").arg(split).arg(*state.windows.begin());
    return QObject::tr("%1 %2windows").arg(state.windows.size()).arg(split);
}

QString channels_text(const std::set<std::int64_t>& channels, const QStringList& names) {
    if (channels.size() > max_channels_named) return QObject::tr("%1 channels").arg(channels.size());
    QStringList texts;
    for (const auto channel : channels) {
        const bool named = channel >= 0 && channel < names.size();
        texts << (named ? names.at(static_cast<int>(channel)) : QObject::tr("channel %1").arg(channel));
    }
    return texts.join(QLatin1Char(' '));
}

/// "52 points of 37 test windows × 2 channels".
QString pairs_text(const SelectionState& state) {
    std::set<std::int64_t> channels;
    for (const auto& pair : state.pairs) channels.insert(pair.second);
    const auto points =
        state.pairs.size() == 1 ? QObject::tr("1 point") : QObject::tr("%1 points").arg(state.pairs.size());
    const auto of =
        channels.size() == 1 ? QObject::tr("1 channel") : QObject::tr("%1 channels").arg(channels.size());
    return QObject::tr("%1 of %2 × %3").arg(points, windows_text(state), of);
}

}  // namespace

void Selection::set(const SelectionState& state, const QString& gesture) {
    if (state == state_) return;
    const bool others =
        state.windows != state_.windows || state.channels != state_.channels || state.split != state_.split;
    const bool drops = others && state.pairs == state_.pairs;
    state_ = state;
    if (drops) state_.pairs.clear();
    remember(gesture);
    Q_EMIT changed();
}

void Selection::remember(const QString& gesture) {
    history_.resize(position_ + 1);  // drops the entries ahead
    const bool continues = !gesture.isEmpty() && gesture == last_gesture_ && position_ > 0;
    if (!continues) {
        history_.push_back(state_);
        if (history_.size() > max_entries) history_.erase(history_.begin());
        position_ = history_.size() - 1;
        last_gesture_ = gesture;
    } else if (history_[position_ - 1] == state_) {
        // A drag that ended where it began is no change.
        history_.pop_back();
        --position_;
        last_gesture_.clear();
    } else {
        history_[position_] = state_;
    }
}

void Selection::set_runs(const QStringList& folders) {
    auto next = state_;
    next.runs = folders;
    set(next);
}

void Selection::set_windows(std::set<std::int64_t> windows, const QString& split) {
    auto next = state_;
    next.windows = std::move(windows);
    if (!split.isEmpty()) next.split = split;
    set(next);
}

void Selection::set_anchors(std::set<std::int64_t> anchors, const QString& run_folder) {
    auto next = state_;
    next.anchors_of = anchors.empty() ? QString() : run_folder;
    next.anchors = std::move(anchors);
    set(next);
}

void Selection::set_channels(std::set<std::int64_t> channels) {
    auto next = state_;
    next.channels = std::move(channels);
    set(next);
}

void Selection::set_step(std::optional<std::int64_t> step) {
    auto next = state_;
    next.step = step;
    set(next);
}

void Selection::clear() {
    SelectionState next;
    next.runs = state_.runs;
    next.split = state_.split;
    set(next);
}

void Selection::highlight(const QStringList& folders) {
    if (highlighted_ == folders) return;
    highlighted_ = folders;
    Q_EMIT highlighted_changed();
}

QString Selection::highlighted() const {
    const auto& runs = highlighted_.isEmpty() ? state_.runs : highlighted_;
    return runs.size() == 1 ? runs.front() : QString();
}

void Selection::back() {
    if (!can_go_back()) return;
    state_ = history_[--position_];
    last_gesture_.clear();
    Q_EMIT changed();
}

void Selection::forward() {
    if (!can_go_forward()) return;
    state_ = history_[++position_];
    last_gesture_.clear();
    Q_EMIT changed();
}

QString Selection::text(const QStringList& channel_names) const {
    QStringList parts;
    if (!state_.pairs.empty()) {
        parts << pairs_text(state_);
    } else {
        if (!state_.windows.empty()) parts << windows_text(state_);
        if (!state_.channels.empty()) parts << channels_text(state_.channels, channel_names);
    }
    if (!state_.anchors.empty()) {
        const auto text = numbers(tr("anchor"), tr("anchors"), state_.anchors);
        // Views highlight them as well.
        parts << (!state_.windows.empty()      ? text
                  : state_.anchors.size() == 1 ? tr("%1 and the windows that retrieve it").arg(text)
                                               : tr("%1 and the windows that retrieve them").arg(text));
    }
    if (state_.step) parts << tr("step %1").arg(*state_.step);
    return parts.join(QStringLiteral(", "));
}

}  // namespace casp::widgets
