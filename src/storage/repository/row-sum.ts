import { crc32 } from "node:zlib";

/**
 * The checksum of a row that is written: of its JSON without `read`, which may be another each night in a row that says the same, and without the
 * checksum itself. Eight hexadecimal digits.
 */
export function rowSum({ read: _read, sum: _sum, ...said }: Readonly<Record<string, unknown>>): string {
  return crc32(JSON.stringify(said)).toString(16).padStart(8, "0");
}
