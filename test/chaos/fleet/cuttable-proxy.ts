import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/**
 * What happens to bytes that are on their way when the network is cut. `late`: they arrive when it
 * is whole again, as the system of a sender repeats them. `never`: a router has forgotten the
 * connection, and drops what comes later too.
 */
export type Lost = "late" | "never";

export interface CuttableProxy {
  readonly port: number;
  /** From now on nothing flows, and nobody is told: connections stay open, new ones hang. */
  cut(lost: Lost): void;
  mend(): void;
  /** Connections that the last cut held up. */
  heldUp(): number;
}

/** A way to a port of this machine, gone when the test ends. */
export async function cuttableProxy(to: number): Promise<CuttableProxy> {
  const ways = new Set<Way>();
  const state: { cut: Lost | undefined; heldUp: number } = { cut: undefined, heldUp: 0 };
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const way = new Way(client, to);
    ways.add(way);
    client.once("close", () => ways.delete(way));
    if (state.cut !== undefined) way.stop("late");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const way of ways) way.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  return {
    port: address.port,
    cut: (lost) => {
      state.cut = lost;
      state.heldUp = ways.size;
      for (const way of ways) way.stop(lost);
    },
    mend: () => {
      state.cut = undefined;
      for (const way of ways) way.goOn();
    },
    heldUp: () => state.heldUp,
  };
}

/** A connection through the proxy. What it passes on later keeps its order. */
class Way {
  readonly #client: Socket;
  readonly #server: Socket;
  /** What waits for the end of the cut. */
  #late: (() => void)[] = [];
  #stopped: Lost | undefined;

  constructor(client: Socket, port: number) {
    this.#client = client;
    this.#server = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    for (const [from, to] of [
      [client, this.#server],
      [this.#server, client],
    ] as const) {
      from.on("data", (bytes: Buffer) => this.#pass(() => void to.write(bytes)));
      from.on("end", () => this.#pass(() => void to.end()));
      from.on("error", () => this.#pass(() => void to.destroy()));
    }
  }

  stop(lost: Lost): void {
    this.#stopped ??= lost;
  }

  goOn(): void {
    if (this.#stopped === "never") return;
    this.#stopped = undefined;
    for (const act of this.#late.splice(0)) act();
  }

  destroy(): void {
    this.#client.destroy();
    this.#server.destroy();
  }

  #pass(act: () => void): void {
    if (this.#stopped === "late") this.#late.push(act);
    else if (this.#stopped === undefined) act();
  }
}
