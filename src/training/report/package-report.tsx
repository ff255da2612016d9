import { createReadStream } from "node:fs";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import { jsonText, withCommas } from "../../core/util/printable-text.js";
import { replaceAtomically } from "../../storage/archive/atomic-file.js";
import { diskError } from "../../storage/archive/disk-error.js";
import { wholePage } from "../../web/components/page-frame.js";
import { UntrustedText } from "../../web/components/untrusted-text.js";

import type { PackageFinding } from "../package.js";
import { plain } from "../plain-text.js";
import { type CodeCount, PackageTally } from "./package-tally.js";
import {
  type CsvKind,
  csvHead,
  csvLine,
  GROUPS,
  type Group,
  groupOf,
  outcomeOf,
  type ReportLine,
  type ReportRow,
  remarksOf,
  reportLine,
} from "./report-line.js";

interface ReportFiles {
  /** One JSON object a line. */
  readonly lines: string;
  readonly csv: string;
  readonly html: string;
}

export interface PackageReport {
  readonly files: ReportFiles;
  readonly tally: PackageTally;
  /** Calls may overlap. Throws ArchiveError when the disk fails. */
  add(row: ReportRow): Promise<void>;
  /**
   * Closes the files and writes the page. May be called again. Throws ArchiveError when the disk
   * fails.
   */
  close(): Promise<void>;
}

/**
 * Starts a report in a folder, which it creates, or in the named files, which it replaces. The
 * memory does not grow with the number of packages. Throws ArchiveError when the disk fails.
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
  await replaceAtomically(html, `writing ${html}`, async (temporary) => {
    const page = await TextFile.open(temporary);
    try {
      for await (const piece of htmlReport({ tally, lines: () => readLines(lines) })) await page.write(piece);
    } finally {
      await page.close();
    }
  });
}

/** Reads the lines that this report wrote. */
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

/** Characters that are collected before a write. */
const PIECE = 64 * 1024;

/** A text file with mode 600. Calls may overlap: their texts follow in the order of the calls. */
class TextFile {
  readonly path: string;
  readonly #handle: FileHandle;
  #waiting = "";
  #written: Promise<void> = Promise.resolve();

