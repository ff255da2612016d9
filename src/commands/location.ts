import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { EXIT, messageOf, UsageError } from "../core/errors.js";
import type { Bandwidth } from "../core/util/bandwidth.js";
import {
  type BundlePlace,
  DOCUMENT_ENDINGS,
  documentsRoot,
  namesDocuments,
  namesPackage,
  PACKAGE_ENDINGS,
} from "../documents/package-name.js";
import { parseLocation } from "../service/http/address.js";
import { isBucketAddress, isStorageAddress, storageAt } from "../storage/repository/files/open-storage.js";
import type { Listener, RepositoryStorage, StorageOptions } from "../storage/repository/files/repository-storage.js";
import { BEFORE_THE_STAMP } from "../storage/workspace/layout.js";

/** A source: a site by its API root, or documents by the path of a package, folder or file. */
export type SourcePlace = { readonly site: string } | { readonly documents: string };

export type Place = SourcePlace | { readonly workspace: string };

/** A target: a site by its API root, a bundle, or a folder with a bundle for each category. */
export type TargetPlace = { readonly site: string } | BundlePlace;

/** The target of an argument; with `split` a folder of bundles. Throws UsageError. */
export function readTarget(text: string, insecureHttp: boolean, split: "category" | null): TargetPlace {
  if (split !== null) {
    if (!isAddress(text) && !namesPackage(text)) return { bundles: resolve(text) };
    throw new UsageError(
      `--split ${split} writes bundles into a folder, and ${text} is not a folder. Name a folder, or leave out --split.`,
    );
  }
  if (!isAddress(text) && namesPackage(text)) return { bundle: resolve(text) };
  if (isFolder(text)) {
    throw new UsageError(
      `${text} is a folder. Name a site by its address, or a bundle by its file (${join(text, "out.omanual")}). Or use --split category, ` +
        "which writes one bundle for each category into the folder.",
    );
  }
  return { site: readSite(text, insecureHttp) };
}

/** Throws UsageError for a bundle where only a site is possible; `instead`: the remedy. */
export function refuseBundle(text: string, instead: string): void {
  if (isAddress(text) || !namesPackage(text)) return;
  throw new UsageError(`${text} is a bundle, but this command needs the address of a site. ${instead}`);
}

/** A site (with its `https://`), documents or a workspace. Throws UsageError. */
export function readPlace(text: string, insecureHttp: boolean): Place {
  if (isAddress(text)) return { site: readSite(text, insecureHttp) };
  return readDocuments(text) ?? { workspace: readFolder(text) };
}

export function readSource(text: string, insecureHttp: boolean): SourcePlace {
  if (isAddress(text)) return { site: readSite(text, insecureHttp) };
  const documents = readDocuments(text);
  if (documents !== undefined) return documents;
  if (isFolder(text) && namesIn(text).length === 0)
    throw new UsageError(`The folder ${text} is empty. Check the path.`, { exitCode: EXIT.notFound });
  if (existsSync(text)) {
    throw new UsageError(
      `${text} is a workspace, but this command needs a source: a site or documents. To load a workspace: guideferry load ${text} TARGET`,
    );
  }
  if (LIKE_A_PATH.test(text)) {
    throw new UsageError(
      `The file or folder ${text} does not exist. A source is the address of a site (https://site.example), or documents: a package ` +
        "(.omanual, .zip), a folder of documents or a single document (.xml, .oman).",
      { exitCode: EXIT.notFound },
    );
  }
  return { site: readSite(text, insecureHttp) };
}

/** The root of the source's identity, as the run log stores it. */
export function rootOf(place: SourcePlace): string {
  return "site" in place ? place.site : documentsRoot(place.documents);
}

/** The path of documents, for the run log; empty for other places. */
export function documentsIn(place: Place): { readonly documents?: string } {
  return "documents" in place ? { documents: place.documents } : {};
}

/** Throws UsageError for a workspace inside the documents. */
export function refuseInside(place: Place, workspace: string): void {
  if (!("documents" in place) || !statSync(place.documents).isDirectory()) return;
  const way = relative(place.documents, workspace);
  if (way.startsWith("..") || isAbsolute(way)) return;
  throw new UsageError(
    `The workspace ${workspace} is in ${place.documents}, where every file is read as a document. Name another folder with --workspace.`,
  );
}

/** A folder that is not a workspace, or a file with the ending of documents; else undefined. */
function readDocuments(text: string): { readonly documents: string } | undefined {
  const path = resolve(text);
  if (!existsSync(path)) {
    if (!namesDocuments(text)) return undefined;
    throw new UsageError(`${text} does not exist. Check the path.`, { exitCode: EXIT.notFound });
  }
  if (statSync(path).isDirectory()) return isWorkspace(path) ? undefined : { documents: path };
  if (namesDocuments(path)) return { documents: path };
  const endings = [...PACKAGE_ENDINGS, ...DOCUMENT_ENDINGS].join(", ");
  throw new UsageError(`${text} cannot be a source: expected a package or document (${endings}), or a folder.`);
}

