import type { ArchiveFile } from "./format.js";
import type { Proven } from "./proven.js";

const DAY = 86_400_000;
/** An archive is believed for so many days after it was read. Disks rot over years. */
const BELIEVED = 60 * DAY;
/** From then on it is read again when its turn comes, */
const RENEWED = 30 * DAY;
/** which takes this share of all bytes a night: so all have their turn before they are believed no more, and no night reads much. */
const SHARE = 1 / 30;

/**
 * Which archives are to be read before something is removed: every one that is not believed any more, and of those whose turn it is the ones that
 * were read longest ago, until they are a thirtieth of all bytes. A time that is still to come is no proof.
 */
export function dueProofs(files: readonly ArchiveFile[], proven: Proven, now: Date): readonly ArchiveFile[] {
  const age = ({ name }: ArchiveFile): number => {
    const at = proven.get(name) ?? Number.NEGATIVE_INFINITY;
    return at > now.getTime() ? Number.POSITIVE_INFINITY : now.getTime() - at;
  };
  const oldestFirst = files.toSorted((one, other) => age(other) - age(one) || (one.name < other.name ? -1 : 1));
  const allowed = SHARE * files.reduce((sum, { bytes }) => sum + bytes, 0);
  const due: ArchiveFile[] = [];
  let bytes = 0;
  for (const file of oldestFirst) {
    const hasTurn = age(file) > RENEWED && bytes < allowed;
    if (age(file) <= BELIEVED && !hasTurn) break;
    due.push(file);
    bytes += file.bytes;
  }
  return due;
}
