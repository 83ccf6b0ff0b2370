#pragma once

namespace casp {

/// Whether an NVIDIA driver is loaded. Checks files in /proc and /dev only; loads nothing.
[[nodiscard]] bool nvidia_driver_present();

}  // namespace casp
