import type { Listed } from "../../core/contracts.js";
import type { Issue } from "../../core/model/issue.js";
import type { Item } from "../../core/model/item.js";
import { idIn, type Key, kindOf, restOf, wikiOf } from "../../core/model/key.js";
import { canonicalJson, isObject } from "../../core/util/json.js";
import type { Endpoint, ItemWalk, Paged, RowWalk, Walk } from "../endpoints/endpoints.js";
import {
  addressOf,
  ITEM_WALKS,
  pathWith,
  type RecordWalk,
  ROW_WALKS,
  recordEndpoint,
  SITE_WALKS,
} from "../endpoints/record-endpoints.js";
import { type Client, segment } from "../http/client.js";
import { commentKey } from "../wire/comments.js";
import { modifiedSince, PAGE, SMALLEST_PAGE, sweepList } from "./paged-list.js";
import { answered, askListRecord, askRecord, RECORD_REFUSED, type RecordAnswer, refusable } from "./record-answer.js";
import { changeToken, quietCursor, type RowFacts, type SiteSession } from "./session.js";

/** One row for each answer of the site and for each item. To be listed last. */
export function* listFamilies(session: SiteSession): Generator<Listed> {
  for (const { endpoint } of SITE_WALKS) {
    if (isTaken(session, endpoint)) yield familyRow(endpoint.path.slice(1), "", undefined);
  }
  for (const one of ITEM_WALKS) {
    if (one.walk.ifAny === undefined && isTaken(session, one.endpoint)) yield* itemRows(session, one);
  }
}

function isTaken({ options }: SiteSession, { personal }: Endpoint): boolean {
  return personal === undefined || options.personalData === true;
}

/** Read again when the item's token changes. */
function* itemRows(session: SiteSession, { endpoint, walk }: RecordWalk<ItemWalk>): Generator<Listed> {
  for (const [key, facts] of session.listing().rows.entries()) {
    const id = idFor(walk, key, facts);
    if (id === undefined) continue;
    const path = pathWith(endpoint.path, (part) => (part === walk.id ? id : (walk.values?.[part] ?? "")));
    yield familyRow(path, facts.token, endpoint.path.slice(1));
  }
}

function familyRow(path: string, revision: string, family: string | undefined): Listed {
  const row = { key: `record/${path}`, revision, title: path, category: null, modified: null } as const;
  return family === undefined ? row : { ...row, family };
}

function idFor({ per, id, namespaces, where }: ItemWalk, key: Key, facts: RowFacts): string | undefined {
  const isGuide = kindOf(key) === "guide";
  if (isGuide !== (per === "guide") || !says(facts, where)) return undefined;
  if (isGuide) return String(idIn(key));
  const { namespace, title } = wikiOf(key);
  if (namespaces !== undefined && !namespaces.includes(namespace)) return undefined;
  if (id === "title") return title;
  return facts.id === null ? undefined : String(facts.id);
}

/** null, false and an empty list mean nothing in the service's answers (api-facts 11.4). */
function says({ rest }: RowFacts, where: string | undefined): boolean {
  if (where === undefined || !isObject(rest) || !Object.hasOwn(rest, where)) return true;
  const value = rest[where];
  return Boolean(value) && !(Array.isArray(value) && value.length === 0);
}

type Ask = (session: SiteSession, signal: AbortSignal) => Promise<FamilyAnswer>;

/** By the part of their key after `record/`. */
const RECORDS: Readonly<Record<string, Ask>> = {
  site: ({ info }, signal) => info(signal),
  hierarchy: async (session, signal) => (await session.listing().hierarchy(signal)).answer,
  tags: ({ client }, signal) =>
    askListRecord(client, { ...rowsOf(client, "tags"), order: "fixed", keyOf: (row) => String(row.value) }, signal),
  releases: async (session, signal) => (await session.listing().releases(signal)).answer,
  comments: askComments,
};

