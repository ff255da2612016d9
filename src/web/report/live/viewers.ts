import type { ServerResponse } from "node:http";

/** Browsers that look; more than any run has. */
const MOST = 16;

/** Those who look at a run, each on a connection that stays open (server-sent events). */
export class Viewers {
  readonly #all = new Set<ServerResponse>();

  get isEmpty(): boolean {
    return this.#all.size === 0;
  }

  /** Begins to tell on this connection; false: there are too many already. */
  add(outgoing: ServerResponse, headers: Readonly<Record<string, string>>): boolean {
    if (this.#all.size >= MOST) return false;
    const forget = (): void => void this.#all.delete(outgoing);
    outgoing.on("close", forget).on("error", forget);
    outgoing.writeHead(200, { ...headers, "content-type": "text/event-stream; charset=utf-8" });
    outgoing.flushHeaders();
    this.#all.add(outgoing);
    return true;
  }

  /** Who has not yet taken what came before misses this: nobody is waited for, and at most one event lies in memory for each. */
  tell(event: string, facts: object): void {
    const frame = frameOf(event, facts);
    for (const outgoing of this.#all) if (!outgoing.writableNeedDrain) outgoing.write(frame);
  }

  /** The last event. Resolves when all have it, or when `patience` (milliseconds) is over. */
  async end(event: string, facts: object, patience: number): Promise<void> {
    const frame = frameOf(event, facts);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, patience);
    });
    const each = [...this.#all].map(
      (outgoing) =>
        new Promise<void>((resolve) => {
          outgoing.on("close", () => resolve());
          outgoing.end(frame, () => resolve());
        }),
    );
    await Promise.race([Promise.all(each), late]);
    clearTimeout(timer);
  }
}

/** An event as the HTML standard has it (9.2); JSON has no line breaks of its own. */
function frameOf(event: string, facts: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(facts)}\n\n`;
}
