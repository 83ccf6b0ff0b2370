#pragma once
// A test with a folder of its own.

#include <filesystem>
#include <string>

#include <QObject>
#include <QTemporaryDir>

namespace casp::test {

class FolderTest : public QObject {
protected:
    [[nodiscard]] std::filesystem::path folder(const std::string& name) const {
        return std::filesystem::path(dir_.path().toStdString()) / name;
    }

    QTemporaryDir dir_;
};

}  // namespace casp::test
