// Any state is an address: "#/program?p=suite/sha256&h=1f2e…&v=0.9&do=sroa&do=simplifycfg&at=1". It has no
// token, so it can be sent to a colleague, who opens the program there and pastes what follows the '#'.

export interface Address {
  view: string;
  program: string;
  hash: string;
  version: string;
  actions: string[];
  /** Which state is looked at: how many of the actions. The last without it. */
  at: number | null;
}

export function parseAddress(hash: string): Address {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const parameters = new URLSearchParams(query);
  const at = parameters.get("at");
  return {
    view: path,
    program: parameters.get("p") ?? "",
    hash: parameters.get("h") ?? "",
    version: parameters.get("v") ?? "",
    actions: parameters.getAll("do"),
    at: at !== null && /^\d+$/.test(at) ? Number(at) : null,
  };
}

export function writeAddress(address: Address): string {
  const parameters = new URLSearchParams();
  if (address.program) parameters.set("p", address.program);
  if (address.hash) parameters.set("h", address.hash);
  if (address.version) parameters.set("v", address.version);
  for (const action of address.actions) parameters.append("do", action);
  if (address.at !== null && address.at !== address.actions.length) parameters.set("at", String(address.at));
  const query = parameters.toString();
  return `#/${address.view}${query ? `?${query}` : ""}`;
}
