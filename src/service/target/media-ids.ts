import type { Key } from "../../core/model/key.js";
import { attachable } from "./attachable.js";
import type { Work } from "./parts.js";

/** The target's id of a media item, or undefined after reporting that it isn't there; `missing` gets it, since it may still come. */
export async function mediaId(
  work: Work,
  key: Key | null,
  path: string,
  missing: Set<Key>,
): Promise<number | undefined> {
  if (key === null) return undefined;
  const id = await work.context.idOf(key);
  if (id !== undefined) return attachable(work, key, Number(id));
  missing.add(key);
  const issue = {
    code: "media-not-there",
    level: "loss",
    path,
    message: `${key} was left out because its bytes are not at the target.`,
    remedy: "The list of failures says why it could not be fetched or sent; remove the cause and run again.",
  } as const;
  work.report(issue, key);
  return undefined;
}

/** The same for several; what isn't there is left out. */
export async function mediaIds(
  work: Work,
  keys: readonly Key[],
  path: string,
  missing: Set<Key>,
): Promise<readonly number[]> {
  const ids: number[] = [];
  for (const [index, key] of keys.entries()) {
    const id = await mediaId(work, key, `${path}[${index}]`, missing);
    if (id !== undefined) ids.push(id);
  }
  return ids;
}
