import { ITEM_KINDS } from "../../core/model/key.js";
import { type CommandName, option } from "./option.js";
import { choiceSchema, choicesSchema, switchSchema, timeSchema, wordsSchema } from "./values.js";

const SELECTING: readonly CommandName[] = ["migrate", "extract", "load", "plan", "verify", "restore", "drill"];
const READING: readonly CommandName[] = ["migrate", "extract", "plan", "verify"];
const READING_WHOLE: readonly CommandName[] = [...READING, "backup"];

/** Which items are taken, and what of them. */
export const SELECTION_OPTIONS = {
  only: option<readonly (typeof ITEM_KINDS)[number][]>({
    about: `only these kinds: ${ITEM_KINDS.join(", ")}`,
    value: "KIND,…",
    schema: choicesSchema(ITEM_KINDS),
    fallback: ITEM_KINDS,
    fallbackText: "all",
    commands: SELECTING,
  }),
  include: option<readonly string[]>({
    about:
      "only items whose key (guide/12*) or category path (Looms/**) matches; for a comma inside of a title write ?",
    value: "GLOB,…",
    schema: wordsSchema,
    fallback: [],
    fallbackText: "everything",
    repeatable: true,
    commands: SELECTING,
  }),
  exclude: option<readonly string[]>({
    about: "no items whose key or category path matches",
    value: "GLOB,…",
    schema: wordsSchema,
    fallback: [],
    fallbackText: "nothing",
    repeatable: true,
    commands: SELECTING,
  }),
  since: option<number | null>({
    about: "only items changed at or after this time: 2026-11-01, 2026-11-01T08:00:00Z, or 7d (7 days ago)",
    value: "TIME",
    schema: timeSchema,
    fallback: null,
    fallbackText: "any time",
    commands: SELECTING,
  }),
  dependencies: option({
    about: "leave out what the chosen items need but the choice does not name (prerequisites, categories, media …)",
    schema: switchSchema,
    fallback: true,
    commands: SELECTING,
  }),
  includePrivate: option({
    about: "leave private guides out; without this they are taken when the source's account is an admin",
    schema: switchSchema,
    fallback: true,
    commands: READING,
  }),
  publish: option({
    about: "guides of documents that do not say whether they are public become so; without this they stay private",
    schema: switchSchema,
    fallback: false,
    commands: READING,
  }),
  imageDetails: option({
    about: "also read each image's annotations and camera data: one more request an image",
    schema: switchSchema,
    fallback: false,
    commands: READING_WHOLE,
  }),
  format: option<"json" | "xml" | "xml-only">({
    about: "read guides and categories as XML too, and compare (xml), or as XML alone, with its losses (xml-only)",
    value: "json|xml|xml-only",
    schema: choiceSchema(["json", "xml", "xml-only"]),
    fallback: "json",
    commands: READING_WHOLE,
  }),
  languages: option<readonly string[]>({
    about: "translations to take besides the site's own language, by language id: de,fr",
    value: "ID,…",
    schema: wordsSchema,
    fallback: [],
    fallbackText: "all that the site names",
    commands: READING_WHOLE,
  }),
} as const;
