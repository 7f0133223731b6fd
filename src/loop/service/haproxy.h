// HAProxy by its runtime socket: weights of servers, and what it counted of them.
//
// Its file gives the canary a weight of 0 (docs/loop.md), so that a HAProxy that was restarted sends it
// nothing until it is told to.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "loop/service/balancer.h"

namespace ordo::loop {

struct HaproxyOptions {
  std::filesystem::path socket;
  std::string backend;  // as in its file, as are the servers
  std::array<std::string, kPools> servers = {"production", "control", "canary"};
  double timeout_s = 2;
};

class Haproxy final : public Balancer {
 public:
  // kInvalidArgument if a name is none that HAProxy can have: they go into commands.
  static Result<Haproxy> create(const HaproxyOptions& options);

  Status set(const Shares& shares) override;
  Result<Shares> get() override;
  Result<std::array<ServerCounts, kPools>> counts() const override;

  // What it says to one command. kUnavailable if it does not answer in time.
  Result<std::string> ask(const std::string& command) const;

 private:
  explicit Haproxy(HaproxyOptions options) : options_(std::move(options)) {}
  Result<std::array<int, kPools>> weights() const;

  HaproxyOptions options_;
};

// What "show stat" says of a backend: of each server and of BACKEND itself, by the names of columns.
using HaproxyRows = std::map<std::string, std::map<std::string, std::string>, std::less<>>;
HaproxyRows readRows(std::string_view csv, const std::string& backend);

// Of its servers. kCorrupt if one is missing.
Result<std::array<ServerCounts, kPools>> readStatistics(std::string_view csv, const HaproxyOptions& options);

}  // namespace ordo::loop
