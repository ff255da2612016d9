/** An address as it is written, with slashes for the back-slashes of its path. */
export function changeSlashes(written: string): string {
  return written.replace(/^[^?#]*/, (path) => path.replaceAll("\\", "/"));
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
