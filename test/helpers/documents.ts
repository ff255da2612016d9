import { cp } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connectDocuments, type DocumentOptions } from "../../src/commands/compose-tools.js";
import type { Item, MediaItem } from "../../src/core/model/item.js";
import type { Key } from "../../src/core/model/key.js";
import { documentsRoot } from "../../src/documents/package-name.js";
import { openFolder } from "../../src/storage/archive/open-archive.js";
import { type NewEntry, writeArchive } from "../../src/storage/archive/write-archive.js";
import { openWorkspace, type Workspace } from "../../src/storage/workspace/workspace.js";
import { CircuitBreaker } from "../../src/sync/control.js";
import { extract } from "../../src/sync/extract/extract.js";
import type { ExtractSummary } from "../../src/sync/extract/summary.js";
import { EVERYTHING } from "../../src/sync/selection.js";
import { writeBundle } from "../../transforms/omanual/write/write-bundle.js";
import { temporaryFolder } from "./temporary-folder.js";

/** A bundle of two guides with all kinds of media. */
export const SPINNING_WHEEL = fileURLToPath(new URL("../../samples/omanual/spinning-wheel", import.meta.url));
/** The guide in it that has no id, by its path. */
export const OIL_THE_WHEEL = "guide/4605606861027233";

/**
 * A copy of the sample that a test may change, by its path; it is always called `spinning-wheel`.
 */
export async function ownSample(): Promise<string> {
  const folder = join(await temporaryFolder(), "spinning-wheel");
  await cp(SPINNING_WHEEL, folder, { recursive: true });
  return folder;
}

/** Packs a folder as it is, or under one more folder on top. */
export async function packFolder(folder: string, archive: string, top = ""): Promise<void> {
  const files = await openFolder(folder);
  const entries = await Promise.all(
    files.paths.map(async (path) => ({ path: top + path, content: await files.open(path) })),
  );
  await writeArchive(archive, entries);
}

/** Writes what a workspace holds as a package. */
export async function packWorkspace({ items, media }: Workspace, archive: string): Promise<void> {
  async function* all(): AsyncGenerator<Item> {
    for (const { key } of items.entries()) {
      const item = await items.get(key);
      if (item !== undefined && item.kind !== "record") yield item;
    }
  }
  const mediumOf = async (key: Key): Promise<MediaItem | undefined> => {
    const item = await items.get(key);
    return item?.kind === "image" || item?.kind === "video" || item?.kind === "document" ? item : undefined;
  };
  async function* files(): AsyncGenerator<NewEntry> {
    const written = writeBundle({ [Symbol.asyncIterator]: all }, mediumOf, () => undefined);
    for await (const { path, content } of written) {
      yield { path, content: typeof content === "string" ? Buffer.from(content) : media.open(content.media) };
    }
  }
  await writeArchive(archive, files());
}

/** Reads documents into a workspace, and lets the test look at it while it is open. */
export async function extractDocuments<T = undefined>(
  path: string,
  directory: string,
  { publish = false, look }: Partial<DocumentOptions> & { readonly look?: (workspace: Workspace) => Promise<T> } = {},
): Promise<{ readonly summary: ExtractSummary; readonly seen: T | undefined }> {
  const workspace = await openWorkspace(directory, { create: true, command: "test extract" });
  const run = workspace.runs.start("extract", {});
  try {
    const stored = workspace.source()?.root === documentsRoot(path) ? { stored: workspace.items } : {};
    const connected = await connectDocuments(path, TALK, { scratch: join(directory, "temporary"), publish, ...stored });
    try {
      const { signal } = new AbortController();
      const control = {
        stop: signal,
        abort: signal,
        concurrency: 4,
        progress: () => undefined,
        breaker: new CircuitBreaker(),
      };
      const { source } = connected;
      const summary = await extract({ source, workspace, selection: EVERYTHING, options: {}, control });
      workspace.runs.end(run, { exitCode: 0, summary: {} });
      return { summary, seen: await look?.(workspace) };
    } finally {
      await connected.close();
    }
  } finally {
    await workspace.close();
  }
}

const TALK = {
  concurrency: 4,
  rate: null,
  mediaRate: null,
  environment: {},
  log: null,
  beat: () => undefined,
  previous: null,
} as const;
