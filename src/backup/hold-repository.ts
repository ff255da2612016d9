import { existsSync } from "node:fs";
import { rm, rmdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { z } from "zod";
import { ArchiveError, EXIT, FerryError, UsageError, WorkspaceError } from "../core/errors.js";
import type { SiteIdentity } from "../core/model/identity.js";
import { onDisk } from "../storage/archive/disk-error.js";
import type { RepositoryStamp } from "../storage/repository/format.js";
import { finishRemovals, type Recovered, recover } from "../storage/repository/index-files.js";
import { repositoryName } from "../storage/repository/names.js";
import type { Repository } from "../storage/repository/repository.js";
import type { Encryption } from "../storage/repository/write/encryption.js";
import {
  makeRepositoryFolder,
  newStamp,
  readStamp,
  refuseOtherSite,
  writeStamp,
} from "../storage/repository/write/stamp.js";
import type { ArchivedReader, ArchivedStore } from "../storage/workspace/archived.js";
import { AppendOnlyError, describeHolder, takeLock } from "../storage/workspace/lock.js";
import type { Elsewhere } from "../storage/workspace/media-store.js";
import type { Workspace } from "../storage/workspace/workspace.js";

/** A repository that this run has locked. */
export interface HeldRepository {
  readonly folder: string;
  /** undefined: it is new. */
  readonly stamp: RepositoryStamp | undefined;
  readonly recovered: Recovered;
  /** May be called twice. */
  release(): void;
}

/** Replaces the message of `takeLock`, which is about a workspace. */
function lockOf(folder: string, command: string): ReturnType<typeof takeLock> {
  try {
    return takeLock(join(folder, "lock"), command);
  } catch (cause) {
    if (cause instanceof AppendOnlyError) throw cause;
    if (!(cause instanceof WorkspaceError) || cause.exitCode !== EXIT.usage) throw cause;
    throw new ArchiveError(
      `guideferry cannot write to the repository ${folder}: the system refuses it, or the disk is read-only. Run as the user who owns it, correct owner and ` +
        "mode of the folder (0700) and its files (0600), or make the disk writable. Commands that only read (snapshots, verify, cat, diff) need no write access.",
      { cause, exitCode: EXIT.usage },
    );
  }
}

/**
 * Locks a repository, creates its folder (`create`), and finishes or removes the work of a killed
 * run. Throws ArchiveError: locked by another run (exit 11), not a repository (2), missing without
 * `create` (10).
 */
export async function holdRepository(
  folder: string,
  { command, create }: { readonly command: string; readonly create: boolean },
): Promise<HeldRepository> {
  const found = await readStamp(folder);
  if (found === undefined && !create) {
    throw new ArchiveError(`There is no backup repository at ${folder}. Check the path.`, { exitCode: EXIT.notFound });
  }
  await makeRepositoryFolder(folder);
  const taken = lockOf(folder, command);
  if (!("lock" in taken)) {
    throw new ArchiveError(
      `Another run holds the repository ${folder}: ${describeHolder(taken.heldBy)}. Nothing was done. Wait until it ends or stop it, then run the same command again.`,
      { exitCode: EXIT.locked },
    );
  }
  const { lock } = taken;
  try {
    const recovered = await recover(folder);
    await finishRemovals(folder);
    return { folder, stamp: await readStamp(folder), recovered, release: () => lock.release() };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * Returns the prefix of the file names; writes `repository.json` of a new repository. Throws
 * UsageError and ArchiveError (exit 2) when it is of another site, or has another name.
 */
export async function prepareRepository(
  { folder, stamp }: HeldRepository,
  site: SiteIdentity,
  { name: asked, madeBy, now }: { readonly name: string | null; readonly madeBy: string; readonly now: Date },
): Promise<string> {
  const name = asked === null ? (stamp?.name ?? repositoryName(hostOf(site))) : repositoryName(asked);
  if (name === "") {
    throw new UsageError(
      `--name ${JSON.stringify(asked)} has no valid character. Use letters a to z, digits, dots and hyphens.`,
    );
  }
  if (stamp === undefined) await writeStamp(folder, newStamp(name, madeBy, now, site));
  else refuseOtherSite(folder, stamp, name, site);
  return name;
}

function hostOf({ origin, name }: SiteIdentity): string {
  return URL.canParse(origin) ? new URL(origin).hostname : name;
}

/** Throws UsageError (exit 2) when private guides would be left out without `--public-only`. */
export function refuseNotAdmin(site: SiteIdentity, publicOnly: boolean): void {
  if (publicOnly || site.origin === "" || site.account?.admin === true) return;
  const who = site.account === null ? "No sign-in was given" : `The account ${site.account.name} is not an admin`;
  throw new UsageError(
    `${who} at ${site.origin}. The site then lists no private guides, and the backup would lack them. Give the token of an admin in GUIDEFERRY_SOURCE_TOKEN, ` +
      "or accept a backup without private guides with --public-only. Nothing was read.",
  );
}

/** `created` identifies a repository, also after it was moved. */
const ownerSchema = z.object({ folder: z.string(), created: z.string() });
type Owner = z.infer<typeof ownerSchema>;

/**
 * Throws UsageError (exit 2) for the workspace of another repository that exists: a backup removes
 * archived contents from its workspace, so a second repository would lack them.
 */
export async function refuseSharedWorkspace({ archived, directory }: Workspace, held: HeldRepository): Promise<void> {
  const owner = ownerOf(archived.note("repository"));
  if (owner === undefined || owner.created === held.stamp?.created || !(await isThere(owner))) return;
  throw new UsageError(
    `The workspace ${directory} belongs to the repository ${owner.folder} and cannot be used for ${resolve(held.folder)} too. ` +
      "A backup removes archived contents from its workspace, so the snapshots of the other repository would lack them. Nothing was read. " +
      "Give each repository its own workspace: name another folder with --workspace, or omit --workspace to use the one inside the repository.",
  );
}

/** Notes in the workspace which repository it belongs to. */
export async function noteRepository({ archived }: Workspace, folder: string): Promise<void> {
  const stamp = await readStamp(folder);
  if (stamp !== undefined)
    archived.putNote("repository", JSON.stringify({ folder: resolve(folder), created: stamp.created }));
}

/** The workspace of a removed repository can be used by another one. */
async function isThere({ folder, created }: Owner): Promise<boolean> {
  try {
    return (await readStamp(folder))?.created === created;
  } catch (error) {
    // Removed or unreadable: it has no claim to the workspace.
    if (error instanceof ArchiveError) return false;
    throw error;
  }
}

function ownerOf(note: string | undefined): Owner | undefined {
  return note === undefined ? undefined : ownerSchema.parse(JSON.parse(note));
}

const PASSPHRASE = "a passphrase";

/**
 * Notes the recipients of a written snapshot, and warns when they differ from those of the last one
 * of this workspace.
 */
export function noteRecipients(archived: ArchivedStore, encryption: Encryption | null): readonly string[] {
  if (encryption === null) return [];
  const now = encryption.recipients.length === 0 ? PASSPHRASE : encryption.recipients.join(", ");
  const before = archived.note("recipients");
  archived.putNote("recipients", now);
  if (before === undefined || before === now) return [];
  return [
    `The recipients changed: snapshots before this one are encrypted for ${before}, this one for ${now}. Keep the keys of both. The older key alone cannot open this snapshot. ` +
      "The newer key alone can open neither the older snapshots nor the parts of their archives that this snapshot needs.",
  ];
}

/** Codes of `rmdir` when another program uses the folder, or has removed it. */
const IN_USE: ReadonlySet<string> = new Set(["ENOTEMPTY", "EEXIST", "ENOENT"]);

/**
 * Releases the lock, and removes a folder that did not become a repository (no site data was read).
 * A repository stays. Throws ArchiveError: the disk.
 */
export async function undoFolder(held: HeldRepository): Promise<void> {
  const { folder } = held;
  const isRepository = existsSync(join(folder, "repository.json"));
  if (!isRepository)
    await onDisk(`removing ${folder}`, rm(join(folder, "workspace"), { recursive: true, force: true }));
  if (!isRepository) await onDisk(`removing ${folder}`, rm(join(folder, "lock"), { force: true }));
  held.release();
  if (!isRepository) await onDisk(`removing ${folder}`, rmdir(folder).catch(unlessInUse));
}

function unlessInUse(error: unknown): void {
  if (!(error instanceof Error && "code" in error && IN_USE.has(String(error.code)))) throw error;
}

/** Opens media of a workspace that are only in the archives. Has none until it is bound. */
export class ArchiveElsewhere implements Elsewhere {
  #archived: ArchivedReader | undefined;
  #repository: Pick<Repository, "open"> | undefined;

  /** `archived` is the workspace's own. */
  bind(archived: ArchivedReader, repository: Pick<Repository, "open">): void {
    this.#archived = archived;
    this.#repository = repository;
  }

  has(sha256: string): boolean {
    return this.#archived?.medium(sha256) !== undefined;
  }

  async open(sha256: string): Promise<Readable> {
    const place = this.#archived?.medium(sha256);
    if (place !== undefined && this.#repository !== undefined) return this.#repository.open({ sha256, ...place });
    throw new FerryError(`The repository does not have the requested content ${sha256}: a defect of guideferry.`);
  }
}
