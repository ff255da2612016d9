import { withCommas } from "../../core/util/printable-text.js";

/** `3 guides`, `1 guide`, `2 categories`. */
export function count(number: number, noun: string): string {
  return `${withCommas(number)} ${number === 1 ? noun : plural(noun)}`;
}

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

const UNITS = ["bytes", "kB", "MB", "GB", "TB"] as const;

/** `4.2 MB`. */
export function size(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1000 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${UNITS[power]}`;
}

/** Words as one line that a POSIX shell reads back as the same words. */
export function shellQuote(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" ");
}

/** The flags that a suggested command repeats, so that it signs in as this one did. */
export function configFlags(settings: { readonly config: string | null; readonly profile: string | null }) {
  return (["config", "profile"] as const).flatMap((name) => {
    const value = settings[name];
    return value === null ? [] : [`--${name}`, value];
  });
}
