import { median, type RateFacts } from "./request-rate.js";
import type { HttpRequest } from "./transport.js";

export interface AnswerTimes {
  /** Notes an answer. Returns the multiple of the kind's usual latency; null: unknown. */
  note(request: Pick<HttpRequest, "method" | "url">, milliseconds: number): number | null;
  /** Milliseconds, of the last answers of all kinds; null: none. */
  median(): number | null;
}

// The usual latency is the best median of a block.
const BLOCK = 8;
// The usual latency doubles in 5,500 answers, for a site that became slower permanently.
const FORGETTING = 1.001;
// Milliseconds above the usual that are noise.
const UNFELT = 250;
// Bounds the memory for hosts with a folder for each file.
const KINDS = 64;
const LAST = 32;

interface Kind {
  block: number[];
  usual: number | null;
}

/** Latencies by kind of request: a list takes longer than a flag. */
export function createAnswerTimes(): AnswerTimes {
  const kinds = new Map<string, Kind>();
  const last: number[] = [];
  let count = 0;

  function kindFor(request: Pick<HttpRequest, "method" | "url">): Kind {
    const name = kindName(request);
    const place = kinds.has(name) || kinds.size < KINDS ? name : "others";
    const kind = kinds.get(place) ?? { block: [], usual: null };
    kinds.set(place, kind);
    return kind;
  }

  return {
    note(request, milliseconds) {
      last[count % LAST] = milliseconds;
      count += 1;
      const kind = kindFor(request);
      kind.block.push(milliseconds);
      if (kind.block.length === BLOCK) {
        kind.usual = Math.min(median(kind.block), (kind.usual ?? Number.POSITIVE_INFINITY) * FORGETTING);
        kind.block = [];
      }
      return kind.usual === null ? null : slownessOf(milliseconds, kind.usual);
    },
    median: () => (count === 0 ? null : median(last)),
  };
}

function slownessOf(milliseconds: number, usual: number): number {
  return milliseconds <= usual + UNFELT ? 1 : milliseconds / Math.max(usual, 1);
}

/** `GET 5 api/2.0/guides`: ids and titles come last or after these words. */
function kindName({ method, url }: Pick<HttpRequest, "method" | "url">): string {
  const parts = url.pathname.split("/").slice(1);
  return `${method} ${parts.length} ${parts.slice(0, -1).slice(0, 3).join("/")}`;
}

/** Milliseconds by cause since the queue was created. */
export interface TimeSpent {
  readonly held: number;
  readonly paused: number;
  /** A person paused the run; then nothing else is counted. */
  readonly byHand: number;
  /** Requests are active, and no other can start. */
  readonly answering: number;
  readonly idle: number;
}

export interface QueueUse extends TimeSpent {
  readonly origin: string;
  /** null: without limit. */
  readonly rate: RateFacts | null;
  /** Median milliseconds of the last answers; null: none came. */
  readonly latency: number | null;
  /** Requests sent since the queue was created, repetitions too. */
  readonly starts: number;
  /** The same by UNIX second, of the last seconds, since displays read late. */
  readonly startsBySecond: ReadonlyMap<number, number>;
  /** Answers that asked for a pause: 429, and 503 with Retry-After. */
  readonly refusals: number;
  /** The last figures: its connections are closed. */
  readonly isClosed?: true;
}

export interface TimeTotals {
  turnTo(what: keyof TimeSpent): void;
  spent(): TimeSpent;
}

export function createTimeTotals(now: () => number): TimeTotals {
  const totals = { held: 0, paused: 0, byHand: 0, answering: 0, idle: 0 };
  let current: keyof TimeSpent = "idle";
  let since = now();
  const turnTo = (what: keyof TimeSpent): void => {
    const time = now();
    totals[current] += Math.max(0, time - since);
    since = time;
    current = what;
  };
  return {
    turnTo,
    spent() {
      turnTo(current);
      return { ...totals };
    },
  };
}

interface StartCounts {
  note(startedAt: number): void;
  /** By UNIX second. */
  seconds(): ReadonlyMap<number, number>;
}

/** Displays read every second. */
const KEPT = 300;

export function createStartCounts(): StartCounts {
  const counts = new Map<number, number>();
  return {
    note: (startedAt) => {
      const second = Math.floor(startedAt / 1000);
      counts.set(second, (counts.get(second) ?? 0) + 1);
      const [oldest] = counts.keys();
      if (counts.size > KEPT && oldest !== undefined) counts.delete(oldest);
    },
    seconds: () => new Map(counts),
  };
}
