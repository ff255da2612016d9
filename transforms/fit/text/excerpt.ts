/** Enough to find a text again by eye. */
const SHOWN = 80;

/** The first 80 characters of a text in quotation marks, on one line. */
export function excerpt(text: string): string {
  const characters = [...text.trim().replace(/\s+/g, " ")];
  return `"${characters.slice(0, SHOWN).join("")}${characters.length > SHOWN ? "…" : ""}"`;
}
