import type { NewEntry } from "../../archive/write-archive.js";
import { type Manifest, REPOSITORY_FORMAT } from "../format.js";
import { type Drafted, lineOf, type Outline } from "./drafted.js";
import { rowLines } from "./row-lines.js";
import type { SnapshotPlan } from "./snapshot-plan.js";
import { deletionsOf, distanceOf, type WrittenParts } from "./write-files.js";

interface Manifested extends WrittenParts {
  readonly plan: SnapshotPlan;
  readonly drafted: Drafted;
  readonly outline: Outline;
}

/** The end of a main archive: the rows of all items and media, then the header, which counts them. */
export async function* manifestEntries(manifested: Manifested): AsyncGenerator<NewEntry> {
  const { drafted, archiveOf } = manifested;
  const items = rowLines(drafted.items.sorted(), (row) => lineOf(row, archiveOf));
  yield { path: "items.ndjson", content: items.content };
  const media = rowLines(drafted.media.sorted(), (row) => lineOf(row, archiveOf));
  yield { path: "media.ndjson", content: media.content };
  const manifest = manifestOf(manifested, items.facts(), media.facts());
  yield { path: "manifest.json", content: `${JSON.stringify(manifest, null, 2)}\n` };
}

function manifestOf(
  { plan, outline, parts, archiveOf, finished }: Manifested,
  items: Manifest["items"],
  media: Manifest["media"],
): Manifest {
  const { madeBy, name, snapshot, kind, previous, site, started, complete, failures, privateIncluded } = plan;
  return {
    format: REPOSITORY_FORMAT,
    madeBy,
    name,
    snapshot,
    kind,
    ...distanceOf(plan),
    previous,
    site: { ...site, hosts: [...site.hosts], languages: [...site.languages] },
    started: started.toISOString(),
    finished: finished.toISOString(),
    complete,
    ...deletionsOf(plan),
    failures,
    privateIncluded,
    personalData: [...plan.personalData],
    leftOut: plan.leftOut,
    refused: plan.refused,
    kept: plan.kept,
    reading: plan.reading,
    counts: outline.counts,
    archives: [
      ...outline.needs.map(({ archive }) => {
        const file = plan.archives.get(archive);
        return { name: archive, bytes: file?.bytes ?? null, sha256: file?.sha256 ?? null };
      }),
      ...parts.map(({ name: file, bytes, sha256 }) => ({ name: file, bytes, sha256 })),
      { name: archiveOf("\uffff"), bytes: null, sha256: null },
    ],
    items,
    media,
  };
}
