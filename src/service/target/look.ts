import { StatusError } from "../../core/errors.js";
import { asJson, stepsIn } from "./as-left.js";
import type { Edit } from "./edit.js";
import { reasonOf } from "./gone.js";
import type { Work } from "./parts.js";

/**
 * The thing of an edit as it stands now; undefined: the answer doesn't show it (a write that is only rehearsed). Throws GoneError when
 * somebody deleted it.
 */
export async function look(work: Work, edit: Edit): Promise<unknown> {
  const { key, id } = edit.written;
  try {
    const { json } = await work.desk.client.get(placeOf(edit), { query: QUERIES[edit.compared] }, work.signal);
    if (edit.compared !== "step") return asJson(json)[IDENTITY[edit.compared]] === undefined ? undefined : json;
    if (asJson(json)["guideid"] === undefined) return undefined;
    const step = stepsIn(json).find((each) => String(each["stepid"]) === id);
    if (step === undefined) throw new StatusError(`${key} is not in its guide any more.`, { status: 404 });
    return step;
  } catch (error) {
    throw await reasonOf(work, key, id, error);
  }
}

const IDENTITY = { guide: "guideid", wiki: "title" } as const;
const QUERIES = {
  guide: { excludePrerequisiteSteps: true },
  step: { excludePrerequisiteSteps: true },
  wiki: { unpatrolled: true },
} as const;

/** A step is only told by its guide; an edit's path begins with that of its thing. */
function placeOf({ compared, path, headPath }: Edit): string {
  return compared === "wiki" ? (headPath ?? path) : path.split("/").slice(0, 2).join("/");
}
