import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArchiveName } from "../../../src/storage/repository/names.js";
import { isThere, run } from "./run.js";

/** The contents of a repository as files, as of its last night: what other programs are given. */
export interface Tree {
  readonly folder: string;
  /** Unpacks what is new. What was deleted at the site stays, which costs the others nothing. */
  follow(repository: string): Promise<void>;
}

const NO_SUCH_ENTRY = 11;

/** undefined: unzip is not installed. */
export async function startTree(parent: string): Promise<Tree | undefined> {
  if (!(await isThere("unzip"))) return undefined;
  const folder = join(parent, "tree");
  await mkdir(folder);
  const unpacked = new Set<string>();
  return {
    folder,
    follow: async (repository) => {
      for (const name of await archivesIn(repository)) {
        if (unpacked.has(name)) continue;
        unpacked.add(name);
        const words = ["-oq", join(repository, name), "items/*", "media/*", "-d", folder];
        await run("unzip", words, { allowed: [0, NO_SUCH_ENTRY] });
      }
    },
  };
}

/** Oldest first. */
export async function archivesIn(repository: string): Promise<readonly string[]> {
  const names = await readdir(repository);
  return names.filter((name) => parseArchiveName(name) !== undefined).toSorted();
}
