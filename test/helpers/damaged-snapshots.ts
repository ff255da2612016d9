import { createHash } from "node:crypto";
import { cp, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { onTestFinished } from "vitest";
import type { Source } from "../../src/core/contracts.js";
import { FerryError } from "../../src/core/errors.js";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.js";
import type { Place, SnapshotIndex } from "../../src/storage/repository/format.js";
import { openRepository } from "../../src/storage/repository/read/open-repository.js";
import { RepositoryKeys } from "../../src/storage/repository/read/repository-keys.js";
import { type Encryption, encryptTo } from "../../src/storage/repository/write/encryption.js";
import { oneBackup } from "../backup/helpers/backups.js";
import { fillLooms } from "../backup/helpers/looms.js";
import { sourceOf } from "../sync/extract-site.js";
import type { DamagePlace } from "./damage-cases.js";
import { temporaryFolder } from "./temporary-folder.js";

const DAY = 86_400_000;
const FIRST = Date.UTC(2026, 10, 1, 3);
const GUIDES = 6;

/**
 * Five nights of a small site: full in two parts and a main archive, two incremental ones, full,
 * incremental.
 */
export interface DamagedNights {
  readonly sandbox: Sandbox;
  readonly source: Source;
  readonly keys: RepositoryKeys;
  readonly encryption: Encryption | null;
  readonly indexes: readonly SnapshotIndex[];
  /** What is in each snapshot: by key or sha256, with the sha256 of its bytes. */
  readonly contents: readonly ReadonlyMap<string, Place>[];
  /** A copy of repository and workspace, to be damaged; the caller removes it. */
  copy(): Promise<Copied>;
}

export interface Copied extends DamagePlace {
  readonly workspace: string;
  remove(): Promise<void>;
}

/** `hasOther`: the other site is made, from which files are mixed in. */
export async function damagedNights(isEncrypted: boolean, hasOther = false): Promise<DamagedNights> {
  const identity = await generateX25519Identity();
  const encryption = isEncrypted ? encryptTo([await identityToRecipient(identity)]) : null;
  const keys = new RepositoryKeys({ identities: isEncrypted ? [identity] : [], passphrase: null });
  const how = { keys, encryption };
  const ours = await fiveNights("looms", how);
  const other = hasOther ? (await fiveNights("other", how)).base : "";
  const repository = await openRepository(join(ours.base, "repository"), { keys });
  const indexes = repository.snapshots();
  const contents = await Promise.all(indexes.map(({ snapshot }) => contentsOf(repository, snapshot)));
  await repository.close();
  const first = [...(contents[0]?.values() ?? [])];
  const inPart = (folder: string): Place => {
    // What every chain needs until the next full one: it never changes.
    const place = first.find(({ path, archive }) => path.startsWith(folder) && archive.includes(".part1."));
    return place ?? fail(`nothing of ${folder} lies in the first part`);
  };
  const item = inPart("items/guide/");
  const medium = first.find(({ path }) => path.startsWith("media/")) ?? fail("there is no medium");
  const file: DamagePlace["file"] = (night, what) => {
    const index = indexes[night - 1] ?? fail(`there is no night ${night}`);
    if (what === "index") return `looms-${index.snapshot}.index.json`;
    return index.archives.at(what === "main" ? -1 : 0)?.name ?? "";
  };
  const copy = async (): Promise<Copied> => {
    const base = await temporaryFolder();
    await cp(ours.base, base, { recursive: true });
    const place = { folder: join(base, "repository"), other: join(other, "repository"), encrypted: isEncrypted };
    const remove = (): Promise<void> => rm(base, { recursive: true });
    return { ...place, workspace: join(base, "workspace"), file, item, medium, remove };
  };
  return { sandbox: ours.sandbox, source: ours.source, keys, encryption, indexes, contents, copy };
}

function fail(why: string): never {
  throw new Error(why);
}

async function fiveNights(
  name: string,
  how: { readonly keys: RepositoryKeys; readonly encryption: Encryption | null },
) {
  const sandbox = await startSandbox({});
  onTestFinished(() => sandbox.close());
  fillLooms(sandbox, GUIDES);
  const { edit } = sandbox;
  if (name === "other") edit.guide(1, { introduction: "Of another site." });
  const base = await temporaryFolder();
  const source = sourceOf(sandbox);
  const between = [
    () => undefined,
    () => edit.guide(4, { introduction: "Changed in the second night." }),
    () => edit.deleteGuide(3),
    () => edit.guide(5, { introduction: "Changed in the fourth night." }),
    () => edit.guide(4, { introduction: "Changed in the fifth night." }),
  ];
  for (const [night, change] of between.entries()) {
    change();
    const now = new Date(FIRST + night * DAY);
    const [folder, workspace] = [join(base, "repository"), join(base, "workspace")];
    const options = { fullEvery: 3, partBytes: night === 0 ? 24_000 : 4_000_000_000, name };
    await oneBackup({ folder, workspace, source, now, ...how, options });
  }
  return { sandbox, source, base };
}

type Opened = Awaited<ReturnType<typeof openRepository>>;

async function contentsOf(repository: Opened, snapshot: string): Promise<ReadonlyMap<string, Place>> {
  const contents = new Map<string, Place>();
  for await (const row of repository.items(snapshot)) if (row.state === "present") contents.set(row.key, row);
  for await (const row of repository.media(snapshot)) contents.set(row.sha256, row);
  return contents;
}

/**
 * What can be had of each snapshot, byte by byte: keys and sha256 that can't; null: the snapshot
 * itself can't be read; undefined: it isn't shown.
 */
export async function lostIn(
  folder: string,
  { keys, indexes, contents }: DamagedNights,
): Promise<readonly (readonly string[] | null | undefined)[]> {
  const repository = await openRepository(folder, { keys });
  const shown = new Set(repository.snapshots().map(({ snapshot }) => snapshot));
  const lost: (readonly string[] | null | undefined)[] = [];
  for (const [at, { snapshot }] of indexes.entries())
    lost.push(shown.has(snapshot) ? await lostOf(repository, snapshot, contents[at] ?? new Map()) : undefined);
  await repository.close();
  return lost;
}

async function lostOf(repository: Opened, snapshot: string, wanted: ReadonlyMap<string, Place>) {
  const found = await contentsOf(repository, snapshot).catch(orDamage);
  if (found === undefined) return null;
  const lost: string[] = [];
  for (const [name, { sha256 }] of wanted) {
    const place = found.get(name);
    const bytes = place === undefined ? undefined : await readAt(repository, place);
    if (bytes === undefined || createHash("sha256").update(bytes).digest("hex") !== sha256) lost.push(name);
  }
  return lost.toSorted();
}

async function readAt(repository: Opened, place: Place): Promise<Buffer | undefined> {
  return repository
    .open(place)
    .then((stream) => buffer(stream))
    .catch(orDamage);
}

/** Damage is told with 6, and nothing else is thrown for it. */
function orDamage(error: unknown): undefined {
  if (error instanceof FerryError && error.exitCode === 6) return undefined;
  throw error;
}

/** The sha256 of every file of a repository, but for the lock and what `except` names. */
export async function filesOf(folder: string, except = "lock"): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(folder)).filter((name) => !name.startsWith("lock") && name !== except);
  const files = new Map<string, string>();
  for (const name of names.toSorted())
    files.set(
      name,
      createHash("sha256")
        .update(await readFile(join(folder, name)))
        .digest("hex"),
    );
  return files;
}
