import type { Finding } from "../finding.js";

/** What simplified HTML has no form for, and what is written in its place (omanual 4 and 9). */
export const REDUCTIONS = {
  "numbered-list": { level: "loss", what: "numbered lists", becomes: "bullets with the numbers in their words" },
  quote: { level: "loss", what: "quotations", becomes: "sections" },
  table: { level: "loss", what: "tables", becomes: "lists, a row an item" },
  "term-list": { level: "loss", what: "lists of terms", becomes: "bullets with the terms in bold" },
  "text-image": { level: "loss", what: "images in text", becomes: "links" },
  "text-video": { level: "loss", what: "videos and frames in text", becomes: "links" },
  rule: { level: "loss", what: "lines across the page", becomes: "nothing" },
  "unsafe-link": { level: "loss", what: "links that may not be followed", becomes: "their labels" },
  "line-blocks": { level: "loss", what: "blocks in a step line", becomes: "their words" },
  "other-element": { level: "loss", what: "elements that the format has not", becomes: "their words" },
} as const satisfies Readonly<Record<string, { level: Finding["level"]; what: string; becomes: string }>>;

export type Reduction = keyof typeof REDUCTIONS;

/** One finding for all reductions of a kind in one text. */
export function reductionFinding(code: Reduction, count: number, path: string): Finding {
  const { level, what, becomes } = REDUCTIONS[code];
  const message = `oManual 1.0 has no form for ${what} (${count} here); ${becomes === "nothing" ? "they are left out" : `${becomes} stand for them`}.`;
  return { code, level, path, message };
}
