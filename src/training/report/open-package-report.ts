import { createReadStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { makeBeside } from "../../storage/archive/beside.js";
import { diskError } from "../../storage/archive/disk-error.js";
import { jsonText } from "../../core/util/json-text.js";
import { type CsvKind, csvHead, csvLine } from "./csv-lines.js";
import { htmlReport } from "./html-report.js";
import { PackageTally } from "./package-tally.js";
import { type ReportLine, reportLine } from "./report-line.js";
import type { ReportRow } from "./report-row.js";
import { TextFile } from "./text-file.js";

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
  /** Closes the files and writes the page, which is sorted by what is to be done. May be called again. Throws ArchiveError when the disk fails. */
  close(): Promise<void>;
}

/**
 * Begins a report in a folder, which is made where it isn't there, or in the files named; what these held goes. The memory doesn't grow with the
 * number of packages. Throws ArchiveError when the disk refuses.
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
