// The head of the AppImage (type 2): a static program with a squashfs image behind it. It unpacks the image
// to the user's cache once and starts it from there, so that it needs neither FUSE nor root, as on clusters
// and in containers; later starts cost nothing. Copies of other versions that no process uses are removed
// then.
//
//     --appimage-offset    where the image begins, in bytes
//     --appimage-extract   unpacks to ./squashfs-root

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <elf.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

extern "C" {
#include <squashfuse.h>
}

namespace {

namespace fs = std::filesystem;

std::runtime_error failure(const std::string& what) {
    return std::runtime_error(what + ": " + std::strerror(errno));
}

/// The image follows the last section header.
std::size_t image_offset(const fs::path& file) {
    Elf64_Ehdr header{};
    std::ifstream(file, std::ios::binary).read(reinterpret_cast<char*>(&header), sizeof header);
    return header.e_shoff + std::size_t{header.e_shentsize} * header.e_shnum;
}

/// Opens the image for as long as it exists.
class Image {
public:
    explicit Image(const fs::path& file) {
        if (sqfs_open_image(&image_, file.c_str(), image_offset(file)) != SQFS_OK)
            throw std::runtime_error(file.string() + ": there is no squashfs image behind the program");
    }
    ~Image() { sqfs_destroy(&image_); }
    Image(const Image&) = delete;
    Image& operator=(const Image&) = delete;

    /// Different for different content: time, size and roots of the image (its superblock).
    [[nodiscard]] std::string identity() const {
        std::size_t hash = 14695981039346656037U;  // FNV-1a
        const auto* bytes = reinterpret_cast<const unsigned char*>(&image_.sb);
        for (std::size_t i = 0; i < sizeof image_.sb; ++i) hash = (hash ^ bytes[i]) * 1099511628211U;
        std::array<char, 17> text{};
        std::snprintf(text.data(), text.size(), "%016zx", hash);
        return text.data();
    }

    void unpack(const fs::path& folder) {
        fs::create_directories(folder);
        sqfs_traverse walk;
        if (sqfs_traverse_open(&walk, &image_, sqfs_inode_root(&image_)) != SQFS_OK) throw damaged("/");
        sqfs_err problem = SQFS_OK;
        while (sqfs_traverse_next(&walk, &problem)) {
            sqfs_inode inode;
            if (walk.dir_end) continue;
            if (sqfs_inode_get(&image_, &inode, sqfs_dentry_inode(&walk.entry)) != SQFS_OK)
                throw damaged(walk.path);
            write(inode, folder / walk.path);
        }
        if (problem != SQFS_OK) throw damaged("/");
        sqfs_traverse_close(&walk);
    }

private:
    static std::runtime_error damaged(const std::string& path) {
        return std::runtime_error("this AppImage is damaged at " + path + ": download it again");
    }

    void write(sqfs_inode& inode, const fs::path& path) {
        if (S_ISDIR(inode.base.mode)) {
            fs::create_directory(path);
        } else if (S_ISLNK(inode.base.mode)) {
            std::array<char, 4096> target{};
            std::size_t size = target.size();
            if (sqfs_readlink(&image_, &inode, target.data(), &size) != SQFS_OK) throw damaged(path);
            fs::create_symlink(target.data(), path);
        } else if (S_ISREG(inode.base.mode)) {
            copy(inode, path);
        }
    }

    void copy(sqfs_inode& inode, const fs::path& path) {
        const int file =
            ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, inode.base.mode & 0777);
        if (file < 0) throw failure(path);
        std::vector<char> block(std::size_t{1} << 20);
        for (sqfs_off_t at = 0; static_cast<std::uint64_t>(at) < inode.xtra.reg.file_size;) {
            auto size = static_cast<sqfs_off_t>(block.size());
            if (sqfs_read_range(&image_, &inode, at, &size, block.data()) != SQFS_OK || size == 0)
                throw damaged(path);
            for (sqfs_off_t written = 0; written < size;) {
                const auto some =
                    ::write(file, block.data() + written, static_cast<std::size_t>(size - written));
                if (some < 0) throw failure(path);
                written += some;
            }
            at += size;
        }
        if (::close(file) != 0) throw failure(path);
    }

    sqfs image_{};
};

/// A lock that starts with this process and ends with the program that it becomes; -1 if another process is
/// in the way.
int lock(const fs::path& folder, int kind) {
    const int file = ::open((folder / ".in-use").c_str(), O_RDONLY | O_CREAT, 0600);
    if (file >= 0 && ::flock(file, kind | LOCK_NB) == 0) return file;
    if (file >= 0) ::close(file);
    return -1;
}

void remove_unused(const fs::path& cache, const fs::path& kept) {
    for (const auto& entry : fs::directory_iterator(cache)) {
        if (!entry.path().filename().string().starts_with("appimage-") || entry.path() == kept) continue;
        if (const int held = lock(entry.path(), LOCK_EX); held >= 0) {
            std::error_code stays;
            fs::remove_all(entry.path(), stays);
            ::close(held);
        }
    }
}

fs::path unpacked(const fs::path& self) {
    const char* cache = std::getenv("XDG_CACHE_HOME");
    const char* home = std::getenv("HOME");
    const bool has_cache = cache != nullptr && *cache == '/';
    if (!has_cache && home == nullptr) throw std::runtime_error("neither HOME nor XDG_CACHE_HOME is set");
    const auto parent = (has_cache ? fs::path(cache) : fs::path(home) / ".cache") / "caspstudio";
    Image image(self);
    auto folder = parent / ("appimage-" + image.identity());
    if (!fs::exists(folder)) {
        std::fprintf(stderr, "CASP Studio: the first start unpacks it to %s\n", folder.c_str());
        const fs::path part = folder.string() + ".part" + std::to_string(::getpid());
        fs::create_directories(part);
        lock(part, LOCK_SH);  // others remove what nobody holds; the lock moves with the folder
        std::error_code another_was_first, stays;
        try {
            image.unpack(part);
        } catch (...) {
            fs::remove_all(part, stays);
            throw;
        }
        fs::rename(part, folder, another_was_first);
        if (another_was_first) fs::remove_all(part, stays);
        remove_unused(parent, folder);
    }
    lock(folder, LOCK_SH);
    return folder;
}

}  // namespace

int main(int argc, char** argv) try {
    const auto self = fs::read_symlink("/proc/self/exe");
    const std::string option = argc > 1 ? argv[1] : "";
    if (option == "--appimage-offset") return std::printf("%zu\n", image_offset(self)) < 0;
    if (option == "--appimage-extract") {
        Image(self).unpack("squashfs-root");
        return 0;
    }
    const auto program = unpacked(self) / "AppRun";
    // Not APPIMAGE, which may be that of the program that started this one.
    ::setenv("CASPSTUDIO_APPIMAGE", self.c_str(), 1);
    ::execv(program.c_str(), argv);
    throw failure(program);
} catch (const std::exception& problem) {
    std::fprintf(stderr,
                 "CASP Studio: %s\nXDG_CACHE_HOME=FOLDER unpacks it elsewhere: it needs 600 MB on a disk "
                 "that may run programs.\n",
                 problem.what());
    return 1;
}
