import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { Readable } from "node:stream";
import { shown, type TrainingFinding } from "../../../transforms/training/findings.js";
import { MANIFEST_LIMITS } from "../../../transforms/training/manifest-limits.js";
import { levelIn, type Profile, type ValidationOptions } from "../../../transforms/training/profile.js";
import { recognise } from "../../../transforms/training/recognise.js";
import { validateLoneFile, validatePackage } from "../../../transforms/training/validate-package.js";
import type { Repair, ValidationResult } from "../../../transforms/training/validation.js";
import { UsageError } from "../../core/errors.js";
import type { Files } from "../../core/formats.js";
import { openFile } from "../../storage/archive/archive-file.js";
import { diskError } from "../../storage/archive/disk-error.js";
import type { Code, Finding } from "../../storage/archive/findings.js";
import type { ArchiveLimits } from "../../storage/archive/limits.js";
import { type GuardedFiles, guardArchive, guardFolder } from "../../storage/archive/open-archive.js";
import type { CheckedPackage, OpenPackage, PackageFinding, Verdict } from "../package.js";

export interface LookedAt extends OpenPackage {
  /** The known sha256 of contents, by path. */
  readonly digests: ReadonlyMap<string, string>;
  /**
   * Does the archive have the names of the normalised form? Repairs of the manifest don't count.
   */
  readonly hasFinalLayout: boolean;
}

interface LookOptions extends PackageOptions {
  /** Also hashes each content while the guard reads it. */
  readonly hashContents?: boolean;
}

/** A refused package is a result; throws ArchiveError for a path that can't be read. */
export async function lookAtPackage(path: string, options: LookOptions): Promise<LookedAt> {
  options.signal?.throwIfAborted();
  const source = options.source ?? path;
  const form = await findForm(path, source);
  if (form === "lone-manifest") return lookAtManifest(path, source, options);
  const guarded = form === "folder" ? await guardFolder(path, options) : await guardArchive(path, options);
  try {
    return await lookAtFiles(guarded, source, form === "archive", options);
  } catch (error) {
    await guarded.close();
    throw error;
  }
}

async function lookAtManifest(path: string, source: string, options: LookOptions): Promise<LookedAt> {
  const { validation, files, bytes } = await validateLoneManifest(path, source, options);
  const { findings, findingsLeft, module, repairs, lone } = validation;
  const verdict = verdictOf(findings);
  const isUsable = verdict !== "refuse" && lone === "package";
  return {
    checked: { file: source, verdict, findings, findingsLeft, module, repairs, bytes, lone },
    content: isUsable ? { files, validation: validation } : null,
    digests: new Map(),
    hasFinalLayout: false,
    close: async () => undefined,
  };
}

async function lookAtFiles(
  guarded: GuardedFiles,
  source: string,
  isArchive: boolean,
  options: LookOptions,
): Promise<LookedAt> {
  const { files, bytes, digests } = guarded;
  const validation = files === null ? null : await validateContent(files, options);
  const ofPackage = validation === null ? validateNames(guarded, options) : validation.findings;
  const findings = joinFindings(fromGuard(guarded.findings, options.profile), ofPackage);
  const checked: CheckedPackage = {
    file: source,
    verdict: verdictOf(findings),
    findings,
    findingsLeft: guarded.findingsLeft + (validation?.findingsLeft ?? 0),
    module: validation?.module ?? null,
    repairs: validation === null ? [] : repairsOf(guarded, validation),
    bytes,
    lone: null,
  };
  const isUsable = files !== null && validation !== null && checked.verdict !== "refuse";
  if (!isUsable) await guarded.close();
  return {
    checked,
    content: isUsable ? { files, validation: validation } : null,
    digests,
    hasFinalLayout: isArchive && guarded.findings.every(leavesFilesAlone),
    close: () => guarded.close(),
  };
}

function repairsOf({ findings }: GuardedFiles, validation: ValidationResult): CheckedPackage["repairs"] {
  return [...archiveRepairs(findings), ...rootRepair(validation), ...validation.repairs];
}

/**
 * Checks a zip archive, an unpacked folder or a single manifest, and keeps an accepted package
 * open. Findings of the archive guard, the recognition and the validation have the levels of the
 * profile (training modules, 3.1 and 6.1). Reads at most 16 MiB of a manifest. A bad package is
 * refused, not thrown; throws ArchiveError for a path that can't be read (missing, no permission, a
 * pipe), and the reason of `signal`.
 */
