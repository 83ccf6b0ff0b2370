#pragma once
// Line edit of the Forecasts page that shows the id of the current series and jumps to another one.

#include <cstdint>
#include <string>
#include <vector>

#include <QLineEdit>

class QStringListModel;

namespace casp::widgets {

/// Ids are completed from their beginning. GUI thread.
class SeriesEdit : public QLineEdit {
    Q_OBJECT
public:
    explicit SeriesEdit(QWidget* parent = nullptr);

    /// Ids by window number. Cheap if they are the same as before.
    void set_ids(const std::vector<std::string>& ids);
    /// Shows the id of this window, unless the user is typing.
    void set_current(std::int64_t window);

Q_SIGNALS:
    void chosen(std::int64_t window);
    void not_found(const QString& id);

private:
    void jump();

    std::vector<std::string> ids_;
    std::int64_t current_ = -1;
    QStringListModel* completions_;
};

}  // namespace casp::widgets
