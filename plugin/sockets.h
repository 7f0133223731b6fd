// The sockets that the drop-in compiler left to us (recipe/order.h).
#pragma once

namespace ordo::plugin {

// -1 where there is none: nobody listens.
int listener();
int rivalSocket();

// For a race that the drop-in compiler knows nothing of.
void setRivalSocket(int socket);

}  // namespace ordo::plugin
