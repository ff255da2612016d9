import { text } from "node:stream/consumers";
import { expect } from "vitest";
import type { BackupSummary } from "../../../src/backup/backup.js";
import { type Item, type ItemOf, itemSchema } from "../../../src/core/model/item.js";
import type { RecordedRequest } from "../../../src/sandbox/index.js";
import type { Repository } from "../../../src/storage/repository/repository.js";
import { restoreNight } from "../../helpers/restore-snapshot.js";
import { askSite, contentOf, type Oracle } from "../../helpers/snapshot-oracle.js";

/** One night of a site, as it told of itself. */
export interface KeptSnapshot {
  readonly summary: BackupSummary;
  readonly oracle: Oracle;
  /** The site's answer by key, of the last night in which it was asked for it. */
  readonly answers: ReadonlyMap<string, string>;
  /** How many nights ago that was, at most. */
  readonly oldest: number;
  /** Keys that failed that night. */
  readonly failed: ReadonlySet<string>;
}

/** Requests whose answers a backup got. */
export function isAnswered({ method, status, fault }: RecordedRequest): boolean {
  return method === "GET" && status === 200 && fault === undefined;
}

/** What was asked for and is kept as it came. Lists in pages are asked for as one. */
export function recordsOf(asked: readonly RecordedRequest[]): ReadonlyMap<string, string> {
  const records = new Map<string, string>();
  for (const request of asked) {
    const query = new URLSearchParams(request.query);
    if (query.has("offset")) query.set("offset", "0");
    query.delete("modifiedSince");
    const key = keyOf(request);
    if (request.isApi && key.startsWith("record/")) records.set(key, `${request.path.slice(1)}?${query}`);
  }
  return records;
}

/** `/guides/12` with `langid=de` is `guide/12@de`. */
export function keyOf({ path, query }: RecordedRequest): string {
  const [, id] = /^\/guides\/(\d+)$/.exec(path) ?? [];
  const language = new URLSearchParams(query).get("langid");
  if (id !== undefined) return `guide/${id}${language === null ? "" : `@${language}`}`;
  const [, namespace, title] = /^\/wikis\/([A-Z]+)\/([^/]+)$/.exec(decodeURIComponent(path)) ?? [];
  if (namespace === undefined || title === undefined) return recordKey(decodeURIComponent(path).slice(1), query);
  return namespace === "CATEGORY" ? `category/${title}` : `wiki/${namespace}/${title}`;
}

/** Of the lists of categories the one by hierarchy is another answer. */
function recordKey(path: string, query: string): string {
  const display = new URLSearchParams(query).get("display");
  return `record/${path}${display === null ? "" : `?display=${display}`}`;
}

/**
 * What no list shows: tags of pages, deleted comments, and what an answer says of other things. It
 * is as old as the last reading.
 */
const OF_OTHERS = [
  "tags",
  "comments",
  "prerequisites",
  "prereq_modified_date",
  "number_of_dependent_guides",
  "guides",
  "children",
  "ancestors",
];

/** A link shows the title of the guide it leads to: `/Guide/Dye+it/12/34`. */
const TITLE_IN_LINK = /(?<=\/Guide\/)[^/"]+(?=\/\d+)/g;

function ownPart(answer: string): unknown {
  const withoutTitles = (name: string, value: unknown): unknown =>
    name.endsWith("_rendered") && typeof value === "string" ? value.replaceAll(TITLE_IN_LINK, "") : value;
  const fields = Object.entries(JSON.parse(answer, withoutTitles) as object);
  return Object.fromEntries(fields.filter(([name]) => !OF_OTHERS.includes(name)));
}

/** Of the guide itself and its steps. New ones and changed ones are listed. */
function commentsIn(answer: string): readonly string[] {
  const { comments = [], steps = [] } = JSON.parse(answer) as Commented & { readonly steps?: readonly Commented[] };
  return [...comments, ...steps.flatMap((step) => step.comments ?? [])].map((comment) => JSON.stringify(comment));
}

interface Commented {
  readonly comments?: readonly unknown[];
}

/** Of guides and pages. */
export function keysOf({ answers }: Oracle): readonly string[] {
  return [...answers.keys()].filter((key) => !key.startsWith("record/")).sort();
}

/** Every item of the snapshot against what the site answered. */
export async function expectRaws(repository: Repository, night: KeptSnapshot): Promise<void> {
  const { snapshot } = night.summary.index;
  const found: string[] = [];
  for await (const row of repository.items(snapshot)) {
    if (row.state !== "present") continue;
    const item = itemSchema.parse(JSON.parse(await text(await repository.open(row))));
    if (item.kind === "image") expectPicture(item, night.oracle);
    else if (item.kind === "record") expectRecord(item, night);
    else {
      found.push(row.key);
      expectAnswer(item, night);
    }
  }
  expect([snapshot, found.sort()]).toEqual([snapshot, keysOf(night.oracle)]);
}

function expectPicture({ key, body }: ItemOf<"image">, { pictures }: Oracle): void {
  const sha256 = pictures.get(Number(key.slice("image/".length)));
  // One that is shown no more lies there until its number is gone from all guides.
  if (sha256 !== undefined) expect([key, body.content?.sha256]).toEqual([key, sha256]);
}

/** Ours, and asked for by POST. */
const NO_ANSWERS: ReadonlySet<string> = new Set(["record/extract", "record/refused", "record/quizzes/getQuizzes"]);

function expectRecord({ key, body }: ItemOf<"record">, { oracle, answers }: KeptSnapshot): void {
  if (NO_ANSWERS.has(key)) return;
  const answer = JSON.stringify(body.answer);
  if (body.status !== 200) expect([key, answer]).toEqual([key, "null"]);
  else if (key === "record/comments") {
    const there = JSON.parse(oracle.answers.get(key) ?? "[]") as readonly unknown[];
    expect(body.answer).toEqual(expect.arrayContaining([...there]));
  } else
    expect([key, answer]).toEqual([
      key,
      rowsIn(answers.get(recordKey(body.path, `${new URLSearchParams(body.query)}`))),
    ]);
}

/** Of a list in pages the rows are kept: `{"releases": […]}` is what stands in it. */
function rowsIn(answer: string | undefined): string | undefined {
  return answer?.replace(/^\{"releases":(\[.*\])\}$/s, "$1");
}

function expectAnswer({ key, raw }: Item, { oracle, answers, failed }: KeptSnapshot): void {
  const stored = JSON.stringify((raw as { readonly json: unknown }).json);
  expect([key, stored]).toEqual([key, answers.get(key)]);
  const now = oracle.answers.get(key) ?? "{}";
  if (failed.has(key)) return;
  expect([key, ownPart(stored)]).toEqual([key, ownPart(now)]);
  expect(commentsIn(stored)).toEqual(expect.arrayContaining([...commentsIn(now)]));
}

/** The snapshot in an empty site, against the site that it is of. */
export async function expectRestored(
  repository: Repository,
  { summary, oracle, answers }: KeptSnapshot,
): Promise<void> {
  const { target, filled, loaded } = await restoreNight(repository, summary.index.snapshot);
  expect([filled.failed, loaded.failed, loaded.refused, loaded.heldBack]).toEqual([0, 0, 0, []]);
  const present = new Set(keysOf(oracle));
  const stored = new Map([...answers].filter(([key]) => present.has(key)));
  expect(contentOf(await askSite(target))).toEqual(contentOf({ ...oracle, answers: stored }));
  await target.close();
}
