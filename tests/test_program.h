#pragma once
/// The tests of a folder are linked into one program, FOLDER_tests, which runs the one that it is asked for:
/// `core_data_tests test_csv_import [QtTest's arguments]`. A file test_x.cpp ends with TEST_MAIN(TestX), or
/// with a main function of its own after TEST_PROGRAM(TestX); it is called by its file's name.

#include <initializer_list>

#include <QtTest>

namespace casp::test {

#if defined(QT_WIDGETS_LIB)
using Application = QApplication;
#elif defined(QT_GUI_LIB)
using Application = QGuiApplication;
#else
using Application = QCoreApplication;
#endif

using Main = int (*)(int count, char** values);

/// Adds test_x to the program; `file` is "test_x.cpp". Before main().
struct Registered {
    Registered(const char* file, Main main);
};

template <class Test, class App>
int run(int count, char** values) {
    App application(count, values);
    QTEST_SET_MAIN_SOURCE_PATH
    Test test;
    return QTest::qExec(&test, count, values);
}

/// For a function with rows: a row for each name, in the only column.
inline void name_rows(const char* column, std::initializer_list<const char*> names) {
    QTest::addColumn<QString>(column);
    for (const char* name : names) QTest::newRow(name) << QString(name);
}

}  // namespace casp::test

/// The main function of this file's test follows: `TEST_PROGRAM(TestX)(int count, char** values) {…}`.
#define TEST_PROGRAM(Test)                                                                \
    static int main_of_##Test(int count, char** values);                                  \
    static const casp::test::Registered registered_##Test(__FILE_NAME__, main_of_##Test); \
    static int main_of_##Test

/// With QApplication where the program has widgets.
#define TEST_MAIN(Test)                                                  \
    static const casp::test::Registered registered_##Test(__FILE_NAME__, \
                                                          casp::test::run<Test, casp::test::Application>);
/// With QCoreApplication: without the platform's plugin, also where the program has widgets.
#define TEST_MAIN_WITHOUT_GUI(Test)                                      \
    static const casp::test::Registered registered_##Test(__FILE_NAME__, \
                                                          casp::test::run<Test, QCoreApplication>);
