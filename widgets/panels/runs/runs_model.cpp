#include "panels/runs/runs_model.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "panels/training/training_progress.h"
#include "state/amount_text.h"
#include "state/core_message.h"
#include "state/core_text.h"
#include "state/run_names.h"
#include "store/result_columns.h"

namespace casp::widgets {

namespace {

constexpr qsizetype most_followed = 200;  ///< maximum number of followed shown runs

constexpr int column_count = static_cast<int>(RunsColumn::count);

bool is_running(const RunSummary& run) { return state_of(run) == store::RunState::running; }

}  // namespace

RunsModel::RunsModel(RunLibrary& library, Selection& selection, QObject* parent)
    : QAbstractTableModel(parent), library_(library), selection_(selection) {
    connect(&library, &RunLibrary::reset, this, &RunsModel::read_all);
    connect(&library, &RunLibrary::added, this, &RunsModel::add);
    connect(&library, &RunLibrary::changed, this, &RunsModel::update);
    connect(&library, &RunLibrary::removed, this, &RunsModel::remove);
    connect(&selection, &Selection::changed, this, &RunsModel::selection_changed);
    const auto& chosen = selection.state().runs;
    shown_ = QSet<QString>(chosen.begin(), chosen.end());
    read_all();
}

void RunsModel::read_all() {
    beginResetModel();
    runs_.clear();
    index_of_.clear();
    followed_.clear();
    const int size = library_.size();
    runs_.reserve(static_cast<std::size_t>(size));
    for (int i = 0; i < size; ++i) {
        runs_.push_back(library_.at(i));
        index_of_.insert(runs_.back().folder, i);
    }
    rows_ = matching_rows();
    number_rows();
    endResetModel();
    for (int i = 0; i < size; ++i) follow(i);
    Q_EMIT counts_changed();
}

void RunsModel::add(int first, int last) {
    if (first != total() || last < first) {  // a signal was missed: reload from the library
        read_all();
        return;
    }
    const bool many = last - first > 50;
    if (many) beginResetModel();
    for (int i = first; i <= last; ++i) {
        runs_.push_back(library_.at(i));
        index_of_.insert(runs_.back().folder, i);
        row_of_.push_back(-1);
        if (!many) place(i);
    }
    if (many) {
        rows_ = matching_rows();
        number_rows();
        endResetModel();
    }
    for (int i = first; i <= last; ++i) follow(i);
    Q_EMIT counts_changed();
}

void RunsModel::update(int index) {
    if (index < 0 || index >= total()) return;
    runs_[static_cast<std::size_t>(index)] = library_.at(index);
    place(index);
    follow(index);
}

void RunsModel::remove(const QString& folder) {
    const int index = index_of_.value(folder, -1);
    if (index < 0) return;
    const int row = row_of_[static_cast<std::size_t>(index)];
    if (row >= 0) {
        beginRemoveRows({}, row, row);
        rows_.erase(rows_.begin() + row);
    }
    runs_.erase(runs_.begin() + index);
    for (auto& i : rows_)
        if (i > index) --i;
    index_of_.remove(folder);
    for (auto& i : index_of_)
        if (i > index) --i;
    number_rows();
    if (row >= 0) endRemoveRows();
    followed_.remove(folder);
    Q_EMIT counts_changed();
}

void RunsModel::follow(int index) {
    const auto& run = runs_[static_cast<std::size_t>(index)];
    const bool looked_at = shown_.contains(run.folder) && shown_.size() <= most_followed;
    if ((!is_running(run) && !looked_at) || !followed_.value(run.folder).isNull()) return;
    RunData* data = library_.data(run.folder);
    if (data == nullptr) return;
    followed_.insert(run.folder, data);
    connect(data, &RunData::changed, this, [this, folder = run.folder](RunPart) {
        const int row = row_of(folder);
        if (row >= 0) Q_EMIT dataChanged(this->index(row, 0), this->index(row, column_count - 1));
    });
}

void RunsModel::selection_changed() {
    const auto& chosen = selection_.state().runs;
    QSet<QString> shown(chosen.begin(), chosen.end());
    if (shown == shown_) return;
    const auto before = std::exchange(shown_, std::move(shown));
    for (const auto& folder : std::as_const(shown_))
        if (const int index = index_of_.value(folder, -1); index >= 0) follow(index);
    if (!rows_.empty()) {
        const int last = static_cast<int>(rows_.size()) - 1;
        Q_EMIT dataChanged(index(0, 0), index(last, column_count - 1), {Qt::CheckStateRole, ShownRole});
    }
    if (sort_column_ == RunsColumn::shown || filter_.uses_shown()) place_again(before);
    Q_EMIT counts_changed();
}

/// Filter or order depend on the shown runs, which have changed.
void RunsModel::place_again(const QSet<QString>& shown_before) {
    const auto changed = (shown_before - shown_) + (shown_ - shown_before);
    if (changed.size() == 1) {  // as few moves as possible, so that rows stay under the pointer
        if (const int index = index_of_.value(*changed.begin(), -1); index >= 0) place(index);
        return;
    }
    take_rows(matching_rows());
}

void RunsModel::take_rows(std::vector<int> rows) {
    if (rows == rows_) return;
    beginResetModel();
    rows_ = std::move(rows);
    number_rows();
    endResetModel();
    Q_EMIT counts_changed();
}

int RunsModel::shown_count() const {
    return static_cast<int>(std::count_if(
        shown_.begin(), shown_.end(), [this](const QString& folder) { return index_of_.contains(folder); }));
}

bool RunsModel::has_scores() const {
    return std::any_of(runs_.begin(), runs_.end(),
                       [](const RunSummary& run) { return store::has_scores(run.row); });
}

void RunsModel::set_queued(const QStringList& folders) {
    QSet<QString> queued(folders.begin(), folders.end());
    if (queued == queued_) return;
    queued_ = std::move(queued);
    if (rows_.empty()) return;
    Q_EMIT dataChanged(index(0, 0), index(static_cast<int>(rows_.size()) - 1, column_count - 1));
}

bool RunsModel::accepts(int index) const {
    const auto& run = runs_[static_cast<std::size_t>(index)];
    return filter_.is_empty() || filter_.matches(run, shown_.contains(run.folder));
}

bool RunsModel::before(int a, int b) const {
    const auto& x = runs_[static_cast<std::size_t>(a)];
    const auto& y = runs_[static_cast<std::size_t>(b)];
    const bool down = sort_order_ == Qt::DescendingOrder;
    if (sort_column_ == RunsColumn::shown) {
        const bool p = shown_.contains(x.folder), q = shown_.contains(y.folder);
        if (p != q) return down ? q : p;
    } else if (sort_column_ == RunsColumn::updated && is_running(x) && is_running(y)) {
        return a < b;  // they would swap continuously
    } else if (const int order = compare_runs(x, y, sort_column_, down); order != 0) {
        return order < 0;
    }
    return a < b;  // order of arrival: a total order, so that a live list does not flicker
}

std::vector<int> RunsModel::matching_rows() const {
    std::vector<int> rows;
    rows.reserve(runs_.size());
    for (int i = 0; i < total(); ++i)
        if (accepts(i)) rows.push_back(i);
    std::sort(rows.begin(), rows.end(), [this](int a, int b) { return before(a, b); });
    return rows;
}

void RunsModel::number_rows() {
    row_of_.assign(runs_.size(), -1);
    for (std::size_t row = 0; row < rows_.size(); ++row)
        row_of_[static_cast<std::size_t>(rows_[row])] = static_cast<int>(row);
}

/// Moves one run to its position by filter and order, with the fewest moves.
void RunsModel::place(int index) {
    const auto before_it = [this](int a, int b) { return before(a, b); };
    const int row = row_of_[static_cast<std::size_t>(index)];
    if (!accepts(index)) {
        if (row < 0) return;
        beginRemoveRows({}, row, row);
        rows_.erase(rows_.begin() + row);
        number_rows();
        endRemoveRows();
        Q_EMIT counts_changed();
        return;
    }
    if (row < 0) {
        const auto at = std::upper_bound(rows_.begin(), rows_.end(), index, before_it);
        const int to = static_cast<int>(at - rows_.begin());
        beginInsertRows({}, to, to);
        rows_.insert(at, index);
        number_rows();
        endInsertRows();
        Q_EMIT counts_changed();
        return;
    }
    const int size = static_cast<int>(rows_.size());
    const auto i = static_cast<std::size_t>(row);
    const bool in_place =
        (row == 0 || before(rows_[i - 1], index)) && (row + 1 == size || before(index, rows_[i + 1]));
    if (!in_place) {
        auto others = rows_;
        others.erase(others.begin() + row);
        const auto at = std::upper_bound(others.begin(), others.end(), index, before_it);
        const int to = static_cast<int>(at - others.begin());
        others.insert(at, index);
        if (to != row && beginMoveRows({}, row, row, {}, to > row ? to + 1 : to)) {
            rows_ = std::move(others);
            number_rows();
            endMoveRows();
        }
    }
    const int now = row_of_[static_cast<std::size_t>(index)];
    Q_EMIT dataChanged(this->index(now, 0), this->index(now, column_count - 1));
}

void RunsModel::set_filter(const RunsFilter& filter) {
    filter_ = filter;
    take_rows(matching_rows());
}

void RunsModel::sort(int column, Qt::SortOrder order) {
    if (column < 0 || column >= column_count) return;
    sort_column_ = static_cast<RunsColumn>(column);
    sort_order_ = order;
    Q_EMIT layoutAboutToBeChanged({}, VerticalSortHint);
    const auto old_rows = rows_;
    rows_ = matching_rows();
    number_rows();
    const QModelIndexList from = persistentIndexList();
    QModelIndexList to;
    for (const auto& index : from) {
        const int run = old_rows[static_cast<std::size_t>(index.row())];
        to += this->index(row_of_[static_cast<std::size_t>(run)], index.column());
    }
    changePersistentIndexList(from, to);
    Q_EMIT layoutChanged({}, VerticalSortHint);
}

const RunSummary& RunsModel::run(int row) const {
    return runs_[static_cast<std::size_t>(rows_[static_cast<std::size_t>(row)])];
}

int RunsModel::row_of(const QString& folder) const {
    const int index = index_of_.value(folder, -1);
    return index < 0 ? -1 : row_of_[static_cast<std::size_t>(index)];
}

void RunsModel::set_shown(const QStringList& folders, bool on) {
    QStringList runs = selection_.state().runs;
    const QSet<QString> which(folders.begin(), folders.end());
    if (!on) {
        runs.removeIf([&which](const QString& folder) { return which.contains(folder); });
    } else {
        for (const auto& folder : folders)
            if (!shown_.contains(folder)) runs += folder;
    }
    selection_.set_runs(runs);
}

int RunsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int RunsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : column_count; }