/** Issue code: a record is a list without its end. */
const LIST_CUT = "list-cut";

/** Issue code: the site doesn't have the path of a record. */
export const NO_ENDPOINT = "no-endpoint";

/** `site`, `wikis/ITEM` */
function isBasicRecord(name: string): boolean {
  return Object.hasOwn(RECORDS, name) || LIST_OF_NAMESPACE.test(name);
}

const LIST_OF_NAMESPACE = /^wikis\/[A-Z]+$/;

/** These records have no tokens: each is itself a list, so it is read every time. */
export function* listRecords(): Generator<Listed> {
  for (const name of Object.keys(RECORDS)) {
    yield { key: `record/${name}`, revision: "", title: name, category: null, modified: null };
  }
}

/** An unchanged answer; a refusal is kept as refused, with a note. */
export async function readRecord(session: SiteSession, key: Key, signal: AbortSignal): Promise<Item | undefined> {
  const name = restOf(key);
  const ask = RECORDS[name] ?? (LIST_OF_NAMESPACE.test(name) ? askNamespace(name) : familyOf(name));
  if (ask === undefined) return undefined;
  const { cut, absent, ...answer } = await ask(session, signal);
  const parts = [answer.path, answer.query, answer.status, answer.answer];
  const token = changeToken(...parts, ...(cut === undefined ? [] : [cut]));
  return {
    key,
    kind: "record",
    revision: token,
    raw: null,
    media: [],
    translations: [],
    issues: [
      ...(answer.status === 200 ? [] : [refusedRecord(key, answer, absent)]),
      ...(cut === undefined ? [] : [isCut(key, cut)]),
    ],
    body: { ...answer, readAt: Math.floor(Date.now() / 1000) },
  };
}

/** An answer of a family; titles in the key are not escaped. */
function familyOf(name: string): Ask | undefined {
  const endpoint = recordEndpoint(name);
  if (endpoint?.use.by !== "backup") return undefined;
  const { walks } = endpoint.use;
  const [paged] = walks.flatMap((walk) => walk.paged ?? []);
  const ids = walks.flatMap((walk) => (walk.per === "site" ? (walk.ids ?? []) : []));
  const path = addressOf(endpoint, name, segment);
  return async ({ client }, signal) => ({
    ...(await askFamily(client, { endpoint, path, paged, ids }, signal)),
    path: name,
  });
}

function askNamespace(path: string): Ask {
  return ({ client }, signal) => askRecord(client, path, { limit: 1 }, signal);
}

/** All comments, or those changed since the last extract. */
function askComments(session: SiteSession, signal: AbortSignal): Promise<RecordAnswer> {
  const { since, allComments } = session.listing();
  const query = since === null || allComments ? {} : modifiedSince(since);
  // No public text states the order of comments.
  const list = { ...rowsOf(session.client, "comments"), query, order: "moving", keyOf: commentKey } as const;
  return askListRecord(session.client, list, signal);
}

function rowsOf(client: SiteSession["client"], path: string) {
  return { path, query: {}, rowsOf: (json: unknown) => quietCursor({ client }, path, json).items() };
}

function isCut(key: Key, cut: string): Issue {
  return { code: LIST_CUT, level: "loss", key, path: "answer", message: `The list of ${key} is incomplete: ${cut}.` };
}

function refusedRecord(key: Key, { path, status }: RecordAnswer, absent?: true): Issue {
  return {
    code: absent === true ? NO_ENDPOINT : "not-available",
    level: "note",
    key,
    path: "",
    message: `GET ${path} was answered ${status}: this site does not have it, or this account may not read it.`,
  };
}

/** The list of releases is a record of every extract; its path is its own. */
const BASIC_LISTS: ReadonlySet<string> = new Set(["guides/releases"]);

