// How results come back to the GUI thread: the order of an inbox, and what one that throws leaves.
#include <QtTest>

#include <memory>
#include <stdexcept>
#include <vector>

#include "state/background.h"
#include "test_program.h"

using casp::widgets::Inbox;

class TestBackground : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void in_their_order();
    void one_that_throws_takes_no_other_with_it();
    void the_last_that_throws_leaves_nothing();
    void one_that_throws_may_end_the_inbox();
};

void TestBackground::in_their_order() {
    Inbox inbox;
    std::vector<int> ran;
    for (int i = 0; i < 4; ++i) inbox.link()->post([&ran, i] { ran.push_back(i); });
    QVERIFY(ran.empty());
    QTRY_COMPARE(ran, (std::vector<int>{0, 1, 2, 3}));
}

/// The exception itself goes on, to the application's handler.
void TestBackground::one_that_throws_takes_no_other_with_it() {
    Inbox inbox;
    const auto link = inbox.link();
    std::vector<int> ran;
    link->post([&] {
        ran.push_back(0);
        // Comes after those that wait already.
        link->post([&] { ran.push_back(3); });
        throw std::runtime_error("a view");
    });
    link->post([&] { ran.push_back(1); });
    link->post([&] { ran.push_back(2); });
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, QCoreApplication::sendPostedEvents(&inbox));
    QCOMPARE(ran, std::vector<int>{0});
    QTRY_COMPARE(ran, (std::vector<int>{0, 1, 2, 3}));
}

void TestBackground::the_last_that_throws_leaves_nothing() {
    Inbox inbox;
    int ran = 0;
    inbox.link()->post([&] {
        ++ran;
        throw std::runtime_error("a view");
    });
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, QCoreApplication::sendPostedEvents(&inbox));
    QCoreApplication::sendPostedEvents(&inbox);
    QCOMPARE(ran, 1);
    inbox.link()->post([&] { ++ran; });
    QTRY_COMPARE(ran, 2);
}

void TestBackground::one_that_throws_may_end_the_inbox() {
    auto inbox = std::make_unique<Inbox>();
    const auto link = inbox->link();
    auto held = std::make_shared<int>(0);
    link->post([&] {
        inbox.reset();
        throw std::runtime_error("a view");
    });
    link->post([held] { ++*held; });
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, QCoreApplication::sendPostedEvents(inbox.get()));
    QVERIFY(!inbox);
    QCoreApplication::sendPostedEvents();
    QCOMPARE(*held, 0);
    QVERIFY2(held.use_count() == 1, "what was dropped keeps what it held");
}

TEST_MAIN(TestBackground)
#include "test_background.moc"
