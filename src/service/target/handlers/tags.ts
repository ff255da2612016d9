import type { Receipt, Standing, Written } from "../../../core/contracts.js";
import type { CallOf } from "../../../core/model/call.js";
import { type Key, kindOf } from "../../../core/model/key.js";
import { guideAbsorbed } from "../as-left.js";
import { reasonOf } from "../gone.js";
import type { Handler, Work } from "../parts.js";
import { pathOf } from "../paths.js";
import { readTags } from "../undo/read-beside.js";

/** One call a tag; no revision is needed and none is made (api-facts 4.6). */
export const addTag: Handler<CallOf<"add-tag">> = async (work) => tagged(work, "PUT");

/** Removing what isn't there (404) is done. */
export const removeTag: Handler<CallOf<"remove-tag">> = async (work) => tagged(work, "DELETE");

async function tagged(
  work: Work<CallOf<"add-tag"> | CallOf<"remove-tag">>,
  method: "PUT" | "DELETE",
): Promise<Omit<Receipt, "issues">> {
  const { desk, call, context, signal } = work;
  const before = await context.written(call.of);
  const path = `${pathOf(call.of, before?.id)}/tag`;
  await context.keep(`tags/${call.of}`, () => tagsNow(work, before), { tag: call.tag });
  const expect = method === "DELETE" ? [404] : [];
  try {
    const answer = await desk.client.send({ method, path, json: { tag: call.tag }, expect }, signal);
    const absorbs = before !== undefined && answer.status !== 404;
    return { written: absorbs ? absorbed(call.of, before, answer.json) : [], missing: [] };
  } catch (error) {
    throw before === undefined ? error : await reasonOf(work, call.of, before.id, error);
  }
}

async function tagsNow(
  { desk, call, signal }: Work<CallOf<"add-tag"> | CallOf<"remove-tag">>,
  before: Written | undefined,
): Promise<Standing | undefined> {
  if (before === undefined) return undefined;
  return { id: before.id, body: { tags: await readTags(desk.client, call.of, before.id, signal) } };
}

function absorbed(of: Key, before: Written, json: unknown): readonly Written[] {
  return kindOf(of) === "guide" ? [guideAbsorbed(before, json)] : [];
}
