import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { WorkspaceError } from "../../core/errors.js";
import type { SiteIdentity } from "../../core/model/identity.js";
import { storageError } from "../storage-error.js";
import { lockHolder, takeLock } from "./lock.js";

/** Another workspace that was loaded into the same site. */
interface OtherLoad {
  readonly directory: string;
  /** ISO time of its last load. */
  readonly lastUsed: string;
  /** Is it running now? Only known for this machine. */
  readonly running: boolean;
}

export interface TargetClaim {
  /**
   * The last one comes first. Two ledgers are independent: each loads the content that the other
   * has loaded again.
   */
  readonly others: readonly OtherLoad[];
  release(): void;
}

const loadSchema = z.object({ target: z.string(), directory: z.string(), lastUsed: z.string() });
type Load = Readonly<z.infer<typeof loadSchema>>;

/**
 * Records that this workspace is loaded into the target, until released, and returns the others.
 * `base`: see user-state-folder.ts. Throws WorkspaceError when it can't record; a load should then
 * continue, since the records only serve a warning.
 */
export async function claimTarget(
  base: string,
  target: Pick<SiteIdentity, "root">,
  workspaceDirectory: string,
): Promise<TargetClaim> {
  const folder = join(base, "targets", shortHash(target.root));
  const directory = resolve(workspaceDirectory);
  const own = shortHash(directory);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const taken = takeLock(join(folder, `${own}.lock`), directory);
    write(folder, own, { target: target.root, directory, lastUsed: new Date().toISOString() });
    return { others: listOthers(folder, own), release: () => ("lock" in taken ? taken.lock.release() : undefined) };
  } catch (error) {
    throw storageError(error, `recording in ${folder} that ${directory} is loaded into ${target.root}`);
  }
}

/**
 * The ISO time of the last load of this workspace into the target; undefined: never, or unknown. A
 * new workspace with such a record replaces one that was lost.
 */
export function lastLoad(
  base: string,
  target: Pick<SiteIdentity, "root">,
  workspaceDirectory: string,
): string | undefined {
  const file = join(base, "targets", shortHash(target.root), `${shortHash(resolve(workspaceDirectory))}.json`);
  return existsSync(file) ? parseLoad(file).lastUsed : undefined;
}

/** One file for each workspace, so that two processes never write the same file. */
function write(folder: string, name: string, load: Load): void {
  const file = join(folder, `${name}.json`);
  writeFileSync(`${file}.new`, `${JSON.stringify(load)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function listOthers(folder: string, own: string): readonly OtherLoad[] {
  return readdirSync(folder)
    .filter((name) => /^[0-9a-f]+\.json$/.test(name) && name !== `${own}.json`)
    .flatMap((name) => readOther(folder, name.slice(0, -".json".length)))
    .sort((one, other) => other.lastUsed.localeCompare(one.lastUsed));
}

/** A workspace that was deleted can't duplicate content any more. */
function readOther(folder: string, name: string): readonly OtherLoad[] {
  const { directory, lastUsed } = parseLoad(join(folder, `${name}.json`));
  if (!existsSync(join(directory, "workspace.json"))) return [];
  return [{ directory, lastUsed, running: lockHolder(join(folder, `${name}.lock`)) !== undefined }];
}

function parseLoad(file: string): Load {
  try {
    return loadSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (cause) {
    throw new WorkspaceError(
      `${file} is damaged. It records a load into a site and only serves a warning. Delete the file.`,
      {
        cause,
      },
    );
  }
}

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
