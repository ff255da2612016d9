import type { WholeResponse } from "../../service/transport.js";
import { laidOut } from "./json-layout.js";
import { printable } from "./printable.js";

/**
 * The body of an answer to print: as it came, or as JSON `indented`. For a terminal it ends its line, and what a terminal would obey is shown as an
 * escape. undefined: it is no text.
 */
export function answerText(
  { text, json, headers }: Pick<WholeResponse, "text" | "json" | "headers">,
  indented: boolean,
  isTerminal: boolean,
): string | undefined {
  if (text === "") return "";
  const type = headers["content-type"] ?? "";
  if (json === undefined && (text.includes("\0") || !TEXT.test(type))) return undefined;
  const body = indented && json !== undefined ? laidOut(text) : text;
  if (!isTerminal) return body;
  const visible = printable(body);
  return visible.endsWith("\n") ? visible : `${visible}\n`;
}

const TEXT = /^$|^text\/|json|xml|javascript|x-www-form-urlencoded/i;
