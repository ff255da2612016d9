import {
  DOCUMENT_NAMES,
  type DocumentFormat,
  FORMAT_ALIASES,
  type FormatAlias,
  PAGE_KINDS,
  type PageKind,
  SOURCE_FORMATS,
  type SourceFormat,
  TARGET_FORMATS,
  type TargetFormat,
} from "../../../transforms/convert/formats.js";
import { option } from "./option.js";
import { choiceSchema, originSchema, switchSchema, textSchema } from "./values.js";

const READ = [...SOURCE_FORMATS, ...DOCUMENT_NAMES] as const;
const WRITTEN = [...TARGET_FORMATS, ...DOCUMENT_NAMES] as const;
const ALIASES = Object.keys(FORMAT_ALIASES) as readonly FormatAlias[];

/** What a text is converted from, into what, and where it goes. */
export const CONVERT_OPTIONS = {
  from: option<SourceFormat | DocumentFormat | FormatAlias | null>({
    about: `what is read: ${READ.join(", ")}`,
    value: "FORMAT",
    schema: choiceSchema([...READ, ...ALIASES]),
    fallback: null,
    fallbackText: "what the file's ending says",
    commands: ["convert"],
  }),
  to: option<TargetFormat | DocumentFormat | FormatAlias | null>({
    about: `what is written: ${WRITTEN.join(", ")}`,
    value: "FORMAT",
    schema: choiceSchema([...WRITTEN, ...ALIASES]),
    fallback: null,
    fallbackText: "what the ending of --output says",
    commands: ["convert"],
  }),
  as: option<PageKind | null>({
    about: "what a page is that becomes a document: guide or category",
    value: "KIND",
    schema: choiceSchema(PAGE_KINDS),
    fallback: null,
    fallbackText: "what the page says, else guide",
    commands: ["convert"],
  }),
  output: option<string | null>({
    about: "the file to write, whole or not at all; one that is there is replaced",
    short: "-o",
    value: "FILE",
    schema: textSchema,
    fallback: null,
    fallbackText: "stdout",
    flagOnly: true,
    commands: ["convert"],
  }),
  line: option({
    about: "the text is a line of a step, which holds no blocks",
    schema: switchSchema,
    fallback: false,
    commands: ["convert"],
  }),
  ndjson: option({
    about:
      'many texts, a JSON object a line: {"text": …, "context": "line" or "page"} becomes {"text": …, "issues": […]}',
    schema: switchSchema,
    fallback: false,
    commands: ["convert"],
  }),
  origin: option<string | null>({
    about: "the site that the text belongs to: links to it become links by id from html, whole ones in plain-html",
    value: "URL",
    schema: originSchema,
    fallback: null,
    fallbackText: "not known",
    commands: ["convert"],
  }),
} as const;
