// An HTTP server that nobody holds up by being slow. httplib gives each read its time, so that a client who
// sends a byte now and then has a thread for as long as it likes; here a request as a whole has its time, and
// so has each piece of an answer.
#pragma once

#include <httplib.h>

namespace ordo::loopback {

// To be used like httplib::Server. A request has to be there within twice the read timeout of its first byte,
// with no pause in it longer than that timeout; a piece of an answer has to be taken at 256 KiB/s on the
// mean, with no pause longer than the write timeout. Who is slower is hung up on. So is, once answered,
// whoever sent what is no request, or content that nobody reads (behind a GET): that is not taken for the
// next request. Answers are not compressed. Some hundred slow connections keep nobody waiting
// (loopback/threads.h). The pre-routing handler and the queue are this class's own.
class Server final : public httplib::Server {
 public:
  Server();

  // Whether the client whose request this thread answers is still there, as far as can be seen: not if it has
  // closed the connection, or its half of it. REQUIRES: a handler calls it.
  static bool clientIsThere();

  // Lets many connections wait until they are accepted; httplib lets five, and the sixth of a page's that
  // come at once waits a second. REQUIRES: it is bound to a port.
  void letManyWait();

 private:
  bool process_and_close_socket(socket_t socket) override;
};

}  // namespace ordo::loopback
