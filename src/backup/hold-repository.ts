import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { z } from "zod";
import { ArchiveError, EXIT, FerryError, UsageError } from "../core/errors.js";
import type { SiteIdentity } from "../core/model/identity.js";
import type { Key } from "../core/model/key.js";
import { storageAt } from "../storage/repository/files/open-storage.js";
import type { Lease, RepositoryStorage } from "../storage/repository/files/repository-storage.js";
import type { RepositoryStamp } from "../storage/repository/format.js";
import { finishRemovals, type Recovered, recover } from "../storage/repository/index-files.js";
import { repositoryName } from "../storage/repository/names.js";
import type { Repository } from "../storage/repository/repository.js";
import type { Encryption } from "../storage/repository/write/encryption.js";
import { newStamp, readStamp, refuseOtherSite, writeStamp } from "../storage/repository/write/stamp.js";
import type { ArchivedReader, ArchivedStore } from "../storage/workspace/archived.js";
import { describeHolder } from "../storage/workspace/lock.js";
import type { Elsewhere } from "../storage/workspace/media-store.js";
import type { Workspace } from "../storage/workspace/workspace.js";

/** A repository whose lease this run has. */
export interface HeldRepository {
  readonly storage: RepositoryStorage;
  readonly lease: Lease;
  /** undefined: it is new. */
  readonly stamp: RepositoryStamp | undefined;
  readonly recovered: Recovered;
}

interface HoldOptions {
  /** For messages. */
  readonly command: string;
  readonly create: boolean;
  /** Archives of a killed run that stay: this one continues it. Default: none. */
  readonly keep?: (name: string) => boolean;
}

/**
 * Takes the lease of a repository, creates its folder (`create`), and finishes or removes the work
 * of a killed run. Throws ArchiveError: locked by another run (exit 11), not a repository (2),
 * missing without `create` (10).
 */
export async function holdRepository(
  storage: RepositoryStorage,
  { command, create, keep }: HoldOptions,
): Promise<HeldRepository> {
  const { address } = storage;
  const found = await readStamp(storage);
  if (found === undefined && !create) {
    throw new ArchiveError(`There is no backup repository at ${address}. Check the path.`, { exitCode: EXIT.notFound });
  }
  const taken = await storage.acquire(command);
  if (!("lease" in taken)) {
    throw new ArchiveError(
      `Another run holds the repository ${address}: ${describeHolder(taken.heldBy)}. Nothing was done. Wait until it ends or stop it, then run the same command again.`,
      { exitCode: EXIT.locked },
    );
  }
  const { lease } = taken;
  try {
    const recovered = await recover(storage, keep);
    await finishRemovals(storage);
    return { storage, lease, stamp: await readStamp(storage), recovered };
  } catch (error) {
    await lease.release();
    throw error;
  }
}

/**
 * Returns the prefix of the file names; writes `repository.json` of a new repository. Throws
 * UsageError and ArchiveError (exit 2) when it is of another site, or has another name.
 */
export async function prepareRepository(
  { storage, stamp }: HeldRepository,
  site: SiteIdentity,
  { name: asked, madeBy, now }: { readonly name: string | null; readonly madeBy: string; readonly now: Date },
): Promise<string> {
  const name = asked === null ? (stamp?.name ?? repositoryName(hostOf(site))) : repositoryName(asked);
  if (name === "") {
    throw new UsageError(
      `--name ${JSON.stringify(asked)} has no valid character. Use letters a to z, digits, dots and hyphens.`,
    );
  }
  if (stamp === undefined) await writeStamp(storage, newStamp(name, madeBy, now, site));
  else refuseOtherSite(storage, stamp, name, site);
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

/** `created` identifies a repository, also after it was moved; `folder` is its address. */
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
    `The workspace ${directory} belongs to the repository ${owner.folder} and cannot be used for ${whole(held.storage)} too. ` +
      "A backup removes archived contents from its workspace, so the snapshots of the other repository would lack them. Nothing was read. " +
      "Give each repository its own workspace: name another folder with --workspace, or omit --workspace to use the one inside the repository.",
  );
}

/** Notes in the workspace which repository it belongs to. */
export async function noteRepository({ archived }: Workspace, storage: RepositoryStorage): Promise<void> {
  const stamp = await readStamp(storage);
  if (stamp !== undefined)
    archived.putNote("repository", JSON.stringify({ folder: whole(storage), created: stamp.created }));
}

/** The address for a later run in another folder. */
function whole({ address, folder }: RepositoryStorage): string {
  return folder === null ? address : resolve(folder);
}

/** The workspace of a removed repository can be used by another one. */
async function isThere({ folder, created }: Owner): Promise<boolean> {
  try {
    return (await readStamp(await storageAt(folder)))?.created === created;
  } catch (error) {
    // Removed or unreadable: it has no claim to the workspace.
    if (error instanceof FerryError) return false;
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

  /** undefined too: its archive is encrypted and there is no key, or it is damaged. */
  async item(key: Key, digest: string): Promise<Buffer | undefined> {
    const place = this.#archived?.item(key);
    if (place?.digest !== digest || this.#repository === undefined) return undefined;
    try {
      return await buffer(await this.#repository.open({ ...place, sha256: digest }));
    } catch (error) {
      if (error instanceof FerryError) return undefined;
      throw error;
    }
  }
}
