import { type MacroSpan, readFields } from "./fields.js";
import type { Head, Macro, TextMacro } from "./macro.js";
import type { ReadInline } from "./read-inline.js";
import { report, type Source } from "./source.js";

/** The node of a macro that is complete; an opaque one where it is unknown or means nothing. */
export function macroNode(source: Source, head: Head, span: MacroSpan): ReadInline {
  const { macro, keyword } = head;
  const { start, end } = span;
  const node = macro !== undefined && isAllowed(source, macro) ? readMacro(source, macro, span) : undefined;
  if (node !== undefined) return node;
  report(source, refusal(source, macro), start, end);
  return { type: "opaque", keyword, value: source.text.slice(start, end), position: { start, end } };
}

function isAllowed({ context }: Source, macro: Macro): macro is TextMacro {
  return macro.place === "text" || (macro.place === "page" && context === "page");
}

function readMacro(source: Source, macro: TextMacro, span: MacroSpan): ReadInline | undefined {
  const fields = readFields(source.text, span, macro.fields);
  if (fields.joined) report(source, "pipe-in-label", span.start, span.end);
  const { label } = fields;
  if (label !== undefined && source.text.slice(label.start, label.end).includes("=")) {
    report(source, "equals-in-label", label.start, label.end);
  }
  return macro.read(source, fields);
}

function refusal({ context }: Source, macro: Macro | undefined): "block-in-line" | "block-in-text" | "unknown-macro" {
  if (macro === undefined || macro.place === "text") return "unknown-macro";
  if (context === "line") return "block-in-line";
  return macro.place === "page" ? "unknown-macro" : "block-in-text";
}
