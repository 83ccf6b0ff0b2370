#pragma once
// The Data page as the tests use it.

#include <QComboBox>
#include <QTest>

#include "panels/data/data_panel.h"

namespace casp::test {

/// The page and the experiment it writes to, on the screen.
struct DataPage {
    widgets::ExperimentModel experiment;
    widgets::DataPanel panel{experiment};
    DataPage() {
        panel.resize(1000, 720);
        panel.show();
    }
};

/// As a person does: the choice that stands for `value`.
inline void choose(QComboBox* combo, const QVariant& value) {
    const int at = combo->findData(value);
    QVERIFY2(at >= 0, qPrintable(combo->accessibleName()));
    combo->setCurrentIndex(at);
    Q_EMIT combo->activated(at);
}

}  // namespace casp::test

/// Opens files and waits until they are read and reviewed.
#define READ(page, ...)               \
    (page).panel.open({__VA_ARGS__}); \
    QTRY_VERIFY_WITH_TIMEOUT((page).panel.is_settled(), 20000)
