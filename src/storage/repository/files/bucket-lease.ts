import { randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { ArchiveError, EXIT, UsageError } from "../../../core/errors.js";
import { parseJson } from "../../../core/util/json.js";
import { isRunning } from "../../archive/atomic-file.js";
import type { Holder } from "../../workspace/lock.js";
import type { BucketClient, Fetched } from "./bucket-client.js";
import type { Lease } from "./repository-storage.js";

/** The object with the lease. It stays: credentials for appending only may not remove it. */
export const LEASE = "lease.json";

const leaseSchema = z.object({
  /** null: nobody has the lease. */
  token: z.string().nullable(),
  pid: z.number(),
  host: z.string(),
  /** The running system and its space of process ids; null: unknown. */
  machine: z.string().nullable(),
  command: z.string(),
  since: z.string(),
  /** It is free when its object is older than this. */
  seconds: z.number(),
  /** Makes each renewal another object, so that others see that the holder lives. */
  renewals: z.number(),
  /** Archives that got their name, or are about to, before their index. */
  uncommitted: z.array(z.string()),
  /** The sha256 of those that have arrived, so that a copy does not send them again. */
  hashes: z.record(z.string(), z.string()).default({}),
  /** Ids of unfinished uploads of which a run has told. */
  told: z.array(z.string()).default([]),
});
type LeaseState = z.infer<typeof leaseSchema>;

/** Seconds for which a lease is valid, and a killed run on another machine blocks the next one. */
const VALID = 60;
/** Renewals in that time. */
const RENEWALS = 4;
/** Milliseconds between looks at the lease of a run that may be dead. */
const LOOK = 500;
/** Unfinished uploads by id: the lease stays a small object. */
const MOST_TOLD = 200;
/** Milliseconds that times of the server may be inexact. */
const INEXACT = 2000;

/**
 * The right to change a repository in a bucket. A conditional write of one object takes, renews and
 * releases it, so the server decides who has it, and only the clock of the server counts. A process
 * that was paused and lost the lease finds that out before its next write.
 */
export class BucketLease implements Lease {
  /** The holder before was not seen to end: it may be paused, and wake up. */
  readonly mayWake: boolean;
  readonly #bucket: BucketClient;
  readonly #lost = new AbortController();
  readonly #isNew: boolean;
  #state: LeaseState;
  readonly #hashes: Map<string, string>;
  #etag: string;
  /** The last renewal: a suspended machine stops the first clock, a correction moves the other. */
  #renewed = { steady: performance.now(), wall: Date.now() };
  #writing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  private constructor(
    bucket: BucketClient,
    state: LeaseState,
    etag: string,
    facts: { isNew: boolean; mayWake: boolean },
  ) {
    this.#bucket = bucket;
    this.#state = state;
    this.#hashes = new Map(Object.entries(state.hashes));
    this.#etag = etag;
    this.#isNew = facts.isNew;
    this.mayWake = facts.mayWake;
    const every = (state.seconds * 1000) / RENEWALS;
    // A failed renewal is repeated by the next one, or by the next write, which reports it.
    this.#timer = setInterval(() => void this.confirm().catch(() => undefined), every).unref();
  }

  /**
   * Takes the lease, or returns its holder. It waits for the end of a lease whose holder shows no
   * life. Throws UsageError for a server that ignores the conditions of writes.
   */
  static async take(bucket: BucketClient, command: string, seconds = VALID): Promise<BucketLease | Holder> {
    let [seen, tried] = ["", ""];
    const token = randomUUID();
    for (;;) {
      const found = await bucket.get(LEASE);
      const before = found === undefined ? undefined : stateIn(found);
      // The answer to an earlier try of this write was lost.
      if (found !== undefined && before?.token === token)
        return BucketLease.#begin(bucket, before, found.etag, { isNew: tried === "", mayWake: true });
      const { uncommitted = [], hashes = {}, told = [] } = before ?? {};
      const state = newState(command, seconds, { token, uncommitted, hashes, told });
      if (found === undefined) {
        const etag = await bucket.put(LEASE, textOf(state), "absent");
        if (etag !== undefined) return BucketLease.#begin(bucket, state, etag, { isNew: true, mayWake: false });
        continue;
      }
      const use = useOf(found, before, bucket.now());
      if (before !== undefined && (use === "running" || (use === "unknown" && seen !== "" && seen !== found.etag)))
        return holderIn(before);
      if (use === "unknown") {
        seen = found.etag;
        await delay(LOOK);
        continue;
      }
      if (tried === found.etag) throw ignoresConditions(bucket);
      const etag = await bucket.put(LEASE, textOf(state), { etag: found.etag });
      if (etag !== undefined) return BucketLease.#begin(bucket, state, etag, { isNew: false, mayWake: use === "over" });
      tried = found.etag;
    }
  }

  static async #begin(
    bucket: BucketClient,
    state: LeaseState,
    etag: string,
    facts: { readonly isNew: boolean; readonly mayWake: boolean },
  ): Promise<BucketLease> {
    const again = await bucket.put(LEASE, textOf(state), "absent");
    if (again !== undefined) {
      await bucket.put(LEASE, textOf({ ...state, token: null }));
      throw ignoresConditions(bucket);
    }
    return new BucketLease(bucket, state, etag, facts);
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** See LeaseState. */
  get uncommitted(): ReadonlySet<string> {
    return new Set(this.#state.uncommitted);
  }

  /** Throws ArchiveError (exit 11) when the lease was lost. Asks the server if that is possible. */
  async ensure(): Promise<void> {
    this.#lost.signal.throwIfAborted();
    const { steady, wall } = this.#renewed;
    const age = Math.max(performance.now() - steady, Math.abs(Date.now() - wall));
    if (age > (this.#state.seconds * 1000) / 2) await this.confirm();
  }

  /** The same, and always asks the server. */
  confirm(): Promise<void> {
    return this.#change(({ uncommitted }) => uncommitted);
  }

  /** Notes an archive that is about to get its name. */
  note(name: string): Promise<void> {
    this.#hashes.delete(name);
    return this.#change(({ uncommitted }) => [...new Set([...uncommitted, name])]);
  }

  /** Notes, at the next renewal, that a noted archive has its name and these bytes. */
  arrived(name: string, sha256: string): void {
    this.#hashes.set(name, sha256);
  }

  /** The sha256 of an archive without an index; undefined: unknown. */
  hashOf(name: string): string | undefined {
    return this.#hashes.get(name);
  }

  /** Has no run told of one of these yet? From the next renewal on, each of them is told. */
  isNews(ids: readonly string[]): boolean {
    const told = new Set(this.#state.told);
    this.#state = { ...this.#state, told: ids.slice(0, MOST_TOLD) };
    return ids.some((id) => !told.has(id)) && told.size < MOST_TOLD;
  }

  /** Forgets archives whose index was written, at the next renewal. */
  forget(isDone: (name: string) => boolean): void {
    for (const name of this.#hashes.keys()) if (isDone(name)) this.#hashes.delete(name);
    this.#state = { ...this.#state, uncommitted: this.#state.uncommitted.filter((name) => !isDone(name)) };
  }

  async release(): Promise<void> {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#writing.catch(() => undefined);
    if (this.#lost.signal.aborted) return;
    this.#state = { ...this.#state, token: null };
    const released = this.#bucket.put(LEASE, textOf(this.#withHashes(this.#state)), { etag: this.#etag });
    // It ends by itself; an error here would hide the one for which the run ends.
    await released.catch(unlessOfStorage);
  }

  async abandon(): Promise<void> {
    const isHeld = this.#timer !== undefined && !this.#lost.signal.aborted;
    await this.release();
    if (this.#isNew && isHeld) await this.#removeAlone().catch(unlessOfStorage);
  }

  /** Removes the lease if nothing else is there. */
  async #removeAlone(): Promise<void> {
    const objects = await this.#bucket.list();
    if (objects.every(({ name }) => name === LEASE)) await this.#bucket.remove(LEASE);
  }

  /** One write after the other, since each needs the ETag of the one before. */
  #change(uncommitted: (state: LeaseState) => string[]): Promise<void> {
    const written = this.#writing
      .catch(() => undefined)
      .then(async () => {
        this.#lost.signal.throwIfAborted();
        if (this.#timer === undefined) return;
        const state = { ...this.#state, uncommitted: uncommitted(this.#state), renewals: this.#state.renewals + 1 };
        const at = { steady: performance.now(), wall: Date.now() };
        this.#etag = await this.#replace(textOf(this.#withHashes(state)));
        this.#renewed = at;
        this.#state = { ...state, uncommitted: uncommitted({ ...state, uncommitted: this.#state.uncommitted }) };
      });
    this.#writing = written;
    return written;
  }

  #withHashes(state: LeaseState): LeaseState {
    return { ...state, hashes: Object.fromEntries(this.#hashes) };
  }

  async #replace(text: Buffer): Promise<string> {
    const etag = await this.#bucket.put(LEASE, text, { etag: this.#etag });
    if (etag !== undefined && etag !== "") return etag;
    // The answer to an earlier try of this write may be lost.
    const found = await this.#bucket.get(LEASE);
    if (found?.bytes.equals(text)) return found.etag;
    const holder = found === undefined ? undefined : stateIn(found);
    const who = holder?.token == null ? "another run" : describe(holder);
    const reason = new ArchiveError(
      `This run lost the lease of ${this.#bucket.place.address} to ${who}: it was paused or had no connection for more than ${this.#state.seconds} seconds. ` +
        "It changed nothing since. Wait until the other run ends, then run the same command again.",
      { exitCode: EXIT.locked },
    );
    this.#lost.abort(reason);
    throw reason;
  }
}

/** The holder of the lease; undefined: nobody. */
export async function leaseHolder(bucket: BucketClient): Promise<Holder | undefined> {
  const found = await bucket.get(LEASE);
  const state = found === undefined ? undefined : stateIn(found);
  if (found === undefined || state === undefined) return undefined;
  const use = useOf(found, state, bucket.now());
  return use === "running" || use === "unknown" ? holderIn(state) : undefined;
}

/** The archives without an index that a run is writing or has left. */
export async function uncommittedIn(bucket: BucketClient): Promise<ReadonlySet<string>> {
  const found = await bucket.get(LEASE);
  return new Set(found === undefined ? [] : stateIn(found)?.uncommitted);
}

/** `free`: released, or its process has ended. `over`: too old. `unknown`: on another machine. */
type Use = "free" | "over" | "running" | "unknown";

function useOf({ modified }: Fetched, state: LeaseState | undefined, now: number): Use {
  if (state?.token === null) return "free";
  const isHere = state !== undefined && state.machine !== null && state.machine === machine();
  if (isHere && !isRunning(state.pid)) return "free";
  if (now - modified > (state?.seconds ?? VALID) * 1000 + INEXACT) return "over";
  return isHere ? "running" : "unknown";
}

function unlessOfStorage(error: unknown): void {
  if (!(error instanceof ArchiveError)) throw error;
}

function newState(
  command: string,
  seconds: number,
  kept: Pick<LeaseState, "token" | "uncommitted" | "hashes" | "told">,
): LeaseState {
  const who = { pid: process.pid, host: hostname(), machine: machine(), command, since: new Date().toISOString() };
  return { ...who, ...kept, seconds, renewals: 0 };
}

/** undefined: damaged. */
function stateIn({ bytes }: Fetched): LeaseState | undefined {
  return leaseSchema.safeParse(parseJson(bytes.toString())).data;
}

function textOf(state: LeaseState): Buffer {
  return Buffer.from(`${JSON.stringify(state, null, 2)}\n`);
}

function holderIn({ pid, host, command, since }: LeaseState): Holder {
  return { pid, host, command, since };
}

function describe({ pid, host, command, since }: LeaseState): string {
  return `process ${pid} on ${host}, \`${command}\`, since ${since}`;
}

/** Only Linux tells. Two containers of one machine have different spaces of process ids. */
function machine(): string | null {
  try {
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return null;
  }
}

function ignoresConditions({ place }: BucketClient): UsageError {
  return new UsageError(
    `The server of ${place.address} ignores the conditions of writes (If-None-Match, If-Match), so two runs could damage the repository. ` +
      "No archive was written. Use a server that supports them. Some servers, such as Ceph 16, support them only in buckets without versioning.",
  );
}
