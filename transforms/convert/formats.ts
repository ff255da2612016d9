import type { IssueCode } from "../../src/core/model/issue.js";
import type { TextIssue } from "../../src/core/model/text-codes.js";
import type { TextContext } from "../wiki/tree.js";

/** Facts about a format that do not need its reader and writer. */
export interface Format {
  readonly about: string;
  /** Extensions that select the format by default, lower case. */
  readonly endings: readonly string[];
  /** Whether it can be read; every format can be written. */
  readonly reads: boolean;
}

/** In the order of the help; `convert.ts` has a reader or a writer for each. */
export const FORMATS = {
  wiki: { about: "the wiki syntax of the service", endings: ["wiki", "txt"], reads: true },
  html: { about: "HTML, written as the site renders it", endings: ["html", "htm"], reads: true },
  "plain-html": { about: "HTML for other programs, without scripts", endings: [], reads: false },
  markdown: { about: "CommonMark with GFM", endings: ["md", "markdown"], reads: true },
  "document-tree": {
    about: "the JSON of contents_json, read in either vocabulary",
    endings: ["json"],
    reads: true,
  },
  "introduction-json": { about: "the JSON of introduction_json", endings: [], reads: false },
} as const satisfies Readonly<Record<string, Format>>;

/** The formats that `convert` writes. */
export type TargetFormat = keyof typeof FORMATS;

/** The formats that `convert` reads. */
export type SourceFormat = {
  [Name in TargetFormat]: (typeof FORMATS)[Name]["reads"] extends true ? Name : never;
}[TargetFormat];

/** `convert-document.ts` reads and writes these documents. */
export const DOCUMENT_FORMATS = {
  omanual: { about: "manual-authoring XML (oManual), also called xml", endings: ["xml", "oman"], reads: true },
  json: {
    about: "the JSON of a guide, category or wiki, also as the service returns it",
    endings: ["json"],
    reads: true,
  },
} as const satisfies Readonly<Record<string, Format>>;

export type DocumentFormat = keyof typeof DOCUMENT_FORMATS;

export const DOCUMENT_NAMES = Object.keys(DOCUMENT_FORMATS) as readonly DocumentFormat[];

export const FORMAT_ALIASES = { xml: "omanual", md: "markdown" } as const;

export type FormatAlias = keyof typeof FORMAT_ALIASES;

/** Formats of texts from which a whole page can be read. */
export const PAGE_FORMATS = ["wiki", "html", "markdown"] as const;

export type PageFormat = (typeof PAGE_FORMATS)[number];

export type DocumentSource = DocumentFormat | PageFormat;

export const DOCUMENT_TARGETS = ["omanual", "json", "markdown", "html", "plain-html", "wiki"] as const;

export type DocumentTarget = (typeof DOCUMENT_TARGETS)[number];

export const PAGE_KINDS = ["guide", "category"] as const;

export type PageKind = (typeof PAGE_KINDS)[number];

export function isDocumentFormat(name: string): name is DocumentFormat {
  return Object.hasOwn(DOCUMENT_FORMATS, name);
}

export const TARGET_FORMATS = Object.keys(FORMATS) as readonly TargetFormat[];

export const SOURCE_FORMATS = TARGET_FORMATS.filter((name): name is SourceFormat => FORMATS[name].reads);

export function formatOfFile<Name extends TargetFormat | DocumentFormat>(
  file: string,
  names: readonly Name[],
): Name | undefined {
  const ending = /\.([^./\\]+)$/.exec(file)?.[1]?.toLowerCase() ?? "";
  const known: Readonly<Record<string, Format>> = { ...FORMATS, ...DOCUMENT_FORMATS };
  return names.find((name) => known[name]?.endings.includes(ending));
}

export interface Setting {
  readonly context: TextContext;
  /** undefined: unknown. */
  readonly origin: string | undefined;
}

/** `path` replaces the offsets for a document tree: `content[3].content[0]`; empty: all of it. */
export interface ConvertIssue extends Omit<TextIssue, "code"> {
  readonly code: IssueCode;
  readonly path?: string;
}
