import type { Blockquote } from "mdast";
import { quote } from "../wiki/build.js";
import { parameter } from "../wiki/build-inlines.js";
import type { Block, Parameter } from "../wiki/tree.js";
import { nameBehindDash, QUOTE_FIELDS } from "./raw-wiki.js";
import { readLine } from "./read-line.js";
import { type Flow, type Reading, tellAt } from "./reading.js";

type ReadBlock = (node: Flow, reading: Reading) => readonly Block[];

/** A quote, with its fields from the comment before it and who said it from the line behind it. One in another gives its blocks. */
export function readQuote(node: Blockquote, reading: Reading, read: ReadBlock): readonly Block[] {
  if (reading.quoted) {
    tellAt(reading, node)(
      "quote-in-quote",
      "loss",
      "Quotes do not nest in wiki text; what the inner one holds is kept.",
    );
    return node.children.flatMap((child) => read(child, reading));
  }
  const inside = { ...reading, quoted: true };
  const parameters = fieldsOf(node.children[0]);
  const name = nameBehindDash(node.children.at(-1));
  const words = node.children.slice(parameters.length > 0 ? 1 : 0, name === undefined ? undefined : -1);
  const children = words.flatMap((child) => read(child, inside));
  const attribution = name === undefined ? [] : readLine(name, inside);
  return [{ ...quote(children, { attribution }), parameters }];
}

function fieldsOf(node: Flow | undefined): readonly Parameter[] {
  const fields = node?.type === "html" ? QUOTE_FIELDS.exec(node.value)?.[1] : undefined;
  return (fields?.split("|") ?? []).map((field) => {
    const equals = field.indexOf("=");
    return parameter(field.slice(0, equals), field.slice(equals + 1));
  });
}
