#pragma once
// Get data, get GPT-2: the catalogue with what is there, what can be fetched, progress and cancel.

#include <filesystem>
#include <memory>
#include <vector>

#include <QWidget>

#include "data/catalog.h"

class QLabel;
class QProgressBar;
class QPushButton;
class QTableWidget;

namespace casp::widgets {
struct PageSpec;
}

namespace casp::gui {

/// Fetches one entry at a time on a thread of its own. Nothing touches the network before the button is
/// pressed.
class FetchPanel : public QWidget {
    Q_OBJECT
public:
    /// The catalogue, into the user's cache.
    explicit FetchPanel(QWidget* parent = nullptr);
    /// These entries, into `folder`; empty: into the user's cache, which knows the catalogue's alone.
    FetchPanel(std::vector<data::CatalogEntry> entries, std::filesystem::path folder,
               QWidget* parent = nullptr);
    ~FetchPanel() override;  ///< cancels and waits; what was fetched so far stays for the next time

    void refresh();  ///< looks again which files are there
    void select(const QString& name);
    void fetch_selected();
    void cancel();
    [[nodiscard]] bool is_busy() const;

Q_SIGNALS:
    void fetched(const QString& name, const QString& path);
    void open_requested(const QString& path);  ///< a data set that is there
    void message(const QString& text, bool is_error);

private:
    struct Worker;
    void update_buttons();
    /// Of the chosen line; null where none is.
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
    std::unique_ptr<Worker> worker_;
};

/// The page in the list of pages (gui/pages.h).
[[nodiscard]] widgets::PageSpec fetch_page_spec();

}  // namespace casp::gui
