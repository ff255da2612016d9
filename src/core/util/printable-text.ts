/** One line of JSON with invisible and control characters as escapes (training modules, 6.4). */
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

/** Removes name, password, query and fragment of web addresses: each may be a secret. */
export function bareAddresses(text: string): string {
  return text.replace(ADDRESS, "$<scheme>$<host>$<path>");
}

const ADDRESS =
  /(?<scheme>\b[a-z][a-z0-9+.-]{0,30}:\/\/)(?:[^\s"'<>/?#]*@)?(?<host>[^\s"'<>/?#]*)(?<path>[^\s"'<>?#]*)[^\s"'<>]*/gi;

/** Text from outside for messages: invisible characters as `\u202e`, cut at `longest`. */
export function printable(text: string, longest = 200): string {
  const cut = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return cut.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, escaped);
}

/**
 * A number with commas, `12,345`, and at most three decimals. Node's own form reads 5 MB of data
 * about languages into memory.
 */
export function withCommas(value: number): string {
  return String(Math.round(value * 1000) / 1000).replace(/\B(?<!\.\d*)(?=(?:\d{3})+(?!\d))/g, ",");
}
