import type { XmlElement } from "../../xml/xml-document.js";
import type { Judging } from "../judging.js";

/** Takes note of changes of an attribute (as written, with its prefix), or of an element's text (null). */
export function mendXml(
  { line, column }: XmlElement,
  attribute: string | null,
  { edits }: Judging,
): (change: (written: string) => string) => void {
  return (change) => {
    edits.push({ line, column, attribute, change });
  };
}
