import { crc32, deflateRawSync } from "node:zlib";

/** The fields of an entry that its own header and the list of entries both have. */
export interface Fields {
  readonly name: string | Buffer;
  readonly flags: number;
  readonly method: number;
  readonly crc32: number;
  readonly packedSize: number;
  readonly size: number;
  readonly extra: Buffer;
}

/**
 * One entry; what isn't given is as it should be. `local` and `listed` make the two headers differ.
 */
export interface Part {
  readonly name: string | Buffer;
  readonly content?: string | Buffer;
  /** Default: deflated, when that is shorter. */
  readonly store?: boolean;
  readonly both?: Partial<Fields>;
  readonly local?: Partial<Fields>;
  readonly listed?: Partial<Fields>;
  /** Instead of the packed content. */
  readonly packed?: Buffer;
  /** Behind the packed content. */
  readonly descriptor?: Buffer;
  /** Before its own header. */
  readonly gap?: Buffer;
  /** The unix mode. */
  readonly mode?: number;
  readonly attributes?: number;
  readonly madeBy?: number;
  readonly disk?: number;
  readonly comment?: Buffer;
  /** Where the list says that its own header lies. */
  readonly at?: number;
  /** No header and no content are written: only the list has it. */
  readonly isListedOnly?: boolean;
  /** The list leaves it out. */
  readonly isHidden?: boolean;
}

export interface Whole {
  readonly prefix?: Buffer;
  /** Positions count from behind the prefix. */
  readonly isShifted?: boolean;
  readonly comment?: Buffer;
  readonly commentLength?: number;
  readonly trailing?: Buffer;
  readonly count?: number;
  readonly countHere?: number;
  readonly disk?: number;
  readonly listSize?: number;
  readonly listAt?: number;
  readonly listSignature?: number;
  readonly zip64?: {
    readonly count?: number;
    readonly listSize?: number;
    readonly recordAt?: number;
    readonly disks?: number;
  };
}

/**
 * A zip archive byte by byte, written after PKWARE's APPNOTE and with no library, so that it can
 * lie anywhere.
 */
export function zipBytes(parts: readonly Part[], whole: Whole = {}): Buffer {
  const prefix = whole.prefix ?? Buffer.alloc(0);
  const pieces: Buffer[] = [prefix];
  const list: Buffer[] = [];
  let position = prefix.length;
  const shift = whole.isShifted === true ? prefix.length : 0;
  for (const part of parts) {
    const fields = fieldsOf(part);
    const at = position + (part.gap?.length ?? 0) - shift;
    if (part.isListedOnly !== true) {
      const body = Buffer.concat([
        part.gap ?? NOTHING,
        localHeader({ ...fields, ...part.local }),
        packedOf(part),
        part.descriptor ?? NOTHING,
      ]);
      pieces.push(body);
      position += body.length;
    }
    if (part.isHidden !== true) list.push(listHeader({ ...fields, ...part.listed }, part, part.at ?? at));
  }
  const listBytes = Buffer.concat(list);
  const place = { count: list.length, listSize: listBytes.length, listAt: position - shift };
  if (whole.listSignature !== undefined) listBytes.writeUInt32LE(whole.listSignature);
  return Buffer.concat([...pieces, listBytes, endOf(whole, place), whole.trailing ?? NOTHING]);
}

const NOTHING = Buffer.alloc(0);

interface Place {
  readonly count: number;
  readonly listSize: number;
  readonly listAt: number;
}

function endOf(whole: Whole, place: Place): Buffer {
  const comment = whole.comment ?? NOTHING;
  const end = numbers(
    [4, 0x06054b50],
    [2, whole.disk ?? 0],
    [2, whole.disk ?? 0],
    [2, whole.countHere ?? whole.count ?? place.count],
    [2, whole.count ?? place.count],
    [4, whole.listSize ?? place.listSize],
    [4, whole.listAt ?? place.listAt],
    [2, whole.commentLength ?? comment.length],
  );
  return Buffer.concat([zip64Of(whole, place), end, comment]);
}