/** The records for the rows of an answer, or for an answer with rows. */
export function* followRecord(session: SiteSession, record: Item): Generator<Listed> {
  const listing = session.listing();
  if (!listing.families || record.kind !== "record" || record.body.status !== 200) return;
  const { path, answer } = record.body;
  const template = BASIC_LISTS.has(path) ? `/${path}` : recordEndpoint(path)?.path;
  const rows = rowsIn(answer);
  if (template === undefined || rows === undefined) return;
  if (!record.issues.some(({ code }) => code === LIST_CUT)) listing.followed.add(path);
  for (const one of ROW_WALKS) {
    if (one.walk.of === template && isTaken(session, one.endpoint)) yield* rowRecords(one, rows);
  }
  if (rows.length === 0) return;
  for (const one of ITEM_WALKS) {
    if (one.walk.ifAny === template && isTaken(session, one.endpoint)) yield* itemRows(session, one);
  }
}

/** One record for each id; its token covers all rows with that id. */
function* rowRecords({ endpoint, walk }: RecordWalk<RowWalk>, rows: readonly unknown[]): Generator<Listed> {
  const tokens = new Map<string, string>();
  for (const row of rows) {
    const id = rowId(row, walk.ids);
    if (id === undefined || isWhole(row, walk)) continue;
    tokens.set(id, changeToken(tokens.get(id) ?? "", row));
  }
  for (const [id, token] of tokens) {
    yield familyRow(
      pathWith(endpoint.path, () => id),
      token,
      endpoint.path.slice(1),
    );
  }
}

function isWhole(row: unknown, { lacking }: RowWalk): boolean {
  return lacking !== undefined && isObject(row) && row[lacking] !== undefined;
}

/** Would the listing show it? Not if its family wasn't requested, or the list before failed. */
export function coversRecord(session: SiteSession, key: Key): boolean {
  if (kindOf(key) !== "record" || isBasicRecord(restOf(key))) return true;
  const endpoint = recordEndpoint(restOf(key));
  if (!session.listing().families || endpoint?.use.by !== "backup" || !isTaken(session, endpoint)) return false;
  return endpoint.use.walks.every((walk) => isWalked(session, walk));
}

/** No for personal data that wasn't requested. */
export function takesRecord(session: SiteSession, key: Key): boolean {
  const endpoint = kindOf(key) === "record" ? recordEndpoint(restOf(key)) : undefined;
  return endpoint === undefined || isTaken(session, endpoint);
}

function isWalked(session: SiteSession, walk: Walk): boolean {
  const { followed, refused, privateListed } = session.listing();
  // Rows of an answer about an item (a module's imports) are known only after its reading.
  if (walk.per === "row") return followed.has(walk.of.slice(1));
  if (walk.per === "site") return true;
  if (walk.ifAny !== undefined && !followed.has(walk.ifAny.slice(1))) return false;
  // Guides and pages in no list of this account stay, with their records.
  return walk.per === "guide" ? privateListed : refused.size === 0;
}

interface FamilyAnswer extends RecordAnswer {
  /** Why a list is incomplete; undefined: it is complete. */
  readonly cut?: string;
}

interface Asked {
  readonly endpoint: Endpoint;
  readonly path: string;
  readonly paged: Paged | undefined;
  readonly ids: readonly string[];
}

/** A list without ids is given up after 200,000 rows. */
const MOST_PAGES = 1000;

/** Reads a list to its end; docs/design/reading-a-site.md has the rules. */
export async function askFamily(client: Client, asked: Asked, signal: AbortSignal): Promise<FamilyAnswer> {
  const { endpoint, path } = asked;
  if (endpoint.method === "POST") return postToRead(client, path, signal);
  if (asked.paged === undefined) return askRecord(client, path, {}, signal);
  const first = await askPage(client, path, 0, signal);
  // A site without `limit` and `offset` may refuse them; such a list is one answer.
  if (first.status === 400 || first.status === 422) return askRecord(client, path, {}, signal);
  const rows = rowsIn(first.answer);
  const isLast = rows === undefined || rows.length === 0 || (asked.paged === "short" && rows.length < SMALLEST_PAGE);
  if (isLast) return { ...first, query: {} };
  const second = await askPage(client, path, rows.length, signal);
  const more = rowsIn(second.answer) ?? [];
  if (more.length === 0 || isSame(rows, more)) return { ...first, query: {}, ...cutBy(second) };
  const hasIds = rows.every((row) => rowId(row, asked.ids) !== undefined);
  return hasIds ? sweepRows(client, asked, first, signal) : pageByPage(client, path, [rows, more], signal);
}

