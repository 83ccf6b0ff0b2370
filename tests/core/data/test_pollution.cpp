// Some thousand polluted files of one table (tests/pollution): each is read equal, refused, or read with a
// warning that concerns the difference. None is silently wrong.

#include <map>
#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QProcess>
#include <QtCore/QStandardPaths>
#include <QtCore/QTemporaryDir>
#include <set>

#include "core/data/helpers.h"
#include "test_program.h"

using namespace casp::data;

namespace {

enum class Outcome { equal, refused, warned, silent };

struct Verdict {
    Outcome outcome = Outcome::equal;
    std::string why;
};

/// A difference between the table and what a careful reader finds.
struct Difference {
    std::vector<std::string> columns;  ///< a warning about it names one of them, or no column; empty: any
    std::int64_t first_line = 0;       ///< and has a line of this range, or none
    std::int64_t last_line = 0;        ///< 0: the whole file
    bool by_name = false;              ///< a warning about it must name the column
    std::string text;
};

using Kinds = std::set<std::string>;
using Values = std::vector<double>;

bool alike(double a, double b) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    return std::fabs(a - b) <= 1e-9 * std::max(std::fabs(a), std::fabs(b));
}

bool concerns(const Warning& warning, const Difference& difference) {
    const auto names = [&](const std::string& column) {
        return warning.column == column || (!column.empty() && has(warning.text, column));
    };
    const bool named = std::any_of(difference.columns.begin(), difference.columns.end(), names);
    if (difference.by_name ? !named : !named && !difference.columns.empty() && !warning.column.empty())
        return false;
    if (warning.line == 0 || difference.last_line == 0) return true;
    // A warning of several places has the line of the first.
    return warning.line <= difference.last_line + 1 &&
           (warning.count > 1 || warning.line >= difference.first_line - 1);
}

bool is_covered(const Table& table, const Kinds& kinds, const Difference& difference) {
    return std::any_of(table.warnings.begin(), table.warnings.end(), [&](const Warning& warning) {
        return kinds.count(to_string(warning.kind)) > 0 && !warning.text.empty() &&
               concerns(warning, difference);
    });
}

std::string cell_text(double value) {
    return std::isnan(value) ? "nothing" : QString::number(value, 'g', 10).toStdString();
}

/// Channel that the file holds.
struct Channel {
    std::string name;
    QString match;  ///< "exact", "contains", "any"
    Values values;  ///< [rows]
};

bool is_name(const std::string& name, const Channel& channel) {
    return channel.match == "any" ||
           (channel.match == "contains" ? has(name, channel.name) : name == channel.name);
}

/// Whether most values are the channel's, some rows further up or down.
bool are_values_of(const Values& found, const Channel& channel) {
    const auto rows = static_cast<std::int64_t>(std::min(found.size(), channel.values.size()));
    for (std::int64_t shift = -3; shift <= 3; ++shift) {
        std::int64_t equal = 0;
        for (std::int64_t i = std::max<std::int64_t>(0, -shift); i < rows && i + shift < rows; ++i)
            equal += alike(found[static_cast<std::size_t>(i)],
                           channel.values[static_cast<std::size_t>(i + shift)]);
        if (equal * 2 > rows) return true;
    }
    return false;
}

/// What a careful reader finds in a file.
class Expectation {
public:
    /// `rows`: of the base table; empty: all.
    Expectation(const QJsonObject& manifest, const QJsonObject& file, const QJsonArray& rows) {
        refuse_ = file["refuse"].toBool();
        if (refuse_) return;
        const auto pick = [&](const QJsonArray& base) {
            Values values;
            if (rows.isEmpty())
                for (const auto& v : base) values.push_back(v.toDouble());
            for (const auto& row : rows) values.push_back(base[row.toInt()].toDouble());
            return values;
        };
        for (const auto& value : file["channels"].toArray()) {
            const QJsonObject c = value.toObject();
            channels_.push_back({c["name"].toString().toStdString(), c["match"].toString(),
                                 pick(manifest["base"][c["values"].toString()].toArray())});
        }
        for (const auto& cell : file["cells"].toArray()) {
            Values& values = channels_[static_cast<std::size_t>(cell[1].toInt())].values;
            for (std::size_t i = 0; i < values.size(); ++i) {
                const int row = rows.isEmpty() ? static_cast<int>(i) : rows[static_cast<int>(i)].toInt();
                if (row == cell[0].toInt()) values[i] = cell[2].isNull() ? std::nan("") : cell[2].toDouble();
            }
        }
        for (const auto& name : file["time_names"].toArray())
            time_names_.push_back(name.toString().toStdString());
        const QJsonObject times = file["times"].toObject();
        for (const auto& shift : times["shifts"].toArray()) {
            times_.push_back(pick(manifest["axes"][times["axis"].toString()].toArray()));
            for (double& t : times_.back()) t += shift.toDouble();
        }
        for (const auto& k : file["must_warn"].toArray()) must_warn_.insert(k.toString().toStdString());
    }

