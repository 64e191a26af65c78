// SPDX-License-Identifier: Apache-2.0
// Sending and receiving one message, with the descriptor that may come along.
#include "sharing/channel.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace ferry::sharing {
namespace {

// Room for the control message that carries one descriptor.
union Control {
  cmsghdr header;
  char bytes[CMSG_SPACE(sizeof(int))];
};

int descriptor_of(msghdr& message) {
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  if (header == nullptr || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS ||
      header->cmsg_len != CMSG_LEN(sizeof(int)))
    return -1;
  int number = -1;
  std::memcpy(&number, CMSG_DATA(header), sizeof number);
  return number;
}

Transfer result_of_error(int error) {
  switch (error) {
    case EAGAIN:
      return Transfer::kBusy;
    case EPIPE:
    case ECONNRESET:
    case ENOTCONN:
      return Transfer::kEnded;
    default:
      return Transfer::kFailed;
  }
}

// The system call, and no more: fork waits for it.
ssize_t receive_once(int socket, msghdr& message) {
  ssize_t got = -1;
  do {
    got = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    // The other side has closed its end without reading all. The system says so once; what it had
    // sent before comes next.
  } while (got < 0 && (errno == EINTR || errno == ECONNRESET));
  return got;
}

}  // namespace

void Reply::set_text(std::string_view sentence) {
  const size_t size = std::min(sentence.size(), text.size() - 1);
  std::copy_n(sentence.data(), size, text.data());
  text[size] = 0;
}

std::string Reply::get_text() const {
  return {text.begin(), std::find(text.begin(), text.end(), '\0')};
}

Transfer send_bytes(int socket, const void* bytes, size_t size, int file) {
  iovec piece{const_cast<void*>(bytes), size};
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  Control control{};
  if (file >= 0) {
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof control.bytes;
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(header), &file, sizeof file);
  }
  ssize_t sent = -1;
  do {
    sent = sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent < 0 ? result_of_error(errno) : Transfer::kDone;
}

Transfer receive_bytes(int socket, void* bytes, size_t size, Descriptor* file) {
  iovec piece{bytes, size};
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  Control control{};
  ssize_t got = -1;
  if (file == nullptr) {
    got = receive_once(socket, message);  // the kernel closes descriptors that nobody takes
  } else {
    message.msg_control = control.bytes;
    message.msg_controllen = CMSG_LEN(sizeof(int));  // CMSG_SPACE has room for a second one
    *file = Descriptor::made_by([&] {
      got = receive_once(socket, message);
      return got < 0 ? -1 : descriptor_of(message);
    });
  }
  if (got < 0) return result_of_error(errno);
  if (got == 0) return Transfer::kEnded;
  const bool is_whole = static_cast<size_t>(got) == size && (message.msg_flags & MSG_TRUNC) == 0;
  return is_whole ? Transfer::kDone : Transfer::kGarbage;
}

int milliseconds_until(Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<decltype(left)>(left, 0, 60'000));
}

bool wait_for_socket(int socket, short events, Clock::time_point deadline) {
  for (;;) {
    pollfd polled{socket, events, 0};
    const int timeout = milliseconds_until(deadline);
    const int found = poll(&polled, 1, timeout);
    if (found > 0) return true;
    if (found == 0 && Clock::now() >= deadline) return false;
    if (found < 0 && errno != EINTR) return true;  // the next call of the socket says what is wrong
  }
}

}  // namespace ferry::sharing
