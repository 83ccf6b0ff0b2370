#pragma once
// Wastebasket of the output folder: restores deleted runs or deletes them permanently.

#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QTimer>
#include <QWidget>

#include "state/run_library.h"

namespace casp::widgets {

/// The first of these problems and the number of others, for the notification line.
[[nodiscard]] QStringList some_problems(const QStringList& problems);

class RunsWastebasket : public QWidget {
    Q_OBJECT
public:
    explicit RunsWastebasket(RunLibrary& library, QWidget* parent = nullptr);

    /// Reads RunLibrary::discarded() again.
    void refresh();
    [[nodiscard]] QListWidget* list() const { return list_; }
    void restore_selected();  ///< all if none are selected
    /// Asks first, since this cannot be undone.
    void confirm_and_empty();
    /// The files are deleted in the background; the list follows for up to 10 s.
    void empty_now();

Q_SIGNALS:
    void restored(const QStringList& folders);
    void problem(const QString& text);
    void back_requested();
    void changed();

private:
    void end_moves(const RunMoves& moves);
    void update_buttons();

    RunLibrary& library_;
    QLabel* title_;
    QLabel* empty_;
    QListWidget* list_;
    QPushButton* restore_;
    QPushButton* destroy_;
    QTimer emptying_;
    int checks_left_ = 0;
};

}  // namespace casp::widgets
