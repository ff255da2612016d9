import { badRequest } from "../server/service-error.js";

/** More than any client writes before a part. */
const MOST_HEAD = 8192;
const LINE_END = "\r\n";

/** The one part of a form: its names, and its bytes as they come. */
export interface FormPart {
  readonly name: string;
  /** Undefined for a plain field. */
  readonly filename: string | undefined;
  /** Reads the form to its end; throws 400 when it stops before that, or has a second part. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/**
 * Opens a `multipart/form-data` body of one part (RFC 7578), of which it holds no more than a piece at a time. Throws 400 for
 * what is no such body.
 */
export async function onePart(pieces: AsyncIterator<Uint8Array>, boundary: string): Promise<FormPart> {
  const reader = new Pieces(pieces);
  const opening = `--${boundary}${LINE_END}`;
  const first = await reader.until(LINE_END, opening.length);
  if (first !== `--${boundary}`) throw badRequest("The form does not begin with its boundary.");
  const head = await reader.until(LINE_END + LINE_END, MOST_HEAD);
  const disposition = /^content-disposition:[ \t]*form-data[ \t]*;(.*)$/im.exec(head ?? "")?.[1];
  const name = parameterOf(disposition ?? "", "name");
  if (name === undefined) throw badRequest("A part of the form has no name.");
  const delimiter = `${LINE_END}--${boundary}`;
  return { name, filename: parameterOf(disposition ?? "", "filename"), bytes: content(reader, delimiter) };
}

/** The boundary of a content type; undefined when that is no form. */
export function boundaryOf(contentType: string): string | undefined {
  const [, quoted, plain] =
    /^multipart\/form-data[ \t]*;(?:.*;)?[ \t]*boundary=(?:"([^"]{1,70})"|([^\s";]{1,70}))/i.exec(contentType) ?? [];
  return quoted ?? plain;
}

/** Quotes and line ends in names come percent-encoded, all other letters as UTF-8 (HTML, form submission). */
function parameterOf(disposition: string, name: string): string | undefined {
  const value = new RegExp(`(?:^|;)[ \\t]*${name}="([^"]*)"`, "i").exec(disposition)?.[1];
  return value?.replaceAll(/%(?:22|0D|0A)/gi, (encoded) => decodeURIComponent(encoded));
}

async function* content(reader: Pieces, delimiter: string): AsyncGenerator<Uint8Array> {
  for (;;) {
    const at = reader.held.indexOf(delimiter);
    if (at >= 0) {
      yield reader.take(at);
      reader.take(delimiter.length);
      break;
    }
    const safe = reader.held.length - delimiter.length + 1;
    if (safe > 0) yield reader.take(safe);
    if (!(await reader.more())) throw badRequest("The form ends in the middle of a part.");
  }
  while (reader.held.length < 2 && (await reader.more()));
  if (reader.take(2).toString("latin1") !== "--") throw badRequest("The form has more than one part.");
  while (await reader.more()) reader.take(reader.held.length);
}

/** What has come and was not taken yet. */
class Pieces {
  readonly #source: AsyncIterator<Uint8Array>;
  #held = Buffer.alloc(0);

  constructor(source: AsyncIterator<Uint8Array>) {
    this.#source = source;
  }

  get held(): Buffer {
    return this.#held;
  }

  take(length: number): Buffer {
    const taken = this.#held.subarray(0, length);
    this.#held = this.#held.subarray(length);
    return taken;
  }

  /** Waits for the next piece; false at the end. */
  async more(): Promise<boolean> {
    const { done, value } = await this.#source.next();
    if (done === true) return false;
    this.#held = Buffer.concat([this.#held, value]);
    return true;
  }

  /** The text before a mark, which is taken too; undefined when it does not come within so many bytes. */
  async until(mark: string, most: number): Promise<string | undefined> {
    for (;;) {
      const at = this.#held.indexOf(mark);
      if (at > most) return undefined;
      if (at >= 0) {
        const text = this.take(at).toString("utf8");
        this.take(mark.length);
        return text;
      }
      if (this.#held.length > most || !(await this.more())) return undefined;
    }
  }
}
