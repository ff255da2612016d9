import { homedir } from "node:os";
import type { Bandwidth } from "../core/util/bandwidth.js";
import { isLoopback } from "../service/http/address.js";
import type { PauseState } from "../service/http/pause.js";
import type { SharedBudget } from "../service/http/request-rate.js";
import { DEFAULT_RATE } from "../service/http/request-rate.js";
import type { QueueUse } from "../service/http/request-statistics.js";
import type { Redact } from "../service/http/secret.js";
import type { Credentials } from "../service/http/sign-in.js";
import { createStack, type Stack, type StackOptions } from "../service/http/stack.js";
import type { ObserveRequest } from "../service/http/transport.js";
import { createOriginBudget } from "../storage/workspace/origin-budget.js";
import type { Run } from "../storage/workspace/run-log.js";
import { userStateFolder } from "../storage/workspace/user-state-folder.js";

// How sites are talked to, for the composition roots beside it.

export interface Site {
  /** `https://site.example/api/2.0`. */
  readonly root: string;
  readonly credentials: Credentials;
  /** What the names of its variables begin with, for messages: `GUIDEFERRY_SOURCE`. */
  readonly variables: string;
}

export interface Talk {
  readonly concurrency: number;
  /** Requests a second to the site; null: 10, on loopback without limit. */
  readonly rate: number | null;
  /** The same for other hosts that its media lie on; null: 50, on loopback without limit. */
  readonly mediaRate: number | null;
  /**
   * Hosts that media may lie on although they are not on the public internet, as `URL.hostname`
   * gives them. Default: none.
   */
  readonly allowPrivateMedia?: readonly string[] | undefined;
  /** The variables of the process, for proxies. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Takes a line for each request; null: nobody wants to see them. */
  readonly log: ((line: string) => void) | null;
  /** Called for each request that goes out; may be called often. */
  readonly beat: () => void;
  /** Told of each request: for metrics and telemetry. Default: nobody is. */
  readonly observe?: ObserveRequest | undefined;
  readonly previous: Run | null;
  /**
   * Share the rates with this user's other processes on this machine, by notes in the user's state
   * folder; who says so is warned once when nothing can be noted there. Default: the rates are this
   * process' alone.
   */
  readonly sharing?: Sharing | undefined;
  /** Given a look at how the queues fare, also when they are closed. Default: nobody looks. */
  readonly watch?: ((look: () => readonly QueueUse[]) => void) | undefined;
  /** Shared by all media of the run, in both directions. Default: no limit. */
  readonly bandwidth?: Bandwidth | undefined;
  /** Somebody's who looks at the run. Default: nobody can pause it. */
  readonly pause?: PauseState | undefined;
  /** Has priority over a shared budget of this machine. Default: it is no run of a fleet. */
  readonly fleet?: Pick<StackOptions, "gate" | "budget"> | undefined;
}

interface Sharing {
  warn(text: string): void;
}

export interface Connected {
  /** Takes the site's secrets out of a text, also those that a login brought. */
  readonly redact: Redact;
  close(): Promise<void>;
}

/** Requests a second that a site gets; null: no limit. */
export function rateAt(root: string, asked: number | null): number | null {
  return asked ?? (isLoopback(new URL(root).hostname) ? null : DEFAULT_RATE);
}

export function stackFor(site: Site, talk: Talk, more: Pick<StackOptions, "mediaWords" | "retry"> = {}): Stack {
  const { concurrency, rate, mediaRate, environment, log, observe, beat, previous, pause, fleet } = talk;
  const stack = createStack({
    ...site,
    ...more,
    concurrency,
    environment,
    rate: rate ?? undefined,
    mediaRate: mediaRate ?? undefined,
    allowedHosts: new Set(talk.allowPrivateMedia),
    log: log ?? undefined,
    observe,
    lastActivity: lastActivity(site, rate, previous),
    pause,
    bandwidth: talk.bandwidth,
    onStart: beat,
    budget: fleet?.budget ?? budgetFor(talk),
    gate: fleet?.gate,
  });
  let last: readonly QueueUse[] | undefined;
  talk.watch?.(() => last ?? stack.use());
  const close = (): Promise<void> => {
    last ??= stack.use().map((use) => ({ ...use, isClosed: true }));
    return stack.close();
  };
  return { ...stack, close };
}

const budgets = new WeakMap<Sharing, SharedBudget>();

/** The source and the target of a run have one. */
function budgetFor({ sharing, environment }: Talk): SharedBudget | undefined {
  if (sharing === undefined) return undefined;
  const base = userStateFolder({ environment, platform: process.platform, home: homedir() });
  const budget = budgets.get(sharing) ?? createOriginBudget({ base, warn: (text) => sharing.warn(text) });
  budgets.set(sharing, budget);
  return budget;
}

/**
 * Milliseconds that the run log's sign of life may be late: it is written every 2 s, and its
 * seconds are cut off.
 */
const GRAIN = 3000;

function lastActivity(site: Site, rate: number | null, run: Run | null): number | undefined {
  return run === null || rateAt(site.root, rate) === null ? undefined : run.active * 1000 + GRAIN;
}
