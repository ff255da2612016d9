import type { Listed } from "../../contracts.js";
import type { Issue } from "../../model/issue.js";
import type { Item } from "../../model/item.js";
import type { Key } from "../../model/key.js";
import { restOf } from "../../model/key.js";
import { commentKey } from "../wire/comment-list.js";
import { changeToken } from "./change-token.js";
import { askListRecord, askRecord, type RecordAnswer } from "./record-answer.js";
import { quietPlace, type SiteSession } from "./site-session.js";
import { modifiedSince } from "./source-settings.js";

type Ask = (session: SiteSession, signal: AbortSignal) => Promise<RecordAnswer>;

/** Answers that are kept as they came, by what follows `record/` in their key. */
const RECORDS: Readonly<Record<string, Ask>> = {
  site: ({ client }, signal) => askRecord(client, "sites/info", {}, signal),
  hierarchy: async (session, signal) => (await session.listing().hierarchy(signal)).answer,
  tags: ({ client }, signal) =>
    askListRecord(client, { ...rowsOf(client, "tags"), keyOf: (row) => String(row.value) }, signal),
  releases: async (session, signal) => (await session.listing().releases(signal)).answer,
  comments: askComments,
};

/** The records have no tokens: each is a list itself, and reading it is asking for it. */
export function* listRecords(): Generator<Listed> {
  for (const name of Object.keys(RECORDS)) {
    yield { key: `record/${name}`, revision: "", title: name, category: null, modified: null };
  }
}

/** An answer that is kept as it came; one that the site refuses is kept as refused, with a note. */
export async function readRecord(session: SiteSession, key: Key, signal: AbortSignal): Promise<Item | undefined> {
  const name = restOf(key);
  const ask = RECORDS[name] ?? (name.startsWith("wikis/") ? askNamespace(name) : undefined);
  if (ask === undefined) return undefined;
  const answer = await ask(session, signal);
  const token = changeToken(answer.path, answer.query, answer.status, answer.answer);
  return {
    key,
    kind: "record",
    revision: token,
    raw: null,
    media: [],
    translations: [],
    issues: answer.status === 200 ? [] : [refused(key, answer)],
    body: { ...answer, readAt: Math.floor(Date.now() / 1000) },
  };
}

function askNamespace(path: string): Ask {
  return ({ client }, signal) => askRecord(client, path, { limit: 1 }, signal);
}

/** All comments, or those that changed since the last extract; who keeps them puts them together. */
function askComments(session: SiteSession, signal: AbortSignal): Promise<RecordAnswer> {
  const { since } = session.listing();
  const query = since === null ? {} : modifiedSince(since);
  const list = { ...rowsOf(session.client, "comments"), query, keyOf: commentKey };
  return askListRecord(session.client, list, signal);
}

function rowsOf(client: SiteSession["client"], path: string) {
  return { path, query: {}, rowsOf: (json: unknown) => quietPlace({ client }, path, json).items() };
}

function refused(key: Key, { path, status }: RecordAnswer): Issue {
  return {
    code: "not-available",
    level: "note",
    key,
    path: "",
    message: `GET ${path} was answered ${status}: this site has none of it, or this account may not read it.`,
  };
}
