import { type Key, restOf } from "../../../src/core/model/key.js";
import { embedAddress } from "../embed-address.js";
import {
  IMAGE_SIZES,
  type ManualDocument,
  type ManualEmbed,
  type ManualImage,
  type ManualPlace,
  type ManualVideo,
} from "../manual.js";
import { bundleAddress } from "./bundle-address.js";
import { type Converting, remark } from "./converting.js";
import { derivedId, idOf } from "./derived-id.js";
import { addressIn, resolvePath } from "./resolve-path.js";

/** The key of an image, its use noted: the original, else the largest size that is here or on the web. null: none is. */
export function pickImage(image: ManualImage, path: string, converting: Converting): Key | null {
  const candidates = [image.path, ...IMAGE_SIZES.map((size) => image.sizes[size] ?? "")];
  const wanted = { kind: "image", id: image.id, guid: image.guid, candidates, path } as const;
  const picked = pick(wanted, converting, image.at);
  if (picked === null || picked.rank === 0 || image.path === "") return picked?.key ?? null;
  const what = `the original ${image.path} is not in the package; the size "${IMAGE_SIZES[picked.rank - 1]}" is taken for it`;
  remark(converting, { code: "image-not-original", level: "loss", path, what }, image.at);
  return picked.key;
}

/** The key of a video by its encoding with most pixels; null: none can be fetched. */
export function pickVideo(video: ManualVideo, path: string, converting: Converting): Key | null {
  const pixels = ({ facts }: ManualVideo["encodings"][number]) => Number(facts["width"]) * Number(facts["height"]) || 0;
  const candidates = video.encodings.toSorted((a, b) => pixels(b) - pixels(a)).map((encoding) => encoding.path);
  return pick({ kind: "video", id: video.id, guid: null, candidates, path }, converting, video.at)?.key ?? null;
}

/** Films that documents name by their files. */
const FILM = /\.(?:mp4|m4v|mov|webm|ogv|avi|mpe?g|wmv|flv)$/i;

/**
 * The key of the film in the package that an embed leads to: writers have films as embeds. null: it is not there;
 * undefined: the embed leads elsewhere.
 */
export function embeddedVideo(embed: ManualEmbed, path: string, converting: Converting): Key | null | undefined {
  const address = embedAddress(embed);
  if (address === "" || addressIn(address) !== undefined) return undefined;
  const isFile = resolvePath(address, converting.path, converting.bundle) !== undefined;
  if (!isFile && (!FILM.test(address) || /^[a-z][a-z0-9+.-]*:/i.test(address))) return undefined;
  const { facts, at } = embed;
  const video = { id: facts["objectid"] ?? null, encodings: [{ path: address, facts: {} }], source: {}, poster: null };
  return pickVideo(at === undefined ? video : { ...video, at }, path, converting);
}

/** Pictures that documents name by their files. */
const PICTURE = /\.(?:jpe?g|png|gif|webp|bmp|tiff?)$/i;

/** Files that people attach; a document alone can't tell which others lie beside it. */
const ATTACHED = /\.(?:pdf|docx?|xlsx?|pptx?|od[tsp]|csv|txt|rtf|zip|dxf|dwg|stl|ste?p)$/i;

const FILES = { image: PICTURE, video: FILM, document: ATTACHED } as const;

/** The id of a file of the package that a text shows or links to; undefined where it is no file of this kind. */
export function fileId(
  kind: "image" | "video" | "document",
  address: string,
  path: string,
  converting: Converting,
): string | undefined {
  const file = addressIn(address) === undefined ? resolvePath(address, converting.path, converting.bundle) : undefined;
  if (file === undefined || !FILES[kind].test(file)) return undefined;
  const picked = pick({ kind, id: null, guid: null, candidates: [address], path }, converting);
  return picked === null ? undefined : restOf(picked.key);
}

/** The key of a document, by its storage's address, its path, the site's page. */
export function pickDocument(document: ManualDocument, path: string, converting: Converting): Key | null {
  const candidates = [document.text, document.downloadUrl ?? "", document.url ?? ""];
  return (
    pick({ kind: "document", id: document.id, guid: null, candidates, path }, converting, document.at)?.key ?? null
  );
}

interface Wanted {
  readonly kind: "image" | "video" | "document";
  readonly id: string | null;
  readonly guid: string | null;
  /** Paths and addresses, the best first; empty texts stand for none. */
  readonly candidates: readonly string[];
  readonly path: string;
}

interface Picked {
  readonly key: Key;
  /** The place among the candidates. */
  readonly rank: number;
}

function pick({ kind, id, guid, candidates, path }: Wanted, converting: Converting, at?: ManualPlace): Picked | null {
  const { bundle } = converting;
  for (const [rank, candidate] of candidates.entries()) {
    const address = addressIn(candidate);
    const file =
      candidate === "" || address !== undefined ? undefined : resolvePath(candidate, converting.path, bundle);
    if (address === undefined && file === undefined) continue;
    const identity = file === undefined ? (address ?? "") : file.slice(bundle.top.length);
    const key: Key = `${kind}/${idOf(id) ?? derivedId(identity)}`;
    const fileName = file === undefined ? nameOf(kind, address ?? "") : (file.split("/").at(-1) ?? null);
    const url = file === undefined ? (address ?? null) : bundleAddress(file);
    if (!converting.uses.has(key)) converting.uses.set(key, { key, url, guid, fileName, path });
    return { key, rank };
  }
  const named = candidates.filter((candidate) => candidate !== "").slice(0, 3);
  const what = `the ${kind} ${named.join(", ") || "without an address"} is neither in the package nor on the web; it is left out`;
  remark(converting, { code: "media-missing", level: "loss", path, what }, at);
  return null;
}

/** Addresses of images end in a size, which is no name; those of documents and videos end in the file's name. */
function nameOf(kind: Wanted["kind"], address: string): string | null {
  const last = address.split(/[?#]/, 1)[0]?.split("/").at(-1) ?? "";
  return kind !== "image" && /\.[a-z0-9]{1,5}$/i.test(last) ? last : null;
}
