#include "panels/runs/runs_model.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <QAbstractTableModel>
#include <QHash>
#include <QPointer>
#include <QSet>
#include <QSignalBlocker>

#include "panels/training/training_progress.h"
#include "state/run_names.h"
#include "store/result_columns.h"
#include "words/amount_text.h"
#include "words/core_text.h"

namespace casp::widgets {

namespace {

constexpr qsizetype max_followed = 200;  ///< maximum number of followed shown runs

int column_count() { return static_cast<int>(runs_columns().size()); }

bool is_running(const RunSummary& run) { return state_of(run) == store::RunState::running; }

}  // namespace

/// All runs, in the order of the library.
class RunsModel::Table : public QAbstractTableModel {
public:
    Table(RunLibrary& library, Selection& selection, RunsModel& list);

    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(runs.size());
    }
    int columnCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : column_count();
    }
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

    [[nodiscard]] int row_of(const QString& folder) const { return row_of_.value(folder, -1); }
    [[nodiscard]] bool is_shown(int row) const {
        return shown.contains(runs[static_cast<std::size_t>(row)].folder);
    }
    void set_queued(const QStringList& folders);

    std::vector<RunSummary> runs;
    QSet<QString> shown, queued;

private:
    void read_all();
    void add(int first, int last);
    void update(int row);
    void remove(const QString& folder);
    void follow(int row);
    void selection_changed();
    void tell_all(const QList<int>& roles = {});
    [[nodiscard]] double progress_of(const RunSummary& run) const;
    [[nodiscard]] QString pace_of(const RunSummary& run) const;
    /// Queued once, but not in the queue of this process.
    [[nodiscard]] bool is_forgotten(const RunSummary& run) const;
    [[nodiscard]] Aside aside(const RunSummary& run) const;
    [[nodiscard]] QString state_text(const RunSummary& run) const;
    [[nodiscard]] QString damage_of(const RunSummary& run) const;
    [[nodiscard]] QString tooltip(const RunSummary& run, RunsColumn column) const;

    RunLibrary& library_;
    Selection& selection_;
    RunsModel& list_;
    QHash<QString, int> row_of_;
    QHash<QString, QPointer<RunData>> followed_;  ///< of running or shown runs
};

RunsModel::Table::Table(RunLibrary& library, Selection& selection, RunsModel& list)
    : QAbstractTableModel(&list), library_(library), selection_(selection), list_(list) {
    connect(&library, &RunLibrary::reset, this, &Table::read_all);
    connect(&library, &RunLibrary::added, this, &Table::add);
    connect(&library, &RunLibrary::changed, this, &Table::update);
    connect(&library, &RunLibrary::removed, this, &Table::remove);
    connect(&selection, &Selection::changed, this, &Table::selection_changed);
    const auto& chosen = selection.state().runs;
    shown = QSet<QString>(chosen.begin(), chosen.end());
    read_all();
}

void RunsModel::Table::read_all() {
    beginResetModel();
    runs.clear();
    row_of_.clear();
    followed_.clear();
    const int size = library_.size();
    runs.reserve(static_cast<std::size_t>(size));
    for (int i = 0; i < size; ++i) {
        runs.push_back(library_.at(i));
        row_of_.insert(runs.back().folder, i);
    }
    endResetModel();
    for (int i = 0; i < size; ++i) follow(i);
    Q_EMIT list_.counts_changed();
}

void RunsModel::Table::add(int first, int last) {
    // Many at once are read anew, as if a signal was missed: every stretch of rows would be a signal of its
    // own.
    if (first != rowCount() || last < first || last - first > 50) return read_all();
    beginInsertRows({}, first, last);
    for (int i = first; i <= last; ++i) {
        runs.push_back(library_.at(i));
        row_of_.insert(runs.back().folder, i);
    }
    endInsertRows();
    for (int i = first; i <= last; ++i) follow(i);
    Q_EMIT list_.counts_changed();
}

