import type { SnapshotId, SnapshotKind } from "../format.js";

/** What `README.txt` of an archive says, for somebody who has found it and has not got guideferry. */
export function readMeText(archive: {
  readonly name: string;
  readonly snapshot: SnapshotId;
  readonly kind: SnapshotKind | "repair";
  readonly file: string;
  readonly isMain: boolean;
}): string {
  const { name, snapshot, kind, file, isMain } = archive;
  return `${file}

This is a backup of the site ${name}, made by guideferry. It is an ordinary zip file.

It belongs to the snapshot ${snapshot}, which is a time in UTC (year, month, day, T, hour, minute, second).
${KINDS[kind]}
What lies in here:

  items/      one JSON file for each guide, page, category, picture and so on; "raw" in it is
              what the site itself answered, the rest is the same in guideferry's words
  media/      pictures, videos and documents, each named by the sha256 of its bytes;
              items/image/ and its neighbours say under "content" which item has which one
${isMain ? MAIN : PART}
How to read it without guideferry:

  1. Unpack it: unzip ${file}
  2. To find a guide: look for its title in items.ndjson of the main archive; "archive" and "path"
     of that line say which zip file holds it, and where in there.
  3. To check a file: sha256sum FILE, and compare with "sha256" of its line.

The format is described in src/storage/repository/README.md of guideferry.
`;
}

const KINDS: Readonly<Record<SnapshotKind | "repair", string>> = {
  full: "\nThe snapshot is a full one: its archives hold everything, no older one is needed.\n",
  incremental:
    "\nThe snapshot is an incremental one: its archives hold what was new or changed at that time. Older\narchives of the same folder hold the rest; the lines of items.ndjson and media.ndjson name them.\n",
  repair: "\nIt holds files that were fetched again, because other archives are damaged.\n",
};

const MAIN = `
  items.ndjson, media.ndjson    a line for each item and file of the whole snapshot, also for those
                                that lie in other archives
  manifest.json                 when and of what the snapshot was made, and whether it is complete
`;
const PART = `
This is one part of the snapshot. Its main archive, without "part" in its name, has the list of everything.
`;
