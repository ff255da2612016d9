import type { OptionName, Settings } from "./options/table.js";

/**
 * The options that say how something is written, and who heeds them. `load`: the load itself.
 * `target`: the connection to a site. `content`: what is made of an item before it is written, also
 * into a bundle; the others do nothing there.
 */
const WRITING_OPTIONS = {
  fit: "load",
  assumeLimits: "load",
  smallImages: "load",
  dangling: "load",
  onConflict: "load",
  onExisting: "load",
  match: "target",
  allowDuplicates: "load",
  postComments: "load",
  deleteGone: "load",
  maxDeletions: "load",
  hideWhileUpdating: "load",
  transforms: "content",
  userMap: "target",
  teamMap: "target",
  typeMap: "content",
  categoryMap: "content",
} as const satisfies Partial<Record<OptionName, "load" | "target" | "content">>;

type WritingOption = keyof typeof WRITING_OPTIONS;
type LoadOption = {
  [Name in WritingOption]: (typeof WRITING_OPTIONS)[Name] extends "load" ? Name : never;
}[WritingOption];

/** How a target was written to: what `retry` goes on with, and what `verify` expects. */
export const WRITING = Object.keys(WRITING_OPTIONS) as readonly WritingOption[];

/** Of them those that change what is written into a bundle. */
export const SHAPING = WRITING.filter((name) => WRITING_OPTIONS[name] === "content");

/** Those that say something of a site as a target only. */
export const AT_SITES = WRITING.filter((name) => WRITING_OPTIONS[name] !== "content");

/** What the options say of a load. */
export function loadChoices(settings: Settings): Pick<Settings, LoadOption> {
  const names = WRITING.filter((name) => WRITING_OPTIONS[name] === "load");
  return Object.fromEntries(names.map((name) => [name, settings[name]])) as Pick<Settings, LoadOption>;
}
