import { decodePath } from "./decode-path.js";

/** An address as it is written, with slashes for the back-slashes of its path. */
export function changeSlashes(written: string): string {
  return written.replace(/^[^?#]*/, (path) => path.replaceAll("\\", "/"));
}

/** An address as it is written, without the slashes that it begins with. */
export function changeRoot(written: string): string {
  return written.replace(/^[\s/\\]+/, "");
}

/**
 * An address as it is written, in the letter case of the file that it leads to. Where its path is written in other characters than the
 * file's name (escapes, references, dots) it stays as it is.
 */
export function changeCase(written: string, file: string): string {
  return written.replace(/^[^?#]*/, (path) => {
    const right = file.slice(-path.length);
    return right.toLowerCase() === path.toLowerCase() ? right : path;
  });
}

/** Escapes of bytes beyond ASCII. */
const ESCAPED = /(?:%[89a-f][0-9a-f])+/gi;

/** Half of a character, which no escape can say. */
const LONE = /\p{Cs}/u;

/**
 * An address as it is written, its path in Unicode form C, as all names of files are (training modules, 6.2); where it has escapes
 * all that is beyond ASCII becomes such.
 */
export function changeForm(written: string): string {
  return written.replace(/^[^?#]*/, (path) => {
    if (path.search(ESCAPED) < 0) return path.normalize("NFC");
    const decoded = path.replace(ESCAPED, (escapes) => decodePath(escapes));
    const composed = decoded.normalize("NFC");
    if (composed === decoded || LONE.test(composed)) return path;
    return composed.replace(/\P{ASCII}+/gu, encodeURIComponent);
  });
}
