import type { XmlEdit } from "./edit-xml.js";
import { editXml } from "./edit-xml.js";

/** A manifest's text on its way to what stands in the package afterwards. */
export interface ManifestText {
  /** As written, line ends too, with what was mended already. */
  readonly text: string;
  /** As TextDecoder names it. */
  readonly encoding: string;
  /** Does the file begin with UTF-8's byte order mark? */
  readonly hasMark: boolean;
  /** The encoding is not what the declaration says. */
  readonly isMisdeclared: boolean;
  /** White space stands before the declaration. */
  readonly isLate: boolean;
  /** Is the text another one than the file's? */
  readonly isChanged: boolean;
}

const DECLARED = /^(<\?xml\s[^>]*?\bencoding\s*=\s*)(["'])[^"'>]*\2/;

/**
 * The file's new bytes; undefined: it stays as it is. Where anything changes it becomes UTF-8, as all systems read, and its
 * declaration says so; nothing else is touched.
 */
export function rewriteManifest(manifest: ManifestText, edits: readonly XmlEdit[]): Uint8Array | undefined {
  const text = editXml(manifest.text, edits);
  if (text === manifest.text && !manifest.isChanged && !manifest.isMisdeclared && !manifest.isLate) return undefined;
  const isUtf8 = manifest.encoding === "utf-8" && !manifest.isMisdeclared;
  // Behind the edits, whose places count from the file's first line.
  const begun = manifest.isLate ? text.trimStart() : text;
  const declared = isUtf8 ? begun : begun.replace(DECLARED, "$1$2UTF-8$2");
  return new TextEncoder().encode(manifest.hasMark ? `\ufeff${declared}` : declared);
}
