import { createHash, timingSafeEqual } from "node:crypto";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { UsageError } from "../../core/errors.js";

interface LocalServer {
  readonly port: number;
  /** Ends all connections. */
  close(): Promise<void>;
}

interface LocalServerOptions {
  readonly fetch: Parameters<typeof createAdaptorServer>[0]["fetch"];
  /** 0: a free one. */
  readonly port: number;
  /** The address of this machine on which it listens. Default: `127.0.0.1`. */
  readonly host?: string;
  /** `The reader`, for the message. */
  readonly name: string;
  /** Called with later errors of the server. */
  readonly report: (problem: string) => void;
}

/** Listens on this machine. Throws UsageError when the port is taken or not allowed. */
export async function listenLocally(options: LocalServerOptions): Promise<LocalServer> {
  const { fetch, port, host = "127.0.0.1", name, report } = options;
  const server = createAdaptorServer({ fetch });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => {
      const problem = `${name} cannot listen on ${host}:${port} (${cause.message})`;
      reject(new UsageError(`${problem}. Choose another port, or 0 for a free one.`, { cause }));
    });
    server.listen(port, host, resolve);
  });
  server.on("error", (error) => report(error.message));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        if ("closeAllConnections" in server) server.closeAllConnections();
      }),
  };
}

/** Compares a given token in the same time for every wrong one. */
export function isSameToken(given: string, token: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}

/** For every answer of a local server. */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "x-frame-options": "DENY",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
};

/**
 * Whether a `Host` header names this machine. With DNS rebinding the page of another site sends
 * that site's name. A tunnel may use another port.
 */
export function isOwnHost(host: string | undefined): boolean {
  return host !== undefined && /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i.test(host);
}
