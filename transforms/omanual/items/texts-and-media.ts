import { type Key, restOf } from "../../../src/core/model/key.js";
import { fromHtml } from "../../html/from-html.js";
import { print } from "../../wiki/print.js";
import { plainText } from "../../wiki/read-tree.js";
import type { TextContext } from "../../wiki/tree.js";
import { addressIn, bundleAddress, derivedId, idOf, resolvePath } from "../addresses.js";
import {
  embedAddress,
  IMAGE_SIZES,
  type ManualDocument,
  type ManualEmbed,
  type ManualImage,
  type ManualPlace,
  type ManualText,
  type ManualVideo,
} from "../manual.js";
import { type Converting, remark } from "./converting.js";

/** The raw text of a line where it exists: a single line loses nothing in an attribute. */
export function lineText({ html, raw, at }: ManualText, path: string, converting: Converting): string {
  return raw?.trim() || convert(html, "line", path, converting, at).trim();
}

/**
 * Raw text counts only with its line ends, or for HTML of one block (omanual 9). Else the HTML is
 * converted, and raw macros fill its empty video boxes.
 */
export function pageText(text: ManualText | null, path: string, converting: Converting): string {
  if (text === null) return "";
  const { html, raw, at } = text;
  if (raw !== null && (raw.includes("\n") || isOneBlock(html))) return raw;
  const boxed = html.replace(EMPTY_BOX, (whole, attributes: string) => (VIDEO_CLASS.test(attributes) ? BOX : whole));
  const pieces = boxed.split(BOX);
  const videos = [...(raw ?? "").matchAll(VIDEO_MACRO)].map(([macro]) => macro);
  if (pieces.length - 1 > videos.length) {
    const what = `${pieces.length - 1 - videos.length} videos in the text have no address. They are left out`;
    remark(converting, { code: "video-without-address", level: "loss", path, what }, at);
  }
  // Videos without a box come last.
  const parts = pieces.flatMap((piece, index) => [convert(piece, "page", path, converting, at), videos[index] ?? ""]);
  return [...parts, ...videos.slice(pieces.length)]
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join("\n\n");
}

/** Descriptions hold no markup at a site (omanual 11). */
export function plainWords(html: string): string {
  const { tree } = fromHtml(html, { context: "line" });
  return tree.type === "line" ? plainText(tree.children).trim() : "";
}

/** Sites print it for videos whose address XML has no place for (omanual 8). */
const EMPTY_BOX = /<div(\s[^<>]{0,300})>\s*<\/div>/gi;
const VIDEO_CLASS = /\sclass\s*=\s*["'][^"']*videoBox/i;
/** Not a character of XML, so no document has it. */
const BOX = "\uffff";
const VIDEO_MACRO = /\[video\|[^[\]\n]{1,2000}\]/g;
/** Most lines have no markup, and parsing HTML takes most of the time of a guide. */
function isPlain(html: string): boolean {
  return /^[A-Za-z0-9 .;:()%?!"'°×–—…-]*$/.test(html) && !/''|--| {2}|:[^ ]|www/i.test(html);
}

const BLOCK = /<(?:p|h[1-6]|ul|ol|li|pre|div|blockquote|table)[\s>]/gi;
const BREAK = /<br[\s/>]/i;

/** A line break within a block may be lost in the raw text too. */
function isOneBlock(html: string): boolean {
  return (html.match(BLOCK)?.length ?? 0) <= 1 && !BREAK.test(html);
}

function convert(
  html: string,
  context: TextContext,
  path: string,
  converting: Converting,
  at: ManualText["at"],
): string {
  if (html.trim() === "" || (context === "line" && isPlain(html))) return html.trim();
  const { site } = converting;
  const { tree, issues } = fromHtml(html, {
    context,
    mediaId: (kind, address) => fileId(kind, address, path, converting),
    ...(site === undefined ? {} : { site }),
  });
  for (const { code, level, message } of issues)
    remark(converting, { code, level, path, what: message.replace(/\.$/, "") }, at);
  return print(tree);
}

/** Records the use of an image: the original, else the largest available size. null: none. */
export function pickImage(image: ManualImage, path: string, converting: Converting): Key | null {
  const candidates = [image.path, ...IMAGE_SIZES.map((size) => image.sizes[size] ?? "")];
  const wanted = { kind: "image", id: image.id, guid: image.guid, candidates, path } as const;
  const picked = pick(wanted, converting, image.at);
  if (picked === null || picked.rank === 0 || image.path === "") return picked?.key ?? null;
  const what = `the original ${image.path} is not in the package. The size "${IMAGE_SIZES[picked.rank - 1]}" replaces it`;
  remark(converting, { code: "image-not-original", level: "loss", path, what }, image.at);
  return picked.key;
}

/** The encoding with most pixels; null: none can be fetched. */
export function pickVideo(video: ManualVideo, path: string, converting: Converting): Key | null {
  const pixels = ({ facts }: ManualVideo["encodings"][number]) => Number(facts["width"]) * Number(facts["height"]) || 0;
  const candidates = video.encodings.toSorted((a, b) => pixels(b) - pixels(a)).map((encoding) => encoding.path);
  return pick({ kind: "video", id: video.id, guid: null, candidates, path }, converting, video.at)?.key ?? null;
}

const VIDEO_FILE = /\.(?:mp4|m4v|mov|webm|ogv|avi|mpe?g|wmv|flv)$/i;

/** Videos are written as embeds. null: missing file; undefined: not a file of the package. */
export function embeddedVideo(embed: ManualEmbed, path: string, converting: Converting): Key | null | undefined {
  const address = embedAddress(embed);
  if (address === "" || addressIn(address) !== undefined) return undefined;
  const isFile = resolvePath(address, converting.path, converting.bundle) !== undefined;
  if (!isFile && (!VIDEO_FILE.test(address) || /^[a-z][a-z0-9+.-]*:/i.test(address))) return undefined;
  const { facts, at } = embed;
  const video = { id: facts["objectid"] ?? null, encodings: [{ path: address, facts: {} }], source: {}, poster: null };
  return pickVideo(at === undefined ? video : { ...video, at }, path, converting);
}

const IMAGE_FILE = /\.(?:jpe?g|png|gif|webp|bmp|tiff?)$/i;

/** A single document does not list the files next to it. */
const ATTACHED = /\.(?:pdf|docx?|xlsx?|pptx?|od[tsp]|csv|txt|rtf|zip|dxf|dwg|stl|ste?p)$/i;

const FILES = { image: IMAGE_FILE, video: VIDEO_FILE, document: ATTACHED } as const;

function fileId(
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

/** By the storage's address, the path, or the site's page. */
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
  /** Paths and addresses, the best first. */
  readonly candidates: readonly string[];
  readonly path: string;
}

interface Picked {
  readonly key: Key;
  /** The index of the candidate. */
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
  const what = `the ${kind} ${named.join(", ") || "without an address"} is neither in the package nor on the web. It is left out`;
  remark(converting, { code: "media-missing", level: "loss", path, what }, at);
  return null;
}

/** Addresses of images end in a size, those of documents and videos in the file's name. */
function nameOf(kind: Wanted["kind"], address: string): string | null {
  const last = address.split(/[?#]/, 1)[0]?.split("/").at(-1) ?? "";
  return kind !== "image" && /\.[a-z0-9]{1,5}$/i.test(last) ? last : null;
}
