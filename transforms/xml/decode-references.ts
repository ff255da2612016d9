const REFERENCE = /&(?:(amp|lt|gt|quot|apos)|#x([0-9a-fA-F]+)|#([0-9]+));/g;

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** XML's five entities and numbers of characters as what they stand for, once; everything else stays as it is. */
export function decodeReferences(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(REFERENCE, (_whole, name?: string, hexadecimal?: string, decimal?: string) => {
    if (name !== undefined) return NAMED[name] ?? "";
    return String.fromCodePoint(hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16));
  });
}

/** An attribute's value: white space as written becomes spaces, white space by its number stays (XML 1.0, 3.3.3). */
export function decodeValue(value: string): string {
  return decodeReferences(/[\n\t]/.test(value) ? value.replace(/[\n\t]/g, " ") : value);
}