double RunsModel::progress_of(const RunSummary& run) const {
    if (!is_running(run)) return -1;
    const RunData* data = followed_.value(run.folder);
    if (data == nullptr) return -1;
    const auto& pace = data->pace();
    return pace.stage.isEmpty() && pace.step == 0 ? -1 : std::clamp(pace.share(), -1.0, 1.0);
}

QString RunsModel::pace_of(const RunSummary& run) const {
    if (!is_running(run)) return {};
    const RunData* data = followed_.value(run.folder);
    if (data == nullptr) return tr("running in another process");
    const auto& pace = data->pace();
    QStringList parts;
    if (const auto stage = stage_text(pace); !stage.isEmpty()) parts += translated_stage(stage);
    if (parts.isEmpty() && pace.epochs > 0)
        parts += tr("epoch %1/%2").arg(std::max<qint64>(1, pace.epoch)).arg(pace.epochs);
    if (const double left = shown_seconds_left(pace); left > 0) parts += time_left_text(left);
    return parts.join(QStringLiteral(" · "));
}

QString RunsModel::state_text(const RunSummary& run) const {
    const auto state = state_of(run);
    if (state == store::RunState::queued && !run.live && !run.ours && !queued_.contains(run.folder))
        return QStringLiteral(QT_TRANSLATE_NOOP("core", "not started"));
    const RunData* data = is_running(run) ? followed_.value(run.folder).data() : nullptr;
    if (data == nullptr) return state_word(state);
    const auto stage = stage_text(data->pace());
    return stage.isEmpty() ? state_word(state) : stage;
}

