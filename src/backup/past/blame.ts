import type { SnapshotId } from "../../storage/repository/format.js";
import type { OpenRepository } from "../../storage/repository/read/open-repository.js";
import type { Key } from "../../core/model/key.js";
import { type BlamedLine, carriedOver } from "./carried-over.js";
import { authorOf } from "./history.js";
import { linesOf, readableText } from "./readable-text.js";
import { storedItem } from "./stored-item.js";
import { neverSeen, versionsOf } from "./versions.js";

/**
 * The lines of the last version of an item, up to a snapshot, each with the night that it came in. A night shows only that something
 * changed since the night before: of several revisions between two nights the last one is named.
 */
export async function blameOf(repository: OpenRepository, key: Key, until: SnapshotId): Promise<readonly BlamedLine[]> {
  let lines: readonly BlamedLine[] = [];
  const versions = (await versionsOf(repository, key)).filter(({ index }) => index.snapshot <= until);
  if (versions.length === 0) throw neverSeen(repository, key);
  for (const { index, row } of versions) {
    if (row.state === "deleted") continue;
    const item = await storedItem(repository, row);
    const { snapshot } = index;
    const origin = { snapshot, revision: row.revision, modified: row.modified, author: authorOf(item) };
    lines = carriedOver(lines, linesOf(readableText(item)), origin);
  }
  return lines;
}
