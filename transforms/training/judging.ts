import type { FindingCollector } from "./finding-collector.js";
import type { FileIndex } from "./launch/file-index.js";
import type { XmlEdit } from "./text/edit-xml.js";

/** What is gathered while one package is judged; everything else is passed as values. */
export interface Judging {
  readonly findings: FindingCollector;
  /** null: the manifest came without its files, and nothing is said about those. */
  readonly files: FileIndex | null;
  readonly fixCase: boolean;
  /** Addresses of the web, each once, in their order. */
  readonly external: Set<string>;
  /** Changes of the manifest's text that are wanted. */
  readonly edits: XmlEdit[];
  /** Changes of fields of a course file, by the field as it stands there. */
  readonly fieldEdits: Map<string, (written: string) => string>;
  /** Addresses that the edits mend, by code. */
  readonly mended: Map<string, number>;
}

export function startJudging(findings: FindingCollector, files: FileIndex | null, fixCase = false): Judging {
  return { findings, files, fixCase, external: new Set(), edits: [], fieldEdits: new Map(), mended: new Map() };
}
