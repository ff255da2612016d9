import type { ManualCategory, ManualGuide, ManualManifest } from "../../../transforms/omanual/manual.js";
import { type ManualIssue, readManual } from "../../../transforms/omanual/read-manual.js";

type Read<M> = M & { readonly issues: readonly ManualIssue[]; readonly codes: readonly string[] };

/** The guide in a document that must be read, with what was told of it. */
export function guideOf(xml: string | Uint8Array): Read<ManualGuide> {
  const read = manualOf(xml);
  if (read.kind !== "guide") throw new Error(`It is a ${read.kind}.`);
  return read;
}

export function categoryOf(xml: string): Read<ManualCategory> {
  const read = manualOf(xml);
  if (read.kind !== "category") throw new Error(`It is a ${read.kind}.`);
  return read;
}

export function manifestOf(xml: string): Read<ManualManifest> {
  const read = manualOf(xml);
  if (read.kind !== "manifest") throw new Error(`It is a ${read.kind}.`);
  return read;
}

function manualOf(xml: string | Uint8Array): Read<ManualGuide> | Read<ManualCategory> | Read<ManualManifest> {
  const result = readManual(xml, { file: "a.xml" });
  if (!result.ok) throw new Error(result.fault.message);
  return { ...result.manual, issues: result.issues, codes: result.issues.map(({ code }) => code) };
}
