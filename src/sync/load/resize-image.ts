import { createRequire } from "node:module";
import type { Sharp } from "sharp";
import type { Resized } from "../../../transforms/fit/context.js";
import { FerryError, messageOf } from "../../core/errors.js";

export class ResizeError extends FerryError {}

const EXTENSIONS: ReadonlySet<string> = new Set(["jpg", "jpeg", "png", "gif", "webp", "tif", "tiff", "avif"]);

const INSTALL = "install the package sharp next to guideferry (npm install sharp)";
let installed: boolean | undefined;

/** Why images with this extension can't be resized; null: they can. */
export function notResizable(extension: string | undefined): string | null {
  installed ??= isInstalled();
  if (!installed) return `no image can be resized on this machine; ${INSTALL}`;
  if (extension !== undefined && EXTENSIONS.has(extension)) return null;
  return `images of the format ${extension ?? "unknown"} cannot be resized`;
}

function isInstalled(): boolean {
  try {
    createRequire(import.meta.url).resolve("sharp");
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND") return false;
    throw error;
  }
}

/**
 * Keeps format, orientation, colour profile and space, transparency and the frames of an animation.
 * Throws ResizeError where the format is unknown or the library has no binary for this machine.
 */
export async function resizeImage(bytes: Buffer, { of, how, size: shown }: Resized): Promise<Buffer> {
  const sharp = await load();
  sharp.cache(false);
  try {
    const facts = await sharp(bytes).metadata();
    const { format, space, hasAlpha, pages = 1, chromaSubsampling, compression, orientation = 1 } = facts;
    const size = orientation < FIRST_TURNED ? shown : { width: shown.height, height: shown.width };
    const image = sharp(bytes, { animated: pages > 1, autoOrient: false }).keepMetadata();
    // The library converts other colour spaces than sRGB unless told otherwise.
    if (space !== undefined && space !== STANDARD) image.pipelineColourspace(space).toColourspace(space);
    const background = hasAlpha === true ? TRANSPARENT : WHITE;
    const fit = how === "enlarge" ? "fill" : "contain";
    const resized =
      how === "pad" && pages === 1 ? await padded(image, size, background) : image.resize({ ...size, fit, background });
    return await inFormat(resized, format, { chromaSubsampling, compression }).toBuffer();
  } catch (error) {
    throw new ResizeError(`${of} could not be resized to ${shown.width} x ${shown.height}: ${messageOf(error)}`);
  }
}

async function load() {
  try {
    return (await import("sharp")).default;
  } catch (error) {
    throw new ResizeError(`The package sharp cannot be loaded (${messageOf(error)}). To resize images, ${INSTALL}.`);
  }
}

/** The first EXIF orientation that swaps width and height. */
const FIRST_TURNED = 5;
/** Needs no conversion. */
const STANDARD = "srgb";
const TRANSPARENT = { r: 0, g: 0, b: 0, alpha: 0 };
const WHITE = { r: 255, g: 255, b: 255, alpha: 1 };

async function padded(image: Sharp, size: Resized["size"], background: typeof WHITE): Promise<Sharp> {
  const { width = 0, height = 0 } = await image.metadata();
  const [left, top] = [Math.floor((size.width - width) / 2), Math.floor((size.height - height) / 2)];
  return image.extend({ left, top, right: size.width - width - left, bottom: size.height - height - top, background });
}

/** Of 100: few losses in lossy formats. */
const QUALITY = 95;

interface Encoding {
  readonly chromaSubsampling: string | undefined;
  readonly compression: string | undefined;
}

function inFormat(image: Sharp, format: string | undefined, { chromaSubsampling, compression }: Encoding): Sharp {
  const isFull = chromaSubsampling?.startsWith("4:4:4") === true;
  if (format === "jpeg") return image.jpeg({ quality: QUALITY, chromaSubsampling: isFull ? "4:4:4" : "4:2:0" });
  if (format === "png") return image.png();
  if (format === "gif") return image.gif();
  if (format === "webp") return image.webp({ quality: QUALITY });
  if (format === "tiff") return image.tiff({ compression: "lzw" });
  if (format === "heif" && compression === "av1") return image.avif({ quality: QUALITY });
  throw new TypeError(`the format ${format ?? "of the file"} cannot be written`);
}
