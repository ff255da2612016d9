import type { Listed } from "../../core/contracts.js";
import type { Issue } from "../../core/model/issue.js";
import type { Item } from "../../core/model/item.js";
import type { Key } from "../../core/model/key.js";
import { restOf } from "../../core/model/key.js";
import { segment } from "../client.js";
import { addressOf, recordEndpoint } from "../endpoints/record-endpoints.js";
import { commentKey } from "../wire/comment-list.js";
import { askFamily, type FamilyAnswer } from "./ask-family.js";
import { changeToken } from "./change-token.js";
import { askListRecord, askRecord, type RecordAnswer } from "./record-answer.js";
import { quietPlace, type SiteSession } from "./site-session.js";
import { modifiedSince } from "./source-settings.js";

type Ask = (session: SiteSession, signal: AbortSignal) => Promise<FamilyAnswer>;

/** Answers that are kept as they came, by what follows `record/` in their key. */
const RECORDS: Readonly<Record<string, Ask>> = {
  site: ({ client }, signal) => askRecord(client, "sites/info", {}, signal),
  hierarchy: async (session, signal) => (await session.listing().hierarchy(signal)).answer,
  tags: ({ client }, signal) =>
    askListRecord(client, { ...rowsOf(client, "tags"), keyOf: (row) => String(row.value) }, signal),
  releases: async (session, signal) => (await session.listing().releases(signal)).answer,
  comments: askComments,
};

/** Of an issue of a record that is a list without its end. */
export const LIST_CUT = "list-cut";

/** Of an issue of a record whose path the site doesn't have at all. */
export const NO_ENDPOINT = "no-endpoint";

/** `site`, `wikis/ITEM`: what every extract lists. */
export function isBasicRecord(name: string): boolean {
  return Object.hasOwn(RECORDS, name) || LIST_OF_NAMESPACE.test(name);
}

const LIST_OF_NAMESPACE = /^wikis\/[A-Z]+$/;

/** The records have no tokens: each is a list itself, and reading it is asking for it. */
export function* listRecords(): Generator<Listed> {
  for (const name of Object.keys(RECORDS)) {
    yield { key: `record/${name}`, revision: "", title: name, category: null, modified: null };
  }
}

/** An answer that is kept as it came; one that the site refuses is kept as refused, with a note. */
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
      ...(answer.status === 200 ? [] : [refused(key, answer, absent)]),
      ...(cut === undefined ? [] : [isCut(key, cut)]),
    ],
    body: { ...answer, readAt: Math.floor(Date.now() / 1000) },
  };
}

/** An answer of a family; the key is the path as people write it, so that titles in it are escaped for the address. */
function familyOf(name: string): Ask | undefined {
  const endpoint = recordEndpoint(name);
  if (endpoint?.use.by !== "backup") return undefined;
  const { walks } = endpoint.use;
  const [paged] = walks.flatMap((walk) => (walk.paged === true ? ["whole" as const] : (walk.paged ?? [])));
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

/** All comments, or those that changed since the last extract; who keeps them puts them together. */
function askComments(session: SiteSession, signal: AbortSignal): Promise<RecordAnswer> {
  const { since, allComments } = session.listing();
  const query = since === null || allComments ? {} : modifiedSince(since);
  const list = { ...rowsOf(session.client, "comments"), query, keyOf: commentKey };
  return askListRecord(session.client, list, signal);
}

function rowsOf(client: SiteSession["client"], path: string) {
  return { path, query: {}, rowsOf: (json: unknown) => quietPlace({ client }, path, json).items() };
}

function isCut(key: Key, cut: string): Issue {
  return { code: LIST_CUT, level: "loss", key, path: "answer", message: `The list of ${key} is not whole: ${cut}.` };
}

function refused(key: Key, { path, status }: RecordAnswer, absent?: true): Issue {
  return {
    code: absent === true ? NO_ENDPOINT : "not-available",
    level: "note",
    key,
    path: "",
    message: `GET ${path} was answered ${status}: this site has none of it, or this account may not read it.`,
  };
}
