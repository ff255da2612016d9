import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { UsageError } from "../../core/errors.js";
import type { createApp } from "./app.js";

/** A server that takes requests. */
export interface Listening {
  /** `http://127.0.0.1:PORT`. */
  readonly origin: string;
  /** Ends its connections, also those that wait for an answer. */
  close(): Promise<void>;
}

/** Listens on 127.0.0.1; port 0 takes a free one. Throws UsageError when the port is taken or not allowed. */
export async function listen(app: ReturnType<typeof createApp>, port: number): Promise<Listening> {
  const server = createAdaptorServer({ fetch: app.fetch });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => {
      const problem = `The sandbox can't listen on 127.0.0.1:${port} (${cause.message})`;
      reject(new UsageError(`${problem}: choose another port, or 0 for a free one.`, { cause }));
    });
    server.listen(port, "127.0.0.1", resolve);
  });
  const { port: taken } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${taken}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        if ("closeAllConnections" in server) server.closeAllConnections();
      }),
  };
}
