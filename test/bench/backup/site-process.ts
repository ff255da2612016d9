import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** What the site is asked. */
export type Ask =
  | { readonly kind: "count" }
  | {
      readonly kind: "change";
      readonly night: number;
      /** Guides that get another introduction, another picture, or go. */
      readonly edited: readonly number[];
      readonly pictured: readonly number[];
      readonly deleted: readonly number[];
    };

/** What it answers. */
export type Told =
  | { readonly kind: "ready"; readonly url: string; readonly token: string }
  | { readonly kind: "count"; readonly api: number; readonly media: number }
  | { readonly kind: "changed" };

/** A site that runs in a process of its own. */
export interface SiteProcess {
  readonly url: string;
  readonly token: string;
  /** Requests since the last call. */
  count(): Promise<Extract<Told, { kind: "count" }>>;
  change(change: Omit<Extract<Ask, { kind: "change" }>, "kind">): Promise<void>;
  close(): Promise<void>;
}

/** Starts a sandbox with the folder of a site. Throws Error when it ends before it is ready. */
export async function startSite(folder: string): Promise<SiteProcess> {
  const child = fork(fileURLToPath(new URL("site-child.js", import.meta.url)), [folder], { execArgv: [] });
  const { url, token } = await answer(child, "ready");
  return {
    url,
    token,
    count: () => ask(child, { kind: "count" }, "count"),
    change: async (change) => void (await ask(child, { kind: "change", ...change }, "changed")),
    close: async () => {
      const exited = once(child, "exit");
      child.disconnect();
      await exited;
    },
  };
}

function ask<Kind extends Told["kind"]>(child: ChildProcess, question: Ask, kind: Kind) {
  const answered = answer(child, kind);
  child.send(question);
  return answered;
}

async function answer<Kind extends Told["kind"]>(
  child: ChildProcess,
  kind: Kind,
): Promise<Extract<Told, { kind: Kind }>> {
  const ended = new AbortController();
  const end = (): void => ended.abort(new Error("The site ended before it answered."));
  child.once("exit", end);
  try {
    const [told]: readonly Told[] = await once(child, "message", { signal: ended.signal });
    if (told?.kind === kind) return told as Extract<Told, { kind: Kind }>;
    throw new Error(`The site answered ${JSON.stringify(told)} where ${kind} was expected.`);
  } finally {
    child.off("exit", end);
  }
}
