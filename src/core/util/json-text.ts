/**
 * One line of JSON without a character that nobody sees or that a terminal obeys: JSON can write each of them as an escape, so nothing is
 * lost, not even of a file's name (training modules, 6.4).
 */
export function jsonText(value: object): string {
  return JSON.stringify(value).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped);
}

/** Characters beyond U+FFFF are two escapes in JSON. */
function escaped(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
