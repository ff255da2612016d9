import type { Context } from "../../contracts.js";
import { type Key, kindOf } from "../../model/key.js";
import type { Client } from "../client.js";
import { isKnown } from "./posted-comment.js";
import { presentOf, readTags } from "./undo/undo-site.js";

/** Who asks. */
export interface Asking {
  readonly client: Client;
  readonly context: Pick<Context, "keyOf" | "recall" | "remember">;
  readonly signal: AbortSignal;
}

/** Something at the target. */
export interface Asked {
  readonly key: Key;
  readonly id: string;
  /** As it was just read. */
  readonly json: unknown;
  /** Those that we put on it; undefined: nobody knows, and tags say nothing. */
  readonly tags: readonly string[] | undefined;
}

/**
 * Did others put something into a thing of ours that its own fields don't show, and that would go with it: a comment or an answer to one, a
 * tag, a page or guide below a category? Tags are compared without regard to case, as the service keeps them (api-facts 4.6).
 */
export async function hasOthersInside({ client, context, signal }: Asking, asked: Asked): Promise<boolean> {
  const { key, id, json, tags } = asked;
  const { comments, children, guides } = presentOf(key, id, json);
  for (const comment of comments) if (!(await isKnown(context, Number(comment)))) return true;
  if (kindOf(key) === "category") {
    for (const title of children) if ((await context.keyOf("category", title)) === undefined) return true;
    for (const guide of guides) if ((await context.keyOf("guide", guide)) === undefined) return true;
  }
  if (tags === undefined) return false;
  const ours = new Set(tags.map((tag) => tag.toLowerCase()));
  const present = await readTags(client, key, id, signal);
  return present.some((tag) => !ours.has(tag.toLowerCase()));
}
