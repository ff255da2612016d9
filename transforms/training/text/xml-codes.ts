import type { XmlFaultCode, XmlNoteCode } from "../../xml/xml-fault.js";
import type { TrainingCode } from "../training-codes.js";

/** What the gate's faults are called here; all others are E_XML_NOT_WELLFORMED. */
const FAULTS: Partial<Readonly<Record<XmlFaultCode, TrainingCode>>> = {
  "xml-doctype": "E_XML_DOCTYPE",
  "xml-too-deep": "E_XML_DEPTH",
  "xml-too-large": "E_XML_TOO_LARGE",
  "xml-too-many-nodes": "E_XML_TOO_LARGE",
  "xml-too-many-attributes": "E_XML_TOO_LARGE",
  "xml-name-too-long": "E_XML_TOO_LARGE",
  "xml-text-too-long": "E_XML_TEXT_TOO_LONG",
};

export function codeOfFault(code: XmlFaultCode): TrainingCode {
  return FAULTS[code] ?? "E_XML_NOT_WELLFORMED";
}

export const NOTE_CODES: Readonly<Record<XmlNoteCode, TrainingCode>> = {
  "xml-byte-order-mark-missing": "W_XML_ENCODING",
  "xml-encoding-differs": "W_XML_ENCODING",
  "xml-declaration-late": "W_XML_DECLARATION",
  "xml-version-unknown": "W_XML_DECLARATION",
  "xml-prefix-undeclared": "W_XML_UNBOUND_PREFIX",
};
