import type { Line } from "../../core/model/guide.js";
import type { Key } from "../../core/model/key.js";
import type { Work } from "./parts.js";
import { writeText } from "./write-text.js";

type Json = Readonly<Record<string, unknown>>;

/** Lines of a step in the names of writing. `within`: what the paths of issues begin with, where the call does not tell it. */
export async function lineBodies(
  work: Work,
  lines: readonly Line[],
  within: Key | undefined,
  missing: Set<Key>,
): Promise<readonly Json[]> {
  const bodies: Json[] = [];
  for (const [index, line] of lines.entries()) {
    const path = `${within === undefined ? "" : `${within}.`}lines[${index}].text`;
    const text = await writeText(work, line.text, "line", path, missing, work.desk.lineLength());
    bodies.push({ text, ...bulletOf(work, line), level: line.level });
  }
  return bodies;
}

/** A site's own bullet styles are known by numbers that only this site has (api-facts 3.4). */
function bulletOf({ desk }: Work, { bullet, bulletStyle }: Line): Json {
  return desk.copies !== null && bulletStyle !== null ? { bullet_styleid: bulletStyle.id } : { bullet };
}
