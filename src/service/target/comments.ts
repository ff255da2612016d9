import type { Context } from "../../core/contracts.js";
import { StatusError } from "../../core/errors.js";
import type { CallOf } from "../../core/model/call.js";
import type { Issue } from "../../core/model/issue.js";
import type { Item } from "../../core/model/item.js";
import { type Key, kindOf } from "../../core/model/key.js";
import { digest, type JsonObject, objectIn, rowsIn } from "../../core/util/json.js";
import type { Loaded, Operation, Written } from "../../core/writing.js";
import { NOT_AVAILABLE } from "../http/status-error.js";
import { pagesOf } from "../source/paged-list.js";
import type { Handler, Work } from "./context.js";
import { existedBefore, pathOf } from "./identity.js";
import { operation, type PlanOptions } from "./planned-operation.js";
import { remarksIn } from "./remarks.js";
import { writeText } from "./texts.js";
import { AnsweredError, reasonOf } from "./write-errors.js";
import { stepsIn } from "./written-body.js";

/** The comments to post, and posted ones that were deleted at the source (only reported). */
export function planComments(item: Item, loaded: Loaded, label: string, options: PlanOptions): readonly Operation[] {
  if (options.postsComments !== true) return [];
  const idOf = (comment: number): string => `${item.key}/comment/${comment}`;
  const remarks = remarksIn(item);
  const posted = remarks
    .filter(({ refusal }) => refusal === null)
    .map(({ comment, of, parent }) => ({
      id: idOf(comment.id),
      call: {
        verb: "post-comment",
        of,
        comment: comment.id,
        parent: parent === null ? null : idOf(parent.id),
        text: comment.text,
      } as const,
    }));
  const wanted = new Set(posted.map(({ id }) => id));
  const prefix = idOf(0).slice(0, -1);
  const gone = [...loaded.operations.keys()]
    .filter((id) => id.startsWith(prefix) && !wanted.has(id))
    .map((id) => ({
      id,
      call: {
        verb: "post-comment",
        of: item.key,
        comment: Number(id.slice(prefix.length)),
        parent: null,
        text: null,
      } as const,
    }));
  return [...posted, ...gone].map(({ id, call }) =>
    operation(
      { id, item: item.key, label: `${label}, comment ${call.comment}`, call, phase: "finish" },
      options.output,
    ),
  );
}

type Posting = Work<CallOf<"post-comment">>;

const NOTHING = { written: [], missing: [] } as const;

/**
 * Posts a comment in the name of the account, once. The service allows edits for 5 minutes only
 * (api-facts 7), so later changes at the source are only reported.
 */
export const postComment: Handler<CallOf<"post-comment">> = async (work) => {
  const { call, context, operation } = work;
  const owner = await context.written(operation.item);
  // Items of others get no comments. It stays open, since the item may be replaced later.
  if (owner !== undefined && existedBefore(owner)) return { ...NOTHING, open: true };
  const posted = await noteOfPosted(work);
  if (call.text === null) {
    if (posted !== undefined) await reportDeleted(work, posted);
    return NOTHING;
  }
  const place = await placeOf(work);
  if (place === undefined) return missing(work);
  if (posted?.place !== place) return sendComment(work, place, call.text);
  if (posted.text !== digest(call.text)) {
    const what = `changed at the source after it was posted. On the target, comment ${posted.id} keeps its text: the service lets people edit a comment for 5 minutes only`;
    report(work, "comment-changed", "loss", what);
  }
  return NOTHING;
};

/** `guide/12`; undefined: not on the target. */
async function placeOf({ site, call, context, signal }: Posting): Promise<string | undefined> {
  const id = await context.idOf(call.of);
  if (id === undefined) return undefined;
  const kind = kindOf(call.of);
  if (kind === "guide" || kind === "step") return `${kind}/${id}`;
  const { status, json } = await site.client.get(pathOf(call.of, id), { expect: [404] }, signal);
  const wiki = objectIn(json)["wikiid"];
  return status === 404 || typeof wiki !== "number" ? undefined : `wiki/${wiki}`;
}

async function sendComment(work: Posting, place: string, text: string): ReturnType<typeof postComment> {
  const { site, call, context, signal } = work;
  const parent = call.parent === null ? null : await parentOf(work, call.parent, place);
  if (parent === undefined) {
    report(work, "comment-not-posted", "loss", "is not posted: the comment that it answers is not on the target");
    return NOTHING;
  }
  const json = { text: await sentText(work, text), ...(parent === null ? {} : { parentid: parent }) };
  await context.begin({ place, sent: json });
  try {
    const answer = await site.client.send({ method: "POST", path: `comments/${place}`, json, create: true }, signal);
    await notePosted(work, { id: idIn(work, answer.json), place, text: digest(text) });
  } catch (error) {
    await reportRefusedComment(work, error);
  }
  return NOTHING;
}

function idIn({ operation }: Posting, answer: unknown): number {
  const id = objectIn(answer)["commentid"];
  if (typeof id === "number") return id;
  throw new AnsweredError(
    `${operation.label}: the site accepted the comment, but its answer has no comment id. guideferry looks for the comment.`,
  );
}

async function parentOf(work: Posting, parent: string, place: string): Promise<number | undefined> {
  const posted: Posted | undefined = await noteOfPosted({ context: work.context, operation: { id: parent } });
  return posted?.place === place ? posted.id : undefined;
}

