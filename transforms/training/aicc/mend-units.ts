import type { Judging } from "../judging.js";
import { addressRepairs, type Mended, UNCHANGED } from "../text/mend.js";
import type { ManifestBytes } from "../text/read-manifest-xml.js";
import { decodeCourseFile } from "./decode-course-file.js";

/** A field, or a part of one, without what separates fields. */
const FIELD = /[^",\r\n]+/g;

/** An `.au` whose addresses are mended where they are written; every other character stays. In another encoding than UTF-8 it stays as it is. */
export function mendUnits(path: string | null, bytes: ManifestBytes, judging: Judging): Mended {
  const { fieldEdits } = judging;
  if (path === null || bytes === undefined || bytes === "too-large" || fieldEdits.size === 0) return UNCHANGED;
  const { text, encoding } = decodeCourseFile(bytes);
  if (encoding !== "UTF-8") return UNCHANGED;
  const changed = text.replace(FIELD, (field) => fieldEdits.get(field.trim())?.(field) ?? field);
  if (changed === text) return UNCHANGED;
  return {
    rewritten: new Map([[path, new TextEncoder().encode(changed)]]),
    repairs: addressRepairs(path, judging),
  };
}
