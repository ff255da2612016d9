import { createServer, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { listen } from "./local-server.js";

export interface ConnectProxy {
  readonly origin: string;
  readonly port: number;
  /** What was asked to be connected to, `host:port`, in order. */
  readonly asked: readonly string[];
  /** The Proxy-Authorization of each. */
  readonly credentials: readonly (string | undefined)[];
}

/**
 * A proxy that connects every CONNECT to one local port, whatever host it names; or refuses with a
 * status.
 */
export async function connectProxy(port: number, refuseWith?: number): Promise<ConnectProxy> {
  const asked: string[] = [];
  const credentials: (string | undefined)[] = [];
  const server = createServer((_, response) => void response.writeHead(405).end());
  server.on("connect", (request: IncomingMessage, socket: Socket) => {
    asked.push(request.url ?? "");
    credentials.push(request.headers["proxy-authorization"]);
    socket.on("error", () => socket.destroy());
    if (refuseWith !== undefined) {
      socket.end(`HTTP/1.1 ${refuseWith} Refused\r\n\r\n`);
      return;
    }
    const upstream = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connected\r\n\r\n");
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on("error", () => socket.destroy());
    socket.on("close", () => upstream.destroy());
  });
  const own = await listen(server);
  return { origin: `http://127.0.0.1:${own}`, port: own, asked, credentials };
}
