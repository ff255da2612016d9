import type { Written } from "../../core/contracts.js";
import type { CallOf } from "../../core/model/call.js";
import { digest } from "../../core/util/digest.js";
import { asJson, stepsIn } from "./as-left.js";
import type { Work } from "./parts.js";
import { isKnown, notePosted } from "./posted-comment.js";

type Json = Readonly<Record<string, unknown>>;
type Posting = Work<CallOf<"post-comment">>;

const PAGE = 200;

/**
 * Among the comments at its place: one by this account, with this text, that answers the same comment, and that no other operation posted.
 * undefined: it was not posted.
 */
export async function findComment(work: Posting, mark: Json): Promise<readonly Written[] | undefined> {
  const { call, context, desk } = work;
  const [place, sent] = [String(mark["place"]), asJson(mark["sent"])];
  const account = desk.survey().identity.account?.id;
  for await (const row of commentsAt(work, place)) {
    const id = Number(row["commentid"]);
    const isTheSame =
      normal(row["text_raw"]) === normal(sent["text"]) && (row["parentid"] ?? null) === (sent["parentid"] ?? null);
    const isOurs = account === undefined || asJson(row["author"])["userid"] === account;
    if (!isTheSame || !isOurs || (await isKnown(context, id))) continue;
    await notePosted(work, { id, place, text: digest(call.text) });
    return [];
  }
  return undefined;
}

/** Replies behind what they answer. */
async function* commentsAt(work: Posting, place: string): AsyncGenerator<Json> {
  if (place.startsWith("wiki/")) {
    for await (const row of commentsOnPages(work)) {
      if (`wiki/${String(row["contextid"])}` === place) yield* [row, ...rowsIn(row["replies"])];
    }
    return;
  }
  const { desk, context, operation, signal } = work;
  const guide = await context.idOf(operation.item);
  if (guide === undefined) return;
  const query = { excludePrerequisiteSteps: true, unpatrolled: true } as const;
  const { status, json } = await desk.client.get(`guides/${guide}`, { query, expect: [403, 404] }, signal);
  if (status !== 200) return;
  const step = stepsIn(json).find(({ stepid }) => `step/${String(stepid)}` === place);
  const owner = place.startsWith("step/") ? step : asJson(json);
  for (const row of rowsIn(owner?.["comments"])) yield* [row, ...rowsIn(row["replies"])];
}

/** A page's own answer has none, and the list knows no single page: the newest come first. */
async function* commentsOnPages({ desk, signal }: Posting): AsyncGenerator<Json> {
  for (let offset = 0; ; offset += PAGE) {
    const query = { context: "wiki", order: "DESC", limit: PAGE, offset };
    const rows = rowsIn((await desk.client.get("comments", { query }, signal)).json);
    if (rows.length === 0) return;
    yield* rows;
  }
}

function rowsIn(list: unknown): readonly Json[] {
  return Array.isArray(list) ? list.map(asJson) : [];
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
