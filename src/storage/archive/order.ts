/** By code points, the same on every machine and in every language. */
export function inOrder(paths: Iterable<string>): readonly string[] {
  return [...paths].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
}
