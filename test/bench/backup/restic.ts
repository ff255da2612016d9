import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { folderSize } from "./folder-size.js";
import { isThere, run, type Took } from "./run.js";

/** A restic repository beside ours; its snapshots are of a tree of the same files. */
export interface Restic {
  readonly folder: string;
  /** Backs the tree up; `grown`: bytes of the repository since the call before. */
  backup(tree: string): Promise<{ readonly took: Took; readonly grown: number }>;
  check(): Promise<Took>;
}

/** undefined: restic is not installed. */
export async function startRestic(parent: string): Promise<Restic | undefined> {
  if (!(await isThere("restic"))) return undefined;
  const folder = join(parent, "restic");
  await mkdir(folder);
  const environment = { RESTIC_PASSWORD: "bench", RESTIC_REPOSITORY: folder, RESTIC_CACHE_DIR: join(parent, "cache") };
  await run("restic", ["init", "--quiet"], { environment });
  let size = await folderSize(folder);
  return {
    folder,
    backup: async (tree) => {
      const took = await run("restic", ["backup", "--quiet", "."], { environment, folder: tree });
      const before = size;
      size = await folderSize(folder);
      return { took, grown: size - before };
    },
    check: () => run("restic", ["check", "--read-data", "--quiet"], { environment }),
  };
}
