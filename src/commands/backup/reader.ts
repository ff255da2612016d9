import { randomBytes } from "node:crypto";
import { join, resolve } from "node:path";
import { EXIT, type ExitCode, UsageError } from "../../core/errors.js";
import { isUnder } from "../../core/util/files.js";
import { keepLean } from "../../core/util/lean-memory.js";
import { withCommas } from "../../core/util/printable-text.js";
import { isStorageAddress } from "../../storage/repository/files/open-storage.js";
import { type ExportedSite, exportSite, exportSnapshots } from "../../web/reader/export/export-site.js";
import type { ExportProgress } from "../../web/reader/export/export-snapshot.js";
import type { OpenLibrary, SnapshotFacts } from "../../web/reader/library.js";
import { openLibrary } from "../../web/reader/open-library.js";
import { startReader } from "../../web/reader/server/start-reader.js";
import type { CommandCall } from "../command.js";
import { untilStopped } from "../interruption.js";
import { absolute, isAddress } from "../location.js";
import { count, size } from "../output/words.js";
import { keysOf } from "./keys.js";

const TOKEN_BYTES = 18;

/** Serves the library at a path until a signal. Throws as `openLibrary` and `startReader` do. */
export async function runBrowse(call: CommandCall, text: string): Promise<never> {
  refuseAddress(text);
  const { output, settings } = call;
  const library = await openLibrary(absolute(text), { keys: await keysOf(call) });
  try {
    for (const remark of library.remarks) output.warn(remark);
    const { at } = settings;
    const first = library.find(at ?? undefined).id;
    // A missing key or damage is reported before the address is printed.
    await library.at(first);
    const reader = await startReader({
      token: randomBytes(TOKEN_BYTES).toString("base64url"),
      library,
      ...(at === null || at === "latest" ? {} : { first }),
      port: settings.port,
      report: (problem) => output.warn(problem),
    });
    try {
      printStart(call, library, { url: reader.url, first });
      return await untilStopped(call.stop);
    } finally {
      await reader.close();
    }
  } finally {
    await library.close();
  }
}

function printStart(
  { output }: CommandCall,
  { kind, path, snapshots: times }: OpenLibrary,
  { url, first }: { readonly url: string; readonly first: string },
): void {
  output.event("browse", { url, kind, path, first, times: times.length });
  output.say(`Read ${path} at ${url}`);
  output.note("Press Ctrl-C to end it.");
}

/** Writes snapshots of the library at a path as files. Throws as `openLibrary` and `exportSite`. */
export async function runExportHtml(call: CommandCall, text: string): Promise<ExitCode> {
  refuseAddress(text);
  const { output, settings } = call;
  const path = goalOf(settings.siteFolder, absolute(text));
  const library = await openLibrary(absolute(text), { keys: await keysOf(call) });
  const lean = keepLean();
  try {
    for (const remark of library.remarks) output.warn(remark);
    const time = library.find(settings.at ?? undefined);
    const snapshot = await library.at(time.id);
    if (snapshot === undefined) throw new TypeError(`the library has no snapshot ${time.id}`);
    if (library.isEncrypted) {
      output.warn(
        `${library.path} is encrypted, but ${path} is not: everybody who can read the folder can read the content.`,
      );
    }
    const times = timesUpTo(library, time, settings.snapshots);
    const parts = {
      ...{ library, path, signal: call.stop },
      progress: (stage: ProgressStage, done: number, total: number, failed: number) =>
        output.progress({ stage, done, total, failed }),
    };
    const site =
      settings.snapshots === "latest"
        ? await exportSite({ ...parts, snapshot })
        : await exportSnapshots({ ...parts, times });
    return printExport(call, site, { path, times, name: snapshot.site.name });
  } finally {
    lean.stop();
    await library.close();
  }
}

function goalOf(folder: string | null, place: string): string {
  if (folder === null) throw new UsageError("Name the folder for the site: -o DIR.");
  const path = resolve(folder);
  if (!isStorageAddress(place) && (isUnder(path, place) || isUnder(place, path))) {
    throw new UsageError(`${path} and ${place} are inside each other. Name another folder with -o.`);
  }
  return path;
}

type ProgressStage = Parameters<ExportProgress>[0];

function timesUpTo(
  { snapshots: times }: OpenLibrary,
  last: SnapshotFacts,
  wanted: "latest" | "all" | number,
): readonly SnapshotFacts[] {
  const all = times.slice(0, times.findIndex(({ id }) => id === last.id) + 1);
  return wanted === "all" ? all : all.slice(wanted === "latest" ? -1 : -wanted);
}

interface Destination {
  readonly path: string;
  /** Oldest first. */
  readonly times: readonly SnapshotFacts[];
  readonly name: string;
}

function printExport({ output }: CommandCall, site: ExportedSite, { path, times, name }: Destination): ExitCode {
  const { pages, written, linked, kept, removed, bytes, failures } = site;
  const time = times.at(-1)?.id ?? "";
  const complete = times.every((each) => each.complete);
  const exitCode = failures.length === 0 ? EXIT.ok : EXIT.someFailed;
  output.close();
  for (const { key, reason } of failures) output.event("failure", { key, stage: "read", reason });
  output.say(
    `${path}: ${name}, ${whenOf(times)}, ${count(pages, "page")}; ${count(written, "file")} written (${size(bytes)}), ` +
      `${linked === 0 ? "" : `${withCommas(linked)} shared between snapshots, `}` +
      `${withCommas(kept)} unchanged, ${withCommas(removed)} deleted${complete ? "" : "; INCOMPLETE: some items failed in the backup"}.`,
  );
  if (failures.length > 0) {
    output.say(`${count(failures.length, "item")} could not be read; their pages say so:`);
    for (const { key, reason } of failures.slice(0, SHOWN)) output.say(`  ${key}: ${reason}`);
    if (failures.length > SHOWN)
      output.say(`  … and ${count(failures.length - SHOWN, "other")}; about.html lists all.`);
  }
  output.say(`Open ${join(path, "index.html")}`);
  output.event("summary", {
    exitCode,
    folder: path,
    time,
    times: times.length,
    complete,
    pages,
    written,
    linked,
    kept,
    removed,
    bytes,
    failures: failures.length,
  });
  return exitCode;
}

const SHOWN = 20;

/** `snapshot 20261120T030000Z`, or `3 snapshots up to 20261120T030000Z`. */
function whenOf(times: readonly SnapshotFacts[]): string {
  const last = times.at(-1)?.id ?? "";
  return times.length === 1 ? `snapshot ${last}` : `${count(times.length, "snapshot")} up to ${last}`;
}

function refuseAddress(text: string): void {
  if (!isAddress(text)) return;
  throw new UsageError(
    `This command reads local files, and ${text} is an address. \`guideferry backup ${text} --to REPO\` creates a repository of it.`,
  );
}
