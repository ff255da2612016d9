import { join } from "node:path";
import { folderSize } from "./folder-size.js";
import { megabytes, printTable, seconds, times } from "./print-table.js";
import type { Restic } from "./restic.js";
import { runGuideferry, type Took } from "./run.js";
import type { SiteProcess } from "./site-process.js";
import type { Sizes } from "./sizes.js";
import type { Tree } from "./tree.js";

interface Night {
  readonly name: string;
  readonly took: Took;
  readonly api: number;
  readonly media: number;
  readonly grown: number;
  readonly restic: { readonly took: Took; readonly grown: number } | undefined;
}

/** Of a hundred guides, on a night with changes. */
const EDITED = 0.5;
const PICTURED = 0.2;
const DELETED = 0.02;

/** A full night, an unchanged one, and some with changes; prints what each took. */
export async function measureNights({ site, repository, tree, restic }: NightParts, sizes: Sizes): Promise<void> {
  const nights: Night[] = [];
  let size = 0;
  const night = async (name: string): Promise<void> => {
    await site.count();
    const took = await runGuideferry(["backup", site.url, "--to", repository, "--quiet"], {
      environment: { GUIDEFERRY_SOURCE_TOKEN: site.token, XDG_STATE_HOME: join(repository, "..") },
    });
    const { api, media } = await site.count();
    const before = size;
    size = await folderSize(repository, (path) => !path.startsWith(join(repository, "workspace")));
    await tree?.follow(repository);
    const theirs = tree === undefined ? undefined : await restic?.backup(tree.folder);
    nights.push({ name, took, api, media, grown: size - before, restic: theirs });
    const memory = megabytes(took.peakBytes);
    process.stdout.write(`${name}: ${seconds(took.seconds)}, ${memory}, ${api} + ${media} requests\n`);
  };
  await night("full");
  await night("unchanged");
  for (let number = 1; number <= sizes.changedNights; number += 1) {
    await site.change(changesOf(number, sizes));
    await night(`changed ${number}`);
  }
  const workspace = await folderSize(join(repository, "workspace"));
  process.stdout.write(`\nThe workspace between two nights: ${megabytes(workspace)}\n\n`);
  print(nights);
}

export interface NightParts {
  readonly site: SiteProcess;
  readonly repository: string;
  readonly tree: Tree | undefined;
  readonly restic: Restic | undefined;
}

function changesOf(night: number, { guides }: Sizes) {
  const some = (percent: number, offset: number): readonly number[] => {
    const count = Math.max(1, Math.round((guides * percent) / 100));
    const step = Math.floor(guides / count);
    return Array.from({ length: count }, (_, at) => ((at * step + night * 7 + offset) % guides) + 1);
  };
  const deleted = some(DELETED, 3);
  const isThere = (id: number): boolean => !gone.has(id);
  for (const id of deleted) gone.add(id);
  return { night, edited: some(EDITED, 0).filter(isThere), pictured: some(PICTURED, 1).filter(isThere), deleted };
}

const gone = new Set<number>();

function print(nights: readonly Night[]): void {
  const head = ["night", "API requests", "media", "wall", "CPU", "peak memory", "grown by", "restic grown by"];
  const sum = { ours: 0, theirs: 0 };
  const rows = nights.map(({ name, took, api, media, grown, restic }) => {
    if (name.startsWith("changed")) {
      sum.ours += grown;
      sum.theirs += restic?.grown ?? 0;
    }
    const theirs = restic === undefined ? "" : `${megabytes(restic.grown)} (${times(restic.grown, grown)})`;
    const usage = [seconds(took.seconds), seconds(took.cpuSeconds), megabytes(took.peakBytes)];
    return [name, String(api), String(media), ...usage, megabytes(grown), theirs];
  });
  const total = sum.theirs === 0 ? "" : `${megabytes(sum.theirs)} (${times(sum.theirs, sum.ours)})`;
  printTable(head, [...rows, ["all changed nights", "", "", "", "", "", megabytes(sum.ours), total]]);
}
