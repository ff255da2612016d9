import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { OpenRepository } from "../../../storage/repository/read/open-repository.js";
import type { Repository } from "../../../storage/repository/repository.js";
import { readStamp } from "../../../storage/repository/write/stamp.js";
import { EXIT, FerryError, UsageError } from "../../../core/errors.js";
import type { SiteIdentity } from "../../../core/model/site.js";
import { type SnapshotContents, snapshotContents } from "../../../backup/snapshot-contents.js";
import { layoutOf } from "../../../storage/workspace/layout.js";
import { readStamp as readWorkspaceStamp } from "../../../storage/workspace/stamp.js";
import type { CommandCall } from "../../command.js";
import { describeSalvage } from "../../output/describe-salvage.js";
import { chosenSnapshot } from "./chosen-snapshot.js";
import { keysOf } from "./encryption-of.js";
import { readRepository } from "./places.js";
import { refuseEmptyChoice } from "./refuse-empty-choice.js";
import { withRepository } from "./with-repository.js";

/** What is restored from: a repository, or one archive. */
export interface Archives {
  /** Its path. */
  readonly path: string;
  readonly isRepository: boolean;
  readonly repository: Repository;
  /** The snapshot that `--at` names. */
  readonly contents: SnapshotContents;
}

/** Reads an argument that must be a repository or one of its archives. Throws UsageError. */
export function readArchives(text: string): string {
  const path = resolve(text);
  if (!existsSync(path) || statSync(path).isDirectory()) return readRepository(text);
  if (/\.(?:zip|age)$/i.test(path)) return path;
  throw new UsageError(`${text} is a file that is no archive: expected a repository, a .zip or a .zip.age.`, {
    exitCode: EXIT.usage,
  });
}

/** Lets a command work on a snapshot, read with the keys that were given. What the archive guard finds is told. Throws UsageError (exit 10) when nothing of it is chosen. */
export async function withArchives<T>(
  call: CommandCall,
  path: string,
  work: (archives: Archives) => Promise<T>,
): Promise<T> {
  if (statSync(path).isDirectory())
    return withRepository(call, path, (repository) => withChosen(call, path, repository, work));
  const { openSingleArchive } = await import("../../../storage/repository/read/open-single-archive.js");
  const repository = await openSingleArchive(path, { keys: await keysOf(call) });
  try {
    for (const { code, entry, detail } of repository.findings)
      call.output.warn(`${path}: ${code}${entry === null ? "" : ` (${entry})`}: ${detail}`);
    return await work(await chosen(call, path, false, repository));
  } finally {
    await repository.close();
  }
}

/** What is left of the snapshot where it is damaged, which is told. */
async function withChosen<T>(
  call: CommandCall,
  path: string,
  repository: OpenRepository,
  work: (archives: Archives) => Promise<T>,
): Promise<T> {
  const index = chosenSnapshot(call, repository, call.settings.at);
  const { salvageSnapshot } = await import("../../../backup/salvaged-snapshot.js");
  const from = { site: await siteBeside(path), workspace: join(path, "workspace") };
  const salvaged = await salvageSnapshot(repository, index, from);
  if (salvaged === undefined) return work(await chosen(call, path, true, repository));
  try {
    const { lost, reason } = salvaged;
    call.output.warn(
      `The snapshot ${index.snapshot} can't be read to its end: ${reason} What is left of it is taken: ${describeSalvage(salvaged)}`,
    );
    const archives = await chosen(call, path, true, salvaged.repository);
    return await work({ ...archives, contents: { ...archives.contents, lost } });
  } finally {
    await salvaged.close();
  }
}

/** Whose backups these are, by the workspace beside them or the repository itself, where no manifest can be read. */
export async function siteBeside(folder: string): Promise<SiteIdentity | undefined> {
  for (const read of [() => siteOfWorkspace(join(folder, "workspace")), () => siteOfStamp(folder)]) {
    const site = await read().catch((error: unknown) => {
      if (error instanceof FerryError) return undefined;
      throw error;
    });
    if (site !== undefined) return site;
  }
  return undefined;
}

async function siteOfWorkspace(directory: string): Promise<SiteIdentity | undefined> {
  const { source } = await readWorkspaceStamp(layoutOf(directory));
  return source ?? undefined;
}

/** The stamp knows the address only. The language is that of most sites; each guide has its own. */
async function siteOfStamp(folder: string): Promise<SiteIdentity | undefined> {
  const stamp = await readStamp(folder);
  if (stamp?.site === undefined) return undefined;
  const { root, siteId } = stamp.site;
  const { origin, hostname } = new URL(root);
  const languages = { language: "en", languages: ["en"] };
  return { root, origin, siteId, name: stamp.name, dialect: "unknown", hosts: [hostname], ...languages, account: null };
}

async function chosen(
  call: CommandCall,
  path: string,
  isRepository: boolean,
  repository: Repository,
): Promise<Archives> {
  const { snapshot, complete } = chosenSnapshot(call, repository, call.settings.at);
  if (!complete) {
    call.output.warn(
      `The snapshot ${snapshot} is marked incomplete: some items failed that night. They are as in the snapshot before, or missing.`,
    );
  }
  const contents = await snapshotContents(repository, snapshot);
  await refuseEmptyChoice(contents, call.settings);
  return { path, isRepository, repository, contents };
}
