import { existsSync, readdirSync, statSync } from "node:fs";
import { isAbsolute, join, relative, resolve } from "node:path";
import { EXIT, messageOf, UsageError } from "../core/errors.js";
import {
  type BundlePlace,
  DOCUMENT_ENDINGS,
  documentsRoot,
  namesDocuments,
  namesPackage,
  PACKAGE_ENDINGS,
} from "../documents/package-name.js";
import { parseLocation } from "../service/http/address.js";
import { BEFORE_THE_STAMP } from "../storage/workspace/layout.js";

/**
 * What content is read from: a site by its API root, or documents by the path of a package, a
 * folder or a single document.
 */
export type SourcePlace = { readonly site: string } | { readonly documents: string };

export type Place = SourcePlace | { readonly workspace: string };

/**
 * Where content goes: a site by its API root, a bundle by its file, or a folder of bundles, one for
 * each category.
 */
export type TargetPlace = { readonly site: string } | BundlePlace;

/**
 * Reads an argument that may be a site or a bundle; `split`: a folder of bundles. Throws
 * UsageError.
 */
export function readTarget(text: string, insecureHttp: boolean, split: "category" | null): TargetPlace {
  if (split !== null) {
    if (!isAddress(text) && !namesPackage(text)) return { bundles: resolve(text) };
    throw new UsageError(
      `--split ${split} writes bundles into a folder, and ${text} is none. Name a folder, or leave out --split.`,
    );
  }
  if (!isAddress(text) && namesPackage(text)) return { bundle: resolve(text) };
  if (isFolder(text)) {
    throw new UsageError(
      `${text} is a folder. Name a site by its address, a bundle by its file (${join(text, "out.omanual")}), or give --split category, ` +
        "which writes one bundle for each category into the folder.",
    );
  }
  return { site: readSite(text, insecureHttp) };
}

/** Throws UsageError where a bundle is named and only a site will do; `instead`: what to do. */
export function refuseBundle(text: string, instead: string): void {
  if (isAddress(text) || !namesPackage(text)) return;
  throw new UsageError(`${text} is a bundle, and the address of a site is needed here. ${instead}`);
}

/**
 * Reads an argument that may be a site, documents or a workspace; a site needs its `https://`.
 * Throws UsageError.
 */
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
      `${text} is a workspace, and a source is needed here: a site or documents. To load a workspace: guideferry load ${text} TARGET`,
    );
  }
  if (/^[./~]/.test(text)) {
    throw new UsageError(
      `There is no file or folder ${text}. A source is the address of a site (https://site.example), or documents: a package ` +
        "(.omanual, .zip), a folder of documents or a single one (.xml, .oman).",
      { exitCode: EXIT.notFound },
    );
  }
  return { site: readSite(text, insecureHttp) };
}

/** The root of the source's identity, as the run log stores it. */
export function rootOf(place: SourcePlace): string {
  return "site" in place ? place.site : documentsRoot(place.documents);
}

/** Where documents lie, for the run log; nothing for other places. */
export function documentsIn(place: Place): { readonly documents?: string } {
  return "documents" in place ? { documents: place.documents } : {};
}

/** Throws UsageError when the workspace would be made among the documents that are read. */
export function refuseInside(place: Place, workspace: string): void {
  if (!("documents" in place) || !statSync(place.documents).isDirectory()) return;
  const way = relative(place.documents, workspace);
  if (way.startsWith("..") || isAbsolute(way)) return;
  throw new UsageError(
    `The workspace ${workspace} lies in ${place.documents}, whose files are all read. Name another one with --workspace.`,
  );
}

/**
 * A folder that is no workspace, or a file that is named as documents are; undefined for anything
 * else.
 */
function readDocuments(text: string): { readonly documents: string } | undefined {
  const path = resolve(text);
  if (!existsSync(path)) {
    if (!namesDocuments(text)) return undefined;
    throw new UsageError(`There is no ${text}. Check the path.`, { exitCode: EXIT.notFound });
  }
  if (statSync(path).isDirectory()) return isWorkspace(path) ? undefined : { documents: path };
  if (namesDocuments(path)) return { documents: path };
  const endings = [...PACKAGE_ENDINGS, ...DOCUMENT_ENDINGS].join(", ");
  throw new UsageError(`${text} is a file that is not read: expected a package or document (${endings}), or a folder.`);
}

/** By its stamp; an empty folder becomes one, and one whose making was interrupted goes on to. */
function isWorkspace(folder: string): boolean {
  const names = namesIn(folder);
  return names.includes("workspace.json") || names.every((name) => BEFORE_THE_STAMP.has(name));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (cause) {
    const reason = messageOf(cause);
    throw new UsageError(`The folder ${folder} can't be read: ${reason}. Check its owner and mode.`, { cause });
  }
}

export function isFolder(text: string): boolean {
  return !isAddress(text) && statSync(text, { throwIfNoEntry: false })?.isDirectory() === true;
}

export function readSite(text: string, insecureHttp: boolean): string {
  if (!isAddress(text) && existsSync(text)) {
    const what = statSync(text).isDirectory() ? "a folder" : "a file";
    throw new UsageError(`${text} is ${what}, but the address of a site is needed here.`);
  }
  if (/^[./~]/.test(text)) {
    throw new UsageError(`${text} looks like a folder, but the address of a site is needed here: https://site.example`);
  }
  return parseLocation(text, { insecureHttp }).root;
}

export function readFolder(text: string): string {
  if (isAddress(text)) {
    throw new UsageError(
      `A workspace folder is needed here, not a site. \`guideferry extract\` fills one from a site.`,
    );
  }
  if (namesDocuments(text) && statSync(text, { throwIfNoEntry: false })?.isFile() === true) {
    throw new UsageError(
      `A workspace folder is needed here, and ${text} is a file. \`guideferry migrate\` takes documents to a target, \`guideferry extract\` fills a ` +
        "workspace from them.",
    );
  }
  if (!existsSync(text) && LIKE_A_HOST.test(text)) {
    throw new UsageError(`There is no folder ${text}. If a site is meant, write https://${text}.`);
  }
  return resolve(text);
}

/**
 * Throws UsageError when source and target are one address; one site under two addresses is found
 * out later.
 */
export function refuseSameSite(source: string, target: string): void {
  if (source.toLowerCase() !== target.toLowerCase()) return;
  throw new UsageError(`Source and target are the same site, ${source}. Name two.`);
}

const LIKE_A_HOST = /^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:\/api\/2\.0)?\/?$/;

export function isAddress(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
}

/**
 * Reads an argument that must be the folder of a repository. Throws UsageError, with 10 where
 * nothing is there.
 */
export function readRepository(text: string): string {
  if (isAddress(text)) {
    throw new UsageError(
      `The folder of a repository is needed here, and ${text} is an address. \`guideferry backup SITE --to REPO\` makes one.`,
    );
  }
  const folder = resolve(text);
  if (existsSync(folder)) return folder;
  throw new UsageError(`There is no folder ${text}. Check the path.`, { exitCode: EXIT.notFound });
}

/**
 * Was `plan` given a repository in the place of a source, with a site to restore into? Throws
 * UsageError where the goal is no site.
 */
export async function isRestorePlan(text: string, goal: string): Promise<boolean> {
  if (isAddress(text)) return false;
  const { isRepository } = await import("../storage/repository/read/repository-folder.js");
  if (!(await isRepository(resolve(text)))) return false;
  if (isAddress(goal)) return true;
  throw new UsageError(
    `${text} is a repository of backups, and no source of a migration. \`guideferry restore ${text} DIR\` makes a workspace of it, which can be planned from.`,
  );
}
