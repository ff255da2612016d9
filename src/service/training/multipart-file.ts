import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { EXIT, FerryError } from "../../core/errors.js";
import type { Upload } from "../../core/training.js";
import type { SendCall } from "../client.js";

/**
 * A form with one file in it, as a browser sends it (RFC 7578), for `SendCall.file`. It is streamed, and its length is known before:
 * the sites' proxies and the engine want a Content-Length.
 * @param name of the form's field
 * @param type of the file
 */
export function multipartFile(name: string, type: string, upload: Upload): NonNullable<SendCall["file"]> {
  // 122 random bits: no file holds them, and none is searched for them.
  const boundary = `guideferry-${randomUUID()}`;
  const head = Buffer.from(
    `--${boundary}\r\n` +
      `Content-Disposition: form-data; name="${quoted(name)}"; filename="${quoted(upload.fileName)}"\r\n` +
      `Content-Type: ${type}\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    size: head.length + upload.size + tail.length,
    open: () => Readable.from(pieces(head, upload, tail), { objectMode: false }),
  };
}

/**
 * A name inside of quotes: UTF-8 as it is, `"` and line ends as %22, %0D and %0A (HTML, multipart/form-data encoding algorithm); other
 * control characters likewise. `filename*` is for answers only (RFC 7578, 4.2).
 */
function quoted(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return name.replace(/["\u0000-\u001f\u007f]/g, encodeURIComponent);
}

async function* pieces(head: Buffer, upload: Upload, tail: Buffer): AsyncGenerator<Uint8Array> {
  yield head;
  let sent = 0;
  for await (const bytes of contentOf(upload)) {
    sent += bytes.length;
    if (sent > upload.size) throw changed(upload, `more than ${upload.size} bytes came`);
    yield bytes;
  }
  if (sent < upload.size) throw changed(upload, `only ${sent} of ${upload.size} bytes came`);
  yield tail;
}

async function* contentOf(upload: Upload): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of upload.open()) {
      const bytes: unknown = piece;
      if (!(bytes instanceof Uint8Array)) throw new TypeError(`a stream of bytes gave a ${typeof bytes}`);
      yield bytes;
    }
  } catch (error) {
    throw new FerryError(
      `${upload.fileName} could not be read to its end while it was sent. The connection was closed, so the site has no whole package. Check the disk that it lies on, and run again.`,
      { exitCode: EXIT.someFailed, cause: error },
    );
  }
}

function changed({ fileName }: Upload, what: string): FerryError {
  return new FerryError(
    `${fileName} changed while it was sent: ${what}. The connection was closed, so the site has no whole package. Run again when nothing writes to it.`,
    { exitCode: EXIT.someFailed },
  );
}