    /// `kinds`: warnings that concern the pollutions of the file.
    [[nodiscard]] Verdict judge(const Table& table, const Kinds& kinds) const {
        if (refuse_) return {Outcome::silent, "a table was read where there is none"};
        Verdict verdict;
        for (const auto& difference : differences(table)) {
            if (!is_covered(table, kinds, difference)) return {Outcome::silent, difference.text};
            verdict = {Outcome::warned, difference.text};
        }
        if (verdict.outcome == Outcome::equal && !must_warn_.empty() && !is_covered(table, must_warn_, {}))
            return {Outcome::silent, "no warning of the kind " + *must_warn_.begin()};
        // A cell that the file does not have is missing in the table, with a warning.
        const Kinds of_missing = {"missing_value", "not_a_number", "bad_number", "ragged_row", "infinite"};
        if (verdict.outcome == Outcome::equal)
            for (std::size_t k = 0; k < channels_.size(); ++k)
                for (std::size_t i = 0; i < channels_[k].values.size(); ++i) {
                    const auto line = table.line_of(static_cast<std::int64_t>(i));
                    if (std::isnan(channels_[k].values[i]) &&
                        !is_covered(table, of_missing, {{table.columns[k].name}, line, line, false, {}}))
                        return {Outcome::silent, "line " + std::to_string(line) + " of " + channels_[k].name +
                                                     " is missing without a warning"};
                }
        return verdict;
    }

private:
    [[nodiscard]] std::vector<Difference> differences(const Table& table) const {
        std::vector<Difference> found;
        std::vector<const Values*> columns(channels_.size(), nullptr);
        std::vector<std::string> names(channels_.size());
        std::size_t next = 0;
        const auto extra = [&](const Column& column) {
            found.push_back({{column.name}, 0, 0, true, "\"" + column.name + "\" is read as a channel"});
        };
        for (std::size_t k = 0; k < channels_.size(); ++k) {
            const Channel& channel = channels_[k];
            std::size_t j = next;
            while (j < table.columns.size() &&
                   !(channel.match == "exact" && table.columns[j].name == channel.name) &&
                   !are_values_of(table.columns[j].values, channel))
                ++j;
            if (j == table.columns.size() && table.columns.size() == channels_.size() && next == k) j = k;
            if (j == table.columns.size()) {
                found.push_back({{channel.name}, 0, 0, true, "channel \"" + channel.name + "\" is not read"});
                continue;
            }
            for (; next < j; ++next) extra(table.columns[next]);
            next = j + 1;
            columns[k] = &table.columns[j].values.all();
            names[k] = table.columns[j].name;
            if (!is_name(names[k], channel))
                found.push_back({{names[k]},
                                 0,
                                 0,
                                 false,
                                 "\"" + names[k] + "\" is the name instead of \"" + channel.name + "\""});
        }
        for (; next < table.columns.size(); ++next) extra(table.columns[next]);

        const std::size_t rows = channels_.front().values.size();
        const auto got = static_cast<std::size_t>(table.rows());
        if (rows != got) {
            found.push_back(row_difference(table, columns, rows, got));
            return found;
        }
        for (std::size_t k = 0; k < channels_.size(); ++k)
            for (std::size_t i = 0; columns[k] != nullptr && i < rows; ++i)
                if (!alike((*columns[k])[i], channels_[k].values[i])) {
                    const auto line = table.line_of(static_cast<std::int64_t>(i));
                    // A row may have several lines.
                    const auto end = i + 1 < rows ? table.line_of(static_cast<std::int64_t>(i) + 1) - 1
                                                  : std::numeric_limits<std::int64_t>::max() - 1;
                    found.push_back({{names[k]},
                                     line,
                                     std::max(line, end),
                                     false,
                                     "line " + std::to_string(line) + " of \"" + names[k] + "\" is " +
                                         cell_text((*columns[k])[i]) + " instead of " +
                                         cell_text(channels_[k].values[i])});
                }
        time_difference(table, found);
        return found;
    }

