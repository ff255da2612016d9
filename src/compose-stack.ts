import { isLoopback } from "./api/address.js";
import type { Credentials } from "./api/credentials.js";
import type { Redact } from "./api/secret.js";
import { createStack, DEFAULT_RATE, type Stack, type StackOptions } from "./api/stack.js";
import type { Run } from "./workspace/run-log.js";

// How sites are talked to, for the composition roots beside it.

/** A site and how to sign in there. */
export interface Site {
  /** `https://site.example/api/2.0`. */
  readonly root: string;
  readonly credentials: Credentials;
  /** What the names of its variables begin with, for messages: `GUIDEFERRY_SOURCE`. */
  readonly variables: string;
}

/** How sites are talked to. */
export interface Talk {
  readonly concurrency: number;
  /** Requests a second to the site; null: 10, on loopback without limit. */
  readonly rate: number | null;
  /** The same for other hosts that its media lie on; null: 50, on loopback without limit. */
  readonly mediaRate: number | null;
  /** The variables of the process, for proxies. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Takes a line for each request; null: nobody wants to see them. */
  readonly log: ((line: string) => void) | null;
  /** Called for each request that goes out; may be called often. */
  readonly beat: () => void;
  /** The run before this one, so that the rate holds across both. */
  readonly previous: Run | null;
}

/** Something that talks to a site until it is closed. */
export interface Connected {
  /** Takes the site's secrets out of a text, also those that a login brought. */
  readonly redact: Redact;
  close(): Promise<void>;
}

/** Requests a second that a site gets; null: no limit. */
export function rateAt(root: string, asked: number | null): number | null {
  return asked ?? (isLoopback(new URL(root).hostname) ? null : DEFAULT_RATE);
}

/** The connections to a site. */
export function stackFor(site: Site, talk: Talk, more: Pick<StackOptions, "mediaWords" | "retry"> = {}): Stack {
  const { concurrency, rate, mediaRate, environment, log, beat, previous } = talk;
  return createStack({
    ...site,
    ...more,
    concurrency,
    environment,
    rate: rate ?? undefined,
    mediaRate: mediaRate ?? undefined,
    log: log ?? undefined,
    lastActivity: lastActivity(site, rate, previous),
    onStart: beat,
  });
}

/** Milliseconds that the run log's sign of life may be late: it is written every 2 s, and its seconds are cut off. */
const GRAIN = 3000;

function lastActivity(site: Site, rate: number | null, run: Run | null): number | undefined {
  return run === null || rateAt(site.root, rate) === null ? undefined : run.active * 1000 + GRAIN;
}