  /** Creates or empties the file. Throws ArchiveError when the disk fails. */
  static async open(path: string): Promise<TextFile> {
    try {
      const handle = await open(path, "w", 0o600);
      // An existing file may have another mode.
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

  /** Buffers less than a piece. Throws ArchiveError when the disk fails. */
  async write(text: string): Promise<void> {
    this.#waiting += text;
    if (this.#waiting.length >= PIECE) await this.flush();
  }

  flush(): Promise<void> {
    const text = this.#waiting;
    this.#waiting = "";
    // After a failure all later calls fail too, so that no text is missing in the middle.
    this.#written = this.#written.then(() => this.#append(text));
    return this.#written;
  }

  /** Writes the buffered text and closes the file, also after a failure. May be called once. */
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

/** A self-contained page in pieces; holds one package in memory. Escapes all untrusted text. */
export async function* htmlReport(parts: ReportParts): AsyncGenerator<string> {
  const { tally } = parts;
  const { before, after } = wholePage("Training packages");
  yield before;
  yield String(<Head tally={tally} />);
  const codes = tally.codes();
  if (codes.length > 0) {
    const table = tableOf("Problems", ["Code", "Packages", "Meaning", "What to do", "Files"]);
    yield `<details class="card packages" open><summary>Problems</summary>\n${table.before}`;
    for (const code of codes) yield `${<Fix {...code} />}\n`;
    yield `${table.after}</details>\n`;
  }
  for (const [group, packages] of groupsOf(parts)) {
    const isOpen = group === "accepted" ? "" : " open";
    const table = tableOf(GROUPS[group], ["Package", "Standard", "Title", "Findings"]);
    const title = `${GROUPS[group]} (${withCommas(packages)})`;
    yield `<details class="card packages"${isOpen}><summary>${title}</summary>\n${table.before}`;
    for await (const line of linesOf(parts, group)) yield `${<Package {...line} />}\n`;
    yield `${table.after}</details>\n`;
  }
  yield after;
}

function Head({ tally }: { readonly tally: PackageTally }): JSX.Element {
  const outcomes = [...tally.outcomes].map(([name, count]) => `${withCommas(count)} ${name}`);
  return (
    <header class="report-head">
      <h1>Training packages</h1>
      <p>{tally.words()}.</p>
      {outcomes.length > 0 && <p>{outcomes.join(", ")}.</p>}
    </header>
  );
}

/** A table in two halves; its rows go between them. */
function tableOf(label: string, head: readonly string[]): { readonly before: string; readonly after: string } {
  const html = String(
    <section class="wide" tabindex={0} aria-label={`${label} (table)`}>
      <table class="table">
        <thead>
          <tr>
            {head.map((cell) => (
              <th scope="col">{cell}</th>
            ))}
          </tr>
        </thead>
        <tbody />
      </table>
    </section>,
  );
  const at = html.indexOf("</tbody>");
  return { before: html.slice(0, at), after: html.slice(at) };
}

function Fix({ code, level, packages, meaning, remedy, files }: CodeCount): JSX.Element {
  return (
    <tr>
      <th scope="row">
        <Code code={code} level={level} />
      </th>
      <td class="num">{withCommas(packages)}</td>
      <td>{meaning}</td>
      <td>{remedy}</td>
      <td>
        <ul>
          {files.map((file) => (
            <li>
              <UntrustedText text={file} />
            </li>
          ))}
          {packages > files.length && <li>and {withCommas(packages - files.length)} more</li>}
        </ul>
      </td>
    </tr>
  );
}

function Package(line: ReportLine): JSX.Element {
  const { file, standard, title } = line;
  const words = [outcomeOf(line), ...remarksOf(line)].filter((text) => text !== "");
  return (
    <tr>
      <th scope="row">
        <UntrustedText text={plain(file)} />
      </th>
      <td>{standard ?? ""}</td>
      <td>
        <UntrustedText text={title ?? ""} />
      </td>
      <td>
        {words.map((text) => (
          <div>
            <UntrustedText text={text} />
          </div>
        ))}
        <Findings {...line} />
      </td>
    </tr>
  );
}

function Findings({ findings, findingsLeft, repairs }: ReportLine): JSX.Element | null {
  const more = findingsLeft + Math.max(0, findings.length - MOST_FINDINGS);
  const items: readonly Child[] = [
    ...findings.slice(0, MOST_FINDINGS).map((finding) => <Finding {...finding} />),
    ...(more > 0 ? [`${withCommas(more)} more findings`] : []),
    ...repairs.slice(0, MOST_FINDINGS).map(({ path, what }) => (
      <>
        repaired: <UntrustedText text={`${path}: ${what}`} />
      </>
    )),
  ];
  if (items.length === 0) return null;
  return (
    <ul>
      {items.map((item) => (
        <li>{item}</li>
      ))}
    </ul>
  );
}

function Finding({ code, level, place, detail, remedy }: PackageFinding): JSX.Element {
  return (
    <>
      <Code code={code} level={level} />
      {place !== null && (
        <>
          {" "}
          <UntrustedText text={place} />
        </>
      )}
      : <UntrustedText text={detail} />
      <span class="remedy">{remedy}</span>
    </>
  );
}

function Code({ code, level }: Pick<PackageFinding, "code" | "level">): JSX.Element {
  return <code class={level === "error" ? "bad" : "warn"}>{code}</code>;
}

interface ReportParts {
  readonly tally: PackageTally;
  /** All lines; called once for each section of the report, so that memory holds one line. */
  readonly lines: () => AsyncIterable<ReportLine> | Iterable<ReportLine>;
}

/** Listed findings of one package; the JSON report has all. */
const MOST_FINDINGS = 50;

async function* linesOf({ lines }: ReportParts, group: Group): AsyncGenerator<ReportLine> {
  for await (const line of lines()) if (groupOf(line) === group) yield line;
}

function groupsOf({ tally }: ReportParts): readonly (readonly [Group, number])[] {
  const { refused, stuck, warned, accepted } = tally.groups;
  const all: readonly (readonly [Group, number])[] = [
    ["refused", refused],
    ["stuck", stuck],
    ["warned", warned],
    ["accepted", accepted],
  ];
  return all.filter(([, packages]) => packages > 0);
}
