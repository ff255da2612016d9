/** From `start` up to, not including, `end`, in bytes. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}
