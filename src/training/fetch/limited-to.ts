import { Readable } from "node:stream";

/** The same bytes, which fail with `refusal` once there are more than `most`; the content is ended then. */
export function limitedTo(content: Readable, most: number, refusal: () => Error): Readable {
  async function* pieces(): AsyncGenerator<Buffer> {
    let left = most;
    for await (const piece of content) {
      const bytes = Buffer.from(piece);
      left -= bytes.length;
      if (left < 0) throw refusal();
      yield bytes;
    }
  }
  const limited = Readable.from(pieces(), { objectMode: false });
  // A generator that was never asked for anything doesn't notice its end, and the connection would stay taken.
  limited.once("close", () => content.destroy());
  // Nor does anybody listen then to why it ended.
  content.once("error", () => undefined);
  return limited;
}
