// SPDX-License-Identifier: Apache-2.0
// aclrtMemcpy2d: a rectangle whose rows are at equal distances. Here a window of a picture is
// copied to the device, and copied back to another place.
#include "check.h"

#include <cstdint>
#include <vector>

int main() {
  constexpr size_t kPictureWidth = 640;
  constexpr size_t kPictureHeight = 480;
  constexpr size_t kWidth = 100;
  constexpr size_t kHeight = 50;
  constexpr size_t kDevicePitch = 128;  // rows on the device begin 128 bytes apart
  check(aclInit(nullptr));
  check(aclrtSetDevice(0));

  std::vector<uint8_t> picture(kPictureWidth * kPictureHeight);
  for (size_t i = 0; i < picture.size(); ++i)
    picture[i] = static_cast<uint8_t>(i * 31 + i / kPictureWidth);
  void* window = nullptr;
  check(aclrtMalloc(&window, kDevicePitch * kHeight, ACL_MEM_MALLOC_HUGE_FIRST));

  const size_t corner = 20 * kPictureWidth + 300;
  check(aclrtMemcpy2d(window, kDevicePitch, &picture[corner], kPictureWidth, kWidth, kHeight,
                      ACL_MEMCPY_HOST_TO_DEVICE));
  std::vector<uint8_t> result(picture.size(), 0);
  check(aclrtMemcpy2d(result.data(), kPictureWidth, window, kDevicePitch, kWidth, kHeight,
                      ACL_MEMCPY_DEVICE_TO_HOST));

  for (size_t y = 0; y < kPictureHeight; ++y) {
    for (size_t x = 0; x < kPictureWidth; ++x) {
      const bool is_inside = x < kWidth && y < kHeight;
      const uint8_t expected = is_inside ? picture[corner + y * kPictureWidth + x] : 0;
      require(result[y * kPictureWidth + x] == expected, "the window, and nothing but the window");
    }
  }
  std::printf("a window of %zu x %zu bytes out of %zu x %zu\n", kWidth, kHeight, kPictureWidth,
              kPictureHeight);

  check(aclrtFree(window));
  check(aclrtResetDevice(0));
  check(aclFinalize());
  return 0;
}
