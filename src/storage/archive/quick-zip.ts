import type { Writable } from "node:stream";
import { crc32, deflateRawSync, type ZlibOptions } from "node:zlib";
import { ZipArchive } from "archiver";
import { FerryError } from "../../core/errors.js";
import { AT_ONCE, Blocks } from "./blocks.js";

/** archiver's archive, and the blocks that come out of it. */
export interface QuickZip {
  readonly archive: ZipArchive;
  /** To be given back what came out, when it is written. */
  readonly blocks: Blocks;
}

const DEFLATED = 8;

/** What archiver packs with, of version 8.0.0: package.json names that version exactly, since these parts are its own affair. */
interface Engine extends Writable {
  /** Bytes of the archive until now. */
  offset: number;
  _appendBuffer(entry: EngineEntry, content: Buffer, done: Done): void;
  _writeLocalFileHeader(entry: EngineEntry): void;
  _afterAppend(entry: EngineEntry): void;
}

interface EngineEntry {
  getMethod(): number;
  setCrc(checksum: number): void;
  setSize(bytes: number): void;
  setCompressedSize(bytes: number): void;
}

type Done = (error: Error | null, entry: EngineEntry) => void;

/**
 * archiver as it is, byte by byte, in half of the time and with much less memory. It gives each field of each header as a stream's piece of its
 * own, the whole list of entries at the end in one go, and every content that is deflated to a thread. Here the fields are joined to blocks as they
 * come, and small contents deflated where they are. `zlib` is archiver's own option, asked for at each entry.
 */
export function createQuickZip(zlib: ZlibOptions): QuickZip {
  const archive = new ZipArchive({ zlib });
  const engine = engineOf(archive);
  const blocks = joinPieces(engine);
  packAtOnce(engine, zlib);
  return { archive, blocks };
}

function joinPieces(engine: Engine): Blocks {
  const write = engine.write.bind(engine) as (bytes: Buffer) => boolean;
  const end = engine.end.bind(engine);
  const blocks = new Blocks((bytes) => {
    // Its own `write` counts them a second time.
    engine.offset -= bytes.length;
    write(bytes);
  });
  engine.write = (piece: Buffer | string): boolean => {
    const bytes = typeof piece === "string" ? Buffer.from(piece) : piece;
    engine.offset += bytes.length;
    blocks.add(bytes);
    return !engine.writableNeedDrain;
  };
  engine.end = () => {
    blocks.end();
    return end();
  };
  return blocks;
}

function packAtOnce(engine: Engine, zlib: ZlibOptions): void {
  const append = engine._appendBuffer.bind(engine);
  engine._appendBuffer = (entry, content, done) => {
    if (content.length === 0 || content.length > AT_ONCE) {
      append(entry, content, done);
      return;
    }
    const packed = entry.getMethod() === DEFLATED ? deflateRawSync(content, zlib) : content;
    const note = (): void => {
      entry.setCrc(crc32(content));
      entry.setSize(content.length);
      entry.setCompressedSize(packed.length);
    };
    // What is deflated has these behind it, and nothing in their place before.
    if (packed === content) note();
    engine._writeLocalFileHeader(entry);
    engine.write(packed);
    if (packed !== content) note();
    engine._afterAppend(entry);
    done(null, entry);
  };
}

function engineOf(archive: ZipArchive): Engine {
  const module: unknown = Reflect.get(archive, "_module");
  const engine: unknown = typeof module === "object" && module !== null ? Reflect.get(module, "engine") : undefined;
  if (isEngine(engine)) return engine;
  throw new FerryError(
    "The package archiver is not the version 8.0.0 that guideferry was made with: install guideferry anew, without overriding it.",
  );
}

const PARTS = ["write", "end", "_appendBuffer", "_writeLocalFileHeader", "_afterAppend"] as const;

function isEngine(value: unknown): value is Engine {
  if (typeof value !== "object" || value === null || typeof Reflect.get(value, "offset") !== "number") return false;
  return PARTS.every((part) => typeof Reflect.get(value, part) === "function");
}
