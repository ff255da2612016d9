import { type Key, kindOf } from "../../core/model/key.js";
import { type JsonObject, listIn, objectIn } from "../../core/util/json.js";
import type { Body, Written } from "../../core/writing.js";
import type { Client } from "../http/client.js";
import { WRITE_REFUSED } from "../http/status-error.js";
import { maybeReencoded, sameField, writtenDigest } from "../wire/compared-fields.js";
import { writable } from "../wire/writable.js";
import { pathOf } from "./identity.js";
import { stepsIn, writtenGuide, writtenStep, writtenWiki } from "./written-body.js";

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

/** Replies are below the comment that they answer (api-facts 7). */
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

/** The ledger's row as if the last write had left the remote state. */
export function writtenFromState(key: Key, remote: RemoteState, before: Written | undefined): Written {
  const kind = kindOf(key);
  if (kind === "guide") return writtenGuide(key, remote.json);
  return kind === "step" ? writtenStep(key, remote.json) : writtenWiki(key, remote.json, before);
}

export interface Viewers {
  readonly users: readonly number[];
  readonly teams: readonly number[];
}

/** The tags of a guide, which are outside its object, or of a page (api-facts 4.6). */
export async function readTags(client: Client, key: Key, id: string, signal: AbortSignal): Promise<readonly string[]> {
  const path = pathOf(key, id);
  const isGuide = kindOf(key) === "guide";
  const { json } = await client.get(isGuide ? `${path}/tags` : path, {}, signal);
  return listIn(isGuide ? json : objectIn(json)["tags"]).map(String);
}

/** undefined: the site doesn't show them. */
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

interface FieldsToRestore {
  readonly fields: Body;
  /** Filled now, empty before, and without a public call to empty them (api-facts 4.1, 4.2). */
  readonly stuck: readonly string[];
}

/** Fields that other calls carry. */
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

/** Compares two states of an item. A field that is missing in either is not restored. */
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

/** States of an item without a remote edit; null: unknown. */
interface OwnWrites {
  readonly digest: string | null;
  readonly left: Body | null;
  /** The body before the run: a stopped undo may have restored a part of it. */
  readonly earlier: Body | null;
  /** The body of a write without an answer. */
  readonly sent: Body | null;
}

/**
 * Is the remote state without a remote edit? Either it equals the last answer, or each field equals
 * one of the writes or the state before them, which an undo restores anyway.
 */
export function isOwnWork(remote: { readonly digest: string; readonly body: Body }, ours: OwnWrites): boolean {
  if (ours.digest !== null && remote.digest === ours.digest) return true;
  if (ours.left === null && ours.earlier === null) return false;
  const known = [ours.left, ours.earlier, ours.sent].filter((body) => body !== null);
  return Object.entries(remote.body).every(([field, value]) => {
    // A field that no answer showed before proves nothing.
    const reported = known.filter((body) => field in body);
    return reported.length === 0 || reported.some((body) => isSame(field, body[field], value));
  });
}

/** Was this sent and done? The remote state has it, and a part of it differs from before. */
export function wasDone(remote: { readonly body: Body }, sent: Body, before: Body): boolean {
  const reported = Object.keys(sent).filter((field) => field in remote.body);
  if (!reported.every((field) => isSame(field, sent[field], remote.body[field]))) return false;
  return reported.some((field) => !isSame(field, before[field], remote.body[field]));
}

function isSame(field: string, one: unknown, other: unknown): boolean {
  return sameField(field, one, other) || maybeReencoded(field, one, other);
}

/** The target's ids in a body (`image/5`, `category/Looms`), and texts that may use more. */
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