    /// The rows between those that agree at the beginning and at the end.
    [[nodiscard]] Difference row_difference(const Table& table, const std::vector<const Values*>& columns,
                                            std::size_t rows, std::size_t got) const {
        const auto same_row = [&](std::size_t i, std::size_t wanted) {
            for (std::size_t k = 0; k < channels_.size(); ++k)
                if (columns[k] != nullptr && !alike((*columns[k])[i], channels_[k].values[wanted]))
                    return false;
            return true;
        };
        const std::size_t most = std::min(rows, got);
        std::size_t head = 0;
        while (head < most && same_row(head, head)) ++head;
        std::size_t tail = 0;
        while (tail < most - head && same_row(got - 1 - tail, rows - 1 - tail)) ++tail;
        const auto first = static_cast<std::int64_t>(head);
        const auto last = static_cast<std::int64_t>(got - tail);
        const std::int64_t begin = head > 0 ? table.line_of(first - 1) : 1;
        const std::int64_t end =
            tail > 0 ? table.line_of(last) : std::numeric_limits<std::int64_t>::max() - 1;
        // Nothing agrees: only a warning of the whole file excuses it.
        return {{},
                head + tail > 0 ? begin : end,
                end,
                false,
                std::to_string(got) + " rows instead of " + std::to_string(rows) + ", from line " +
                    std::to_string(begin) + " on"};
    }

    void time_difference(const Table& table, std::vector<Difference>& found) const {
        if (times_.empty()) return;
        if (table.time.empty()) {
            found.push_back({time_names_, 0, 0, true, "no time axis"});
            return;
        }
        std::vector<Difference> least;
        for (const auto& times : times_) {
            std::vector<std::string> columns = table.format.time_columns;
            columns.insert(columns.end(), time_names_.begin(), time_names_.end());
            std::vector<Difference> differ;
            for (std::size_t i = 0; i < times.size(); ++i) {
                if (std::fabs(table.time[i] - times[i]) <= 1e-3) continue;
                const auto line = table.line_of(static_cast<std::int64_t>(i));
                differ.push_back({columns, line, line, false,
                                  "the time of line " + std::to_string(line) + " is " +
                                      cell_text(table.time[i]) + " instead of " + cell_text(times[i])});
            }
            if (differ.empty()) return;
            if (least.empty() || differ.size() < least.size()) least = std::move(differ);
        }
        found.insert(found.end(), least.begin(), least.end());
    }

    bool refuse_ = false;
    std::vector<Channel> channels_;
    std::vector<std::string> time_names_;
    std::vector<Values> times_;  ///< acceptable time axes; empty: not judged
    Kinds must_warn_;
};

Verdict read_and_judge(const std::string& path, const std::vector<Expectation>& acceptable,
                       const Kinds& kinds) {
    CsvOptions options;
    options.threads = 1;
    options.digest = false;
    try {
        const Table table = import_csv(path, options);
        Verdict best{Outcome::silent, {}};
        for (const auto& expectation : acceptable) {
            Verdict verdict = expectation.judge(table, kinds);
            if (best.why.empty() || verdict.outcome < best.outcome) best = std::move(verdict);
            if (best.outcome == Outcome::equal) break;
        }
        return best;
    } catch (const casp::Error& error) {
        const bool in_words = error.kind() == casp::ErrorKind::input && !error.parts().found.empty() &&
                              !error.parts().expected.empty();
        return {in_words ? Outcome::refused : Outcome::silent, error.what()};
    }
}

struct Count {
    int all = 0;
    std::map<Outcome, int> of;

    void add(Outcome outcome) {
        ++all;
        ++of[outcome];
    }
    [[nodiscard]] QString shares() {
        const auto percent = [&](int n) {
            return QString("%1 %").arg(100.0 * n / std::max(1, all), 7, 'f', 1);
        };
        return QString("%1 %2 %3 %4")
            .arg(all, 6)
            .arg(percent(of[Outcome::equal]), percent(of[Outcome::refused] + of[Outcome::warned]),
                 percent(of[Outcome::silent]));
    }
};

}  // namespace

