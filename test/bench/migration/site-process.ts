import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { answerOf, askChild, letChildGo } from "../ask-child.js";

/** A request that passed the door of a site, and its answer. */
export interface Exchange {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly type: string | null;
  /** In base64. */
  readonly body: string;
  readonly status: number;
  /** JSON; empty where it is none, or a long one. */
  readonly answer: string;
  /** Milliseconds of the site's clock. */
  readonly begun: number;
  readonly ended: number;
}

/** A request that the site itself saw, whichever way it came. */
export interface SeenPath {
  readonly path: string;
  readonly query: string;
  readonly isApi: boolean;
}

/** What the site is asked. */
export type Ask = { readonly kind: "passed" } | { readonly kind: "paths" } | { readonly kind: "usage" };

/** What it answers. */
export type Told =
  | { readonly kind: "ready"; readonly direct: string; readonly door: string; readonly token: string }
  | { readonly kind: "passed"; readonly exchanges: readonly Exchange[] }
  | { readonly kind: "paths"; readonly paths: readonly SeenPath[] }
  | { readonly kind: "usage"; readonly cpuSeconds: number };

/** A site that runs in a process of its own. */
export interface SiteProcess {
  /** Straight to the site. */
  readonly direct: string;
  /** Through the door, which answers late and notes what passes. */
  readonly door: string;
  readonly token: string;
  /** What passed the door since the last call. */
  passed(): Promise<readonly Exchange[]>;
  /** All that the site was ever asked. */
  paths(): Promise<readonly SeenPath[]>;
  /** Processor time of the site and its door since their start, user and system. */
  cpuSeconds(): Promise<number>;
  close(): Promise<void>;
}

/**
 * Starts a sandbox: of the folder of a site, else an empty one. `delay`: milliseconds. Throws Error
 * when it ends before it is ready.
 */
export async function startSite(
  options: { readonly folder?: string; readonly delay?: number } = {},
): Promise<SiteProcess> {
  const words = [options.folder ?? "", String(options.delay ?? 0)];
  const child = fork(fileURLToPath(new URL("site-child.js", import.meta.url)), words, { execArgv: [] });
  const { direct, door, token } = await answerOf<Told>(child)("ready");
  return {
    direct,
    door,
    token,
    passed: async () => (await askChild<Told>(child, { kind: "passed" })("passed")).exchanges,
    paths: async () => (await askChild<Told>(child, { kind: "paths" })("paths")).paths,
    cpuSeconds: async () => (await askChild<Told>(child, { kind: "usage" })("usage")).cpuSeconds,
    close: () => letChildGo(child),
  };
}