/** A comment can't be edited later. */
async function sentText(work: Posting, text: string): Promise<string> {
  const waiting = new Set<Key>();
  const sent = await writeText(work, text, { where: "page", path: "comments" }, waiting);
  for (const key of waiting)
    report(
      work,
      "comment-reference",
      "loss",
      `refers to ${key}, which is not on the target yet. The reference is a link to the old site`,
    );
  return sent;
}

/** Comments may be disabled or have a lower limit (api-facts 7): a loss. Throws other errors. */
async function reportRefusedComment(work: Posting, error: unknown): Promise<void> {
  const { call, context } = work;
  const id = await context.idOf(call.of);
  const reason = kindOf(call.of) === "step" || id === undefined ? error : await reasonOf(work, call.of, id, error);
  if (!(reason instanceof StatusError) || !REFUSALS.has(reason.status)) throw reason;
  report(work, "comment-not-posted", "loss", `is not posted: the site refused it. ${reason.message}`);
}

const REFUSALS: ReadonlySet<number> = new Set([403, ...NOT_AVAILABLE, 422]);

function missing(work: Posting): Awaited<ReturnType<typeof postComment>> {
  report(
    work,
    "comment-not-posted",
    "loss",
    `is not posted: it belongs to ${work.call.of}, which is not on the target`,
  );
  return { ...NOTHING, open: true };
}

async function reportDeleted(work: Posting, { id, place }: Posted): Promise<void> {
  const [context = "", contextid = ""] = place.split("/");
  const step = context === "step" ? await work.context.keyOf("step", contextid) : undefined;
  report(work, "comment-gone", "note", `was deleted at the source and stays on the target as comment ${id}`, step);
}

function report(
  work: Posting,
  code: Issue["code"],
  level: "note" | "loss",
  what: string,
  of: Key = work.call.of,
): void {
  const path = kindOf(of) === "step" ? `${of}.comments` : "comments";
  work.report({ code, level, path, message: `The comment ${work.call.comment} ${what}.` });
}

interface Posted {
  readonly id: number;
  /** The owner of the comment, as the service addresses it: `guide/12`. */
  readonly place: string;
  readonly text: string;
}

type Memos = {
  readonly context: Pick<Context, "remember" | "recall">;
  readonly operation: { readonly id: string };
};

async function notePosted({ context, operation }: Memos, { id, place, text }: Posted): Promise<void> {
  await context.remember(operation.id, [id, place, text].join(" "));
  await context.remember(ownerMemo(id), operation.id);
}

/** The comment that an operation posted; undefined: none. */
export async function noteOfPosted({ context, operation }: Memos): Promise<Posted | undefined> {
  const [id = "", place = "", text = ""] = ((await context.recall(operation.id)) ?? "").split(" ");
  return id === "" ? undefined : { id: Number(id), place, text };
}

export async function isKnown(context: Memos["context"], id: number): Promise<boolean> {
  return ((await context.recall(ownerMemo(id))) ?? "") !== "";
}

function ownerMemo(id: number): string {
  return `comment/${id}`;
}

/** A comment of the account with this text and parent that no operation posted. */
export async function findComment(work: Posting, mark: JsonObject): Promise<readonly Written[] | undefined> {
  const { call, context, site } = work;
  const [place, sent] = [String(mark["place"]), objectIn(mark["sent"])];
  const account = site.survey().identity.account?.id;
  for await (const row of commentsAt(work, place)) {
    const id = Number(row["commentid"]);
    const isTheSame =
      normal(row["text_raw"]) === normal(sent["text"]) && (row["parentid"] ?? null) === (sent["parentid"] ?? null);
    const isOurs = account === undefined || objectIn(row["author"])["userid"] === account;
    if (!isTheSame || !isOurs || (await isKnown(context, id))) continue;
    await notePosted(work, { id, place, text: digest(call.text) });
    return [];
  }
  return undefined;
}

/** Each reply comes after its comment. */
async function* commentsAt(work: Posting, place: string): AsyncGenerator<JsonObject> {
  if (place.startsWith("wiki/")) {
    for await (const row of commentsOnPages(work)) {
      if (`wiki/${String(row["contextid"])}` === place) yield* [row, ...rowsIn(row["replies"])];
    }
    return;
  }
  const { site, context, operation, signal } = work;
  const guide = await context.idOf(operation.item);
  if (guide === undefined) return;
  const query = { excludePrerequisiteSteps: true, unpatrolled: true } as const;
  const { status, json } = await site.client.get(`guides/${guide}`, { query, expect: [403, 404] }, signal);
  if (status !== 200) return;
  const step = stepsIn(json).find(({ stepid }) => `step/${String(stepid)}` === place);
  const owner = place.startsWith("step/") ? step : objectIn(json);
  for (const row of rowsIn(owner?.["comments"])) yield* [row, ...rowsIn(row["replies"])];
}

/** A page's answer has no comments. The list has those of all pages, newest first. */
async function* commentsOnPages({ site, signal }: Posting): AsyncGenerator<JsonObject> {
  const asked = { context: "wiki", order: "DESC" };
  const pages = pagesOf(async (query) =>
    rowsIn((await site.client.get("comments", { query: { ...asked, ...query } }, signal)).json),
  );
  for await (const rows of pages) yield* rows;
}

/** The server may normalise a text (api-facts 7). */
function normal(text: unknown): string {
  return String(text)
    .replaceAll(/\r\n?/g, "\n")
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .trim();
}
