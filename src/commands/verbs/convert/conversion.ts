import type { ConvertOptions } from "../../../../transforms/convert/convert.js";
import {
  DOCUMENT_NAMES,
  DOCUMENT_TARGETS,
  type DocumentFormat,
  type DocumentTarget,
  formatOfFile,
  isDocumentFormat,
  SOURCE_FORMATS,
  type SourceFormat,
  TARGET_FORMATS,
  type TargetFormat,
} from "../../../../transforms/convert/formats.js";
import { UsageError } from "../../../errors.js";
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
}

/** A document that is converted into a page or JSON. */
export interface DocumentConversion extends Way {
  readonly document: { readonly to: DocumentTarget; readonly origin: string | undefined };
}

/** Stands for stdin, and for stdout. */
const STREAM = "-";

const ADDRESS = /^[a-z][a-z0-9+.-]+:\/\//i;

/** Reads what a command line asks for, with formats by the files' endings where it names none. Throws UsageError. */
export function conversionOf(argument: string, settings: Settings): Conversion | DocumentConversion {
  const { from, to, output, line, origin, ndjson } = settings;
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
  const fromEnding = ndjson ? undefined : formatOfFile(argument, [...SOURCE_FORMATS, ...DOCUMENT_NAMES]);
  const toEnding = ndjson || output === null ? undefined : formatOfFile(output, TARGET_FORMATS);
  const read = from ?? fromEnding ?? unnamed(argument, ndjson);
  if (isDocumentFormat(read))
    return { ...way, document: documentOptions(read, to ?? jsonOf(output, toEnding), settings) };
  const written = to ?? toEnding ?? unnamedTarget(output, ndjson);
  if (written === "json")
    throw new UsageError(`A text has no JSON of its own. Write --to ${TARGET_FORMATS.join("|")}.`);
  return {
    ...way,
    options: { from: read, to: written, context: line ? "line" : "page", ...(origin === null ? {} : { origin }) },
  };
}

/** Of a document `.json` is the JSON of its item. */
function jsonOf(output: string | null, byEnding: TargetFormat | undefined): TargetFormat | DocumentTarget {
  return byEnding === "document-tree" ? "json" : (byEnding ?? unnamedTarget(output, false));
}

function documentOptions(
  from: DocumentFormat,
  to: TargetFormat | DocumentTarget,
  { ndjson, line, origin }: Settings,
): DocumentConversion["document"] {
  if (ndjson || line)
    throw new UsageError(`--${ndjson ? "ndjson" : "line"} is for texts; a document of ${from} is converted by itself.`);
  const target = DOCUMENT_TARGETS.find((name) => name === to);
  if (target !== undefined) return { to: target, origin: origin ?? undefined };
  throw new UsageError(`A document of ${from} can't be written as ${to}. Write --to ${DOCUMENT_TARGETS.join("|")}.`);
}

function unnamed(argument: string, ndjson: boolean): SourceFormat {
  const reason = ndjson ? "With --ndjson no ending says" : `Nothing about ${JSON.stringify(argument)} says`;
  throw new UsageError(`${reason} what is read. Name it: --from ${[...SOURCE_FORMATS, ...DOCUMENT_NAMES].join("|")}.`);
}

function unnamedTarget(output: string | null, ndjson: boolean): TargetFormat {
  const reason = output === null || ndjson ? "Nothing says" : `The ending of ${JSON.stringify(output)} does not say`;
  throw new UsageError(`${reason} what to write. Name it: --to ${TARGET_FORMATS.join("|")}.`);
}
