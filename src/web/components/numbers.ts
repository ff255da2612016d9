/** `12,345`. */
export function numberWords(value: number): string {
  return value.toLocaleString("en-US");
}

/** `1 guide`, `2 guides`, `2 categories` with the plural given. */
export function countWords(count: number, one: string, many = `${one}s`): string {
  return `${numberWords(count)} ${count === 1 ? one : many}`;
}

const UNITS = ["bytes", "KB", "MB", "GB", "TB"] as const;

/** A number of bytes in powers of a thousand: `900 bytes`, `1.2 MB`. */
export function sizeWords(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  const digits = power === 0 || value >= 100 ? 0 : 1;
  return `${value.toFixed(digits)} ${UNITS[power] ?? ""}`;
}
