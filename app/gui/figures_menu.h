#pragma once
// The figures of the paper in the menu Figures: drawn from the shown runs in the background, then opened in
// an export dialog.

#include <functional>
#include <string>
#include <vector>

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QStringList>

#include "figures/figure.h"
#include "state/job.h"

class QWidget;

namespace casp::gui {

class ActionList;
class InfoBar;

/// Figures of some runs, computed in the background. GUI thread.
class FigureJob : public QObject {
    Q_OBJECT
public:
    FigureJob(std::vector<std::string> names, QStringList run_folders, QObject* parent);

    void start();
    void cancel() { job_.request_stop(); }

Q_SIGNALS:
    void progress(const QString& text);  ///< "Figure 8 of 20, t-SNE: …"; at most ten times a second
    void finished();                     ///< also after cancel or failure; the members below are then valid

public:
    std::vector<figures::Figure> figures;
    QStringList notes;  ///< what could not be drawn, and why
    QString problem;    ///< reason of a failure
    bool cancelled = false;

private:
    struct Outcome {
        std::vector<figures::Figure> figures;
        std::vector<std::string> notes;
        QString problem;
        bool cancelled = false;
    };
    [[nodiscard]] Outcome run(const widgets::JobContext& job) const;
    void take(Outcome outcome);

    std::vector<std::string> names_;
    QStringList runs_;
    widgets::Job<Outcome> job_;
};

class FiguresMenu : public QObject {
    Q_OBJECT
public:
    /// Adds its actions to `menu`. `runs`: folders of the shown runs. `window`: parent of dialogs.
    FiguresMenu(ActionList& actions, const QString& menu, std::function<QStringList()> runs, InfoBar& info,
                QWidget* window);

    /// Same as the action of that name: draws the figure (for each task of a sweep; "all": every figure of
    /// the paper) and opens it in an export dialog. Slow figures are announced in the bar instead, with a
    /// button that opens the dialog, so that it does not interrupt other work.
    void show(const std::string& name);

Q_SIGNALS:
    void message(const QString& text, bool is_error);

private:
    void done();
    void open(std::vector<figures::Figure> figures);

    std::function<QStringList()> runs_;
    InfoBar& info_;
    QWidget* window_;
    QPointer<FigureJob> job_;
    QElapsedTimer since_start_;
    bool all_ = false;  ///< every figure was requested
};

}  // namespace casp::gui
