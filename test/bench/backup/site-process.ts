import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { answerOf, askChild, letChildGo } from "../ask-child.js";

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
  const { url, token } = await answerOf<Told>(child)("ready");
  return {
    url,
    token,
    count: () => askChild<Told>(child, { kind: "count" })("count"),
    change: async (change) => void (await askChild<Told>(child, { kind: "change", ...change })("changed")),
    close: () => letChildGo(child),
  };
}
