import { type Key, kindOf } from "../../core/model/key.js";
import { type JsonObject, listIn, objectIn } from "../../core/util/json.js";
import type { Body, Written } from "../../core/writing.js";
import type { Client } from "../http/client.js";
import { WRITE_REFUSED } from "../http/status-error.js";
import { maybeReencoded, sameField, writtenDigest } from "../wire/compared-fields.js";
import { writable } from "../wire/writable.js";
import { pathOf } from "./identity.js";
import { stepsIn, writtenGuide, writtenStep, writtenWiki } from "./written-body.js";

/** A thing as it stands at the target now. */
export interface RemoteState {
  readonly id: string;
  /** Comparable with `Written.left`. */
  readonly digest: string;
  readonly body: Body;
  readonly json: unknown;
  /** Of a guide: by id, in order. */
  readonly steps: ReadonlyMap<string, RemoteState>;
  /** Of a category: the titles below it. */
  readonly children: readonly string[];
  /** Of a category: the public guides in it. */
  readonly guides: readonly string[];
  /** Of a guide: the comments on it and on its steps. */
  readonly comments: readonly string[];
}

/** What an answer with a guide or page tells of it. */
export function remoteStateOf(key: Key, id: string, json: unknown): RemoteState {
  const compared = kindOf(key) === "guide" ? "guide" : "wiki";
  const steps = compared === "guide" ? stepsIn(json).map(stepOf) : [];
  const { children, guides, comments } = objectIn(json);
  return {
    id,
    digest: writtenDigest(compared, json),
    body: writable(compared, json),
    json,
    steps: new Map(steps.map((step) => [step.id, step])),
    children: listIn(children).map(titleOf),
    guides: listIn(guides).map((guide) => String(objectIn(guide)["guideid"])),
    comments: [...commentsIn(comments), ...steps.flatMap((step) => step.comments)],
  };
}

/** Replies hang below the comment that they answer (api-facts 7). */
export function commentsIn(comments: unknown): readonly string[] {
  return listIn(comments).flatMap((comment) => {
    const { commentid, replies } = objectIn(comment);
    return [String(commentid), ...commentsIn(replies)];
  });
}

function stepOf(step: JsonObject): RemoteState {
  const id = String(step["stepid"]);
  return {
    id,
    digest: writtenDigest("step", step),
    body: writable("step", step),
    json: step,
    steps: new Map(),
    children: [],
    guides: [],
    comments: commentsIn(step["comments"]),
  };
}

/** Strings in old data (api-facts 8.3). */
function titleOf(child: unknown): string {
  return typeof child === "string" ? child : String(objectIn(child)["title"]);
}

/** The ledger's record if our last write had left the remote state. */
export function writtenFromState(key: Key, remote: RemoteState, before: Written | undefined): Written {
  const kind = kindOf(key);
  if (kind === "guide") return writtenGuide(key, remote.json);
  return kind === "step" ? writtenStep(key, remote.json) : writtenWiki(key, remote.json, before);
}

/** Who may see a guide while it is private. */
export interface Viewers {
  readonly users: readonly number[];
  readonly teams: readonly number[];
}

/** The tags of a guide, which stand outside of its object, or of a page (api-facts 4.6). */
export async function readTags(client: Client, key: Key, id: string, signal: AbortSignal): Promise<readonly string[]> {
  const path = pathOf(key, id);
  const isGuide = kindOf(key) === "guide";
  const { json } = await client.get(isGuide ? `${path}/tags` : path, {}, signal);
  return listIn(isGuide ? json : objectIn(json)["tags"]).map(String);
}

/** Who sees a guide; undefined where the site doesn't say. */
export async function readViewers(client: Client, id: string, signal: AbortSignal): Promise<Viewers | undefined> {
  const users = await client.get(`guides/${id}/users`, { expect: WRITE_REFUSED }, signal);
  const teams = await client.get(`guides/${id}/teams`, { expect: WRITE_REFUSED }, signal);
  if (users.status !== 200 || teams.status !== 200) return undefined;
  return { users: idsIn(users.json, "userid"), teams: idsIn(objectIn(teams.json)["guideTeams"], "teamid") };
}

function idsIn(rows: unknown, name: string): readonly number[] {
  const all = listIn(rows).map((row) => objectIn(row)[name]);
  return all.filter((id) => typeof id === "number");
}

