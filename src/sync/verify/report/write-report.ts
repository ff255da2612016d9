import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { SiteIdentity } from "../../../core/model/identity.js";
import type { Key } from "../../../core/model/key.js";
import { KeyedMutex } from "../../../core/util/concurrency.js";
import { scratchFolder } from "../../../core/util/files.js";
import { canonicalJson, type JsonObject } from "../../../core/util/json.js";
import { replaceAtomically } from "../../../storage/archive/atomic-file.js";
import { onDisk } from "../../../storage/archive/disk-error.js";
import { LineSorter, lineBatches } from "../../../storage/repository/write/line-sorter.js";
import {
  type ComparedItem,
  DigestList,
  lineOf,
  REPORT_FORMAT,
  type ReportedItem,
  type ReportLine,
  readLine,
  readRoot,
  reportedItem,
  rootFrom,
  rootLine,
  sha256,
} from "./report-format.js";

/** Takes the results of items, in any order and in parallel. */
export interface ItemSink {
  add(item: ComparedItem): Promise<void>;
}

/** What a report contains in addition to its items. */
export interface ReportEnds {
  readonly source: SiteIdentity | undefined;
  readonly target: SiteIdentity;
  readonly choices: JsonObject;
  readonly counts: Readonly<Record<string, number>>;
  /** UNIX milliseconds. */
  readonly now: number;
}

/** A report that is being written. The file exists only after `finish`. */
interface OpenReport extends ItemSink {
  /** Writes the file. Throws ArchiveError where the disk fails, without leaving a file. */
  finish(ends: ReportEnds): Promise<WrittenReport>;
  /** Deletes the temporary files. Must be called however the run ends. */
  close(): Promise<void>;
}

export interface WrittenReport {
  readonly file: string;
  /** Lower-case hexadecimal. A signature of the root covers every line. */
  readonly root: string;
  readonly items: number;
}

