import { NAMESPACES } from "../../core/model/key.js";
import { systemClock } from "../../core/util/clock.js";
import { onAbort } from "../../core/util/concurrency.js";
import { isObject, type JsonObject } from "../../core/util/json.js";
import { ENDPOINTS } from "../endpoints/endpoints.js";
import { DEFAULT_RATE } from "../http/request-rate.js";
import type { Ask, AskResult } from "./ask.js";
import { isProbeFile, isProbeTitle } from "./probe-things.js";
import type { FamilyRead, Leftover, ListCount, RateFacts, ReadName, SiteFacts } from "./site-facts.js";

type Read = Pick<SiteFacts, "reads" | "families" | "counts" | "leftovers" | "leftoversUnseen">;

const FIRST: Readonly<Partial<Record<ReadName, string>>> = {
  guides: "guides?limit=1",
  info: "sites/info",
  user: "user",
};
const REST: Readonly<Partial<Record<ReadName, string>>> = {
  flags: "user/flags",
  constraints: "user/media/constraints",
  own: "user/guides?limit=1",
};

const LISTS: readonly CountedList[] = [
  { list: "guides", path: "guides", query: "includePrivate=true&", id: (row) => row["guideid"] },
  ...NAMESPACES.map((namespace) => ({
    list: namespace,
    path: `wikis/${namespace}`,
    id: (row: JsonObject) => row["wikiid"] ?? row["title"],
  })),
];

const OWN_GUIDES: CountedList = {
  list: "own guides",
  path: "user/guides",
  query: "order=DESC&",
  id: (row) => row["guideid"],
};
const OWN_IMAGES: CountedList = {
  list: "images",
  path: "user/media/images",
  id: (row) => (isObject(row["image"]) ? row["image"]["id"] : (row["imageid"] ?? row["id"])),
};

/** All reads of a check, one after the other. Throws the signal's reason. */
export async function readSite(ask: Ask, root: string, signedIn: boolean, signal: AbortSignal): Promise<Read> {
  const reads: Record<ReadName, AskResult | null> = {
    guides: null,
    info: null,
    user: null,
    flags: null,
    constraints: null,
    own: null,
    guide: null,
  };
  const nothing: Read = { reads, families: [], counts: [], leftovers: [], leftoversUnseen: true };
  const askAll = async (paths: Readonly<Partial<Record<ReadName, string>>>): Promise<void> => {
    for (const name of Object.keys(paths) as readonly ReadName[]) {
      reads[name] = await ask({ path: paths[name] ?? "" }, signal);
      if (reads[name]?.error != null && name === "guides") return;
    }
  };
  await askAll(FIRST);
  const isOpen = reads.guides?.status === 200 && Array.isArray(reads.guides.json);
  if (!isOpen || (signedIn && reads.user?.status === 401)) return nothing;
  await askAll(REST);
  const id = [reads.guides, reads.own].flatMap((reply) => firstGuide(reply))[0];
  if (id !== undefined) reads.guide = await ask({ path: `guides/${id}?excludePrerequisiteSteps=true` }, signal);
  const families = await readFamilies(ask, reads, signal);
  return { reads, families, ...(await readContent(ask, root, signedIn, signal)) };
}

function firstGuide(reply: AskResult | null): readonly number[] {
  const [row]: readonly unknown[] = Array.isArray(reply?.json) ? reply.json : [];
  const id = isObject(row) ? row["guideid"] : undefined;
  return typeof id === "number" ? [id] : [];
}

