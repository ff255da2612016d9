import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { LocalFolder } from "../../../../../src/storage/repository/files/local-folder.js";
import type { PresentRow } from "../../../../../src/storage/repository/format.js";
import type { Draft, NewContent } from "../../../../../src/storage/repository/write/drafts.js";
import type { SnapshotPlan } from "../../../../../src/storage/repository/write/write-snapshot.js";
import { temporaryFolder } from "../../../../helpers/temporary-folder.js";

/** Contents by their path, as they will lie in archives. */
export type Contents = Readonly<Record<string, string | Buffer>>;

/** A plan for a local folder. */
export type FolderPlan = SnapshotPlan & { readonly folder: string };

export const SNAPSHOT = "20261120T030000Z";
export const NAME = "site.example";

/**
 * A plan that writes these contents: paths under `items/` as items, those under `media/` as media.
 */
export async function planOf(contents: Contents, more: Partial<FolderPlan> = {}): Promise<FolderPlan> {
  const folder = more.folder ?? (await newFolder("repository"));
  return {
    folder,
    storage: new LocalFolder(folder),
    name: NAME,
    snapshot: SNAPSHOT,
    kind: "full",
    previous: null,
    madeBy: "test",
    site: SITE,
    started: new Date("2026-11-20T03:00:00Z"),
    now: () => new Date("2026-11-20T03:10:00Z"),
    complete: true,
    failures: [],
    privateIncluded: "yes",
    personalData: [],
    drafts: Object.entries(contents).map(([path, content]) => draftOf(path, content)),
    open: opening(contents),
    archives: new Map(),
    encryption: null,
    scratch: await newFolder("scratch"),
    ...more,
  };
}

export function opening(contents: Contents): SnapshotPlan["open"] {
  return async ({ path }) => Readable.from([Buffer.from(contents[path] ?? "")]);
}

export function draftOf(path: string, content: string | Buffer): Draft {
  const medium = contentOf(path, content);
  if (path.startsWith("media/")) return { medium, write: true, change: "new" };
  return { item: { ...rowOf(path), ...medium }, write: true, change: "new" };
}

export function contentOf(path: string, content: string | Buffer): NewContent {
  const bytes = Buffer.from(content);
  return { sha256: sha256(bytes), size: bytes.length, archive: null, path };
}

export function sha256(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}

function rowOf(path: string): Omit<PresentRow, "archive" | "sha256" | "size" | "path"> {
  const facts = { revision: "1", category: null, modified: null, read: 1_700_000_000 };
  return { key: `wiki/ITEM/${path}`, kind: "wiki", state: "present", title: path, ...facts };
}

export async function newFolder(name: string): Promise<string> {
  const folder = join(await temporaryFolder(), name);
  await mkdir(folder);
  return folder;
}

const SITE: SnapshotPlan["site"] = {
  root: "https://site.example/api/2.0",
  origin: "https://site.example",
  siteId: "7",
  name: "Weavers",
  dialect: "dozuki",
  hosts: ["site.example"],
  language: "en",
  languages: ["en"],
  account: { id: 3, name: "ferry", admin: true },
};
