import type { Client } from "../client.js";
import { type Hierarchy, readHierarchy, readOrderedHierarchy } from "../wire/hierarchy.js";
import { askRecord, type RecordAnswer } from "./record-answer.js";
import { quietPlace } from "./site-session.js";

const TREE = { includeStubs: true } as const;

/**
 * The category tree, from the best form that the site answers (api-facts 8.1, 8.5): with an order of siblings, without one, and
 * the older name. `includeStubs`, since an empty category is one too.
 */
export async function askHierarchy(
  client: Client,
  signal: AbortSignal,
): Promise<{ readonly answer: RecordAnswer; readonly places: Hierarchy }> {
  const ordered = await askRecord(client, "wikis/CATEGORY", { display: "hierarchyOrder", ...TREE }, signal);
  const inOrder =
    ordered.status === 200 ? readOrderedHierarchy(quietPlace({ client }, ordered.path, ordered.answer)) : undefined;
  if (inOrder !== undefined) return { answer: ordered, places: inOrder };
  const keyed = await askRecord(client, "wikis/CATEGORY", { display: "hierarchy", ...TREE }, signal);
  const usable = keyed.status === 200 && !Array.isArray(keyed.answer);
  const answer = usable ? keyed : await askRecord(client, "categories", {}, signal);
  return { answer, places: readHierarchy(quietPlace({ client }, answer.path, answer.answer)) };
}
