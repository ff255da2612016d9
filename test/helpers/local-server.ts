import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { onTestFinished } from "vitest";

/** A request as it arrived. */
export interface Arrival {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export interface LocalServer {
  /** `http://127.0.0.1:4711`. */
  readonly origin: string;
  readonly port: number;
  /** Every request in the order of arrival. */
  readonly arrivals: readonly Arrival[];
}

/** Answers one request; `count` is 1 for the first one of the server. */
export type Answering = (arrival: Arrival, response: ServerResponse, count: number) => void;

/** An HTTP server on loopback, gone when the test ends. */
export async function localServer(answer: Answering): Promise<LocalServer> {
  const arrivals: Arrival[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const arrival = {
        method: request.method ?? "",
        path: request.url ?? "",
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      };
      arrivals.push(arrival);
      answer(arrival, response, arrivals.length);
    });
  });
  const port = await listen(server);
  return { origin: `http://127.0.0.1:${port}`, port, arrivals };
}

/** Lets a server listen on loopback until the test ends. */
export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address.port;
}

/**
 * A port on which nothing listens, until the test ends: the near end of an open connection has it,
 * so that no other test gets it.
 */
export async function deadPort(): Promise<number> {
  const socket = connect(await listen(createServer()), "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  if (socket.localPort === undefined) throw new Error("the connection has no port");
  return socket.localPort;
}

/** Answers with JSON. */
export function json(
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}
