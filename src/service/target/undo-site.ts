import type { Context } from "../../core/contracts.js";
import { type Key, kindOf } from "../../core/model/key.js";
import { listIn, objectIn } from "../../core/util/json.js";
import { type Client, segment } from "../http/client.js";
import { WRITE_REFUSED } from "../http/status-error.js";
import { writtenDigest } from "../wire/compared-fields.js";
import { isKnown } from "./comments.js";
import { pathOf } from "./identity.js";
import { commentsIn, type RemoteState, readTags, readViewers, remoteStateOf, type Viewers } from "./remote-state.js";

/** Reads of an undo, and its writes that need no revision. */
export interface UndoSite {
  /** A guide or a page; undefined: it does not exist. */
  remoteState(key: Key, id: string, signal: AbortSignal): Promise<RemoteState | undefined>;
  remoteEdits(asked: Asked, context: Asking["context"], signal: AbortSignal): Promise<RemoteEdit | undefined>;
  tags(key: Key, id: string, signal: AbortSignal): Promise<readonly string[]>;
  setTag(key: Key, id: string, tag: string, isSet: boolean, signal: AbortSignal): Promise<void>;
  /** undefined: the site doesn't show them, since viewers of single guides are disabled. */
  viewers(id: string, signal: AbortSignal): Promise<Viewers | undefined>;
  /** `who`: `users/5`, `teams/3`. */
  setViewer(id: string, who: string, isSet: boolean, signal: AbortSignal): Promise<void>;
  /** The comments below one; undefined: it does not exist or is deleted. */
  replies(comment: string, signal: AbortSignal): Promise<readonly string[] | undefined>;
  deleteComment(id: string, signal: AbortSignal): Promise<void>;
  /** Restores a deleted guide; false: not for this account, or not on this site. */
  restore(id: string, language: string, signal: AbortSignal): Promise<boolean>;
  /** Number of requests sent, apart from reads. */
  writes(): number;
}

/** A missing item looks like a forbidden one on several calls (api-facts 11.15). */
const ABSENT: readonly number[] = [403, 404];

export function createUndoSite(client: Client): UndoSite {
  let writes = 0;
  let comments: Promise<PageComments> | undefined;
  const send = async (call: Parameters<Client["send"]>[0], signal: AbortSignal): Promise<number> => {
    writes += 1;
    return (await client.send(call, signal)).status;
  };
  return {
    remoteState: async (key, id, signal) => {
      const query = QUERIES[kindOf(key)] ?? { unpatrolled: true };
      const answer = await client.get(pathOf(key, id), { query, expect: ABSENT }, signal);
      return answer.status === 200 ? remoteStateOf(key, id, answer.json) : undefined;
    },
    remoteEdits: (asked, context, signal) => {
      const all = () => (comments ??= pageComments(client, signal));
      return remoteEditsInside({ client, context, signal, comments: all }, asked);
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
      return status !== 200 || objectIn(json)["status"] === "deleted"
        ? undefined
        : commentsIn(objectIn(json)["replies"]);
    },
    deleteComment: async (id, signal) => {
      await send({ method: "DELETE", path: `comments/${id}`, expect: [404] }, signal);
    },
    restore: async (id, language, signal) => {
      const path = `guides/${id}/${segment(language)}/restore`;
      // Done twice it has the same effect, so it may be repeated.
      return !WRITE_REFUSED.includes(await send({ method: "POST", path, expect: WRITE_REFUSED }, signal));
    },
    writes: () => writes,
  };
}

/** The newest edit may wait for approval; the next edit builds on it. */
const QUERIES: Readonly<Record<string, Readonly<Record<string, true>>>> = {
  guide: { excludePrerequisiteSteps: true },
};

interface Asking {
  readonly client: Client;
  readonly context: Pick<Context, "keyOf" | "recall" | "remember">;
  readonly signal: AbortSignal;
  /** The comments on pages, if known. Default: they are read. */
  readonly comments?: () => Promise<PageComments>;
}

