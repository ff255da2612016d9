/** What a `Range` header asks for: `all` where it asks for nothing that is understood, `none` where nothing of it is there. */
export type AskedRange = { readonly start: number; readonly end: number } | "all" | "none";

/** Reads a single range of bytes (RFC 9110, 14.1.2); several at once, and other units, are answered with everything, as is allowed. */
export function byteRange(header: string | undefined, size: number): AskedRange {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.replaceAll(" ", "") ?? "") ?? [];
  if (from === undefined || to === undefined || (from === "" && to === "")) return "all";
  if (from === "") return to === "0" || size === 0 ? "none" : { start: Math.max(0, size - Number(to)), end: size };
  const [start, end] = [Number(from), to === "" ? size : Number(to) + 1];
  if (to !== "" && end <= start) return "all";
  return start >= size ? "none" : { start, end: Math.min(end, size) };
}