function zip64Of({ zip64 }: Whole, place: Place): Buffer {
  if (zip64 === undefined) return NOTHING;
  const count = zip64.count ?? place.count;
  return numbers(
    [4, 0x06064b50],
    [8, 44],
    [2, 45],
    [2, 45],
    [4, 0],
    [4, 0],
    [8, count],
    [8, count],
    [8, zip64.listSize ?? place.listSize],
    [8, place.listAt],
    [4, 0x07064b50],
    [4, 0],
    [8, zip64.recordAt ?? place.listAt + place.listSize],
    [4, zip64.disks ?? 1],
  );
}

/** Little-endian numbers of 2, 4 or 8 bytes. */
export function numbers(...fields: readonly (readonly [2 | 4 | 8, number])[]): Buffer {
  return Buffer.concat(
    fields.map(([width, value]) => {
      const bytes = Buffer.alloc(width);
      if (width === 8) bytes.writeBigUInt64LE(BigInt(value));
      else bytes.writeUIntLE(value, 0, width);
      return bytes;
    }),
  );
}

function contentOf(part: Part): Buffer {
  return Buffer.from(part.content ?? "");
}

function packedOf(part: Part): Buffer {
  const content = contentOf(part);
  return part.packed ?? (isStored(part) ? content : deflateRawSync(content));
}

function isStored(part: Part): boolean {
  return part.store ?? deflateRawSync(contentOf(part)).length >= contentOf(part).length;
}

function fieldsOf(part: Part): Fields {
  const content = contentOf(part);
  const isPlain = Buffer.from(part.name).every((byte) => byte < 0x80);
  return {
    name: part.name,
    flags: isPlain ? 0 : 0x800,
    method: isStored(part) ? 0 : 8,
    crc32: crc32(content),
    packedSize: packedOf(part).length,
    size: content.length,
    extra: NOTHING,
    ...part.both,
  };
}

function localHeader(fields: Fields): Buffer {
  const name = Buffer.from(fields.name);
  const head = numbers([4, 0x04034b50], [2, 20], ...common(fields), [2, name.length], [2, fields.extra.length]);
  return Buffer.concat([head, name, fields.extra]);
}

function listHeader(fields: Fields, part: Part, at: number): Buffer {
  const name = Buffer.from(fields.name);
  const comment = part.comment ?? NOTHING;
  const head = numbers(
    [4, 0x02014b50],
    [2, (part.madeBy ?? 3) * 256 + 20],
    [2, 20],
    ...common(fields),
    [2, name.length],
    [2, fields.extra.length],
    [2, comment.length],
    [2, part.disk ?? 0],
    [2, 0],
    [4, part.attributes ?? (part.mode ?? 0o100644) * 0x10000],
    [4, at],
  );
  return Buffer.concat([head, name, fields.extra, comment]);
}

function common({ flags, method, crc32: checksum, packedSize, size }: Fields): readonly (readonly [2 | 4, number])[] {
  return [
    [2, flags],
    [2, method],
    [2, 0],
    [2, 0x21],
    [4, checksum],
    [4, packedSize],
    [4, size],
  ];
}

/** Checksum and sizes that stand behind a content. */
export function descriptor(content: string | Buffer, packedSize: number, signed = true, width: 4 | 8 = 4): Buffer {
  const bytes = Buffer.from(content);
  const rest = [
    [4, crc32(bytes)],
    [width, packedSize],
    [width, bytes.length],
  ] as const;
  return signed ? numbers([4, 0x08074b50], ...rest) : numbers(...rest);
}

/** Info-ZIP's extra field with a name in UTF-8, and the checksum of the name in the header. */
export function unicodePath(header: string, name: string): Buffer {
  const rest = Buffer.concat([Buffer.from([1]), numbers([4, crc32(header)]), Buffer.from(name)]);
  return Buffer.concat([numbers([2, 0x7075], [2, rest.length]), rest]);
}
