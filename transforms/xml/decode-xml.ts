import { decodeAsWritten } from "./decode-bytes.js";
import { FaultFound, faultOf, type XmlFault, type XmlNote } from "./xml-fault.js";

/** A file's text with its own line ends and without a byte order mark, for who has to change some of it before `readXml`. */
export type DecodedXml =
  | {
      readonly ok: true;
      readonly text: string;
      /** As TextDecoder names it: `utf-8`, `utf-16le`. */
      readonly encoding: string;
      /** Those of the encoding; `readXml` gives the others. */
      readonly notes: readonly XmlNote[];
    }
  | { readonly ok: false; readonly fault: XmlFault };

/**
 * Decodes as `readXml` does. Never throws. `isForgiving`: what is no UTF-8, though nothing else is declared, and seems to be windows-1252
 * is read as that, with the note `xml-encoding-differs`. Default: it is a fault.
 */
export function decodeXml(
  bytes: Uint8Array,
  { file, isForgiving = false }: { readonly file: string; readonly isForgiving?: boolean },
): DecodedXml {
  try {
    return { ok: true, ...decodeAsWritten(bytes, isForgiving) };
  } catch (error) {
    if (!(error instanceof FaultFound)) throw error;
    return { ok: false, fault: faultOf("", file, error.finding) };
  }
}