export async function openPackage(path: string, options: PackageOptions = {}): Promise<OpenPackage> {
  const { checked, content, close } = await lookAtPackage(path, options);
  return { checked, content, close };
}

export interface PackageOptions extends ValidationOptions {
  /**
   * Its name in messages, as the address of a fetched package. Its ending counts. Default: path.
   */
  readonly source?: string;
  /** Limits of the archive guard. Default for each: DEFAULT_LIMITS of src/storage/archive. */
  readonly limits?: Partial<ArchiveLimits>;
  /** Its reason is thrown. Default: none. */
  readonly signal?: AbortSignal;
}

/** Leaves out options that are `undefined`, as in parsed command lines. */
function validationOptionsOf({ profile, prefer, fixCase }: PackageOptions): ValidationOptions {
  return {
    ...(profile === undefined ? {} : { profile }),
    ...(prefer === undefined ? {} : { prefer }),
    ...(fixCase === undefined ? {} : { fixCase }),
  };
}

type PackageForm = "archive" | "folder" | "lone-manifest";

/**
 * A folder is an unpacked package; an XML file, by its ending or first element, is a single
 * manifest; the archive guard checks any other file. Throws ArchiveError for an unreadable path.
 */
async function findForm(path: string, source: string): Promise<PackageForm> {
  if (path.includes("\0")) throw new UsageError("The path contains a NUL character. Check the path.");
  const stats = await stat(path).catch((error: unknown) => {
    throw diskError(error, `looking for ${path}`);
  });
  if (stats.isDirectory()) return "folder";
  const first = await firstBytesOf(path);
  if (first.length === 0 || first.startsWith("PK") || /\.zip$/i.test(source)) return "archive";
  return /\.xml$/i.test(source) || beginsAsManifest(first) ? "lone-manifest" : "archive";
}

const FIRST_BYTES = 1024;

/** By the root element of a standard. Finds only UTF-8; other encodings need the ending .xml. */
function beginsAsManifest(first: string): boolean {
  if (!/^(?:\xef\xbb\xbf)?\s*</.test(first)) return false;
  const [, name = ""] = /<(?:[\w.-]{1,64}:)?([A-Za-z]+)[\s/>]/.exec(first) ?? [];
  return ROOTS.has(name);
}

const ROOTS: ReadonlySet<string> = new Set(["manifest", "courseStructure", "tincan"]);

async function firstBytesOf(path: string): Promise<string> {
  const { handle } = await openFile(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(FIRST_BYTES), 0, FIRST_BYTES, 0);
    return buffer.toString("latin1", 0, bytesRead);
  } catch (error) {
    throw diskError(error, `reading ${path}`);
  } finally {
    await handle.close();
  }
}

/** Findings of the guard with their levels in a profile, without allowed ones. */
function fromGuard(findings: readonly Finding[], profile: Profile = "standard"): readonly PackageFinding[] {
  return findings.flatMap(({ code, entry, detail, remedy }): readonly PackageFinding[] => {
    const level = levelIn(profile, code);
    return level === "allowed" ? [] : [{ code, level, place: entry, detail, remedy }];
  });
}

/** Errors first. */
function joinFindings(
  ofArchive: readonly PackageFinding[],
  ofPackage: readonly TrainingFinding[],
): readonly PackageFinding[] {
  const all: readonly PackageFinding[] = [...ofArchive, ...ofPackage];
  return [...all.filter(({ level }) => level === "error"), ...all.filter(({ level }) => level === "warning")];
}

function verdictOf(findings: readonly PackageFinding[]): Verdict {
  if (findings.some(({ level }) => level === "error")) return "refuse";
  return findings.length > 0 ? "accept-with-warning" : "accept";
}

/** For a package that passed the guard. Throws what reading a manifest throws. */
async function validateContent(files: Files, options: PackageOptions): Promise<ValidationResult> {
  const validationOptions = validationOptionsOf(options);
  const recognition = recognise(files, validationOptions);
  const contents = new Map<string, Uint8Array | "too-large">();
  for (const path of recognition.wanted) {
    options.signal?.throwIfAborted();
    contents.set(path, files.size(path) > MANIFEST_LIMITS.bytes ? "too-large" : await contentOf(files, path));
  }
  return validatePackage(files, contents, recognition, validationOptions);
}

