import { decodeWindows1252 } from "../../xml/decode-windows-1252.js";

/** A course file as text, and whether it was UTF-8. */
export interface DecodedCourseFile {
  readonly text: string;
  readonly encoding: "UTF-8" | "UTF-16" | "windows-1252";
}

/** AICC declares no encoding: a byte order mark counts, else UTF-8 where every byte fits, else windows-1252 (training modules, 2.4). */
export function decodeCourseFile(bytes: Uint8Array): DecodedCourseFile {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return { text: new TextDecoder("utf-16le").decode(bytes), encoding: "UTF-16" };
  if (first === 0xfe && second === 0xff) return { text: new TextDecoder("utf-16be").decode(bytes), encoding: "UTF-16" };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), encoding: "UTF-8" };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { text: decodeWindows1252(bytes), encoding: "windows-1252" };
  }
}
