import type { Written } from "../../core/contracts.js";

type Json = Readonly<Record<string, unknown>>;

/** Fields whose absence in a body means "leave it": what must be said for taking them away, and how an answer shows that they are filled. */
interface Clearable {
  readonly cleared: unknown;
  readonly isFilled: (json: Json) => boolean;
}

const isSomething = (value: unknown): boolean => typeof value === "object" && value !== null;
const hasText = (value: unknown): boolean => typeof value === "string" && value.trim() !== "";
const hasRows = (value: unknown): boolean => Array.isArray(value) && value.length > 0;

/** By the name of writing (api-facts 8.4). */
const WIKI: Readonly<Record<string, Clearable>> = {
  image: { cleared: null, isFilled: ({ image }) => isSomething(image) },
  description: { cleared: "", isFilled: ({ description }) => hasText(description) },
  info: { cleared: [], isFilled: ({ info }) => hasRows(info) },
  suppliers: { cleared: [], isFilled: ({ suppliers }) => hasRows(suppliers) },
  documents: { cleared: [], isFilled: ({ documents }) => hasRows(documents) },
  table_of_contents: { cleared: false, isFilled: (json) => json["table_of_contents"] === true },
};

/** Only the video: nothing public says how a picture, a difficulty or a featured document is taken away (api-facts 4.1, 4.2). */
const GUIDE: Readonly<Record<string, Clearable>> = {
  objectid: { cleared: null, isFilled: (json) => isSomething(json["intro_video"]) },
};

const CLEARABLE = { wiki: WIKI, guide: GUIDE } as const;
type Of = keyof typeof CLEARABLE;

/** The names of the fields that stand filled at the target, for the ledger. */
export function filledIn(of: Of, json: Json): readonly string[] {
  return Object.entries(CLEARABLE[of]).flatMap(([name, { isFilled }]) => (isFilled(json) ? [name] : []));
}

/** What a body must say beside its own fields, so that what is empty at the source becomes empty at the target. */
export function clearing(of: Of, before: Written | undefined, empty: readonly string[]): Json {
  const filled = Array.isArray(before?.facts["filled"]) ? before.facts["filled"].map(String) : [];
  const names = empty.filter((name) => filled.includes(name));
  return Object.fromEntries(names.map((name) => [name, CLEARABLE[of][name]?.cleared]));
}
