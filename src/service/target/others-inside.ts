import type { Context } from "../../core/contracts.js";
import { type Key, kindOf } from "../../core/model/key.js";
import type { Client } from "../client.js";
import { leftDigest } from "../wire/write/compared.js";
import { asJson } from "./as-left.js";
import { pathOf } from "./paths.js";
import { isKnown } from "./posted-comment.js";
import { listOf } from "./undo/list-of.js";
import { commentsIn, presentOf } from "./undo/present-of.js";
import { readTags } from "./undo/read-beside.js";

/** Who asks. */
export interface Asking {
  readonly client: Client;
  readonly context: Pick<Context, "keyOf" | "recall" | "remember">;
  readonly signal: AbortSignal;
  /** Gives the comments on pages, where they were asked for already. Default: they are asked for. */
  readonly comments?: () => Promise<PageComments>;
}

/** The ids of the comments on each page, replies included. */
export type PageComments = ReadonlyMap<unknown, readonly string[]>;

/** Something at the target. */
export interface Asked {
  readonly key: Key;
  readonly id: string;
  /** As it was just read. */
  readonly json: unknown;
  /** Those that we put on it; undefined: nobody knows, and tags say nothing. */
  readonly tags: readonly string[] | undefined;
}

/** What others put there: a comment or an answer to one, a page or guide below a category, a translation, a tag. */
export type OthersWork = "comment" | "inside" | "translation" | "tag";

/**
 * Did others put something into a thing of ours that its own fields don't show, and that would go with it? Tags are compared without regard to
 * case, as the service keeps them (api-facts 4.6).
 */
export async function othersInside(asking: Asking, asked: Asked): Promise<OthersWork | undefined> {
  const { context } = asking;
  const { key, id, json } = asked;
  const { comments, children, guides } = presentOf(key, id, json);
  for (const comment of comments) if (!(await isKnown(context, Number(comment)))) return "comment";
  if (kindOf(key) === "category") {
    for (const title of children) if ((await context.keyOf("category", title)) === undefined) return "inside";
    for (const guide of guides) if ((await context.keyOf("guide", guide)) === undefined) return "inside";
  }
  if (await hasTheirTranslation(asking, asked)) return "translation";
  if (kindOf(key) !== "guide" && (await hasTheirComment(asking, json))) return "comment";
  return (await hasTheirTag(asking, asked)) ? "tag" : undefined;
}

async function hasTheirTag({ client, signal }: Asking, { key, id, json, tags }: Asked): Promise<boolean> {
  if (tags === undefined) return false;
  const ours = new Set(tags.map((tag) => tag.toLowerCase()));
  const present = kindOf(key) === "guide" ? await readTags(client, key, id, signal) : listOf(asJson(json)["tags"]);
  return present.some((tag) => !ours.has(String(tag).toLowerCase()));
}

/**
 * A thing goes with all its languages (api-facts 4.1, 8.1). Ours are noted: those of a page with a digest of how we left them, those of a guide
 * under the key that they have at the source.
 */
async function hasTheirTranslation({ client, context, signal }: Asking, { key, id, json }: Asked): Promise<boolean> {
  const { available_langids: available, langid: own } = asJson(json);
  for (const language of listOf(available).map(String)) {
    if (language === own) continue;
    const note = await context.recall(translationMemo(key, language));
    if (note === undefined || note === "") return true;
    if (kindOf(key) === "guide") continue;
    const query = { langid: language, unpatrolled: true } as const;
    const answer = await client.get(pathOf(key, id), { query, expect: ABSENT }, signal);
    if (answer.status !== 200 || asJson(answer.json)["langid"] !== language) continue;
    if (leftDigest("wiki", answer.json) !== asJson(JSON.parse(note))["left"]) return true;
  }
  return false;
}

function translationMemo(key: Key, language: string): string {
  if (kindOf(key) !== "guide") return `${key}/translation/${language}`;
  return key.replace(/^guide\/\d+/, (guide) => `${guide}@${language}`);
}

const ABSENT: readonly number[] = [403, 404];
const PAGE = 200;

/** A page's own answer shows no comments: they stand in the list of all of its kind only (api-facts 7). By the number of the page. */
export async function pageComments(client: Client, signal: AbortSignal): Promise<PageComments> {
  const comments = new Map<unknown, string[]>();
  for (let offset = 0; ; offset += PAGE) {
    const query = { context: "wiki", limit: PAGE, offset } as const;
    const answer = await client.get("comments", { query, expect: ABSENT }, signal);
    const rows = answer.status === 200 ? listOf(answer.json).map(asJson) : [];
    for (const row of rows) {
      const known = comments.get(row["contextid"]) ?? [];
      comments.set(row["contextid"], [...known, ...commentsIn([row])]);
    }
    if (rows.length < PAGE) return comments;
  }
}

async function hasTheirComment({ client, context, comments, signal }: Asking, json: unknown): Promise<boolean> {
  const all = await (comments?.() ?? pageComments(client, signal));
  for (const comment of all.get(asJson(json)["wikiid"]) ?? [])
    if (!(await isKnown(context, Number(comment)))) return true;
  return false;
}
