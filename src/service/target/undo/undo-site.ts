import type { Key } from "../../../core/model/key.js";
import { kindOf } from "../../../core/model/key.js";
import { type Client, segment } from "../../client.js";
import { NOT_AVAILABLE } from "../../not-available.js";
import { asJson } from "../as-left.js";
import {
  type Asked,
  type Asking,
  type OthersWork,
  othersInside,
  type PageComments,
  pageComments,
} from "../others-inside.js";
import { pathOf } from "../paths.js";
import { commentsIn, type Present, presentOf } from "./present-of.js";
import { readTags, readViewers, type Viewers } from "./read-beside.js";

/** What an undo asks of a site, and what of its writes needs no revision. */
export interface UndoSite {
  /** A guide or a page; undefined: it is not there. */
  present(key: Key, id: string, signal: AbortSignal): Promise<Present | undefined>;
  /** What others put into a thing of ours that its own fields don't show. */
  othersInside(asked: Asked, context: Asking["context"], signal: AbortSignal): Promise<OthersWork | undefined>;
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
const REFUSED: readonly number[] = [400, 403, ...NOT_AVAILABLE, 409, 422];

export function createUndoSite(client: Client): UndoSite {
  let writes = 0;
  let comments: Promise<PageComments> | undefined;
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
    othersInside: (asked, context, signal) => {
      const all = () => (comments ??= pageComments(client, signal));
      return othersInside({ client, context, signal, comments: all }, asked);
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