/** Begins a report at `file`. Throws the system's error where the temporary folder fails. */
export async function openReport(file: string): Promise<OpenReport> {
  const folder = await scratchFolder("report");
  const sorter = new LineSorter(folder.path);
  const states: Record<string, number> = {};
  // The sorter takes one line at a time.
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
        for await (const lines of sorter.sorted()) yield* lines.map(({ line }) => line);
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

/** The identity of a site, without the account. */
function siteOf({ root, origin, siteId, name, dialect }: SiteIdentity): object {
  return { root, origin, siteId, name, dialect };
}

/** Reads the lines twice, since the proof of the first needs the digest of the last. */
async function write(file: string, contents: () => AsyncIterable<string>): Promise<WrittenReport> {
  const digests = new DigestList();
  for await (const content of contents()) digests.add(sha256(content));
  const tree = digests.tree();
  await replaceAtomically(file, `writing ${file}`, async (temporary) => {
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

export interface ReportDamage {
  /** From 1; null: the whole report. */
  readonly line: number | null;
  readonly key: Key | null;
  readonly what: string;
}

export interface ReportCheck {
  readonly root: string | null;
  readonly items: number;
  readonly fields: Readonly<Record<string, number>>;
  readonly damage: readonly ReportDamage[];
  readonly item?: ReportedItem;
}

/** Damaged lines that are named; more are reported together. */
const MAX_NAMED = 100;

/**
 * Checks a report, or only the line of one item with the last line. Throws ArchiveError where the
 * file can't be read.
 */
export async function checkReport(file: string, wanted?: Key): Promise<ReportCheck> {
  const check = new Check(wanted);
  await onDisk(
    `reading ${file}`,
    readAll(file, (line) => check.line(line)),
  );
  return check.end();
}

async function readAll(file: string, read: (line: string) => void): Promise<void> {
  for await (const lines of lineBatches(createReadStream(file))) for (const line of lines) read(line);
}

class Check {
  readonly #wanted: Key | undefined;
  readonly #digests = new DigestList();
  readonly #damage: ReportDamage[] = [];
  readonly #fields: Record<string, number> = {};
  /** The roots that the proofs lead to, each with the first line that leads there. */
  readonly #roots = new Map<string, { readonly line: number; readonly key: Key | null }>();
  #number = 0;
  #items = 0;
  #last: { readonly root: string; readonly lines: number } | undefined;
  #lastKey = "";
  #lastKind = "";
  #item: ReportedItem | undefined;

  constructor(wanted: Key | undefined) {
    this.#wanted = wanted;
  }

  line(text: string): void {
    this.#number += 1;
    if (this.#last !== undefined) this.#report("comes after the last line");
    const root = readRoot(text);
    const line = readLine(text);
    if (root !== undefined) this.#last = root;
    else if (line === undefined) this.#report("is not a line of a report");
    else this.#read(line);
  }

  #read(line: ReportLine): void {
    const content = contentOf(line.content);
    const key = content?.kind === "item" ? content.key : null;
    if (this.#wanted !== undefined && key !== this.#wanted) return;
    if (this.#wanted === undefined) this.#digests.add(line.digest);
    if (sha256(line.content) !== line.digest) this.#report("its digest does not match its content", key);
    const leads = rootFrom(line.digest, line.proof);
    if (!this.#roots.has(leads)) this.#roots.set(leads, { line: this.#number, key });
    if (content === undefined) this.#report("its content is not that of a report line");
    else this.#content(content, key);
  }

  #content(content: Content, key: Key | null): void {
    if (this.#wanted === undefined) this.#order(content);
    if (content.kind === "comparison" && content.format !== REPORT_FORMAT)
      this.#report(`has the format ${String(content.format)}, and this version reads ${REPORT_FORMAT}`);
    if (content.kind !== "item" || key === null) return;
    this.#items += 1;
    this.#item = content;
    for (const { verdict } of content.fields) this.#fields[verdict] = (this.#fields[verdict] ?? 0) + 1;
  }

  #order(content: Content): void {
    const key = content.kind === "item" ? content.key : "";
    const follows = FOLLOWS[content.kind].includes(this.#lastKind) && (content.kind !== "item" || this.#lastKey < key);
    if (!follows) this.#report("is out of order", content.kind === "item" ? content.key : null);
    this.#lastKind = content.kind;
    if (content.kind === "item") this.#lastKey = key;
  }

  end(): ReportCheck {
    const last = this.#last;
    if (last === undefined) this.#whole("the last line, with the root, is missing, so the report is incomplete");
    else {
      for (const [root, { line, key }] of this.#roots)
        if (root !== last.root) this.#add({ line, key, what: "its proof does not lead to the root" });
      if (this.#wanted === undefined) this.#tree(last);
    }
    const item = this.#wanted === undefined ? undefined : this.#item;
    const facts = { root: last?.root ?? null, items: this.#items, fields: this.#fields, damage: this.#damage };
    return item === undefined ? facts : { ...facts, item };
  }

  #tree({ root, lines }: { readonly root: string; readonly lines: number }): void {
    if (lines !== this.#digests.size)
      this.#whole(`has ${this.#digests.size} lines before the last line, which names ${lines}`);
    else if (this.#digests.size === 0 || this.#digests.tree().root !== root)
      this.#whole("the tree over all lines has another root");
    if (this.#lastKind !== "counts") this.#whole("the line with the counts is missing");
  }

  #report(what: string, key: Key | null = null): void {
    this.#add({ line: this.#number, key, what });
  }

  #whole(what: string): void {
    this.#damage.push({ line: null, key: null, what });
  }

  #add(damage: ReportDamage): void {
    if (this.#damage.length < MAX_NAMED) this.#damage.push(damage);
    else if (this.#damage.length === MAX_NAMED) this.#whole("more damaged lines follow, which are not named");
  }
}

type Content = ReportedItem | { readonly kind: "comparison"; readonly format?: unknown } | { readonly kind: "counts" };

/** The kinds that may precede a line of each kind. */
const FOLLOWS: Readonly<Record<Content["kind"], readonly string[]>> = {
  comparison: [""],
  item: ["comparison", "item"],
  counts: ["comparison", "item"],
};

/** undefined: not the content of a report. The digest shows whether it was changed. */
function contentOf(json: string): Content | undefined {
  try {
    const { kind, key, fields } = JSON.parse(json) as Partial<Record<string, unknown>>;
    if (kind === "comparison" || kind === "counts") return JSON.parse(json) as Content;
    const isItem = kind === "item" && typeof key === "string" && Array.isArray(fields);
    return isItem ? (JSON.parse(json) as ReportedItem) : undefined;
  } catch {
    return undefined;
  }
}
