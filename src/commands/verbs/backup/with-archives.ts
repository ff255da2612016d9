import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Repository } from "../../../archive/repository/repository.js";
import { EXIT, UsageError } from "../../../errors.js";
import { type SnapshotContents, snapshotContents } from "../../../pipeline/backup/snapshot-contents.js";
import type { CommandCall } from "../../command.js";
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
    return withRepository(call, path, async (repository) => work(await chosen(call, path, true, repository)));
  const { openSingleArchive } = await import("../../../archive/repository/read/open-single-archive.js");
  const repository = await openSingleArchive(path, { keys: await keysOf(call) });
  try {
    for (const { code, entry, detail } of repository.findings)
      call.output.warn(`${path}: ${code}${entry === null ? "" : ` (${entry})`}: ${detail}`);
    return await work(await chosen(call, path, false, repository));
  } finally {
    await repository.close();
  }
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
