import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import type { Content } from "../state/media.js";
import { generatedMp4 } from "./generated-mp4.js";
import { generatedPdf } from "./generated-pdf.js";
import { generatedPng } from "./generated-png.js";

/** A medium's size as it was declared; generated images take it on. */
interface Sized {
  readonly content: Content;
  readonly width?: number;
  readonly height?: number;
}

/** The bytes of a medium. Generated ones are the same at every call. */
export function contentBytes({ content, width, height }: Sized): Buffer {
  if (content.from === "file") return readFileSync(content.path);
  const make = { png: generatedPng, pdf: generatedPdf, mp4: generatedMp4 }[content.make];
  return make(content.seed, width, height);
}

/** The number of bytes. */
export function contentLength(medium: Sized): number {
  return medium.content.from === "file" ? statSync(medium.content.path).size : contentBytes(medium).length;
}

/** sha256 of the bytes, in hexadecimal. Counted once: the bytes of a medium never change. */
export function contentHash(medium: Sized): string {
  const known = hashes.get(medium.content);
  if (known !== undefined) return known;
  const hash = createHash("sha256").update(contentBytes(medium)).digest("hex");
  hashes.set(medium.content, hash);
  return hash;
}

const hashes = new WeakMap<Content, string>();