void RunsModel::Table::update(int row) {
    if (row < 0 || row >= rowCount()) return;
    runs[static_cast<std::size_t>(row)] = library_.at(row);
    const int before = list_.rowCount();
    Q_EMIT dataChanged(index(row, 0), index(row, column_count() - 1));
    follow(row);
    if (list_.rowCount() != before) Q_EMIT list_.counts_changed();
}

void RunsModel::Table::remove(const QString& folder) {
    const int row = row_of(folder);
    if (row < 0) return;
    beginRemoveRows({}, row, row);
    runs.erase(runs.begin() + row);
    row_of_.remove(folder);
    for (auto& i : row_of_)
        if (i > row) --i;
    endRemoveRows();
    followed_.remove(folder);
    Q_EMIT list_.counts_changed();
}

void RunsModel::Table::follow(int row) {
    const auto& run = runs[static_cast<std::size_t>(row)];
    const bool looked_at = shown.contains(run.folder) && shown.size() <= max_followed;
    if ((!is_running(run) && !looked_at) || !followed_.value(run.folder).isNull()) return;
    RunData* data = library_.data(run.folder);
    if (data == nullptr) return;
    followed_.insert(run.folder, data);
    connect(data, &RunData::changed, this, [this, folder = run.folder](RunPart) {
        if (const int at = row_of(folder); at >= 0)
            Q_EMIT dataChanged(index(at, 0), index(at, column_count() - 1));
    });
}

/// Filter or order may depend on it.
void RunsModel::Table::selection_changed() {
    const auto& chosen = selection_.state().runs;
    QSet<QString> now(chosen.begin(), chosen.end());
    if (std::exchange(shown, std::move(now)) == shown) return;
    for (const auto& folder : std::as_const(shown))
        if (const int row = row_of(folder); row >= 0) follow(row);
    tell_all({Qt::CheckStateRole, ShownRole});
    Q_EMIT list_.counts_changed();
}

void RunsModel::Table::set_queued(const QStringList& folders) {
    QSet<QString> now(folders.begin(), folders.end());
    if (std::exchange(queued, std::move(now)) != queued) tell_all();
}

void RunsModel::Table::tell_all(const QList<int>& roles) {
    if (!runs.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, column_count() - 1), roles);
}

RunsModel::RunsModel(RunLibrary& library, Selection& selection, QObject* parent)
    : QSortFilterProxyModel(parent), table_(new Table(library, selection, *this)), selection_(selection) {
    setSourceModel(table_);
    sort(static_cast<int>(RunsColumn::created), Qt::DescendingOrder);
}

int RunsModel::total() const { return table_->rowCount(); }
bool RunsModel::is_shown(const QString& folder) const { return table_->shown.contains(folder); }
bool RunsModel::is_queued(const QString& folder) const { return table_->queued.contains(folder); }
void RunsModel::set_queued(const QStringList& folders) { table_->set_queued(folders); }

int RunsModel::shown_count() const {
    return static_cast<int>(
        std::count_if(table_->shown.begin(), table_->shown.end(),
                      [this](const QString& folder) { return table_->row_of(folder) >= 0; }));
}

bool RunsModel::has_scores() const {
    return std::any_of(table_->runs.begin(), table_->runs.end(),
                       [](const RunSummary& run) { return store::has_scores(run.row); });
}

void RunsModel::set_filter(const RunsFilter& filter) {
    beginResetModel();
    {
        const QSignalBlocker block(this);  // every stretch of rows would be a signal of its own
        filter_ = filter;
        invalidateFilter();
    }
    endResetModel();
    Q_EMIT counts_changed();
}

bool RunsModel::filterAcceptsRow(int row, const QModelIndex& /*parent*/) const {
    return filter_.is_empty() ||
           filter_.matches(table_->runs[static_cast<std::size_t>(row)], table_->is_shown(row));
}

