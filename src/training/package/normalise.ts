import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { ArchiveError } from "../../core/errors.js";
import type { Files } from "../../core/formats.js";
import type { Standard } from "../../core/model/module.js";
import { onDisk } from "../../storage/archive/disk-error.js";
import { inOrder } from "../../storage/archive/open-archive.js";
import { type NewEntry, writeArchive } from "../../storage/archive/write-archive.js";
import type { NormalisedPackage, PackageContent, PreparedPackage } from "../package.js";
import { type LookedAt, lookAtPackage, type PackageOptions } from "./check-package.js";

export interface Normalised extends NormalisedPackage {
  /**
   * What its archive is made of, in its order. Throws ArchiveError where a content is not what the
   * digest was taken of.
   */
  entries(signal: AbortSignal): AsyncIterable<NewEntry>;
}

/** The normalised form of what passed. Contents whose sha256 isn't known yet are read for it. */
export async function normalise(
  { digests, isTidyArchive }: LookedAt,
  content: PackageContent,
  signal: AbortSignal | undefined,
): Promise<Normalised> {
  const { files, judgement } = content;
  const normalised = await normalisedFiles(content, digests, signal);
  const isUntouched = judgement.root === "" && judgement.renamed.size === 0 && judgement.rewritten.size === 0;
  const entries = (writing: AbortSignal): AsyncIterable<NewEntry> => entriesOf(files, normalised, writing);
  return {
    digest: contentDigest(normalised),
    manifestDigest: manifestDigest(normalised.filter(({ isManifest }) => isManifest)),
    contentBytes: normalised.reduce((sum, { size }) => sum + size, 0),
    isAsGiven: isTidyArchive && isUntouched,
    entries,
    write: async (path, writing) => {
      await writeArchive(path, entries(writing), { signal: writing });
      return (await onDisk(`looking at ${path}`, stat(path))).size;
    },
  };
}

/**
 * Looks at a package as `openPackage` does, and says what its normalised form is (training modules,
 * 6.2 and 6.3). Each content is read once for that, and once more when it is written; `close` ends
 * the reading. Throws as `openPackage` does.
 */
export async function preparePackage(path: string, options: PackageOptions = {}): Promise<PreparedPackage> {
  const looked = await lookAtPackage(path, { ...options, hashContents: true });
  const { checked, content, close } = looked;
  if (content === null) return { checked, normalised: null, close };
  try {
    const { entries: _entries, ...normalised } = await normalise(looked, content, options.signal);
    return { checked, normalised, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Up to this size a content is handed over whole: a stream of its own takes longer than packing it.
 */
const AT_ONCE = 256 * 1024;

/**
 * The entries to write, each read when its turn comes. Throws ArchiveError where a content is not
 * what the digest was taken of.
 */
async function* entriesOf(
  files: Files,
  normalised: readonly NormalisedFile[],
  signal: AbortSignal,
): AsyncGenerator<NewEntry> {
  for (const file of normalised) {
    signal.throwIfAborted();
    yield { path: file.path, content: await contentOf(files, file) };
  }
}

async function contentOf(files: Files, file: NormalisedFile): Promise<Readable | Buffer> {
  const { from, size } = file;
  if ("rewritten" in from) return from.rewritten;
  const pieces = unchanged(files, from.original, file.sha256);
  if (size > AT_ONCE) return Readable.from(pieces, { objectMode: false });
  const held: Buffer[] = [];
  for await (const piece of pieces) held.push(piece);
  return Buffer.concat(held);
}

/** Somebody may write to the file while it is read; what is sent is what was judged, or nothing. */
async function* unchanged(files: Files, path: string, sha256: string): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  for await (const piece of await files.open(path)) {
    const bytes: Buffer = piece;
    hash.update(bytes);
    yield bytes;
  }
  if (hash.digest("hex") === sha256) return;
  throw new ArchiveError(
    `${files.name}: "${path}" was changed while the package was read. Wait until nobody writes there, then run the same command again.`,
  );
}

/** A file of a normalised package. */
interface NormalisedFile {
  /** In the archive that is written. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
  readonly isManifest: boolean;
  /** Its content as it was given, or as it was repaired. */
  readonly from: { readonly original: string } | { readonly rewritten: Buffer };
}

/**
 * The files of a package in the order in which they are written: manifests first, the others in
 * byte order of their names; the wrapper folder is taken off and manifests have their exact names
 * (training modules, 6.2). `digests` are known sha256 by path; the other contents are read for
 * theirs. Throws what reading throws, and the reason of `signal`.
 */
async function normalisedFiles(
  content: PackageContent,
  digests: ReadonlyMap<string, string>,
  signal: AbortSignal | undefined,
): Promise<readonly NormalisedFile[]> {
  const { files, judgement } = content;
  const originals = new Map(files.paths.map((path) => [newPathOf(path, content), path]));
  const manifests = judgement.manifests.map((path) => newPathOf(path, content));
  const first = new Set(manifests);
  const others = inOrder([...originals.keys()].filter((path) => !first.has(path)));
  const normalised: NormalisedFile[] = [];
  for (const path of [...manifests, ...others]) {
    signal?.throwIfAborted();
    const original = originals.get(path);
    if (original === undefined) throw new Error(`Its judgement names the file ${path}, which it doesn't have.`);
    const named = { path, isManifest: first.has(path) };
    const rewritten = judgement.rewritten.get(original);
    if (rewritten === undefined) {
      const sha256 = digests.get(original) ?? (await digestOf(files, original, signal));
      normalised.push({ ...named, size: files.size(original), sha256, from: { original } });
    } else {
      const bytes = Buffer.from(rewritten);
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      normalised.push({ ...named, size: bytes.length, sha256, from: { rewritten: bytes } });
    }
  }
  if (normalised.length !== files.paths.length) throw new Error("Two of its files would be written under one name.");
  return normalised;
}

/** What a manifest is called that came without an archive. */
const LONE_NAMES: Partial<Readonly<Record<Standard, string>>> = { cmi5: "cmi5.xml", "xapi-tincan": "tincan.xml" };

function newPathOf(path: string, { judgement }: PackageContent): string {
  const { lone, module, renamed, root } = judgement;
  if (lone !== null) return (module === null ? undefined : LONE_NAMES[module.standard]) ?? path;
  return (renamed.get(path) ?? path).slice(root.length);
}

async function digestOf(files: Files, path: string, signal: AbortSignal | undefined): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of await files.open(path)) {
    signal?.throwIfAborted();
    hash.update(piece as Buffer);
  }
  return hash.digest("hex");
}

/** What the digest of a package is taken over. */
export interface DigestedFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/**
 * The identity of a package (training modules, 6.3): sha256 over one line for each file,
 * `path NUL size NUL sha256` and a line feed, the lines in byte order of the paths (UTF-8), size in
 * decimal. Nothing else of an archive is in it: order, dates, packing.
 */
function contentDigest(files: readonly DigestedFile[]): string {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const hash = createHash("sha256");
  for (const path of inOrder(byPath.keys())) {
    const file = byPath.get(path);
    if (file !== undefined) hash.update(`${path}\0${file.size}\0${file.sha256}\n`);
  }
  return hash.digest("hex");
}

/** Of one manifest its sha256; of several, as AICC has them, the digest of those alone. */
function manifestDigest(manifests: readonly DigestedFile[]): string {
  const [only, ...others] = manifests;
  return only !== undefined && others.length === 0 ? only.sha256 : contentDigest(manifests);
}
