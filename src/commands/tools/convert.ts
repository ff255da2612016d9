import { type ConvertOptions, convert } from "../../../transforms/convert/convert.js";
import type { ConvertDocumentOptions, ReadAnswer } from "../../../transforms/convert/convert-document.js";
import {
  type ConvertIssue,
  DOCUMENT_NAMES,
  DOCUMENT_TARGETS,
  type DocumentFormat,
  FORMAT_ALIASES,
  formatOfFile,
  isDocumentFormat,
  PAGE_FORMATS,
  SOURCE_FORMATS,
  type SourceFormat,
  TARGET_FORMATS,
  type TargetFormat,
} from "../../../transforms/convert/formats.js";
import type { TextContext } from "../../../transforms/wiki/tree.js";
import { EXIT, type ExitCode, FerryError, messageOf, UsageError } from "../../core/errors.js";
import type { Issue } from "../../core/model/issue.js";
import { type Key, NAMESPACES, wikiKey } from "../../core/model/key.js";
import { digest, isObject, objectIn, parseJson } from "../../core/util/json.js";
import type { ParseContext } from "../../service/wire/json-cursor.js";
import type { CommandCall } from "../command.js";
import { decodeText, readInput, refuseOutput, splitLines, writeFileWhole, writeStream } from "../input-output.js";
import type { Settings } from "../options/table.js";
import type { Output, OutputOptions } from "../output/output.js";
import { count } from "../output/words.js";

/** Runs `convert`. Throws UsageError for input that cannot be read, converted or written. */
export async function runConversion(call: CommandCall): Promise<ExitCode> {
  const { settings, stdin, stdout, stop } = call;
  const conversion = conversionOf(call.arguments[0] ?? "", settings);
  const { input, output } = conversion;
  if (output !== undefined) await refuseOutput(output, input);
  const tally: Tally = { lines: 0, failed: 0, losses: 0 };
  const chunks = readInput(input, stdin, stop);
  const texts = isOfLines(conversion, settings)
    ? convertLines(splitLines(chunks), conversion, tally)
    : convertWhole(chunks, conversion, call, tally);
  await (output === undefined ? writeStream(stdout, texts) : writeFileWhole(output, texts));
  if (tally.failed > 0) {
    const all = count(tally.lines, "line");
    call.output.warn(
      `${tally.failed} of ${all} could not be converted. Each of them has an object with "error" instead.`,
    );
    return EXIT.someFailed;
  }
  return settings.strict && tally.losses > 0 ? EXIT.losses : EXIT.ok;
}

function isOfLines(
  conversion: Conversion | DocumentConversion,
  { ndjson }: CommandCall["settings"],
): conversion is Conversion {
  return ndjson && "options" in conversion;
}

/** Converts one text in memory. Its issues are printed first, even if nobody reads the text. */
async function* convertWhole(
  chunks: AsyncIterable<Buffer>,
  conversion: Conversion | DocumentConversion,
  { output, settings }: CommandCall,
  tally: Tally,
): AsyncGenerator<string> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  const bytes = Buffer.concat(all);
  const { text, issues, source } = await converted(bytes, conversion);
  tally.losses = issues.filter(({ level }) => level !== "note").length;
  printIssues(issues, { name: conversion.name, source }, output, settings);
  yield text;
}

function converted(bytes: Buffer, conversion: Conversion | DocumentConversion): ConvertedFile | Promise<ConvertedFile> {
  if ("document" in conversion) return convertDocument(bytes, conversion);
  const { name, orDocument } = conversion;
  return orDocument !== undefined && isItemJson(bytes)
    ? convertDocument(bytes, { name, document: orDocument })
    : convertText(bytes, conversion);
}

interface Way {
  readonly input: string | undefined;
  readonly output: string | undefined;
  readonly name: string;
}

/** A text, or many of them, that is converted into another format. */
interface Conversion extends Way {
  readonly options: ConvertOptions & Required<Pick<ConvertOptions, "context">>;
  /** Used if the text is the JSON of a guide, which has the same ending as a document tree. */
  readonly orDocument?: DocumentConversion["document"];
}

/** A document, or a page that becomes one. */
interface DocumentConversion extends Way {
  readonly document: Pick<ConvertDocumentOptions, "from" | "to" | "origin" | "as">;
}

