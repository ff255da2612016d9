import type { HttpRequest, Transport, WholeResponse } from "./transport.js";

/** A single call, as a person makes it. */
export interface RawCall {
  readonly method: HttpRequest["method"];
  /** From `rawAddress`. */
  readonly url: URL;
  /** JSON, sent as it is; null: the call has none. */
  readonly body: string | null;
}

/** Makes the call; every status is an answer, also 401. Throws what a transport throws. */
export function rawCall(
  exchange: Transport<WholeResponse>,
  { method, url, body }: RawCall,
  signal: AbortSignal,
): Promise<WholeResponse> {
  return exchange(
    {
      method,
      url,
      headers: body === null ? HEADERS : { ...HEADERS, "content-type": "application/json" },
      ...(body === null ? {} : { body }),
      retry: method === "GET" ? "always" : "when-unsent",
      refusable: true,
      verbatim: true,
    },
    signal,
  );
}

const HEADERS = { accept: "application/json, */*;q=0.1", "user-agent": "guideferry" };
