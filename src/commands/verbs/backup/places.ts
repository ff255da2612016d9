import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { UsageError } from "../../../core/errors.js";
import type { Key } from "../../../core/model/key.js";
import { keySchema } from "../../../core/model/shared.js";
import { readFolder } from "../../location.js";

/** Reads an argument that must be the folder of a repository. Throws UsageError, with 10 where nothing is there. */
export function readRepository(text: string): string {
  if (isAddress(text)) {
    throw new UsageError(
      `The folder of a repository is needed here, and ${text} is an address. \`guideferry backup SITE --to REPO\` makes one.`,
    );
  }
  const folder = resolve(text);
  if (existsSync(folder)) return folder;
  throw new UsageError(`There is no folder ${text}. Check the path.`, { exitCode: 10 });
}

/** Reads what `--to` says. Throws UsageError. */
export function readGoal(text: string | null): string {
  if (text !== null) return readFolder(text);
  throw new UsageError("Where do the backups go? Name their folder: --to REPO. It is made when it is not there.");
}

/** Reads an argument that must be the key of an item. Throws UsageError. */
export function readKey(text: string): Key {
  const key = keySchema.safeParse(text);
  if (key.success) return key.data;
  throw new UsageError(`"${text}" is no key. A key is such as guide/12, wiki/INFO/Page, category/Looms or image/5.`);
}

/** Was `plan` given a repository in the place of a source, with a site to restore into? Throws UsageError where the goal is no site. */
export async function isRestorePlan(text: string, goal: string): Promise<boolean> {
  if (isAddress(text)) return false;
  const { isRepository } = await import("../../../storage/repository/read/repository-folder.js");
  if (!(await isRepository(resolve(text)))) return false;
  if (isAddress(goal)) return true;
  throw new UsageError(
    `${text} is a repository of backups, and no source of a migration. \`guideferry restore ${text} DIR\` makes a workspace of it, which can be planned from.`,
  );
}

/**
 * The repository that a command was given in the place of a source or workspace; undefined: it is none, and a target follows. Throws UsageError
 * for a repository with a target, and where neither was given; with 10 where nothing is there.
 */
export async function readOptionalRepository([text = "", target]: readonly string[]): Promise<string | undefined> {
  const { isRepository } = await import("../../../storage/repository/read/repository-folder.js");
  if (!isAddress(text) && (await isRepository(resolve(text)))) {
    if (target === undefined) return resolve(text);
    throw new UsageError(`${text} is a repository of backups, which is checked by itself: leave out ${target}.`);
  }
  if (target !== undefined) return undefined;
  if (!isAddress(text) && !existsSync(text))
    throw new UsageError(`There is nothing at ${text}. Check the path.`, { exitCode: 10 });
  throw new UsageError(
    `Missing required argument 'TARGET': what shall ${text} be compared with? Only a repository of backups and a report of a comparison are checked by themselves, and it is neither.`,
  );
}

function isAddress(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
}
