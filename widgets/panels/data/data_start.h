#pragma once
// Start view of the Data page: what it will show, and how to open or download a file.

#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QWidget>

namespace casp::widgets {

class DataStart : public QWidget {
    Q_OBJECT
public:
    explicit DataStart(QWidget* parent = nullptr);

Q_SIGNALS:
    void open_requested();
    void folder_requested();
    void sample_requested();
    void fetch_requested(const QString& name);  ///< of the catalogue

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void fill(QMenu& menu);  ///< with the data sets of the catalogue
};

}  // namespace casp::widgets
