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
import { choiceSchema, originSchema, switchSchema, textSchema, wholeSchema } from "./values.js";

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
  }),
  to: option<TargetFormat | DocumentFormat | FormatAlias | null>({
    about: `what is written: ${WRITTEN.join(", ")}`,
    value: "FORMAT",
    schema: choiceSchema([...WRITTEN, ...ALIASES]),
    fallback: null,
    fallbackText: "what the ending of --output says",
  }),
  as: option<PageKind | null>({
    about: "what a page is that becomes a document: guide or category",
    value: "KIND",
    schema: choiceSchema(PAGE_KINDS),
    fallback: null,
    fallbackText: "what the page says, else guide",
  }),
  output: option<string | null>({
    about: "the file to write, whole or not at all; one that is there is replaced",
    short: "-o",
    value: "FILE",
    schema: textSchema,
    fallback: null,
    fallbackText: "stdout",
    flagOnly: true,
  }),
  line: option({
    about: "the text is a line of a step, which holds no blocks",
    schema: switchSchema,
    fallback: false,
  }),
  ndjson: option({
    about:
      'many texts, a JSON object a line: {"text": …, "context": "line" or "page"} becomes {"text": …, "issues": […]}',
    schema: switchSchema,
    fallback: false,
  }),
  origin: option<string | null>({
    about: "the site that the text belongs to: links to it become links by id from html, whole ones in plain-html",
    value: "URL",
    schema: originSchema,
    fallback: null,
    fallbackText: "not known",
  }),
} as const;

/** The check of a site. */
export const CHECK_OPTIONS = {
  probeWrite: option({
    about: "also make one private guide with one step and one upload, read them back, and delete them",
    schema: switchSchema,
    fallback: false,
    flagOnly: true,
  }),
} as const;

/** A single call to a site. */
export const API_OPTIONS = {
  data: option<string | null>({
    about: "the body, which is JSON: the text itself, @FILE, or - for stdin",
    value: "JSON",
    schema: textSchema,
    fallback: null,
    fallbackText: "none",
    flagOnly: true,
  }),
  write: option({
    about: "allow a call that is no GET: it may change or delete things at the site",
    schema: switchSchema,
    fallback: false,
    flagOnly: true,
  }),
  signInAs: option<"source" | "target" | null>({
    about: "whose sign-in is used: GUIDEFERRY_SOURCE_… or GUIDEFERRY_TARGET_…",
    value: "source|target",
    flag: "as",
    schema: choiceSchema(["source", "target"]),
    fallback: null,
    fallbackText: "the one that is set; has to be given where both are",
    flagOnly: true,
  }),
  pretty: option({
    about: "indent JSON; done on a terminal anyway, unless --no-pretty is given",
    schema: switchSchema,
    fallback: false,
  }),
} as const;

/** How the embedded site starts. */
export const SANDBOX_OPTIONS = {
  site: option<string | null>({
    about: "a folder of API answers to start with",
    value: "DIR",
    schema: textSchema,
    fallback: null,
    fallbackText: "an empty site",
  }),
  port: option({
    about: "the port on this machine; of a run with --ui only",
    value: "N",
    schema: wholeSchema(0, 65_535),
    fallback: 0,
    fallbackText: "a free one",
  }),
  token: option<string | null>({
    about: "the token that the sandbox takes; it is printed, so take none that is used elsewhere",
    value: "T",
    schema: textSchema,
    fallback: null,
    fallbackText: "a random one",
    flagOnly: true,
  }),
  dialect: option<"specification" | "dozuki" | "ifixit" | null>({
    about: "what its answers look like: as the specification's tables, or as those of real sites",
    value: "specification|dozuki|ifixit",
    schema: choiceSchema(["specification", "dozuki", "ifixit"]),
    fallback: null,
    fallbackText: "what the site's folder says, else specification",
  }),
} as const;