type PageComments = ReadonlyMap<unknown, readonly string[]>;

interface Asked {
  readonly key: Key;
  readonly id: string;
  readonly json: unknown;
  /** Those that guideferry added; undefined: unknown, so tags are not checked. */
  readonly tags: readonly string[] | undefined;
}

/** A comment or reply, a page or guide below a category, a translation, a tag. */
export type RemoteEdit = "comment" | "inside" | "translation" | "tag";

/** Remote edits outside its fields. Tags ignore case (api-facts 4.6). */
export async function remoteEditsInside(asking: Asking, asked: Asked): Promise<RemoteEdit | undefined> {
  const { context } = asking;
  const { key, id, json } = asked;
  const { comments, children, guides } = remoteStateOf(key, id, json);
  for (const comment of comments) if (!(await isKnown(context, Number(comment)))) return "comment";
  if (kindOf(key) === "category") {
    for (const title of children) if ((await context.keyOf("category", title)) === undefined) return "inside";
    for (const guide of guides) if ((await context.keyOf("guide", guide)) === undefined) return "inside";
  }
  if (await hasRemoteTranslation(asking, asked)) return "translation";
  if (kindOf(key) !== "guide" && (await hasTheirComment(asking, json))) return "comment";
  return (await hasTheirTag(asking, asked)) ? "tag" : undefined;
}

async function hasTheirTag({ client, signal }: Asking, { key, id, json, tags }: Asked): Promise<boolean> {
  if (tags === undefined) return false;
  const ours = new Set(tags.map((tag) => tag.toLowerCase()));
  const present = kindOf(key) === "guide" ? await readTags(client, key, id, signal) : listIn(objectIn(json)["tags"]);
  return present.some((tag) => !ours.has(String(tag).toLowerCase()));
}

/**
 * A deletion removes all languages (api-facts 4.1, 8.1). The ledger has the facts of the loaded
 * ones: of a page with a digest, of a guide under its key at the source.
 */
async function hasRemoteTranslation({ client, context, signal }: Asking, { key, id, json }: Asked): Promise<boolean> {
  const { available_langids: available, langid: own } = objectIn(json);
  for (const language of listIn(available).map(String)) {
    if (language === own) continue;
    const note = await context.recall(translationMemo(key, language));
    if (note === undefined || note === "") return true;
    if (kindOf(key) === "guide") continue;
    const query = { langid: language, unpatrolled: true } as const;
    const answer = await client.get(pathOf(key, id), { query, expect: ABSENT }, signal);
    if (answer.status !== 200 || objectIn(answer.json)["langid"] !== language) continue;
    if (writtenDigest("wiki", answer.json) !== objectIn(JSON.parse(note))["left"]) return true;
  }
  return false;
}

function translationMemo(key: Key, language: string): string {
  if (kindOf(key) !== "guide") return `${key}/translation/${language}`;
  return key.replace(/^guide\/\d+/, (guide) => `${guide}@${language}`);
}
const PAGE = 200;

/** Comment ids by page id: a page's own answer has none (api-facts 7). */
async function pageComments(client: Client, signal: AbortSignal): Promise<PageComments> {
  const comments = new Map<unknown, string[]>();
  for (let offset = 0; ; offset += PAGE) {
    const query = { context: "wiki", limit: PAGE, offset } as const;
    const answer = await client.get("comments", { query, expect: ABSENT }, signal);
    const rows = answer.status === 200 ? listIn(answer.json).map(objectIn) : [];
    for (const row of rows) {
      const known = comments.get(row["contextid"]) ?? [];
      comments.set(row["contextid"], [...known, ...commentsIn([row])]);
    }
    if (rows.length < PAGE) return comments;
  }
}

async function hasTheirComment({ client, context, comments, signal }: Asking, json: unknown): Promise<boolean> {
  const all = await (comments?.() ?? pageComments(client, signal));
  for (const comment of all.get(objectIn(json)["wikiid"]) ?? [])
    if (!(await isKnown(context, Number(comment)))) return true;
  return false;
}
