import type { ConvertOptions } from "../../../../transforms/convert/convert.js";
import type { ConvertDocumentOptions } from "../../../../transforms/convert/document-options.js";
import {
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
} from "../../../../transforms/convert/formats.js";
import { UsageError } from "../../../core/errors.js";
import type { Settings } from "../../options/table.js";

/** From where to where. */
interface Way {
  /** undefined: stdin. */
  readonly input: string | undefined;
  /** undefined: stdout. */
  readonly output: string | undefined;
  /** How the input is called in messages. */
  readonly name: string;
}

/** A text, or many of them, that is converted into another format. */
export interface Conversion extends Way {
  readonly options: ConvertOptions & Required<Pick<ConvertOptions, "context">>;
  /** What is done instead when the text is the JSON of a guide: the ending of its file does not tell it from a document tree. */
  readonly orDocument?: DocumentConversion["document"];
}

/** A document, or a page that becomes one. */
export interface DocumentConversion extends Way {
  readonly document: Pick<ConvertDocumentOptions, "from" | "to" | "origin" | "as">;
}

type AnySource = SourceFormat | DocumentFormat;
type AnyTarget = TargetFormat | DocumentFormat;

/** Stands for stdin, and for stdout. */
const STREAM = "-";

const ADDRESS = /^[a-z][a-z0-9+.-]+:\/\//i;

/** Reads what a command line asks for, with formats by the files' endings where it names none. Throws UsageError. */
export function conversionOf(argument: string, settings: Settings): Conversion | DocumentConversion {
  const { output, ndjson } = settings;
  if (ADDRESS.test(argument)) {
    throw new UsageError(
      `${argument} is an address, and a file is needed: fetch it first, as with curl, and convert - .`,
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

/** By its own name. */
function known<Name extends AnySource | AnyTarget>(name: Name | keyof typeof FORMAT_ALIASES | null) {
  return name === "xml" || name === "md" ? FORMAT_ALIASES[name] : name;
}

/** By the ending of the output. Of a document `.json` is the JSON of its item. */
function targetOf(read: AnySource, { output, ndjson }: Settings): AnyTarget {
  const ending = ndjson || output === null ? undefined : formatOfFile(output, [...TARGET_FORMATS, ...DOCUMENT_NAMES]);
  if (ending === undefined) return unnamedTarget(output, ndjson);
  return ending === "document-tree" && isDocumentFormat(read) ? "json" : ending;
}

function textOptions(from: SourceFormat, to: TargetFormat, { line, origin, as }: Settings): Conversion["options"] {
  if (as !== null)
    throw new UsageError(`--as is for a page that becomes a document: --to ${DOCUMENT_NAMES.join("|")}.`);
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
      `--${ndjson ? "ndjson" : "line"} is for texts; a document of ${document} is converted by itself.`,
    );
  const source = [...DOCUMENT_NAMES, ...PAGE_FORMATS].find((name) => name === from);
  if (source === undefined)
    throw new UsageError(
      `A text of ${from} is no whole page, and so no ${to}. What can be: ${[...PAGE_FORMATS, ...DOCUMENT_NAMES].join(", ")}.`,
    );
  if (as !== null && isDocumentFormat(from))
    throw new UsageError(`--as is for pages; a document of ${from} says itself what it is.`);
  if (isDocumentTarget(to)) return { from: source, to, origin: origin ?? undefined, as: as ?? undefined };
  throw new UsageError(`A document of ${from} can't be written as ${to}. Write --to ${DOCUMENT_TARGETS.join("|")}.`);
}

function isDocumentTarget(name: AnyTarget): name is DocumentConversion["document"]["to"] {
  return DOCUMENT_TARGETS.some((target) => target === name);
}

function unnamed(argument: string, ndjson: boolean): SourceFormat {
  const reason = ndjson ? "With --ndjson no ending says" : `Nothing about ${JSON.stringify(argument)} says`;
  throw new UsageError(`${reason} what is read. Name it: --from ${[...SOURCE_FORMATS, ...DOCUMENT_NAMES].join("|")}.`);
}

function unnamedTarget(output: string | null, ndjson: boolean): TargetFormat {
  const reason = output === null || ndjson ? "Nothing says" : `The ending of ${JSON.stringify(output)} does not say`;
  throw new UsageError(`${reason} what to write. Name it: --to ${[...TARGET_FORMATS, ...DOCUMENT_NAMES].join("|")}.`);
}