const FAMILIES: ReadonlyMap<string, string> = new Map(
  ENDPOINTS.filter(({ method, path, use }) => method === "GET" && use.by !== "never" && !/[{:?]/.test(path))
    .toReversed()
    .map(({ family, path }) => [family, path.slice(1)]),
);

async function readFamilies(ask: Ask, reads: SiteFacts["reads"], signal: AbortSignal): Promise<readonly FamilyRead[]> {
  const known = new Map(Object.values(reads).map((reply) => [reply?.path.replace(/\?.*/, ""), reply]));
  const families: FamilyRead[] = [];
  for (const [family, path] of FAMILIES) {
    families.push({ family, reply: known.get(path) ?? (await ask({ path: `${path}?limit=1` }, signal)) });
  }
  return families.toReversed();
}

async function readContent(ask: Ask, root: string, signedIn: boolean, signal: AbortSignal) {
  const counts: SiteFacts["counts"][number][] = [];
  const found = new Map<string, Leftover>();
  const see = (row: JsonObject): void => {
    const one = leftoverIn(row, root);
    if (one !== undefined) found.set(`${one.what} ${one.title}`, one);
  };
  const lists = signedIn ? [...LISTS, OWN_GUIDES, OWN_IMAGES] : LISTS;
  for (const list of lists) counts.push(await countRows(ask, list, see, signal));
  const own = counts.filter(({ list }) => list === OWN_GUIDES.list || list === OWN_IMAGES.list);
  return { counts, leftovers: [...found.values()], leftoversUnseen: !own.every(({ isWhole }) => isWhole) };
}

function leftoverIn(row: JsonObject, root: string): Leftover | undefined {
  const { guideid, title, url } = row;
  if (typeof guideid === "number" && isProbeTitle(title)) {
    return {
      what: "guide",
      id: guideid,
      title,
      address: typeof url === "string" ? url : guideAddress(root, guideid),
      why: null,
    };
  }
  const name = uploadName(row);
  const id = OWN_IMAGES.id(row);
  if (typeof id !== "number" || !isProbeFile(name)) return undefined;
  return { what: "upload", id, title: name, address: uploadAddress(root, id), why: null };
}

/** The file name of an upload, if the media manager shows it. */
export function uploadName(row: JsonObject): unknown {
  return row["filename"] ?? (isObject(row["exif"]) ? row["exif"]["FileName"] : undefined);
}

export function guideAddress(root: string, id: number): string {
  return `${new URL(root).origin}/Guide/probe/${id}`;
}

export function uploadAddress(root: string, id: number): string {
  return `${root}/user/media/images/${id}`;
}

interface CountedList {
  readonly list: string;
  readonly path: string;
  /** `order=DESC&`: with `&` at its end. */
  readonly query?: string;
  readonly id: (row: JsonObject) => unknown;
}

const PAGE = 200;
/** 10,000 rows show what kind of site it is. */
const MOST_PAGES = 50;

/** Counts a list and calls `see` with each row. A page without new rows ends it. */
export async function countRows(
  ask: Ask,
  { list, path, query = "", id }: CountedList,
  see: (row: JsonObject) => void,
  signal: AbortSignal,
): Promise<ListCount> {
  const seen = new Set<unknown>();
  let hidden = 0;
  let first: AskResult | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const reply = await ask({ path: `${path}?${query}limit=${PAGE}&offset=${page * PAGE}` }, signal);
    first ??= reply;
    if (reply.status !== 200 || !Array.isArray(reply.json))
      return { list, reply: first, rows: seen.size, hidden, isWhole: false };
    const fresh = reply.json.filter(isObject).filter((row) => !seen.has(id(row)));
    for (const row of fresh) {
      seen.add(id(row));
      if (row["public"] === false) hidden += 1;
      see(row);
    }
    if (fresh.length === 0) return { list, reply: first, rows: seen.size, hidden, isWhole: true };
  }
  if (first === undefined) throw new Error("a list was counted without one page");
  return { list, reply: first, rows: seen.size, hidden, isWhole: false };
}

const SECONDS = 3;
const MOST = 30;
/** Starts per second without a limit: on this machine. */
const UNLIMITED = 100;

/** Reads one small list at `rate` and measures. An answer other than 200 ends it. */
export async function probeRate(ask: Ask, rate: number | null, signal: AbortSignal): Promise<RateFacts> {
  const perSecond = rate ?? UNLIMITED;
  const planned = Math.max(1, Math.min(MOST, Math.round((rate ?? DEFAULT_RATE) * SECONDS)));
  // Earlier requests must be outside of the rate's window, or the queue would delay these.
  if (rate !== null) await systemClock.sleep(1100, signal);
  const over = new AbortController();
  const forget = onAbort(signal, () => over.abort(signal.reason));
  const pending: Promise<AskResult | null>[] = [];
  try {
    for (let at = 0; at < planned && !over.signal.aborted; at += 1) {
      pending.push(timed(ask, over, signal));
      // A little more than the share of a second, like the queue's own window.
      await systemClock.sleep(1020 / perSecond, signal);
    }
    const all = await Promise.all(pending);
    return summed(
      all.filter((reply) => reply !== null),
      rate,
      planned,
    );
  } finally {
    // A stop ends the loop: active requests fail too, and their errors must be handled.
    await Promise.allSettled(pending);
    forget();
  }
}

/** null: dropped, since another request ended the probe. */
async function timed(ask: Ask, over: AbortController, signal: AbortSignal): Promise<AskResult | null> {
  const started = performance.now();
  try {
    const reply = await ask({ path: "guides?limit=1", tries: 1 }, over.signal);
    if (reply.status !== 200) over.abort();
    return { ...reply, took: performance.now() - started };
  } catch (error) {
    if (over.signal.aborted && !signal.aborted) return null;
    throw error;
  }
}

function summed(all: readonly AskResult[], rate: number | null, planned: number): RateFacts {
  const good = all.filter(({ status }) => status === 200);
  const times = good.map(({ took }) => took).toSorted((one, other) => one - other);
  const bad = all.find(({ status }) => status !== 200 && status !== 429);
  return {
    rate,
    planned,
    answered: good.length,
    median: shareOf(times, 0.5),
    slow: shareOf(times, 0.95),
    tooMany: all.flatMap(({ tooMany }) => tooMany)[0],
    trouble: bad === undefined ? null : (bad.message ?? `answered ${bad.status}`),
  };
}

function shareOf(times: readonly number[], share: number): number {
  return Math.round(times[Math.min(times.length - 1, Math.ceil(times.length * share) - 1)] ?? 0);
}
