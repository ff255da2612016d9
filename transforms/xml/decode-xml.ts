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

/** Decodes as `readXml` does. Never throws. */
export function decodeXml(bytes: Uint8Array, { file }: { readonly file: string }): DecodedXml {
  try {
    return { ok: true, ...decodeAsWritten(bytes) };
  } catch (error) {
    if (!(error instanceof FaultFound)) throw error;
    return { ok: false, fault: faultOf("", file, error.finding) };
  }
}
