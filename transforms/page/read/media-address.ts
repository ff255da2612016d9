import type { Key } from "../../../src/core/model/key.js";
import type { MediaUse } from "../../../src/core/model/media.js";
import { bundleAddress } from "../../omanual/items/bundle-address.js";
import { derivedId } from "../../omanual/items/derived-id.js";
import { addressIn } from "../../omanual/items/resolve-path.js";

/** A medium by the address that a page has for it: of the web, or a path from the page's folder. */
type Kind = "image" | "video" | "document";

/**
 * The use of a medium, its key derived from where it lies, as that of a manual's medium is: so the same file has the same key,
 * whichever of the two it was read from. `id`: a site's, where the page says it. undefined: an address that no document may name.
 */
export function mediaAt(
  kind: Kind,
  address: string,
  name: string,
  id: number | null = null,
): Omit<MediaUse, "path"> | undefined {
  const web = addressIn(address);
  const path = web === undefined ? pathIn(address) : undefined;
  const identity = web ?? path;
  if (identity === undefined) return undefined;
  const key: Key = `${kind}/${id ?? derivedId(identity)}`;
  const last = path?.split("/").at(-1) ?? null;
  return { key, url: path === undefined ? identity : bundleAddress(path), guid: null, fileName: name || last };
}

/** A path in the folder of the page or beside it; undefined for addresses with a scheme, and for nothing. */
function pathIn(address: string): string | undefined {
  const written = address.trim();
  if (written === "" || /^(?:[a-z][a-z0-9+.-]*:|#|\?)/i.test(written)) return undefined;
  const path = written
    .replaceAll("\\", "/")
    .replace(/(?:%[0-9a-f]{2})+/gi, decoded)
    .replace(/^(?:\.?\/)+/, "")
    .normalize("NFC");
  return path === "" ? undefined : path;
}

function decoded(escaped: string): string {
  const bytes = Uint8Array.from(escaped.slice(1).split("%"), (pair) => Number.parseInt(pair, 16));
  return new TextDecoder().decode(bytes);
}

/** Whether words are the name of a file. */
export function isFileName(words: string): boolean {
  return /^[^/\\]{1,200}\.[a-z0-9]{1,5}$/i.test(words);
}
