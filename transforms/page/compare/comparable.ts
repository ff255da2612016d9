import type { GuideItem, WikiItem } from "../../../src/core/model/item.js";
import type { MediaUse } from "../../../src/core/model/media.js";

/** A body by what it says: media by where they lie, without ids, which pages do not have. */
export function comparable({ body, media }: Pick<GuideItem | WikiItem, "body" | "media">): unknown {
  const uses = new Map<string, MediaUse>(media.map((use) => [use.key, use]));
  return withoutIds({ ...body, id: undefined }, uses);
}

function withoutIds(value: unknown, uses: ReadonlyMap<string, MediaUse>): unknown {
  if (typeof value === "string") return uses.get(value)?.url ?? value;
  if (Array.isArray(value)) return value.map((each) => withoutIds(each, uses));
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(([name, inner]) => !(name === "key" && isStepKey(inner)));
  return Object.fromEntries(fields.map(([name, inner]) => [name, withoutIds(inner, uses)]));
}

function isStepKey(value: unknown): boolean {
  return typeof value === "string" && value.startsWith("step/");
}