bool RunsModel::lessThan(const QModelIndex& a, const QModelIndex& b) const {
    // Ties, and unknown values, are in the same order whatever the direction.
    const bool down = sortOrder() == Qt::DescendingOrder;
    const int first = down ? b.row() : a.row(), second = down ? a.row() : b.row();
    const auto &x = table_->runs[static_cast<std::size_t>(first)],
               &y = table_->runs[static_cast<std::size_t>(second)];
    int order = 0;
    if (sort_column() == RunsColumn::shown)
        order = (static_cast<int>(table_->is_shown(second)) - static_cast<int>(table_->is_shown(first))) *
                (down ? -1 : 1);
    else if (sort_column() != RunsColumn::updated || !is_running(x) || !is_running(y))  // they would swap
        order = compare_runs(x, y, sort_column(), down);
    return order != 0 ? order < 0 : first < second;
}

const RunSummary& RunsModel::run(int row) const {
    return table_->runs[static_cast<std::size_t>(mapToSource(index(row, 0)).row())];
}

int RunsModel::row_of(const QString& folder) const {
    const int row = table_->row_of(folder);
    return row < 0 ? -1 : mapFromSource(table_->index(row, 0)).row();
}

void RunsModel::set_shown(const QStringList& folders, bool on) {
    QStringList runs = selection_.state().runs;
    const QSet<QString> which(folders.begin(), folders.end());
    if (!on) {
        runs.removeIf([&which](const QString& folder) { return which.contains(folder); });
    } else {
        for (const auto& folder : folders)
            if (!is_shown(folder)) runs += folder;
    }
    selection_.set_runs(runs);
}

double RunsModel::Table::progress_of(const RunSummary& run) const {
    if (!is_running(run)) return -1;
    const RunData* data = followed_.value(run.folder);
    if (data == nullptr) return -1;
    const auto& pace = data->pace();
    return pace.stage.empty() && pace.step == 0 ? -1 : std::clamp(pace.share(), -1.0, 1.0);
}

QString RunsModel::Table::pace_of(const RunSummary& run) const {
    if (!is_running(run)) return {};
    const RunData* data = followed_.value(run.folder);
    if (data == nullptr) return RunsModel::tr("running in another process");
    const auto& pace = data->pace();
    QStringList parts;
    if (const auto stage = stage_text(pace); !stage.isEmpty()) parts += stage;
    if (parts.isEmpty() && pace.epochs > 0)
        parts += RunsModel::tr("epoch %1/%2").arg(std::max<qint64>(1, pace.epoch)).arg(pace.epochs);
    if (const double left = shown_seconds_left(pace); left > 0) parts += time_left_text(left);
    return parts.join(QStringLiteral(" · "));
}

bool RunsModel::Table::is_forgotten(const RunSummary& run) const {
    return state_of(run) == store::RunState::queued && !run.live && !run.ours && !queued.contains(run.folder);
}

Aside RunsModel::Table::aside(const RunSummary& run) const {
    const RunData* data = is_running(run) ? followed_.value(run.folder).data() : nullptr;
    return data == nullptr ? Aside::none : aside_of(data->pace());
}

QString RunsModel::Table::state_text(const RunSummary& run) const {
    if (is_forgotten(run)) return translated("not started");
    const RunData* data = is_running(run) ? followed_.value(run.folder).data() : nullptr;
    const auto stage = data == nullptr ? QString() : stage_text(data->pace());
    return stage.isEmpty() ? translated(state_word(state_of(run))) : stage;
}

QString RunsModel::Table::damage_of(const RunSummary& run) const {
    if (!store::is_complete(run.row.state)) return {};
    const RunData* data = followed_.value(run.folder);
    return data == nullptr ? QString() : data->problem();
}