type AnySource = SourceFormat | DocumentFormat;
type AnyTarget = TargetFormat | DocumentFormat;

const STREAM = "-";

const ADDRESS = /^[a-z][a-z0-9+.-]+:\/\//i;

/** The conversion of a command line; file endings give the formats. Throws UsageError. */
function conversionOf(argument: string, settings: Settings): Conversion | DocumentConversion {
  const { output, ndjson } = settings;
  if (ADDRESS.test(argument)) {
    throw new UsageError(
      `${argument} is an address, but convert needs a file. Download it first, for example: curl ADDRESS | guideferry convert -`,
    );
  }
  const way: Way = {
    input: argument === STREAM ? undefined : argument,
    output: output === STREAM ? undefined : (output ?? undefined),
    name: argument === STREAM ? "stdin" : argument,
  };
  const named = { from: known(settings.from), to: known(settings.to) };
  const byEnding = ndjson ? undefined : formatOfFile(argument, [...SOURCE_FORMATS, ...DOCUMENT_NAMES]);
  const read = named.from ?? byEnding ?? unnamed(argument, ndjson);
  const written = named.to ?? targetOf(read, settings);
  if (isDocumentFormat(read) || isDocumentFormat(written)) {
    const from = named.from === null && read === "document-tree" ? "json" : read;
    return { ...way, document: documentOptions(from, written, settings) };
  }
  const either = named.from === null && read === "document-tree" && !ndjson && isDocumentTarget(written);
  return {
    ...way,
    options: textOptions(read, written, settings),
    ...(either ? { orDocument: documentOptions("json", written, { ...settings, line: false }) } : {}),
  };
}

function known<Name extends AnySource | AnyTarget>(name: Name | keyof typeof FORMAT_ALIASES | null) {
  return name === "xml" || name === "md" ? FORMAT_ALIASES[name] : name;
}

/** By the ending of the output. For a document, `.json` is the JSON of its item. */
function targetOf(read: AnySource, { output, ndjson }: Settings): AnyTarget {
  const ending = ndjson || output === null ? undefined : formatOfFile(output, [...TARGET_FORMATS, ...DOCUMENT_NAMES]);
  if (ending === undefined) return unnamedTarget(output, ndjson);
  return ending === "document-tree" && isDocumentFormat(read) ? "json" : ending;
}

function textOptions(from: SourceFormat, to: TargetFormat, { line, origin, as }: Settings): Conversion["options"] {
  if (as !== null)
    throw new UsageError(`--as is only for a page that becomes a document: --to ${DOCUMENT_NAMES.join("|")}.`);
  return { from, to, context: line ? "line" : "page", ...(origin === null ? {} : { origin }) };
}

function documentOptions(
  from: AnySource,
  to: AnyTarget,
  { ndjson, line, origin, as }: Settings,
): DocumentConversion["document"] {
  const document = isDocumentFormat(from) ? from : to;
  if (ndjson || line)
    throw new UsageError(
      `--${ndjson ? "ndjson" : "line"} is only for texts, not for a document of the format ${document}. Leave the option out.`,
    );
  const source = [...DOCUMENT_NAMES, ...PAGE_FORMATS].find((name) => name === from);
  if (source === undefined)
    throw new UsageError(
      `A text of the format ${from} is not a whole page, so it cannot become ${to}. Possible formats: ${[...PAGE_FORMATS, ...DOCUMENT_NAMES].join(", ")}.`,
    );
  if (as !== null && isDocumentFormat(from))
    throw new UsageError(`--as is only for pages; a document of the format ${from} contains its own kind.`);
  if (isDocumentTarget(to)) return { from: source, to, origin: origin ?? undefined, as: as ?? undefined };
  throw new UsageError(
    `A document of the format ${from} cannot be written as ${to}. Use --to ${DOCUMENT_TARGETS.join("|")}.`,
  );
}

function isDocumentTarget(name: AnyTarget): name is DocumentConversion["document"]["to"] {
  return DOCUMENT_TARGETS.some((target) => target === name);
}

