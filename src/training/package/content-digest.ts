import { createHash } from "node:crypto";
import { inOrder } from "../../storage/archive/order.js";

/** What the digest of a package is taken over. */
export interface DigestedFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/**
 * The identity of a package (training modules, 6.3): sha256 over one line for each file, `path NUL size NUL sha256` and a line feed, the lines
 * in byte order of the paths (UTF-8), size in decimal. Nothing else of an archive is in it: order, dates, packing.
 */
export function contentDigest(files: readonly DigestedFile[]): string {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const hash = createHash("sha256");
  for (const path of inOrder(byPath.keys())) {
    const file = byPath.get(path);
    if (file !== undefined) hash.update(`${path}\0${file.size}\0${file.sha256}\n`);
  }
  return hash.digest("hex");
}

/** Of one manifest its sha256; of several, as AICC has them, the digest of those alone. */
export function manifestDigest(manifests: readonly DigestedFile[]): string {
  const [only, ...others] = manifests;
  return only !== undefined && others.length === 0 ? only.sha256 : contentDigest(manifests);
}
