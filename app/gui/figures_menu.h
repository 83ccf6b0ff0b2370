#pragma once
// The figures of the paper in the menu Figures: drawn from the shown runs in the background, then opened in
// an export dialog.

#include <functional>
#include <string>
#include <vector>

#include <QElapsedTimer>
#include <QObject>
#include <QStringList>

#include "figure_jobs/figure_job.h"

class QWidget;

namespace casp::gui {

class ActionList;
class InfoBar;

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
    void done(figure_jobs::DrawnFigures drawn);
    void open(std::vector<figures::Figure> figures);

    std::function<QStringList()> runs_;
    InfoBar& info_;
    QWidget* window_;
    QElapsedTimer since_start_;
    bool all_ = false;  ///< every figure was requested
    figure_jobs::FigureJob job_;
};

}  // namespace casp::gui
