#pragma once
// Get data or GPT-2: the catalogue with the state of its files, download progress and cancellation.

#include <filesystem>
#include <vector>

#include <QWidget>

#include "data/catalog.h"
#include "state/job.h"

class QBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;
class QTableWidget;

namespace casp::gui {

/// Downloads one entry at a time in the background. The network is not used before the button is pressed.
class FetchPanel : public QWidget {
    Q_OBJECT
public:
    /// Downloads the catalogue's entries into the user's cache.
    explicit FetchPanel(QWidget* parent = nullptr);
    /// Downloads these entries into `folder`; empty: the user's cache, for entries of the catalogue only.
    FetchPanel(std::vector<data::CatalogEntry> entries, std::filesystem::path folder,
               QWidget* parent = nullptr);
    /// Cancels and waits; the next download resumes from the partial file.
    ~FetchPanel() override;

    void refresh();  ///< checks again which files exist
    void select(const QString& name);
    void fetch_selected();
    void cancel();
    [[nodiscard]] bool is_busy() const { return job_.is_running(); }

Q_SIGNALS:
    void fetched(const QString& name, const QString& path);
    void open_requested(const QString& path);  ///< a downloaded data set
    void message(const QString& text, bool is_error);

private:
    void make_table(QBoxLayout& layout);
    void make_state(QBoxLayout& layout);
    void make_buttons(QBoxLayout& layout);
    void update_buttons();
    void show_progress(const Progress& progress);
    void finish(const QString& text, bool is_error);
    /// Entry of the selected row; null: none.
    [[nodiscard]] const data::CatalogEntry* chosen() const;

    const std::vector<data::CatalogEntry> entries_;
    const std::filesystem::path folder_;
    QTableWidget* table_;
    QLabel* about_;
    QLabel* status_;
    QProgressBar* progress_;
    QPushButton* fetch_;
    QPushButton* cancel_;
    QPushButton* open_;
    widgets::Job<QString> job_;
};

}  // namespace casp::gui
