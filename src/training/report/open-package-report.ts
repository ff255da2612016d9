import { createReadStream } from "node:fs";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { jsonText } from "../../core/util/printable-text.js";
import { makeBeside } from "../../storage/archive/beside.js";
import { diskError } from "../../storage/archive/disk-error.js";
import { htmlReport } from "./html-report.js";
import { PackageTally } from "./package-tally.js";
import { type CsvKind, csvHead, csvLine, type ReportLine, type ReportRow, reportLine } from "./report-line.js";

/** Where the files of a report lie. */
export interface ReportFiles {
  /** One JSON object a line. */
  readonly lines: string;
  readonly csv: string;
  readonly html: string;
}

/** A report that is written while packages come. */
export interface PackageReport {
  readonly files: ReportFiles;
  /** Of all rows so far. */
  readonly tally: PackageTally;
  /** Calls may overlap. Throws ArchiveError when the disk fails. */
  add(row: ReportRow): Promise<void>;
  /**
   * Closes the files and writes the page, which is sorted by what is to be done. May be called
   * again. Throws ArchiveError when the disk fails.
   */
  close(): Promise<void>;
}

/**
 * Begins a report in a folder, which is made where it isn't there, or in the files named; what
 * these held goes. The memory doesn't grow with the number of packages. Throws ArchiveError when
 * the disk refuses.
 */
export async function openPackageReport(place: string | ReportFiles, kind: CsvKind): Promise<PackageReport> {
  const files = typeof place === "string" ? reportFiles(place) : place;
  await makeFolders(files);
  const lines = await TextFile.open(files.lines);
  const csv = await TextFile.open(files.csv).catch(async (error: unknown) => {
    await lines.close();
    throw error;
  });
  const tally = new PackageTally();
  await csv.write(csvHead(kind));
  let closed: Promise<void> | undefined;
  return {
    files,
    tally,
    async add(row) {
      const line = reportLine(row);
      tally.addLine(line);
      await Promise.all([lines.write(`${jsonText(line)}\n`), csv.write(csvLine(line))]);
    },
    close() {
      closed ??= closeAll(lines, csv).then(() => writePage(files, tally));
      return closed;
    },
  };
}

async function closeAll(...files: readonly TextFile[]): Promise<void> {
  const outcomes = await Promise.allSettled(files.map((file) => file.close()));
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

async function writePage({ lines, html }: ReportFiles, tally: PackageTally): Promise<void> {
  await makeBeside(html, `writing ${html}`, async (temporary) => {
    const page = await TextFile.open(temporary);
    try {
      for await (const piece of htmlReport({ tally, lines: () => readLines(lines) })) await page.write(piece);
    } finally {
      await page.close();
    }
  });
}

/** The lines of our own file, written a moment before. */
async function* readLines(path: string): AsyncGenerator<ReportLine> {
  const input = createReadStream(path, "utf8");
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }))
    yield JSON.parse(line) as ReportLine;
}

/** `packages.ndjson`, `packages.csv` and `packages.html` in a folder. */
function reportFiles(folder: string): ReportFiles {
  return {
    lines: join(folder, "packages.ndjson"),
    csv: join(folder, "packages.csv"),
    html: join(folder, "packages.html"),
  };
}

async function makeFolders(files: ReportFiles): Promise<void> {
  for (const path of Object.values(files)) {
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    } catch (error) {
      throw diskError(error, `making ${dirname(path)}`);
    }
  }
}

/** Characters that are gathered before they are written. */
const PIECE = 64 * 1024;

/**
 * A text file for its owner alone, written from its start; calls may overlap, their texts come in
 * the order of the calls.
 */
class TextFile {
  readonly path: string;
  readonly #handle: FileHandle;
  #waiting = "";
  #written: Promise<void> = Promise.resolve();

  /** Opens it, and empties it where it is there. Throws ArchiveError when the disk refuses. */
  static async open(path: string): Promise<TextFile> {
    try {
      const handle = await open(path, "w", 0o600);
      // It may have been there with another mode.
      await handle.chmod(0o600);
      return new TextFile(path, handle);
    } catch (error) {
      throw diskError(error, `writing ${path}`);
    }
  }

  private constructor(path: string, handle: FileHandle) {
    this.path = path;
    this.#handle = handle;
  }

  /**
   * Resolves when it may be forgotten: it is written, or waits with less than a piece. Throws
   * ArchiveError when the disk fails.
   */
  async write(text: string): Promise<void> {
    this.#waiting += text;
    if (this.#waiting.length >= PIECE) await this.flush();
  }

  /** Writes what waits. */
  flush(): Promise<void> {
    const text = this.#waiting;
    this.#waiting = "";
    // After a failure every later call fails with it too: nothing may be missing in the middle.
    this.#written = this.#written.then(() => this.#append(text));
    return this.#written;
  }

  /** Writes what waits, and closes the file, whatever happens. May be called once. */
  async close(): Promise<void> {
    try {
      await this.flush();
    } finally {
      await this.#handle.close();
    }
  }

  async #append(text: string): Promise<void> {
    try {
      await this.#handle.appendFile(text);
    } catch (error) {
      throw diskError(error, `writing ${this.path}`);
    }
  }
}
