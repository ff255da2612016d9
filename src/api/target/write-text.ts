import { FerryError } from "../../errors.js";
import { REFERENCE_DANGLING } from "../../model/issue.js";
import type { Key } from "../../model/key.js";
import type { Work } from "./parts.js";
import { textHome, type Where } from "./texts.js";

/** Points a text home, reports what dangles, and collects the keys that are still missing. */
export async function writeText(
  work: Work,
  text: string,
  where: Where,
  path: string,
  missing: Set<Key>,
  limit: number | null = null,
): Promise<string> {
  const done = await textHome(work.desk.texts, text, where, work.context, limit);
  for (const key of done.missing) missing.add(key);
  for (const { key, message, failed } of done.dangling) {
    if (failed)
      throw new FerryError(
        `${work.operation.label}, ${path}: ${message}, and --dangling is fail. Nothing of it was sent.`,
      );
    work.report({
      code: REFERENCE_DANGLING,
      level: "loss",
      path,
      message: `${message} (${key} does not move).`,
      remedy: "Take its goal along (--include), or choose another --dangling.",
    });
  }
  return done.text;
}
