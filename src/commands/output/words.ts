/** `3 guides`, `1 guide`, `2 categories`. */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString("en-US")} ${number === 1 ? noun : plural(noun)}`;
}

/** Foreign words in a line: `"Warp the loom"`. */
export function quoted(text: string): string {
  return JSON.stringify(text);
}

/** Seconds as `4:05` or `1:02:09`. */
export function clockTime(seconds: number): string {
  const whole = Math.ceil(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, at) => (at === 0 ? String(part) : String(part).padStart(2, "0"))).join(":");
}

function plural(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(?:s|x|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}
