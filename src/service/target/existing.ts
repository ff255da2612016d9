import type { Context } from "../../core/contracts.js";
import { FerryError } from "../../core/errors.js";
import type { Guide, Item } from "../../core/model/item.js";
import { wikiKey } from "../../core/model/key.js";
import type { JsonObject } from "../../core/util/json.js";
import { objectIn } from "../../core/util/json.js";
import type { Body } from "../../core/writing.js";
import { sameField } from "../wire/compared-fields.js";
import type { Work, WriteContext } from "./context.js";
import { isSameName, type Named, nameIn } from "./guide-titles.js";
import { modelPath, shown, textOf } from "./merge.js";

interface Looking {
  readonly site: Pick<WriteContext, "client" | "match" | "titles">;
  readonly context: Pick<Context, "idOf" | "keyOf">;
  readonly signal: AbortSignal;
  readonly label: string;
}

/**
 * The only guide with this title, category and type that the ledger does not have; undefined: none.
 * Throws FerryError for several.
 */
export async function guideOfTitle(looking: Looking, named: Named): Promise<JsonObject | undefined> {
  const found = await guidesOfTitle(looking, named);
  if (found.length < 2) return found[0];
  const { site, label } = looking;
  const ids = found.map((guide) => String(guide["guideid"])).join(", ");
  throw new FerryError(
    `${label}: ${site.client.root} has ${found.length} guides with this title, category and type (${ids}), so the match is not clear. ` +
      "Nothing was created. Rename all but one of them there, or run again without --match title.",
  );
}

/** All of them; none without `--match title`. */
export async function guidesOfTitle({ site, context, signal }: Looking, named: Named): Promise<readonly JsonObject[]> {
  if (site.match !== "title") return [];
  const found: JsonObject[] = [];
  for (const id of await site.titles.like(site.client, named, signal)) {
    if ((await context.keyOf("guide", String(id))) !== undefined) continue;
    const query = { excludePrerequisiteSteps: true as const };
    const { status, json } = await site.client.get(`guides/${id}`, { query, expect: [403, 404] }, signal);
    if (status === 200 && isSameName(nameIn(objectIn(json)), named)) found.push(objectIn(json));
  }
  return found;
}

/** The same for an item that is not on the target. */
export async function guideLike(looking: Looking, item: Item): Promise<string | undefined> {
  if (item.kind !== "guide") return undefined;
  const found = await guideOfTitle(looking, await nameAtTarget(item.body, looking.context));
  return found === undefined ? undefined : String(found["guideid"]);
}

export async function nameAtTarget(
  { title, category, type }: Pick<Guide, "title" | "category" | "type">,
  { idOf }: Pick<Context, "idOf">,
): Promise<Named> {
  return { title, category: (await idOf(wikiKey("CATEGORY", category))) ?? category, type };
}

export function reportAdopted(work: Work, what: "page" | "guide", existing: Body, wanted: Body): void {
  const differences = fieldDifferences(existing, wanted);
  const reported = differences.map(
    ({ path, before, after }) => `${path}: ${shown(before)} on the target, ${shown(after)} at the source`,
  );
  const compared = differences.length === 0 ? "It has the same content." : `Differences: ${reported.join("; ")}.`;
  const { steps } = existing;
  const uncompared = what === "guide" && Array.isArray(steps) ? ` Its steps (${steps.length}) were not compared.` : "";
  work.report({
    code: "existing-adopted",
    level: "note",
    path: "",
    message: `A ${what} with this title was already on the target. References point to it, and its content does not change. ${compared}${uncompared}`,
    remedy: "To replace its content with the source's, run again with --on-existing update.",
  });
}

interface FieldDifference {
  readonly path: string;
  /** Readable; null: absent. */
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * The fields of `after` that differ from `before`, in their order. Both are bodies of writing.
 * `before`: undefined: absent.
 */
export function fieldDifferences(before: Body | undefined, after: Body): readonly FieldDifference[] {
  return Object.entries(after).flatMap(([field, value]) =>
    value === undefined || (before !== undefined && sameField(field, before[field], value))
      ? []
      : [{ path: modelPath(field), before: textOf(field, before?.[field]), after: textOf(field, value) }],
  );
}
