// PostgreSQL as a store's database, for controllers and people on several hosts, by libpq.
//
// libpq is loaded when it is asked for: linked, it makes each start of `ordo` half as long again, and it
// would have to be there for all who need none of it. Its version 5 has been the same to its callers since
// 2006.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "loop/store/sql.h"

namespace ordo::loop {

// Whether `where` is an address of PostgreSQL and no file.
bool isPostgres(std::string_view where);

// Connects; the tables are those of the first schema of its search_path. One that was lost is made anew at
// the next statement that is in no transaction. kInvalidArgument if `where` is no address or has a password
// in it, which belongs in ~/.pgpass; kUnsupported if there is no libpq, kUnavailable if nobody answers. No
// error has `where` in it.
Result<std::unique_ptr<Sql>> openPostgres(const std::string& where);

}  // namespace ordo::loop
