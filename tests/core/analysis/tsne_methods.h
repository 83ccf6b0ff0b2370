#pragma once
// Rows of the tests that go over all ways of a t-SNE.

#include <QtTest>

namespace casp::test {

/// Rows of a test that goes over dimensions and ways to repel: columns `components` and `exact`.
inline void every_method() {
    QTest::addColumn<int>("components");
    QTest::addColumn<bool>("exact");
    QTest::newRow("plane, every pair") << 2 << true;
    QTest::newRow("plane, grid") << 2 << false;
    QTest::newRow("space, every pair") << 3 << true;
    QTest::newRow("space, grid") << 3 << false;
}

}  // namespace casp::test