function unnamed(argument: string, ndjson: boolean): SourceFormat {
  const reason = ndjson
    ? "with --ndjson, file endings are not used"
    : `${JSON.stringify(argument)} has no known file ending`;
  throw new UsageError(
    `The input format is unknown: ${reason}. Name it: --from ${[...SOURCE_FORMATS, ...DOCUMENT_NAMES].join("|")}.`,
  );
}

function unnamedTarget(output: string | null, ndjson: boolean): TargetFormat {
  const reason = output === null || ndjson ? "" : `: ${JSON.stringify(output)} has no known file ending`;
  throw new UsageError(
    `The output format is unknown${reason}. Name it: --to ${[...TARGET_FORMATS, ...DOCUMENT_NAMES].join("|")}.`,
  );
}

interface ConvertedFile {
  readonly text: string;
  readonly issues: readonly ConvertIssue[];
  readonly source: string;
}

/** Converts one text. Throws UsageError for a wrong format, or a result that cannot be a file. */
function convertText(bytes: Buffer, { name, options }: Conversion): ConvertedFile {
  const source = contentOf(decodeText(bytes, name), options);
  return checked({ ...convert(source, options), source }, isExact(options));
}

/** Converts one document. Throws UsageError as `convertText` does. */
async function convertDocument(
  bytes: Buffer,
  { name, document }: Pick<DocumentConversion, "name" | "document">,
): Promise<ConvertedFile> {
  const { convertDocument: convertWhole } = await import("../../../transforms/convert/convert-document.js");
  const source = decodeText(bytes, name).replace(/^\uFEFF/, "");
  return checked({ ...convertWhole(source, { ...document, name, readAnswer: await answerReader() }), source }, false);
}

/**
 * Reads the item in an answer of `GET guides/{id}` or `GET wikis/{namespace}/{title}`; undefined:
 * neither. Parts from other answers (tags of guides, viewers, parents of categories) are missing.
 */
export async function answerReader(): Promise<ReadAnswer> {
  const { readGuide } = await import("../../service/wire/guide.js");
  const { readWiki } = await import("../../service/wire/wiki.js");
  return (json, name) => {
    if (!isObject(json)) return undefined;
    const issues: Issue[] = [];
    const context = (key: Key): ParseContext => ({
      key,
      endpoint: name,
      origin: "",
      report: (issue) => void issues.push(issue),
    });
    const common = { revision: digest(json), raw: { json }, translations: [], issues };
    const { guideid, steps, namespace, title, contents_raw: contents } = json;
    if (Number.isSafeInteger(guideid) && Array.isArray(steps)) {
      const key: Key = `guide/${String(guideid)}`;
      const { guide, media } = readGuide(json, context(key));
      return { key, kind: "guide", body: guide, media, ...common };
    }
    const space = NAMESPACES.find((each) => each === namespace);
    if (space === undefined || typeof title !== "string" || title === "" || typeof contents !== "string")
      return undefined;
    const key = wikiKey(space, title);
    const { wiki, media } = readWiki(json, context(key));
    return { key, kind: space === "CATEGORY" ? "category" : "wiki", body: wiki, media, ...common };
  };
}

/** Are the bytes JSON of a guide, category or wiki, and not of a text? */
function isItemJson(bytes: Buffer): boolean {
  const value = parseJson(bytes.toString("utf8").replace(/^\uFEFF/, ""));
  return typeof value === "object" && value !== null && !("type" in value && "content" in value);
}

function checked({ text, issues, source }: ConvertedFile, exact: boolean): ConvertedFile {
  const lone = text.search(/\p{Surrogate}/u);
  if (lone >= 0) {
    throw new UsageError(
      `Character ${lone} of the result is half of a surrogate pair, which a file cannot contain. Use --ndjson for such texts: JSON can contain it.`,
    );
  }
  return { text: exact || /(?:^|\n)$/.test(text) ? text : `${text}\n`, issues, source };
}

/** Without a byte order mark and the line end after a line of a step, which belong to the file. */
function contentOf(text: string, options: Conversion["options"]): string {
  if (isExact(options)) return text;
  const marked = text.replace(/^\uFEFF/, "");
  return options.context === "line" ? marked.replace(/\r?\n$/, "") : marked;
}