QString RunsModel::Table::tooltip(const RunSummary& run, RunsColumn column) const {
    if (column == RunsColumn::state && !run.message.isEmpty())
        return RunsModel::tr("%1: %2").arg(translated(state_word(state_of(run))), run.message);
    if (const auto damage = damage_of(run);
        !damage.isEmpty() && (column == RunsColumn::state || column == RunsColumn::name))
        return RunsModel::tr(
                   "⚠ This run's files cannot be read; the numbers here come from its run.json.\n") +
               damage + QLatin1Char('\n') + run.folder;
    if (column == RunsColumn::state && is_forgotten(run))
        return RunsModel::tr("Not in the queue. Press Continue to start it");
    if (column == RunsColumn::note && !run.note.isEmpty()) return run.note;
    if (column == RunsColumn::colour) return RunsModel::tr("Double-click to change this run's colour");
    if (column == RunsColumn::shown)
        return shown.contains(run.folder)
                   ? RunsModel::tr("Shown in the views. Click or press Space to hide")
                   : RunsModel::tr("Hidden. Click or press Space to show in the views");
    if (column == result_column("backbone") && run.row.backbone == "untrained")
        return RunsModel::tr("Trained on an untrained backbone: its numbers prove nothing about the method");
    if (info_of(column).number)
        return info_of(column).help + QLatin1Char('\n') + info_of(column).title + QStringLiteral(" = ") +
               (exact_text(run, column).isEmpty() ? RunsModel::tr("not available yet")
                                                  : exact_text(run, column));
    QStringList lines{run.batch + QStringLiteral(" / ") + run.name};
    if (const auto model = model_of(run.row); !model.isEmpty())
        lines += RunsModel::tr("Model: %1").arg(model);
    if (run.best) lines += info_of(RunsColumn::best).help;
    if (is_running(run)) lines += pace_of(run);
    if (!run.message.isEmpty()) lines += run.message;
    if (!run.parent.isEmpty()) lines += RunsModel::tr("Forked from ") + display_text(run, RunsColumn::parent);
    if (!run.note.isEmpty()) lines += RunsModel::tr("Note: ") + run.note;
    lines += run.folder;
    return lines.join(QLatin1Char('\n'));
}

QVariant RunsModel::Table::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const auto& run = runs[static_cast<std::size_t>(index.row())];
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
                return static_cast<int>(shown.contains(run.folder) ? Qt::Checked : Qt::Unchecked);
            return {};
        case Qt::AccessibleTextRole: {
            if (column == RunsColumn::shown)
                return shown.contains(run.folder) ? RunsModel::tr("shown") : RunsModel::tr("hidden");
            if (column == RunsColumn::colour) return run.colour.name();
            const QString text = column == RunsColumn::state ? translated(display_text(run, column))
                                                             : display_text(run, column);
            if (column == RunsColumn::name) {  // all that is read of a run in the narrow list
                QStringList parts{text};
                if (const auto model = model_of(run.row); !model.isEmpty()) parts += model;
                if (run.best) parts += RunsModel::tr("best by validation error");
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
        case AsideRole:
            return static_cast<int>(aside(run));
        case DamageRole:
            return damage_of(run);
        case ShownRole:
            return shown.contains(run.folder);
        default:
            return {};
    }
}

bool RunsModel::Table::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return false;
    const QString folder = runs[static_cast<std::size_t>(index.row())].folder;
    const auto column = static_cast<RunsColumn>(index.column());
    if (role == Qt::CheckStateRole && column == RunsColumn::shown) {
        list_.set_shown({folder}, value.toInt() == Qt::Checked);
        return true;
    }
    return false;
}

QVariant RunsModel::Table::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= column_count()) return {};
    const auto& info = info_of(static_cast<RunsColumn>(section));
    if (role == Qt::DisplayRole) return info.title;
    if (role == Qt::ToolTipRole) return info.help;
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((info.number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    return {};
}

Qt::ItemFlags RunsModel::Table::flags(const QModelIndex& index) const {
    if (!index.isValid()) return Qt::NoItemFlags;
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
    const auto column = static_cast<RunsColumn>(index.column());
    if (column == RunsColumn::shown) flags |= Qt::ItemIsUserCheckable;
    return flags;
}

}  // namespace casp::widgets
