// The sockets that the drop-in compiler left to us (recipe/order.h).
#pragma once

namespace ordo::plugin {

// -1 where there is none: nobody listens.
int listener();
int rivalSocket();

}  // namespace ordo::plugin
