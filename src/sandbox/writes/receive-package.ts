import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { boundaryOf, onePart } from "../bytes/multipart.js";
import { packageLook } from "../bytes/package-look.js";
import type { AccountCall } from "../server/route.js";
import { invalidValue, missingField, ServiceError, unprocessable } from "../server/service-error.js";
import type { Site } from "../state/site.js";
import type { PackageLook } from "../state/training-desk.js";

/** Content types of a body that is the package itself; with none it is taken for one too. */
const RAW_TYPES: readonly string[] = [
  "",
  "application/zip",
  "application/x-zip-compressed",
  "application/octet-stream",
];

/** An upload that came in whole. */
export interface ReceivedPackage {
  readonly filename: string;
  readonly look: PackageLook;
}

/**
 * Takes the bytes of a package: a form with one part `file`, or the body itself with the name in the query's `file`. The body is
 * read to its end whatever is wrong with it, so that the sender gets its answer. Throws what `check` throws, 400 for a form or a
 * body that stops short, 413 above the site's limit, 422 for no name, no bytes, another field.
 */
export async function receivePackage(call: AccountCall, check: () => void): Promise<ReceivedPackage> {
  const pieces = (call.stream ?? new Blob([]).stream())[Symbol.asyncIterator]();
  try {
    check();
    const { filename, bytes } = await uploadOf(call, pieces);
    const look = await keepAndLook(call.site, bytes);
    if (look.bytes === 0) throw invalidValue("file", "the package is empty");
    return { filename, look };
  } catch (error) {
    if (error instanceof ServiceError) while ((await pieces.next()).done !== true);
    throw error;
  }
}

/** Looks at the bytes of a package on disk, where they are only as long as that takes. Throws 413 above the site's limit. */
export async function keepAndLook(site: Site, source: AsyncIterable<Uint8Array>): Promise<PackageLook> {
  const path = join(await site.uploadFolder(), `${site.newGuid()}.package`);
  const { maxBytes } = site.settings.training;
  const sum = createHash("sha256");
  let bytes = 0;
  try {
    await pipeline(
      Readable.from(source, { objectMode: false }),
      async function* (arriving: AsyncIterable<Uint8Array>) {
        for await (const piece of arriving) {
          bytes += piece.length;
          sum.update(piece);
          if (bytes <= maxBytes) yield piece;
        }
      },
      createWriteStream(path),
    );
    if (bytes > maxBytes) throw new ServiceError(413, { message: `The package is larger than ${maxBytes} bytes.` });
    return { ...(await packageLook(path)), bytes, sha256: sum.digest("hex") };
  } finally {
    await rm(path, { force: true });
  }
}

async function uploadOf(
  call: AccountCall,
  pieces: AsyncIterator<Uint8Array>,
): Promise<{ readonly filename: string; readonly bytes: AsyncIterable<Uint8Array> }> {
  const type = call.headers.get("content-type") ?? "";
  const boundary = boundaryOf(type);
  if (boundary === undefined) {
    const filename = call.query.get("file") ?? "";
    const media = type.replace(/;.*/s, "").trim().toLowerCase();
    if (!RAW_TYPES.includes(media)) throw invalidValue("file", `${media} is no type that a package is sent as`);
    if (filename === "") throw missingField("file");
    return { filename, bytes: theRest(pieces) };
  }
  const { name, filename = "", bytes } = await onePart(pieces, boundary);
  if (name !== "file") throw unprocessable([{ field: name, code: "unknown_field", message: "the package is in file" }]);
  if (filename === "") throw missingField("file");
  return { filename, bytes };
}

async function* theRest(pieces: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) yield next.value;
}