/** The fields to send so that a thing becomes as it was, and those no call takes. */
interface FieldsToRestore {
  readonly fields: Body;
  /** Filled now, empty then, and nothing public empties them (api-facts 4.1, 4.2). */
  readonly stuck: readonly string[];
}

/** Other calls carry these. */
const OTHER_CALLS: Readonly<Record<string, readonly string[]>> = {
  guide: ["public", "steps"],
  step: [],
  page: ["parent"],
};

const CANT_BE_EMPTIED: Readonly<Record<string, readonly string[]>> = {
  guide: ["image", "difficulty", "featured_documentid"],
  step: [],
  page: [],
};

/** Compares how a thing was with how it stands; a field that either does not tell of stays. */
export function fieldsToRestore(key: Key, then: Body, now: Body): FieldsToRestore {
  const kind = kindOf(key) === "guide" || kindOf(key) === "step" ? kindOf(key) : "page";
  const differing = Object.keys(then).filter(
    (field) =>
      OTHER_CALLS[kind]?.includes(field) !== true && field in now && !sameField(field, then[field], now[field]),
  );
  const stuck = differing.filter((field) => CANT_BE_EMPTIED[kind]?.includes(field) === true && isEmpty(then[field]));
  const fields = differing.filter((field) => !stuck.includes(field));
  return { fields: Object.fromEntries(fields.map((field) => [field, then[field]])), stuck };
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === "";
}

/** What we know that a thing may be without anybody else's work in it; null: unknown. */
interface OwnWrites {
  /** Digest and body of what our last answered write left. */
  readonly digest: string | null;
  readonly left: Body | null;
  /** How it was before: an undo that was stopped may have put a part of it back. */
  readonly earlier: Body | null;
  /** Of a write without an answer. */
  readonly sent: Body | null;
}

/**
 * Is the remote state the work of our writes? As our last answer showed it; or each field as one of
 * them, or as before them: an undo brings that back anyway.
 */
export function isOwnWork(remote: { readonly digest: string; readonly body: Body }, ours: OwnWrites): boolean {
  if (ours.digest !== null && remote.digest === ours.digest) return true;
  if (ours.left === null && ours.earlier === null) return false;
  const known = [ours.left, ours.earlier, ours.sent].filter((body) => body !== null);
  return Object.entries(remote.body).every(([field, value]) => {
    // What no answer told before says nothing of who wrote it.
    const told = known.filter((body) => field in body);
    return told.length === 0 || told.some((body) => isSame(field, body[field], value));
  });
}

/** Was this sent and done? It stands there, and something of it is otherwise than before. */
export function wasDone(remote: { readonly body: Body }, sent: Body, before: Body): boolean {
  const told = Object.keys(sent).filter((field) => field in remote.body);
  if (!told.every((field) => isSame(field, sent[field], remote.body[field]))) return false;
  return told.some((field) => !isSame(field, before[field], remote.body[field]));
}

function isSame(field: string, one: unknown, other: unknown): boolean {
  return sameField(field, one, other) || maybeReencoded(field, one, other);
}

/**
 * What a thing needs by the target's ids (`image/5`, `category/Looms`), and texts that may show
 * more.
 */
export function usesIn(body: Body): { readonly names: readonly string[]; readonly texts: readonly string[] } {
  const { image, objectid, media, documents, category, parent, prerequisites } = body;
  const { type, data } = objectIn(media);
  return {
    names: [
      ...remoteNames("image", [image]),
      ...remoteNames("video", [objectid]),
      ...remoteNames(
        "document",
        listIn(documents).map((each) => objectIn(each)["documentid"] ?? each),
      ),
      ...(type === "object" ? remoteNames("video", [data]) : remoteNames("image", listIn(data))),
      ...remoteNames("guide", listIn(prerequisites)),
      ...remoteNames("category", [category, parent]),
    ],
    texts: textsIn(body),
  };
}

function remoteNames(kind: string, ids: readonly unknown[]): readonly string[] {
  const there = ids.filter((id) => typeof id === "number" || (typeof id === "string" && id !== ""));
  return there.map((id) => `${kind}/${String(id)}`);
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return value.includes("[") ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