/** A read that is a POST: nothing is created, so it may be repeated. */
async function postToRead(client: Client, path: string, signal: AbortSignal): Promise<FamilyAnswer> {
  const call = { method: "POST", path, json: {}, expect: RECORD_REFUSED, refusable: true } as const;
  const { status, json } = await refusable(client, () => client.send(call, signal), signal);
  return { path, query: {}, ...answered(status, json) };
}

function askPage(client: Client, path: string, offset: number, signal: AbortSignal): Promise<RecordAnswer> {
  return askRecord(client, path, { limit: PAGE, offset }, signal);
}

async function sweepRows(
  client: Client,
  { path, ids }: Asked,
  first: RecordAnswer,
  signal: AbortSignal,
): Promise<FamilyAnswer> {
  const rows: unknown[] = [];
  let cut: object = {};
  let known: RecordAnswer | undefined = first;
  const pages = sweepList(async (offset) => {
    const page = (offset === 0 ? known : undefined) ?? (await askPage(client, path, offset, signal));
    known = undefined;
    cut = { ...cut, ...cutBy(page) };
    return (rowsIn(page.answer) ?? []).map((row) => ({ key: rowId(row, ids) ?? canonicalJson(row), row }));
  }, "moving");
  for await (const { row } of pages) rows.push(row);
  return { path, query: {}, status: 200, answer: rows, ...cut };
}

/** Rows without ids: each page once, until one is empty or repeats the one before it. */
async function pageByPage(
  client: Client,
  path: string,
  [first, second]: readonly [readonly unknown[], readonly unknown[]],
  signal: AbortSignal,
): Promise<FamilyAnswer> {
  const rows = [...first, ...second];
  let before = second;
  for (let page = 2; page < MOST_PAGES; page += 1) {
    const answer = await askPage(client, path, rows.length, signal);
    const next = rowsIn(answer.answer) ?? [];
    if (next.length === 0 || isSame(before, next))
      return { path, query: {}, status: 200, answer: rows, ...cutBy(answer) };
    for (const row of next) rows.push(row);
    before = next;
  }
  return { path, query: {}, status: 200, answer: rows, cut: `it has more than ${rows.length} rows` };
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && canonicalJson(one) === canonicalJson(other);
}

/** iFixit refuses to show users after the first 1200 (api-facts 11.14). */
function cutBy({ status, query }: RecordAnswer): { readonly cut?: string } {
  return status === 200 ? {} : { cut: `the site refused (${status}) the rows after row ${query["offset"] ?? 0}` };
}

/** The rows of an answer, or of its only list (`{"results": […]}`). undefined: no list. */
export function rowsIn(answer: unknown): readonly unknown[] | undefined {
  if (Array.isArray(answer)) return answer;
  if (!isObject(answer)) return undefined;
  const lists = Object.values(answer).filter(Array.isArray);
  return lists.length === 1 ? lists[0] : undefined;
}

/** The first of these fields (also `image.id`) that has an id; undefined: none does. */
function rowId(row: unknown, fields: readonly string[]): string | undefined {
  for (const field of fields) {
    const value = field.split(".").reduce((at: unknown, name) => (isObject(at) ? at[name] : undefined), row);
    if ((typeof value === "number" && Number.isSafeInteger(value)) || (typeof value === "string" && value !== ""))
      return String(value);
  }
  return undefined;
}
