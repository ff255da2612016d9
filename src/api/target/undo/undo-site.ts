import type { Body } from "../../../contracts.js";
import { type Key, kindOf } from "../../../model/key.js";
import { type Client, segment } from "../../client.js";
import { leftDigest } from "../../wire/write/compared.js";
import { writable } from "../../wire/write/writable.js";
import { asJson, stepsIn } from "../as-left.js";
import { pathOf } from "../paths.js";

/** A thing as it stands at the target now. */
export interface Present {
  readonly id: string;
  /** Comparable with `Written.left`. */
  readonly digest: string;
  readonly body: Body;
  /** As the site told it. */
  readonly json: unknown;
  /** Of a guide: its steps by id, in order. */
  readonly steps: ReadonlyMap<string, Present>;
  /** Of a category: the titles below it. */
  readonly children: readonly string[];
  /** Of a category: the public guides in it. */
  readonly guides: readonly string[];
  /** Of a guide: the comments on it and on its steps. */
  readonly comments: readonly string[];
}

/** Who may see a guide while it is private. */
export interface Viewers {
  readonly users: readonly number[];
  readonly teams: readonly number[];
}

/** What an undo asks of a site, and what of its writes needs no revision. */
export interface UndoSite {
  /** A guide or a page; undefined: it is not there. */
  present(key: Key, id: string, signal: AbortSignal): Promise<Present | undefined>;
  tags(key: Key, id: string, signal: AbortSignal): Promise<readonly string[]>;
  setTag(key: Key, id: string, tag: string, isSet: boolean, signal: AbortSignal): Promise<void>;
  /** undefined: the site doesn't tell, since single viewers are switched off. */
  viewers(id: string, signal: AbortSignal): Promise<Viewers | undefined>;
  /** `who`: `users/5`, `teams/3`. */
  setViewer(id: string, who: string, isSet: boolean, signal: AbortSignal): Promise<void>;
  /** The comments below one; undefined: it is not there, or deleted. */
  replies(comment: string, signal: AbortSignal): Promise<readonly string[] | undefined>;
  deleteComment(id: string, signal: AbortSignal): Promise<void>;
  /** Brings a deleted guide back; false: not for this account, or not at this site. */
  restore(id: string, language: string, signal: AbortSignal): Promise<boolean>;
  /** Requests that were sent and are no reads. */
  writes(): number;
}

/** A missing thing looks like a forbidden one on several calls (api-facts 11.15). */
const ABSENT: readonly number[] = [403, 404];
const REFUSED: readonly number[] = [400, 403, 404, 405, 409, 422];

export function createUndoSite(client: Client): UndoSite {
  let writes = 0;
  const send = async (call: Parameters<Client["send"]>[0], signal: AbortSignal): Promise<number> => {
    writes += 1;
    return (await client.send(call, signal)).status;
  };
  return {
    present: async (key, id, signal) => {
      const query = QUERIES[kindOf(key)] ?? { unpatrolled: true };
      const answer = await client.get(pathOf(key, id), { query, expect: ABSENT }, signal);
      return answer.status === 200 ? presentOf(key, id, answer.json) : undefined;
    },
    tags: (key, id, signal) => readTags(client, key, id, signal),
    setTag: async (key, id, tag, isSet, signal) => {
      const path = `${pathOf(key, id)}/tag`;
      await send(
        isSet ? { method: "PUT", path, json: { tag } } : { method: "DELETE", path, json: { tag }, expect: [404] },
        signal,
      );
    },
    viewers: (id, signal) => readViewers(client, id, signal),
    setViewer: async (id, who, isSet, signal) => {
      await send({ method: isSet ? "PUT" : "DELETE", path: `guides/${id}/${who}` }, signal);
    },
    replies: async (comment, signal) => {
      const { status, json } = await client.get(`comments/${comment}`, { expect: ABSENT }, signal);
      // Deleted ones stay readable (api-facts 7).
      return status !== 200 || asJson(json)["status"] === "deleted" ? undefined : commentsIn(asJson(json)["replies"]);
    },
    deleteComment: async (id, signal) => {
      await send({ method: "DELETE", path: `comments/${id}`, expect: [404] }, signal);
    },
    restore: async (id, language, signal) => {
      const path = `guides/${id}/${segment(language)}/restore`;
      // Done twice it does nothing more, so it may be repeated.
      return !REFUSED.includes(await send({ method: "POST", path, expect: REFUSED }, signal));
    },
    writes: () => writes,
  };
}

/** A page's newest edit may wait for approval, and is what the next one is made to. */
const QUERIES: Readonly<Record<string, Readonly<Record<string, true>>>> = {
  guide: { excludePrerequisiteSteps: true },
};

/** The tags of a guide, which stand outside of its object, or of a page (api-facts 4.6). */
export async function readTags(client: Client, key: Key, id: string, signal: AbortSignal): Promise<readonly string[]> {
  const path = pathOf(key, id);
  const isGuide = kindOf(key) === "guide";
  const { json } = await client.get(isGuide ? `${path}/tags` : path, {}, signal);
  return listOf(isGuide ? json : asJson(json)["tags"]).map(String);
}

/** Who sees a guide; undefined where the site doesn't say. */
export async function readViewers(client: Client, id: string, signal: AbortSignal): Promise<Viewers | undefined> {
  const users = await client.get(`guides/${id}/users`, { expect: REFUSED }, signal);
  const teams = await client.get(`guides/${id}/teams`, { expect: REFUSED }, signal);
  if (users.status !== 200 || teams.status !== 200) return undefined;
  return { users: idsIn(users.json, "userid"), teams: idsIn(asJson(teams.json)["guideTeams"], "teamid") };
}

function idsIn(rows: unknown, name: string): readonly number[] {
  const all = listOf(rows).map((row) => asJson(row)[name]);
  return all.filter((id) => typeof id === "number");
}

/** What an answer with a guide or page tells of it. */
export function presentOf(key: Key, id: string, json: unknown): Present {
  const compared = kindOf(key) === "guide" ? "guide" : "wiki";
  const steps = compared === "guide" ? stepsIn(json).map(stepOf) : [];
  const { children, guides, comments } = asJson(json);
  return {
    id,
    digest: leftDigest(compared, json),
    body: writable(compared, json),
    json,
    steps: new Map(steps.map((step) => [step.id, step])),
    children: listOf(children).map(titleOf),
    guides: idsIn(guides, "guideid").map(String),
    comments: [...commentsIn(comments), ...steps.flatMap((step) => step.comments)],
  };
}

/** Replies hang below the comment that they answer (api-facts 7). */
function commentsIn(comments: unknown): readonly string[] {
  return listOf(comments).flatMap((comment) => {
    const { commentid, replies } = asJson(comment);
    return [String(commentid), ...commentsIn(replies)];
  });
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function stepOf(step: Readonly<Record<string, unknown>>): Present {
  const id = String(step["stepid"]);
  return {
    id,
    digest: leftDigest("step", step),
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
  return typeof child === "string" ? child : String(asJson(child)["title"]);
}