/** The whole content of a small file. */
export async function contentOf(files: Files, path: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of await files.open(path)) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

/**
 * Checks the names of a refused archive too, so that its author gets all findings at once. Only a
 * complete list of names shows that the manifest is missing.
 */
function validateNames({ names, isWhole }: GuardedFiles, options: PackageOptions): readonly TrainingFinding[] {
  if (names.length === 0) return [];
  const sizes = new Map(names.map(({ path, size }) => [path, size]));
  const { findings } = recognise(
    { paths: [...sizes.keys()], size: (path) => sizes.get(path) ?? 0 },
    validationOptionsOf(options),
  );
  return isWhole ? findings : findings.filter(({ code }) => code !== "E_PKG_NO_MANIFEST");
}

interface LoneManifest {
  readonly validation: ValidationResult;
  /** The manifest, under its given name. */
  readonly files: Files;
  readonly bytes: number;
}

/** Throws ArchiveError when the manifest can't be read. */
async function validateLoneManifest(path: string, source: string, options: PackageOptions): Promise<LoneManifest> {
  const { content, bytes } = await readAtMost(path, MANIFEST_LIMITS.bytes);
  const name = basename(source);
  const validation = validateLoneFile(name, content ?? "too-large", validationOptionsOf(options));
  const files: Files = {
    name: path,
    paths: [name],
    size: () => bytes,
    open: async () => Readable.from([content ?? Buffer.alloc(0)], { objectMode: false }),
  };
  return { validation: validation, files, bytes };
}

async function readAtMost(
  path: string,
  most: number,
): Promise<{ readonly content: Buffer | undefined; readonly bytes: number }> {
  const { handle, bytes } = await openFile(path);
  try {
    return { content: bytes > most ? undefined : await handle.readFile(), bytes };
  } catch (error) {
    throw diskError(error, `reading ${path}`);
  } finally {
    await handle.close();
  }
}

/**
 * How the normalised form fixes warnings of the guard (training modules, 3.1: "fix"), for
 * `NAME.repairs.txt`.
 */
const ARCHIVE_REPAIRS: Partial<Readonly<Record<Code, string>>> = {
  W_ZIP_PREFIX_DATA: "bytes before the first entry were removed",
  W_ZIP_TRAILING_DATA: "bytes after the end were removed",
  W_ZIP_GAP: "unused bytes between the entries were removed",
  W_ZIP_STORED_DATA_DESCRIPTOR: "sizes are before the contents",
  W_ZIP_BACKSLASH: "back-slashes in names became slashes",
  W_ZIP_NAME_DOT_SEGMENT: "`./` was removed from names",
  W_ZIP_NON_UTF8_NAME: "names became UTF-8 and are marked as UTF-8",
  W_ZIP_NAME_NFD: "names in Unicode form D became form C",
  W_ZIP_MODE_BITS: "unusual mode bits became those of a plain file",
  W_ZIP_MAC_JUNK: "files of file managers were removed",
};

/** One repair for each code, with the first entry; empty for the whole archive. */
function archiveRepairs(findings: readonly Finding[]): readonly Repair[] {
  const firsts = new Map(findings.toReversed().map((finding) => [finding.code, finding]));
  return [...firsts.values()].toReversed().flatMap(({ code, entry }): readonly Repair[] => {
    const what = ARCHIVE_REPAIRS[code];
    return what === undefined ? [] : [{ code, path: entry ?? "", what }];
  });
}

function rootRepair({ root }: ValidationResult): readonly Repair[] {
  if (root === "") return [];
  return [
    { code: "W_PKG_NESTED_ROOT", path: root, what: `the folder "${shown(root)}" around everything was taken off` },
  ];
}

/** Does the normalised form keep names and contents of the files in spite of this finding? */
function leavesFilesAlone({ code }: Finding): boolean {
  return HARMLESS.has(code);
}

const HARMLESS: ReadonlySet<Code> = new Set<Code>(["W_ZIP_NAME_RESERVED", "W_ZIP_NAME_BIDI", "W_ZIP_NESTED_ARCHIVE"]);
