import { FerryError } from "../../core/errors.js";
import { REFERENCE_DANGLING, REFERENCE_KEPT } from "../../core/model/issue.js";
import type { Key } from "../../core/model/key.js";
import type { Work } from "./context.js";
import { rewriteLinks, type TextKind } from "./context.js";

/** What dangles and is no product and no other address of the old site. */
const COMES = /^(?:guide|step|category|wiki|image|video|document)\//;

/** Points a text home, reports what dangles, and collects the keys that are still missing. */
export async function writeText(
  work: Work,
  text: string,
  where: TextKind,
  path: string,
  missing: Set<Key>,
  limit: number | null = null,
): Promise<string> {
  const done = await rewriteLinks(work.desk.texts, text, where, work.context, limit);
  for (const key of done.missing) missing.add(key);
  for (const { key, message, failed, kept } of done.dangling) {
    if (kept) {
      const why = key.startsWith("product/")
        ? "a catalogue number means the same everywhere"
        : `the source has no ${key}`;
      work.report({ code: REFERENCE_KEPT, level: "note", path, message: `${message}: ${why}.` });
      continue;
    }
    // A later run may bring it: the text is sent again then.
    if (COMES.test(key)) missing.add(key as Key);
    if (failed)
      throw new FerryError(
        `${work.operation.label}, ${path}: ${message}, and --dangling is fail. Nothing of it was sent.`,
      );
    work.report({
      code: REFERENCE_DANGLING,
      level: "loss",
      path,
      ...unmoved(key, message),
    });
  }
  return done.text;
}

function unmoved(key: string, message: string): { readonly message: string; readonly remedy: string } {
  if (/^(?:image|video|document)\//.test(key)) {
    return {
      message: `${message} (${key} is not at the target).`,
      remedy: "The issues of the file itself say why it is not there; put it in by hand where it matters.",
    };
  }
  return {
    message: `${message} (${key} does not move).`,
    remedy: "Take its goal along (--include), or choose another --dangling.",
  };
}