/** By its stamp. An empty folder counts too, and one whose creation was interrupted. */
function isWorkspace(folder: string): boolean {
  const names = namesIn(folder);
  return names.includes("workspace.json") || names.every((name) => BEFORE_THE_STAMP.has(name));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (cause) {
    const reason = messageOf(cause);
    throw new UsageError(`The folder ${folder} cannot be read: ${reason}. Check its owner and mode.`, { cause });
  }
}

export function isFolder(text: string): boolean {
  return !isAddress(text) && statSync(text, { throwIfNoEntry: false })?.isDirectory() === true;
}

export function readSite(text: string, insecureHttp: boolean): string {
  if (!isAddress(text) && existsSync(text)) {
    const what = statSync(text).isDirectory() ? "a folder" : "a file";
    throw new UsageError(`${text} is ${what}, but this command needs the address of a site.`);
  }
  if (/^file:/i.test(text)) throw new UsageError(`${text} is the address of a file. Write its path, without file://.`);
  if (LIKE_A_PATH.test(text)) {
    throw new UsageError(
      `${text} looks like a folder, but this command needs the address of a site: https://site.example`,
    );
  }
  return parseLocation(text, { insecureHttp }).root;
}

export function readFolder(text: string): string {
  if (isAddress(text)) {
    throw new UsageError(
      `This command needs a workspace folder, not a site. \`guideferry extract\` fills a workspace from a site.`,
    );
  }
  if (namesDocuments(text) && statSync(text, { throwIfNoEntry: false })?.isFile() === true) {
    throw new UsageError(
      `This command needs a workspace folder, and ${text} is a file. \`guideferry migrate\` loads documents into a target, \`guideferry extract\` fills a ` +
        "workspace from them.",
    );
  }
  if (!existsSync(text) && LIKE_A_HOST.test(text)) {
    throw new UsageError(`The folder ${text} does not exist. If you mean a site, write https://${text}.`);
  }
  return resolve(text);
}

/** Throws UsageError for one address; one site with two addresses is found later. */
export function refuseSameSite(source: string, target: string): void {
  if (source.toLowerCase() !== target.toLowerCase()) return;
  throw new UsageError(`Source and target are the same site, ${source}. Name two different sites.`);
}

/** Two words with a dot between them, and no scheme: a host, or a file that does not exist. */
export const LIKE_A_HOST = /^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:\/api\/2\.0)?\/?$/;

/** Also of Windows: `C:\backups`, `\\server\share`. */
const LIKE_A_PATH = /^(?:[./~\\]|[a-z]:(?:[\\/]|$))/i;

/** The address of a site, not of files. One letter before the colon is a drive of Windows. */
export function isAddress(text: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(text) && !isStorageAddress(text);
}

/**
 * The repository of an argument: a folder, `file:///path` or `s3://bucket/prefix`. Throws
 * UsageError, with code 10 if the folder does not exist.
 */
export async function readRepository(text: string, call?: Telling): Promise<RepositoryStorage> {
  if (isAddress(text)) {
    throw new UsageError(
      `This command needs a repository, and ${text} is the address of a site. \`guideferry backup SITE --to REPO\` creates a repository.`,
    );
  }
  const storage = await storageAt(absolute(text), optionsOf(call));
  refuseFile(text, storage.folder);
  if (storage.folder === null || existsSync(storage.folder)) return storage;
  throw new UsageError(`The folder ${text} does not exist. Check the path.`, { exitCode: EXIT.notFound });
}

/** The same for a repository that need not exist yet. Throws UsageError. */
export async function readGoalRepository(text: string, call: Telling): Promise<RepositoryStorage> {
  if (isAddress(text))
    throw new UsageError(
      `${text} is the address of a site, and a repository of backups is needed here. Give a folder (/backups/site) or s3://bucket/prefix.`,
    );
  const storage = await storageAt(absolute(text), optionsOf(call));
  refuseFile(text, storage.folder);
  // Refuses the name of a host too.
  if (!isStorageAddress(text)) readFolder(text);
  return storage;
}

/** Throws UsageError for a file, such as an archive: a repository is the folder of its archives. */
function refuseFile(text: string, path: string | null): void {
  if (path === null || statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return;
  throw new UsageError(
    `${text} is a file, but this command needs a repository, which is a folder with archives. Name the folder: ${dirname(path)}`,
  );
}

/** Of the call of a command. */
interface Telling {
  readonly bandwidth?: Bandwidth | undefined;
  readonly output: Listener;
}

function optionsOf(call: Telling | undefined): StorageOptions {
  return call === undefined ? {} : { bandwidth: call.bandwidth, listener: call.output };
}

/** A path in full; an address of a storage stays. */
export function absolute(text: string): string {
  return isStorageAddress(text) ? text : resolve(text);
}

/** Is it a restore from a repository into a site? Throws UsageError for other targets. */
export async function isRestorePlan(text: string, goal: string): Promise<boolean> {
  if (isAddress(text)) return false;
  const { isRepository } = await import("../storage/repository/read/repository-folder.js");
  if (!isBucketAddress(text) && !(await isRepository(absolute(text)))) return false;
  if (isAddress(goal)) return true;
  throw new UsageError(
    `${text} is a repository of backups, not a source of a migration. \`guideferry restore ${text} DIR\` creates a workspace from it, which \`guideferry plan\` accepts.`,
  );
}
