// schedule-worker: the worker program of the second backend (schedule_session.h).
#include <cstdlib>
#include <string_view>

#include "env/session_service.h"
#include "sandbox/worker.h"
#include "tests/fakes/schedule_session.h"

int main(int argc, char** argv) {
  if (argc != 3 || std::string_view(argv[1]) != "--control-fd") return 64;
  ordo::sandbox::zygoteMain(std::atoi(argv[2]), [] {
    return ordo::env::makeSessionService(std::make_unique<ordo::fakes::ScheduleBackend>());
  });
}
