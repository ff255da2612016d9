/** The lines of a text, cut at `\n` alone: Node's readline also cuts at U+2028, which JSON leaves as it is. */
export async function* linesOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let held: Buffer[] = [];
  for await (const piece of pieces) {
    let from = 0;
    for (let end = piece.indexOf(0x0a); end >= 0; end = piece.indexOf(0x0a, from)) {
      held.push(piece.subarray(from, end));
      yield Buffer.concat(held).toString("utf8");
      held = [];
      from = end + 1;
    }
    if (from < piece.length) held.push(piece.subarray(from));
  }
  if (held.length > 0) yield Buffer.concat(held).toString("utf8");
}
