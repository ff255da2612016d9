import { type FileHandle, open } from "node:fs/promises";
import type { SiteIdentity } from "../../../core/contracts.js";
import { KeyedMutex } from "../../../core/util/concurrency.js";
import { scratchFolder } from "../../../core/util/files.js";
import { canonicalJson } from "../../../core/util/json.js";
import { makeBeside } from "../../../storage/archive/beside.js";
import { onDisk } from "../../../storage/archive/disk-error.js";
import { LineSorter } from "../../../storage/repository/write/line-sorter.js";
import { DigestList, type JudgedItem, lineOf, REPORT_FORMAT, reportedItem, rootLine, sha256 } from "./report-format.js";

/** Takes what comparing an item came to, in any order, several at a time. */
export interface ItemSink {
  add(item: JudgedItem): Promise<void>;
}

/** What the report says beside its items. */
export interface ReportEnds {
  readonly source: SiteIdentity | undefined;
  readonly target: SiteIdentity;
  /** What decides what should be there; plain JSON without secrets. */
  readonly choices: Readonly<Record<string, unknown>>;
  /** Plain numbers. */
  readonly counts: Readonly<Record<string, number>>;
  /** UNIX milliseconds. */
  readonly now: number;
}

/** A report that is being written; until `finish` nothing stands under its name. */
export interface OpenReport extends ItemSink {
  /** Writes the file. Throws ArchiveError where the disk fails; nothing is left then. */
  finish(ends: ReportEnds): Promise<WrittenReport>;
  /** Forgets what was taken; does nothing after `finish`. To be called however the run ends. */
  close(): Promise<void>;
}

export interface WrittenReport {
  readonly file: string;
  /** Lower-case hexadecimal: who signs it has signed every line. */
  readonly root: string;
  readonly items: number;
}

/** Begins a report at `file`. Throws what the system says of the folder that lines wait in. */
export async function openReport(file: string): Promise<OpenReport> {
  const folder = await scratchFolder("report");
  const sorter = new LineSorter<string>(folder.path);
  const states: Record<string, number> = {};
  // The sorter takes one after the other.
  const turns = new KeyedMutex();
  return {
    add: (item) => {
      states[item.state] = (states[item.state] ?? 0) + 1;
      const content = canonicalJson(reportedItem(item));
      return turns.run("add", () => sorter.add(item.key, content));
    },
    finish: async (ends) => {
      const first = canonicalJson(comparison(ends));
      const last = canonicalJson({ kind: "counts", ...ends.counts, state: states });
      const contents = async function* (): AsyncGenerator<string> {
        yield first;
        for await (const { value } of sorter.sorted()) yield value;
        yield last;
      };
      return write(file, contents);
    },
    close: async () => {
      await sorter.close();
      await folder.remove();
    },
  };
}

function comparison({ source, target, choices, now }: ReportEnds): object {
  const when = new Date(now).toISOString();
  return {
    kind: "comparison",
    format: REPORT_FORMAT,
    when,
    source: source && siteOf(source),
    target: siteOf(target),
    choices,
  };
}

/** Who a site is; who was signed in is nobody's business. */
function siteOf({ root, origin, siteId, name, dialect }: SiteIdentity): object {
  return { root, origin, siteId, name, dialect };
}

/** Twice through the lines: the proofs of the first need the digests of the last. */
async function write(file: string, contents: () => AsyncIterable<string>): Promise<WrittenReport> {
  const digests = new DigestList();
  for await (const content of contents()) digests.add(sha256(content));
  const tree = digests.tree();
  await makeBeside(file, `writing ${file}`, async (temporary) => {
    const handle = await onDisk(`writing ${file}`, open(temporary, "wx", 0o600));
    try {
      let place = 0;
      for await (const content of contents()) {
        await append(handle, file, lineOf(content, tree.proof(place)));
        place += 1;
      }
      await append(handle, file, rootLine(tree.root, digests.size));
      await onDisk(`writing ${file}`, handle.sync());
    } finally {
      await handle.close();
    }
  });
  return { file, root: tree.root, items: digests.size - 2 };
}

async function append(handle: FileHandle, file: string, line: string): Promise<void> {
  await onDisk(`writing ${file}`, handle.appendFile(`${line}\n`));
}
