/** Characters of a title or name in a message. */
export const SHOWN_LENGTH = 200;

/**
 * Foreign text for messages and reports: one line, control characters and marks that nobody sees as `\u202e`, cut (training
 * modules, 6.4). The archive guard prints names in the same way.
 */
export function shown(text: string, longest = SHOWN_LENGTH): string {
  const cut = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return cut.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, escaped);
}

function escaped(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;
}
