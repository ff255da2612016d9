/** What a file that is no zip archive seems to be, by its first bytes; for messages only. */
export function fileTypeOf(first: Buffer): string {
  if (first.length === 0) return "an empty file";
  const text = first.toString("latin1");
  const found = SIGNATURES.find(([pattern]) => pattern.test(text));
  return found?.[1] ?? "something else";
}

const SIGNATURES: readonly (readonly [RegExp, string])[] = [
  [/^Rar!/, "a RAR archive"],
  [/^7z\xbc\xaf/, "a 7z archive"],
  [/^\p{Cc}\x8b/u, "a gzip file"],
  [/^BZh/, "a bzip2 file"],
  [/^\xfd7zXZ/, "an xz file"],
  [/^%PDF-/, "a PDF"],
  [/^\x89PNG/, "a PNG image"],
  [/^\xff\xd8\xff/, "a JPEG image"],
  [/^\s*(?:<!doctype html|<html)/i, "an HTML page"],
  [/^(?:\xef\xbb\xbf)?\s*<(?:\?xml|[a-z])/i, "an XML file"],
  [/^\s*[{[]/, "JSON"],
  [/^(?:\s|\P{Cc})+$/u, "a text"],
];
