import { type Answer, isAnswer, numberAt } from "../state/answer.js";
import { guideKey } from "../state/guide.js";
import { ROW_KINDS, type RowKindName } from "../state/row-tables.js";
import type { Site } from "../state/site.js";
import { readJson, SiteFolderError } from "./read-json.js";
import type { Rewrite } from "./rewrite.js";

/** Fills the tables of plain rows from their files, and who has completed which guide from `users/completions.json`. */
export function loadRows(site: Site, rewrite: Rewrite, folder: string): void {
  for (const name of Object.keys(ROW_KINDS) as readonly RowKindName[]) {
    for (const row of rowsIn(folder, ROW_KINDS[name].file)) site.rows[name].put(rewrite(row));
  }
  for (const row of rowsIn(folder, "users/completions.json")) {
    const [key, userid] = [guideKey(numberAt(row, "guideid") ?? 0), numberAt(row, "userid") ?? 0];
    const guide = site.guides.get(key);
    if (guide !== undefined) site.guides.set(key, { ...guide, completedBy: [...guide.completedBy, userid] });
  }
}

/** The objects of an array, or of the one array in an object: lists are wrapped in places (`{"results": […]}`). */
function rowsIn(folder: string, file: string): readonly Answer[] {
  const value = readJson(folder, ...file.split("/")) ?? [];
  const list = isAnswer(value) ? Object.values(value).find(Array.isArray) : value;
  if (!Array.isArray(list)) throw new SiteFolderError(`${folder}/${file} must hold a JSON array.`);
  return list.filter(isAnswer);
}