QString RunsModel::damage_of(const RunSummary& run) const {
    if (!store::is_complete(run.row.state)) return {};
    const RunData* data = followed_.value(run.folder);
    return data == nullptr ? QString() : data->problem();
}

QString RunsModel::tooltip(const RunSummary& run, RunsColumn column) const {
    if (column == RunsColumn::state && !run.message.isEmpty())
        return tr("%1: %2").arg(translated(state_word(state_of(run))), translated_message(run.message));
    if (const auto damage = damage_of(run);
        !damage.isEmpty() && (column == RunsColumn::state || column == RunsColumn::name))
        return tr("⚠ This run's files cannot be read; the numbers here come from its run.json.\n") + damage +
               QLatin1Char('\n') + run.folder;
    if (column == RunsColumn::state && state_text(run) == QLatin1String("not started"))
        return tr("Not in the queue. Press Continue to start it");
    if (column == RunsColumn::note && !run.note.isEmpty()) return run.note;
    if (column == RunsColumn::colour) return tr("Double-click to change this run's colour");
    if (column == RunsColumn::shown)
        return shown_.contains(run.folder) ? tr("Shown in the views. Click or press Space to hide")
                                           : tr("Hidden. Click or press Space to show in the views");
    if (column == RunsColumn::backbone && run.row.backbone == "untrained")
        return tr("Trained on an untrained backbone: its numbers prove nothing about the method");
    if (info_of(column).number)
        return info_of(column).help + QLatin1Char('\n') + info_of(column).title + QStringLiteral(" = ") +
               (exact_text(run, column).isEmpty() ? tr("not available yet") : exact_text(run, column));
    QStringList lines{run.batch + QStringLiteral(" / ") + run.name};
    if (const auto model = model_of(run.row); !model.isEmpty()) lines += tr("Model: %1").arg(model);
    if (run.best) lines += info_of(RunsColumn::best).help;
    if (is_running(run)) lines += pace_of(run);
    if (!run.message.isEmpty()) lines += translated_message(run.message);
    if (!run.parent.isEmpty()) lines += tr("Forked from ") + display_text(run, RunsColumn::parent);
    if (!run.note.isEmpty()) lines += tr("Note: ") + run.note;
    lines += run.folder;
    return lines.join(QLatin1Char('\n'));
}

