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

/** A repository that this run alone may write to. */
export interface HeldRepository {
  readonly folder: string;
  /** undefined: it is new. */
  readonly stamp: RepositoryStamp | undefined;
  readonly recovered: Recovered;
  /** May be called twice. */
  release(): void;
}

/** The words of a workspace's lock are about the workspace. */
function lockOf(folder: string, command: string): ReturnType<typeof takeLock> {
  try {
    return takeLock(join(folder, "lock"), command);
  } catch (cause) {
    if (cause instanceof AppendOnlyError) throw cause;
    if (!(cause instanceof WorkspaceError) || cause.exitCode !== EXIT.usage) throw cause;
    throw new ArchiveError(
      `The repository ${folder} can't be written: the system refuses it, or the disk can only be read. Run as the user who owns it, correct owner and ` +
        "mode of the folder (0700) and its files (0600), or make the disk writable. Who only looks (snapshots, verify, cat, diff) needs no more than to read.",
      { cause, exitCode: EXIT.usage },
    );
  }
}

/**
 * Takes the lock of a repository, which may be new (`create`), and ends what a killed run left.
 * Throws ArchiveError: held by another run (exit 11), something else than a repository (2), not
 * there and not to be made (10).
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
 * The name that the files of a repository begin with; a new repository becomes that of this site.
 * Throws UsageError and ArchiveError (exit 2) when it is another site's, or has another name.
 */
export async function prepareRepository(
  { folder, stamp }: HeldRepository,
  site: SiteIdentity,
  { name: asked, madeBy, now }: { readonly name: string | null; readonly madeBy: string; readonly now: Date },
): Promise<string> {
  const name = asked === null ? (stamp?.name ?? repositoryName(hostOf(site))) : repositoryName(asked);
  if (name === "") {
    throw new UsageError(
      `--name ${JSON.stringify(asked)} leaves no name: expected letters a to z, digits, dots and hyphens.`,
    );
  }
  if (stamp === undefined) await writeStamp(folder, newStamp(name, madeBy, now, site));
  else refuseOtherSite(folder, stamp, name, site);
  return name;
}

function hostOf({ origin, name }: SiteIdentity): string {
  return URL.canParse(origin) ? new URL(origin).hostname : name;
}

/**
 * Throws UsageError (exit 2) when private guides would be left out without anybody having agreed to
 * it.
 */
export function refuseNotAdmin(site: SiteIdentity, publicOnly: boolean): void {
  if (publicOnly || site.origin === "" || site.account?.admin === true) return;
  const who = site.account === null ? "No sign-in was given" : `The account ${site.account.name} is no admin`;
  throw new UsageError(
    `${who} at ${site.origin}, so its lists leave private guides out and the backup would too. Give the token of an admin in GUIDEFERRY_SOURCE_TOKEN, ` +
      "or agree to a backup without them with --public-only. Nothing was read.",
  );
}

/** A repository, wherever it is moved to: when it was made. */
const ownerSchema = z.object({ folder: z.string(), created: z.string() });
type Owner = z.infer<typeof ownerSchema>;

/**
 * Refuses a workspace whose contents lie in the archives of another repository, as long as that is
 * there: contents leave a workspace as soon as one repository has them, so that the other one's
 * snapshots would lack them. Throws UsageError (exit 2).
 */
export async function refuseSharedWorkspace({ archived, directory }: Workspace, held: HeldRepository): Promise<void> {
  const owner = ownerOf(archived.note("repository"));
  if (owner === undefined || owner.created === held.stamp?.created || !(await isThere(owner))) return;
  throw new UsageError(
    `The workspace ${directory} belongs to the repository ${owner.folder} and can't serve ${resolve(held.folder)} as well: what one of them has leaves the workspace, and the snapshots of the ` +
      "other would lack it. Nothing was read. Give each repository a workspace of its own: name another folder with --workspace, or leave it out for the one inside the repository.",
  );
}

/** Notes whose workspace this is, with what `repository.json` says by now. */
export async function noteRepository({ archived }: Workspace, folder: string): Promise<void> {
  const stamp = await readStamp(folder);
  if (stamp !== undefined)
    archived.putNote("repository", JSON.stringify({ folder: resolve(folder), created: stamp.created }));
}

/** Of a repository that was removed the workspace is free. */
async function isThere({ folder, created }: Owner): Promise<boolean> {
  try {
    return (await readStamp(folder))?.created === created;
  } catch (error) {
    // No repository any more, or one that can't be read: what it has is not in the way of this one.
    if (error instanceof ArchiveError) return false;
    throw error;
  }
}

function ownerOf(note: string | undefined): Owner | undefined {
  return note === undefined ? undefined : ownerSchema.parse(JSON.parse(note));
}

const PASSPHRASE = "a passphrase";

/**
 * Warns when this night encrypts for somebody else than the last one of this workspace did, and
 * notes whom it is for. To be called when the snapshot is written, and so once for a change.
 */
export function noteRecipients(archived: ArchivedStore, encryption: Encryption | null): readonly string[] {
  if (encryption === null) return [];
  const now = encryption.recipients.length === 0 ? PASSPHRASE : encryption.recipients.join(", ");
  const before = archived.note("recipients");
  archived.putNote("recipients", now);
  if (before === undefined || before === now) return [];
  return [
    `The recipients changed: snapshots before this one are encrypted for ${before}, this one for ${now}. Keep the keys of both: whoever has only the older key can't read this snapshot, ` +
      "and whoever has only the newer one can read neither the older snapshots nor what this one needs of their archives.",
  ];
}

/** What stands in the way when somebody else uses the folder by now. */
const IN_USE: ReadonlySet<string> = new Set(["ENOTEMPTY", "EEXIST", "ENOENT"]);

/**
 * Takes away the folder that a run made for a repository which did not come to be, and gives its
 * lock back: nothing was read from the site by then. A repository is left as it is. Throws
 * ArchiveError: the disk.
 */
export async function undoFolder(held: HeldRepository): Promise<void> {
  const { folder } = held;
  const isRepository = existsSync(join(folder, "repository.json"));
  // While the lock is held nobody else puts anything there.
  if (!isRepository)
    await onDisk(`removing ${folder}`, rm(join(folder, "workspace"), { recursive: true, force: true }));
  if (!isRepository) await onDisk(`removing ${folder}`, rm(join(folder, "lock"), { force: true }));
  held.release();
  if (!isRepository) await onDisk(`removing ${folder}`, rmdir(folder).catch(unlessInUse));
}

function unlessInUse(error: unknown): void {
  if (!(error instanceof Error && "code" in error && IN_USE.has(String(error.code)))) throw error;
}

/**
 * What the workspace of a backup finds its media by, which lie in the repository. It knows nothing
 * until it is bound.
 */
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
    throw new FerryError(
      `The content ${sha256} was asked of the repository, which does not have it: a defect of guideferry.`,
    );
  }
}

/**
 * The host of a site, or what a person gave, as part of a file's name; empty when nothing of it is
 * left.
 */
function repositoryName(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, "-")
    .replace(/^[.-]+|[.-]+$/g, "");
}
