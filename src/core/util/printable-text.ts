/**
 * One line of JSON without a character that nobody sees or that a terminal obeys: JSON can write
 * each of them as an escape, so nothing is lost, not even of a file's name (training modules, 6.4).
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

/**
 * A text whose web addresses have no name and password, no query and no fragment: any of them may
 * be a secret, as the signature of a link that opens a package for everybody.
 */
export function bareAddresses(text: string): string {
  return text.replace(ADDRESS, "$<scheme>$<host>$<path>");
}

const ADDRESS =
  /(?<scheme>\b[a-z][a-z0-9+.-]{0,30}:\/\/)(?:[^\s"'<>/?#]*@)?(?<host>[^\s"'<>/?#]*)(?<path>[^\s"'<>?#]*)[^\s"'<>]*/gi;

/**
 * Foreign text for messages and reports: control characters and marks that no one sees as `\u202e`,
 * cut at `longest` characters.
 */
export function printable(text: string, longest = 200): string {
  const cut = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return cut.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, escaped);
}
