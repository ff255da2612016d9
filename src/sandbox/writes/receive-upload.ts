import { createWriteStream } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { imageSize } from "image-size";
import { extensionOf } from "../bytes/content-type.js";
import { mp4Size } from "../bytes/generated-mp4.js";
import { invalidValue, missingField } from "../server/service-error.js";
import type { Answer } from "../state/answer.js";
import { IMAGE_EXTENSIONS, VIDEO_EXTENSIONS } from "../state/settings.js";
import type { Site } from "../state/site.js";

/** 80 MB (facts, 5.2), counted in powers of two. */
const MOST_BYTES = 80 * 1024 * 1024;
const LEAST_SIDE = 50;
const LEAST_VIDEO = { width: 480, height: 360 };

/** What uploads must keep to, as `GET /user/media/constraints` says it (facts, 12: its shape is not public). */
export function uploadConstraints(site: Site): Answer {
  return {
    extensions: site.settings.extensions,
    maxBytes: MOST_BYTES,
    image: { minWidth: LEAST_SIDE, minHeight: LEAST_SIDE },
    video: { minWidth: LEAST_VIDEO.width, minHeight: LEAST_VIDEO.height },
  };
}

/** Bytes that came in and passed the rules. */
export interface Upload {
  readonly filename: string;
  readonly extension: string;
  readonly kind: "image" | "video" | "document";
  readonly path: string;
  readonly width: number;
  readonly height: number;
}

/**
 * Takes the bytes of an upload into the upload folder. Throws 422: no name, an extension that is not on the site's list,
 * no bytes or too many, an image under 50 x 50 or that is none, a video under 480 x 360. What is refused is not kept.
 */
export async function receiveUpload(
  site: Site,
  filename: string | null,
  stream: ReadableStream<Uint8Array> | null,
  imagesOnly: boolean,
): Promise<Upload> {
  if (filename === null || filename === "") throw missingField("file");
  const extension = extensionOf(filename);
  const allowed = site.settings.extensions.filter((one) => !imagesOnly || IMAGE_EXTENSIONS.includes(one));
  if (!allowed.includes(extension)) throw invalidValue("file", `files of the type «${extension}» are not allowed here`);
  const path = join(await site.uploadFolder(), `${site.newGuid()}.${extension}`);
  try {
    const length = await store(stream, path);
    if (length === 0) throw invalidValue("file", "the body is empty");
    if (length > MOST_BYTES) throw invalidValue("file", "the file is larger than 80 MB");
    return { filename, extension, path, ...(await measured(extension, path)) };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

/** Writes at most one byte more than the limit; the rest is read and dropped, so that the sender gets its answer. */
async function store(stream: ReadableStream<Uint8Array> | null, path: string): Promise<number> {
  let length = 0;
  const limit = new Transform({
    transform(piece: Buffer, _encoding, done) {
      const room = Math.max(0, MOST_BYTES + 1 - length);
      length += piece.length;
      done(null, piece.subarray(0, room));
    },
  });
  const source = stream === null ? Readable.from([]) : Readable.fromWeb(stream as NodeReadableStream<Uint8Array>);
  await pipeline(source, limit, createWriteStream(path));
  return length;
}

async function measured(extension: string, path: string): Promise<Pick<Upload, "kind" | "width" | "height">> {
  if (IMAGE_EXTENSIONS.includes(extension)) return { kind: "image", ...(await measuredImage(path)) };
  if (!VIDEO_EXTENSIONS.includes(extension)) return { kind: "document", width: 0, height: 0 };
  const size = mp4Size(await readFile(path)) ?? { width: 1280, height: 720 };
  if (size.width < LEAST_VIDEO.width || size.height < LEAST_VIDEO.height) {
    throw invalidValue("file", `the video is smaller than ${LEAST_VIDEO.width} x ${LEAST_VIDEO.height}`);
  }
  return { kind: "video", ...size };
}

async function measuredImage(path: string): Promise<{ readonly width: number; readonly height: number }> {
  const size = sizeOfImage(await readFile(path));
  if (size.width < LEAST_SIDE || size.height < LEAST_SIDE) {
    throw invalidValue("file", `the image is smaller than ${LEAST_SIDE} x ${LEAST_SIDE} pixels`);
  }
  return size;
}

function sizeOfImage(bytes: Buffer): { readonly width: number; readonly height: number } {
  try {
    const { width, height, orientation = 1 } = imageSize(bytes);
    // As it is shown: orientations from 5 on turn it by a quarter.
    return orientation < 5 ? { width, height } : { width: height, height: width };
  } catch (error) {
    // image-size throws for every format that it does not know: for a site that is a wrong upload.
    throw invalidValue("file", `the file is no image: ${error instanceof Error ? error.message : String(error)}`);
  }
}
