import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as breathe } from "node:timers/promises";
import { isOtherZipName, isPackageName, reasonToPass } from "./name-kind.js";
import type { PassedOverCount } from "./passed-over.js";
import { beginsAsZip } from "./signature.js";
import { markerAmong } from "./unpacked-package.js";

/** What a walk tells on its way. */
export interface WalkOptions {
  readonly signal: AbortSignal;
  readonly passedOver: PassedOverCount;
  /** Called for each file and folder that was looked at. */
  readonly looked: () => void;
}

/** A thing below the folder: its path there, with slashes of the system; empty: the folder itself. */
interface Waiting {
  readonly below: string;
  readonly isFolder: boolean;
}

/** Files of every workspace of guideferry: what lies in there are its own copies, as those of a run that was killed. */
const WORKSPACE = ["workspace.json", "state.sqlite"] as const;

/** Files between two moments at which others may work: reading without waiting takes a fifth of the time. */
const AT_ONCE = 64;

/**
 * The packages below a folder, as paths below it, in the order of code points at each level; empty: the folder itself is one. No link is followed.
 * The memory goes with the number of names on the way down, never with contents.
 */
export async function* walk(folder: string, options: WalkOptions): AsyncGenerator<string> {
  const { signal, passedOver, looked } = options;
  const waiting: Waiting[] = [{ below: "", isFolder: true }];
  let count = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    signal.throwIfAborted();
    looked();
    count += 1;
    if (count % AT_ONCE === 0) await breathe();
    const { below, isFolder } = next;
    if (!isFolder) {
      if (isPackage(join(folder, below), below, passedOver)) yield below;
      continue;
    }
    const entries = await entriesOf(folder, below, passedOver);
    const files = entries.filter((entry) => entry.isFile());
    if (WORKSPACE.every((name) => files.some((file) => file.name === name))) {
      passedOver.add("workspace", below === "" ? "." : below);
      continue;
    }
    if (markerAmong(files.map(({ name }) => name)) !== undefined) {
      tellOfArchives(files, below, passedOver);
      yield below;
    } else {
      waiting.push(...remaining(entries, below, passedOver));
    }
  }
}

/** By name, and where that tells nothing by the first bytes. */
function isPackage(path: string, below: string, passedOver: PassedOverCount): boolean {
  if (isPackageName(path)) return true;
  try {
    if (!isOtherZipName(path) && beginsAsZip(path)) return true;
    passedOver.add("other", below);
  } catch (error) {
    refused(error, below, passedOver);
  }
  return false;
}

/** Sorted by code points, which is the order of the bytes. What can't be read is told, the rest goes on. */
async function entriesOf(folder: string, below: string, passedOver: PassedOverCount): Promise<readonly Dirent[]> {
  try {
    const place = join(folder, below);
    const entries = await readdir(place, { withFileTypes: true });
    const sorted = entries.map((entry) => ({ entry, bytes: Buffer.from(entry.name) }));
    sorted.sort((one, other) => Buffer.compare(one.bytes, other.bytes));
    return sorted.map(({ entry }) => entry);
  } catch (error) {
    refused(error, below, passedOver);
    return [];
  }
}

/** What is to be looked at, the last one first, as a stack wants it. */
function remaining(entries: readonly Dirent[], folder: string, passedOver: PassedOverCount): readonly Waiting[] {
  const waiting: Waiting[] = [];
  for (const entry of entries) {
    const below = join(folder, entry.name);
    const reason = entry.isSymbolicLink() ? "link" : reasonOf(entry);
    if (reason === undefined) waiting.push({ below, isFolder: entry.isDirectory() });
    else passedOver.add(reason, below);
  }
  return waiting.reverse();
}

function reasonOf(entry: Dirent) {
  // Node puts the replacement character where the bytes of a name are no UTF-8, and such a path opens nothing.
  if (entry.name.includes("\ufffd")) return "name";
  return (
    reasonToPass(entry.name, entry.isDirectory()) ??
    (entry.isDirectory() || entry.isFile() ? undefined : ("special" as const))
  );
}

function tellOfArchives(files: readonly Dirent[], folder: string, passedOver: PassedOverCount): void {
  for (const { name } of files)
    if (/\.(?:zip|pif)$/i.test(name) && reasonToPass(name, false) === undefined)
      passedOver.add("inside", join(folder, name));
}

function refused(error: unknown, below: string, passedOver: PassedOverCount): void {
  // A file that went away meanwhile is told too: it was there when the folder was read.
  if (!(error instanceof Error && "code" in error && typeof error.code === "string")) throw error;
  passedOver.add("unreadable", below === "" ? "." : below);
}
