/** Foreign text for messages and reports: control characters and marks that no one sees as `\u202e`, cut at `longest` characters. */
export function printable(text: string, longest = 200): string {
  const cut = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return cut.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, escaped);
}

function escaped(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;
}
