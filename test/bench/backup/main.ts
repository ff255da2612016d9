import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measureChecking } from "./checking.js";
import { measureNights } from "./daily-backups.js";
import { measurePacking } from "./packing.js";
import { startRestic } from "./restic.js";
import { writeSite } from "./site-folder.js";
import { startSite } from "./site-process.js";
import { sizesOf } from "./sizes.js";
import { startTree } from "./tree.js";
import { measureYear } from "./year.js";

/**
 * `npm run bench -- backup`: nights, packing, checking and a year of a repository, each beside the
 * programs that people use for it.
 */
export async function benchBackups(): Promise<void> {
  const sizes = sizesOf(process.env);
  const folder = await mkdtemp(join(tmpdir(), "guideferry-bench-"));
  const [source, repository, scratch] = ["site", "repository", "scratch"].map((name) => join(folder, name));
  if (source === undefined || repository === undefined || scratch === undefined) return;
  try {
    process.stdout.write(`A site of ${sizes.guides} guides with ${sizes.media} pictures in ${folder}\n`);
    await mkdir(scratch);
    await writeSite(source, sizes);
    const tree = await startTree(folder);
    const restic = await startRestic(folder);
    if (tree === undefined) process.stdout.write("unzip is not installed: nothing is compared with restic and zip.\n");
    if (restic === undefined) process.stdout.write("restic is not installed: growth is measured without it.\n");
    const site = await startSite(source);
    try {
      await measureNights({ site, repository, tree, restic }, sizes);
      if (tree !== undefined) await measurePacking(tree.folder, scratch, sizes.rounds);
      await measureChecking(repository, restic, sizes.rounds);
      await measureYear({ folder: repository, scratch, site }, sizes.yearNights, sizes.rounds);
    } finally {
      await site.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
