import { convert } from "../../../../transforms/convert/convert.js";
import type { ConvertIssue } from "../../../../transforms/convert/setting.js";
import { UsageError } from "../../../core/errors.js";
import type { Conversion, DocumentConversion } from "./conversion.js";
import { decodeText } from "./decode-text.js";

/** A file's text converted into another file's. */
export interface ConvertedFile {
  readonly text: string;
  readonly issues: readonly ConvertIssue[];
  /** What was read, which the places of the issues are in. */
  readonly source: string;
}

/** Converts the bytes of one text. Throws UsageError when they are not of the format, or the result can't be a file. */
export function convertText(bytes: Buffer, { name, options }: Conversion): ConvertedFile {
  const source = contentOf(decodeText(bytes, name), options);
  return checked({ ...convert(source, options), source }, isExact(options));
}

/** Converts the bytes of one document. Throws UsageError when it can't be read, or the result can't be a file. */
export async function convertDocument(
  bytes: Buffer,
  { name, document }: Pick<DocumentConversion, "name" | "document">,
): Promise<ConvertedFile> {
  const { convertDocument: convertWhole } = await import("../../../../transforms/convert/convert-document.js");
  const { readAnswer } = await import("./read-answer.js");
  const source = decodeText(bytes, name).replace(/^\uFEFF/, "");
  return checked({ ...convertWhole(source, { ...document, name, readAnswer }), source }, false);
}

/** Whether bytes are JSON of a guide, category or wiki, and not of a text. */
export function isItemJson(bytes: Buffer): boolean {
  const value = jsonIn(bytes);
  return typeof value === "object" && value !== null && !("type" in value && "content" in value);
}

/** undefined for what is none; who reads it says why. */
function jsonIn(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8").replace(/^\uFEFF/, ""));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function checked({ text, issues, source }: ConvertedFile, exact: boolean): ConvertedFile {
  const lone = text.search(/\p{Surrogate}/u);
  if (lone >= 0) {
    throw new UsageError(
      `Character ${lone} of the result is half of a pair, which no file can hold. Only --ndjson, whose JSON can, takes such texts.`,
    );
  }
  return { text: exact || /(?:^|\n)$/.test(text) ? text : `${text}\n`, issues, source };
}

/** A byte order mark, and the line end behind the one line of a step, belong to the file and not to its text. */
function contentOf(text: string, options: Conversion["options"]): string {
  if (isExact(options)) return text;
  const marked = text.replace(/^\uFEFF/, "");
  return options.context === "line" ? marked.replace(/\r?\n$/, "") : marked;
}

/** What comes back as it is keeps whatever the file has. */
function isExact({ from, to }: Conversion["options"]): boolean {
  return from === "wiki" && to === "wiki";
}
