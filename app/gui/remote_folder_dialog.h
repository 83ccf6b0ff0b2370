#pragma once
// Dialog of "Remote folder of runs…": the address of a folder on another machine.

#include <QDialog>

class QComboBox;
class QLabel;
class QPushButton;

namespace casp::gui {

/// Checks the address while it is typed. Window-modal, does not block.
class RemoteFolderDialog : public QDialog {
    Q_OBJECT
public:
    /// `addresses`: those used before; the first one is shown.
    explicit RemoteFolderDialog(const QStringList& addresses, QWidget* parent = nullptr);

    [[nodiscard]] QComboBox* address() const { return address_; }
    [[nodiscard]] QPushButton* connect_button() const { return connect_; }
    /// What is wrong with the address; empty: nothing.
    [[nodiscard]] QString problem() const;

Q_SIGNALS:
    void chosen(const QString& address);

private:
    void check();

    QComboBox* address_;
    QLabel* problem_;
    QPushButton* connect_;
};

}  // namespace casp::gui
