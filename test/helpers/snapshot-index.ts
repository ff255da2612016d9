import { REPOSITORY_FORMAT, type SnapshotId, type SnapshotIndex } from "../../src/storage/repository/format.js";
import { archiveName, timeOf } from "../../src/storage/repository/names.js";

const NAME = "site.example";

/** The index of a snapshot that has one archive, and needs all those of some others. */
export function snapshotIndex(
  snapshot: SnapshotId,
  more: Partial<SnapshotIndex> & { readonly of?: readonly SnapshotIndex[] } = {},
): SnapshotIndex {
  const { of = [], ...facts } = more;
  const kind = of.length === 0 ? "full" : "incremental";
  const time = timeOf(snapshot).toISOString();
  return {
    format: REPOSITORY_FORMAT,
    madeBy: "guideferry test",
    name: NAME,
    snapshot,
    kind,
    previous: null,
    started: time,
    finished: time,
    complete: true,
    encrypted: false,
    archives: [
      {
        name: archiveName({ name: NAME, snapshot, kind, part: null, encrypted: false }),
        bytes: 1000,
        sha256: "0".repeat(64),
        plain: null,
      },
    ],
    needs: of.flatMap(({ archives }) => archives.map(({ name }) => ({ archive: name, contents: 1, bytes: 10 }))),
    counts: { present: 1, new: 0, changed: 0, deleted: 0, media: 0, mediaBytes: 0, newMedia: 0 },
    ...facts,
  };
}
