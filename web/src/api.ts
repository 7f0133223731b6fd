// Questions to the server that this page came from. The token stands in the address that `ordo web` printed,
// after the '#', which browsers send to nobody; it is taken out of there and kept for all tabs of this address,
// until the server no longer takes it.

const kToken = "ordo-token";

export class ApiError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** Takes the token out of the address, if it is there. */
export function takeToken(): void {
  const found = /[#&?]token=([0-9a-f]+)/.exec(location.hash);
  if (!found) return;
  localStorage.setItem(kToken, found[1]!);
  const rest = location.hash.replace(/([#&?])token=[0-9a-f]+&?/, "$1").replace(/[#&?]$/, "");
  history.replaceState(null, "", location.pathname + rest);
}

async function request(path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  const token = localStorage.getItem(kToken) ?? "";
  const init: RequestInit = { headers: { Authorization: `Bearer ${token}` }, signal };
  if (body !== undefined) {
    init.method = "POST";
    init.headers = { ...init.headers, "Content-Type": "application/json" };
    init.body = JSON.stringify(body);
  }
  let response: Response;
  try {
    response = await fetch(`api/${path}`, init); // beside the page, wherever that is
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError("unavailable", "The server does not answer: was ‘ordo web’ ended?");
  }
  if (response.ok) return response;
  // Of a server that has ended, unless another tab has been told a new one meanwhile.
  if (response.status === 401 && localStorage.getItem(kToken) === token) localStorage.removeItem(kToken);
  const answer = (await response.json().catch(() => null)) as {
    error?: { code: string; message: string };
  } | null;
  throw new ApiError(
    answer?.error?.code ?? "internal",
    answer?.error?.message ?? `HTTP status ${response.status}`,
  );
}

/** The answer to a question; a body makes it a POST. */
export async function ask<T>(path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  return (await (await request(path, body, signal)).json()) as T;
}

/** Splits a stream of server-sent events; gives what is whole and keeps the rest. */
export class EventReader {
  private rest = "";

  push(text: string): { event: string; data: unknown }[] {
    const blocks = (this.rest + text).split("\n\n");
    this.rest = blocks.pop()!;
    return blocks.flatMap((block) => {
      const event = /^event: (.*)$/m.exec(block)?.[1];
      const data = /^data: (.*)$/m.exec(block)?.[1];
      return event && data ? [{ event, data: JSON.parse(data) as unknown }] : [];
    });
  }
}

/** Hears the events of a long answer until it ends; aborting ends the work as well. */
export async function listen(
  path: string,
  body: unknown,
  hear: (event: string, data: never) => void,
  signal: AbortSignal,
): Promise<void> {
  const response = await request(path, body, signal);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const events = new EventReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    for (const { event, data } of events.push(value)) {
      if (event === "error") {
        const { error } = data as { error: { code: string; message: string } };
        throw new ApiError(error.code, error.message);
      }
      hear(event, data as never);
    }
  }
}