class TestPollution : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        const QString python = QStandardPaths::findExecutable("python3");
        if (python.isEmpty()) QSKIP("no python3, which writes the files");
        QVERIFY(folder_.isValid());
        QProcess script;
        script.setProcessChannelMode(QProcess::MergedChannels);
        script.start(python, {"-B", CASP_SOURCE_DIR "/tests/pollution/pollute.py", folder_.path()});
        QVERIFY(script.waitForFinished(300000));
        QVERIFY2(script.exitCode() == 0, script.readAll().constData());
        QFile file(folder_.filePath("manifest.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        manifest_ = QJsonDocument::fromJson(file.readAll()).object();
        read_all();
    }

    void no_polluted_file_is_silently_wrong() {
        QVERIFY(verdicts_.size() > 3000);
        QStringList wrong;
        for (const auto& [file, verdict] : verdicts_)
            if (verdict.outcome == Outcome::silent)
                wrong += file + ": " + QString::fromStdString(verdict.why).left(200);
        // One line each: QtTest shortens long messages.
        for (const auto& one : wrong) std::fprintf(stderr, "SILENT %s\n", qPrintable(one));
        QVERIFY2(wrong.isEmpty(), qPrintable(QString("%1 files, listed above").arg(wrong.size())));
    }

    /// Kinds that people's files have are read, not only warned about.
    void each_kind_of_pollution_is_read() {
        QStringList less;
        for (const auto& value : manifest_["files"].toArray()) {
            const QJsonObject file = value.toObject();
            const QJsonArray kinds = file["kinds"].toArray();
            if (kinds.size() > 1) continue;
            const Verdict& verdict = verdicts_.at(file["file"].toString());
            const bool as_told = verdict.outcome == Outcome::equal ||
                                 (file["refuse"].toBool() && verdict.outcome == Outcome::refused);
            if (!as_told && (kinds.isEmpty() || kind(kinds[0])["alone_equal"].toBool()))
                less += file["file"].toString() + ": " + QString::fromStdString(verdict.why).left(200);
        }
        for (auto& [id, count] : by_kind_) {
            const double least = kind(id)["least_equal"].toDouble();
            const double share = static_cast<double>(count.of[Outcome::equal]) / count.all;
            if (share < least)
                less += QString("%1: %2 of %3 files read equal, expected at least %4 %")
                            .arg(id)
                            .arg(count.of[Outcome::equal])
                            .arg(count.all)
                            .arg(100 * least);
        }
        for (const auto& one : less) std::fprintf(stderr, "LESS %s\n", qPrintable(one));
        QVERIFY2(less.isEmpty(), qPrintable(QString("%1 kinds, listed above").arg(less.size())));
    }

private:
    [[nodiscard]] QJsonObject kind(const QJsonValue& id) const {
        return manifest_["kinds"][id.toString()].toObject();
    }

    /// Reads every file; prints the shares by group.
    void read_all() {
        std::map<QString, Count> by_group;
        Count all;
        for (const auto& value : manifest_["files"].toArray()) {
            const QJsonObject file = value.toObject();
            const QString name = file["file"].toString();
            std::set<QString> groups;
            Kinds kinds;
            bool readable = !file["refuse"].toBool();
            for (const auto& id : file["kinds"].toArray()) {
                readable = readable && kind(id)["alone_equal"].toBool();
                groups.insert(kind(id)["group"].toString());
                for (const auto& w : kind(id)["warnings"].toArray()) kinds.insert(w.toString().toStdString());
            }
            std::vector<Expectation> acceptable;
            acceptable.emplace_back(manifest_, file, file["rows"].toArray());
            if (file["either_order"].toBool())
                acceptable.emplace_back(manifest_, file, file["as_written"].toArray());
            Verdict verdict = read_and_judge(folder_.filePath(name).toStdString(), acceptable, kinds);
            all.add(verdict.outcome);
            for (const auto& group : groups) by_group[group].add(verdict.outcome);
            if (readable)
                for (const auto& id : file["kinds"].toArray()) by_kind_[id.toString()].add(verdict.outcome);
            verdicts_[name] = std::move(verdict);
        }
        qInfo("%-18s  files     equal  refused or warned  silently wrong", "");
        for (auto& [group, count] : by_group)
            qInfo("%-18s %s", qPrintable(group), qPrintable(count.shares()));
        qInfo("%-18s %s", "all files", qPrintable(all.shares()));
    }

    QTemporaryDir folder_;
    QJsonObject manifest_;
    std::map<QString, Verdict> verdicts_;
    std::map<QString, Count> by_kind_;  ///< of files with only such kinds as must be read equal alone
};

TEST_MAIN_WITHOUT_GUI(TestPollution)
#include "test_pollution.moc"