/** Wiki to wiki keeps every byte of the file. */
function isExact({ from, to }: Conversion["options"]): boolean {
  return from === "wiki" && to === "wiki";
}

interface Tally {
  lines: number;
  failed: number;
  /** Losses and errors in converted texts. */
  losses: number;
}

/**
 * Converts one JSON object a line into one a line, in order: `{"text", "issues"}`, or
 * `{"error", "line"}` for a failure. Skips blank lines. Counts into `tally`.
 */
async function* convertLines(
  lines: AsyncIterable<Buffer>,
  conversion: Conversion,
  tally: Tally,
): AsyncGenerator<string> {
  let number = 0;
  for await (const bytes of lines) {
    number += 1;
    const answer = answerTo(bytes, number, conversion, tally);
    if (answer !== undefined) yield `${JSON.stringify(answer)}\n`;
  }
}

function answerTo(bytes: Buffer, line: number, { options, name }: Conversion, tally: Tally): object | undefined {
  if (bytes.every((byte) => BLANKS.includes(byte))) return undefined;
  tally.lines += 1;
  try {
    const text = decodeText(bytes, "The line");
    const row = rowOf(line === 1 ? text.replace(/^\uFEFF/, "") : text);
    const converted = convert(row.text, { ...options, context: row.context ?? options.context });
    tally.losses += converted.issues.filter(({ level }) => level !== "note").length;
    return converted;
  } catch (error) {
    if (!(error instanceof FerryError)) throw error;
    tally.failed += 1;
    return { error: `${name}, line ${line}: ${error.message}`, line };
  }
}

const BLANKS: readonly number[] = [..." \t\r"].map((blank) => blank.charCodeAt(0));

interface Row {
  readonly text: unknown;
  readonly context: TextContext | undefined;
}

function rowOf(line: string): Row {
  const fields = objectIn(parsed(line));
  if (!("text" in fields))
    throw new UsageError('A line is an object with "text", such as {"text": "…", "context": "line"}.');
  const { text, context } = fields;
  if (context === undefined || context === "line" || context === "page") return { text, context };
  throw new UsageError(`"context" is ${JSON.stringify(context)}, expected "line" or "page".`);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    const reason = messageOf(error);
    throw new UsageError(`It is not JSON: ${reason}.`, { cause: error });
  }
}

interface Source {
  readonly name: string;
  readonly source: string;
}

/** Notes and warnings that are printed for each text: a hostile text may have one a character. */
const SHOWN = 50;

/** Prints the issues of a text: as lines with their place, or all as objects with `--json`. */
export function printIssues(
  issues: readonly ConvertIssue[],
  { name, source }: Source,
  output: Output,
  { json, quiet }: Pick<OutputOptions, "json" | "quiet">,
): void {
  const starts = lineStarts(source);
  if (json) {
    const reported = quiet ? issues.filter(({ level }) => level !== "note") : issues;
    for (const issue of reported) output.event("issue", { file: name, ...issue, ...placeOf(issue, starts) });
    return;
  }
  const left = { note: SHOWN, warn: SHOWN };
  for (const issue of issues) {
    const voice = issue.level === "note" ? "note" : "warn";
    left[voice] -= 1;
    if (left[voice] < 0) continue;
    output[voice](`${name}${wordsFor(issue, placeOf(issue, starts))}: ${issue.message} (${issue.level} ${issue.code})`);
  }
  if (left.warn < 0) output.warn(`${count(-left.warn, "further warning")} about ${name}: --json prints all.`);
  if (left.note < 0) output.note(`${count(-left.note, "further note")} about ${name}: --json prints all.`);
}

/** Counted from 1, columns in UTF-16 units as editors do. */
interface Place {
  readonly line?: number;
  readonly column?: number;
}

function wordsFor({ path }: ConvertIssue, { line, column }: Place): string {
  if (line !== undefined) return `:${line}:${column}`;
  return path === undefined || path === "" ? "" : `: ${path}`;
}

function placeOf({ start, end }: ConvertIssue, starts: readonly number[]): Place {
  if (end === 0) return {};
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= start) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: start - (starts[low] ?? 0) + 1 };
}

/** Found once: counting lines for each issue takes squared time. */
function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", end + 1)) starts.push(end + 1);
  return starts;
}
