#pragma once
// Panel showing the differing settings of the selected runs with their results; for a single run, all
// settings.

#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QWidget>

#include "panels/compare/difference_data.h"
#include "panels/runs/runs_settings.h"
#include "panels/view/when_shown.h"

namespace casp::widgets {

class DifferencePanel : public QWidget {
    Q_OBJECT
public:
    /// Maximum number of run columns; the panel reports omissions.
    static constexpr int most_runs = 24;

    /// The library must outlive the panel.
    explicit DifferencePanel(RunLibrary& library, QWidget* parent = nullptr);

    void set_runs(const QStringList& folders);
    [[nodiscard]] QTableWidget* table() const { return table_; }
    [[nodiscard]] QString text() const { return note_->text(); }

public Q_SLOTS:
    void copy_markdown();
    void copy_csv();

Q_SIGNALS:
    void message(const QString& text);  ///< "Differences copied as Markdown."

protected:
    void changeEvent(QEvent* event) override;

private:
    void fill();

    RunLibrary& library_;
    RunsSettings settings_;
    QStringList folders_;
    std::vector<DifferenceRun> runs_;
    std::vector<DifferenceRow> rows_;
    QCheckBox* all_;
    QPushButton* markdown_;
    QPushButton* csv_;
    QTableWidget* table_;
    QLabel* note_;
    WhenShown* new_theme_;
};

}  // namespace casp::widgets