QVariant RunsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const auto& run = this->run(index.row());
    const auto column = static_cast<RunsColumn>(index.column());
    switch (role) {
        case Qt::DisplayRole:
            if (column == RunsColumn::state) return translated(display_text(run, column));
            return display_text(run, column);
        case Qt::ToolTipRole:
            return tooltip(run, column);
        case Qt::TextAlignmentRole:
            return static_cast<int>((info_of(column).number ? Qt::AlignRight : Qt::AlignLeft) |
                                    Qt::AlignVCenter);
        case Qt::CheckStateRole:
            if (column == RunsColumn::shown)
                return static_cast<int>(shown_.contains(run.folder) ? Qt::Checked : Qt::Unchecked);
            return {};
        case Qt::AccessibleTextRole: {
            if (column == RunsColumn::shown) return shown_.contains(run.folder) ? tr("shown") : tr("hidden");
            if (column == RunsColumn::colour) return run.colour.name();
            const QString text = column == RunsColumn::state ? translated(display_text(run, column))
                                                             : display_text(run, column);
            if (column == RunsColumn::name) {  // all that is read of a run in the narrow list
                QStringList parts{text};
                if (const auto model = model_of(run.row); !model.isEmpty()) parts += model;
                if (run.best) parts += tr("best by validation error");
                return parts.join(QStringLiteral(", "));
            }
            return info_of(column).title + QLatin1Char(' ') + text;
        }
        case SummaryRole:
            return QVariant::fromValue(const_cast<void*>(static_cast<const void*>(&run)));
        case ProgressRole:
            return progress_of(run);
        case PaceRole:
            return pace_of(run);
        case StateRole:
            return state_text(run);
        case DamageRole:
            return damage_of(run);
        case ShownRole:
            return shown_.contains(run.folder);
        default:
            return {};
    }
}

bool RunsModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return false;
    const QString folder = run(index.row()).folder;
    const auto column = static_cast<RunsColumn>(index.column());
    if (role == Qt::CheckStateRole && column == RunsColumn::shown) {
        set_shown({folder}, value.toInt() == Qt::Checked);
        return true;
    }
    return false;
}

QVariant RunsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= column_count) return {};
    const auto& info = info_of(static_cast<RunsColumn>(section));
    if (role == Qt::DisplayRole) return info.title;
    if (role == Qt::ToolTipRole) return info.help;
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((info.number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    return {};
}

Qt::ItemFlags RunsModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) return Qt::NoItemFlags;
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
    const auto column = static_cast<RunsColumn>(index.column());
    if (column == RunsColumn::shown) flags |= Qt::ItemIsUserCheckable;
    return flags;
}

}  // namespace casp::widgets
