import type { Guide } from "../../../src/core/model/guide.js";
import { parseTime } from "../../omanual/items/time-required.js";
import { GUIDE_LABELS, USUAL_LANGUAGE, YES } from "../labels.js";
import { firstValue, type ReadFact, valuesOf } from "./fact-list.js";

/** What a guide's page says in its facts. */
export type GuideFacts = Pick<
  Guide,
  | "category"
  | "type"
  | "subject"
  | "difficulty"
  | "timeRequired"
  | "author"
  | "createdDate"
  | "modifiedDate"
  | "flags"
  | "tags"
  | "public"
  | "language"
>;

const LABELS: ReadonlySet<string> = new Set(Object.values(GUIDE_LABELS));

/** Whether a list of facts says nothing but what guides have. */
export function areGuideFacts(facts: readonly ReadFact[]): boolean {
  return facts.every(({ label }) => LABELS.has(label));
}

export function readGuideFacts(facts: readonly ReadFact[]): GuideFacts {
  const value = (name: keyof typeof GUIDE_LABELS): string => firstValue(facts, GUIDE_LABELS[name]) ?? "";
  const tell = facts[0]?.tell ?? (() => undefined);
  const unread = (name: keyof typeof GUIDE_LABELS): void =>
    tell(
      "unknown-fact",
      "loss",
      `${GUIDE_LABELS[name]}: ${JSON.stringify(value(name))} can't be read; it is left out.`,
    );
  const time = parseTime(value("time"));
  if (time === undefined) unread("time");
  const date = (name: "created" | "modified"): number | null => {
    const written = value(name);
    const seconds = DATE.test(written) ? Date.parse(written) / 1000 : Number.NaN;
    if (Number.isNaN(seconds) && written !== "") unread(name);
    return Number.isNaN(seconds) ? null : seconds;
  };
  return {
    category: value("category"),
    type: value("type"),
    subject: value("subject"),
    difficulty: value("difficulty") || null,
    timeRequired: time ?? { min: 0, max: 0 },
    author: authorOf(value("author")),
    createdDate: date("created"),
    modifiedDate: date("modified"),
    flags: valuesOf(facts, GUIDE_LABELS.flag),
    tags: valuesOf(facts, GUIDE_LABELS.tag),
    public: value("public").toLowerCase() === YES,
    language: value("language") || USUAL_LANGUAGE,
  };
}

/** With a zone, so that it is taken as the same on every machine. */
const DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d))?$/;

/** Without an id of a site it is 0, as of a manual's author. */
function authorOf(words: string): Guide["author"] {
  const [, named, id] = /^(.*) \(user (\d{1,15})\)$/s.exec(words) ?? [];
  if (words === "") return null;
  return { id: Number(id ?? 0), name: named ?? words, uniqueName: null };
}
