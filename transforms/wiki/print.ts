import { PARTS, type Part, type Place, type Printable, type Run, TOP, type Written } from "./print-parts.js";

/**
 * Writes a tree, or a node of one, as wiki text: `print(parse(text, …).tree) === text` for every text. It joins what the nodes
 * say and escapes nothing, since the syntax has no escape; for text from elsewhere see `neutralise`.
 */
export function print(node: Printable): string {
  const first = partsOf(node, TOP);
  if (typeof first === "string") return first;
  let written = "";
  // A stack instead of recursion: a tree from elsewhere may be deeper than the engine's own stack.
  const rest: Part[] = [];
  pushParts(rest, first);
  for (let part = rest.pop(); part !== undefined; part = rest.pop()) {
    written += typeof part === "string" ? part : writeRun(rest, part);
  }
  return written;
}

/** Writes the nodes of a run up to the first that has nodes in it, which goes on the stack with what is left of the run. */
function writeRun(rest: Part[], run: Run): string {
  const { nodes, place, before } = run;
  let written = "";
  while (run.next < nodes.length) {
    const node = nodes[run.next] as Printable;
    const parts = partsOf(node, place);
    written += before(node, nodes[run.next - 1]);
    run.next += 1;
    if (typeof parts !== "string") {
      rest.push(run);
      pushParts(rest, parts);
      break;
    }
    written += parts;
  }
  return written;
}

function partsOf(node: Printable, place: Place): Written {
  return (PARTS[node.type] as (node: Printable, place: Place) => Written)(node, place);
}

/** The first on top. */
function pushParts(rest: Part[], parts: readonly Part[]): void {
  for (let at = parts.length - 1; at >= 0; at -= 1) rest.push(parts[at] as Part);
}
