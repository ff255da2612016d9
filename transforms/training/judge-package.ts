import type { Module } from "../../src/core/model/module.js";
import { judgeAicc } from "./aicc/judge-aicc.js";
import { mendUnits } from "./aicc/mend-units.js";
import { judgeCmi5 } from "./cmi5/judge-cmi5.js";
import { FindingCollector } from "./finding-collector.js";
import type { JudgeOptions } from "./judge-options.js";
import type { Judgement } from "./judgement.js";
import { type Judging, startJudging } from "./judging.js";
import { FileIndex } from "./launch/file-index.js";
import { judgeScorm } from "./manifest/judge-scorm.js";
import type { PackageFiles } from "./package-files.js";
import { filesOf } from "./recognise/aicc-set.js";
import { type AiccSet, type Marker, nameOf } from "./recognise/markers.js";
import type { Candidate, Recognition } from "./recognise.js";
import { type Mended, mend, UNCHANGED } from "./text/mend.js";
import { type ManifestBytes, type ManifestXml, readManifestXml } from "./text/read-manifest-xml.js";
import { judgeTincan } from "./tincan/judge-tincan.js";

/** The judges of manifests in XML. */
export const XML_JUDGES: Readonly<
  Record<Exclude<Marker, "aicc">, (xml: ManifestXml, judging: Judging) => Module | null>
> = {
  cmi5: judgeCmi5,
  scorm: judgeScorm,
  tincan: judgeTincan,
};

/**
 * The second step: what the package means, and all that is wrong with it, by the contents that `recognise` asked for. `too-large`
 * stands for a content of more than 16 MiB that nobody read. Never throws for what stands in a package; linear in its size.
 */
export function judgePackage(
  files: PackageFiles,
  contents: ReadonlyMap<string, Uint8Array | "too-large">,
  recognition: Recognition,
  options: JudgeOptions = {},
): Judgement {
  const findings = new FindingCollector(options.profile);
  findings.addAll(recognition.findings);
  const { root, candidates, renamed } = recognition;
  const judging = startJudging(findings, new FileIndex(files, root), options.fixCase);
  const chosen = choose(candidates, (path) => contents.get(path), judging);
  const mended = chosen?.mended ?? UNCHANGED;
  const renames = [...renamed].map(([path, right]) => ({
    code: "W_PKG_MANIFEST_CASE",
    path,
    what: `it is named ${nameOf(right)}`,
  }));
  return {
    module: chosen?.module ?? null,
    findings: findings.all,
    findingsLeft: findings.left + recognition.findingsLeft,
    root,
    manifests: chosen?.manifests ?? [],
    lone: null,
    rewritten: mended.rewritten,
    renamed,
    repairs: [...renames, ...mended.repairs],
  };
}

interface Chosen {
  readonly module: Module | null;
  readonly manifests: readonly string[];
  readonly mended: Mended;
}

/** The first candidate; where it isn't what its name says, the next that is (training modules, 2.1). */
function choose(
  candidates: readonly Candidate[],
  bytesOf: (path: string) => ManifestBytes,
  judging: Judging,
): Chosen | undefined {
  const [first, ...others] = candidates;
  if (first === undefined) return undefined;
  const chosen = others.length === 0 ? first : (candidates.find((one) => isItself(one, bytesOf)) ?? first);
  if (others.length > 0) {
    const names = candidates.map(nameOfCandidate);
    judging.findings.add(
      "W_PKG_MULTIPLE_STANDARDS",
      null,
      `${names.join(", ")} are in it; ${nameOfCandidate(chosen)} counts`,
    );
  }
  return chosen.marker === "aicc" ? judgeSet(chosen.set, bytesOf, judging) : judgeXml(chosen, bytesOf, judging);
}

function judgeSet(set: AiccSet, bytesOf: (path: string) => ManifestBytes, judging: Judging): Chosen {
  const module = judgeAicc(set, bytesOf, judging);
  const mended = mendUnits(set.au, set.au === null ? undefined : bytesOf(set.au), judging);
  return { module, manifests: filesOf(set), mended };
}

function judgeXml(
  { marker, path }: Extract<Candidate, { readonly path: string }>,
  bytesOf: (path: string) => ManifestBytes,
  judging: Judging,
): Chosen {
  const xml = readManifestXml(path, bytesOf(path), judging.findings);
  if (xml === null) return { module: null, manifests: [path], mended: UNCHANGED };
  return { module: XML_JUDGES[marker](xml, judging), manifests: [path], mended: mend(xml, judging) };
}

/** Is its first element the one that its name promises? Tried on the quiet: what is wrong is told of once it is chosen. */
function isItself(candidate: Candidate, bytesOf: (path: string) => ManifestBytes): boolean {
  if (candidate.marker === "aicc") return true;
  const xml = readManifestXml(candidate.path, bytesOf(candidate.path), new FindingCollector());
  if (xml === null) return false;
  return ROOT_NAMES[candidate.marker] === xml.root.name;
}

const ROOT_NAMES = { cmi5: "courseStructure", scorm: "manifest", tincan: "tincan" } as const;

function nameOfCandidate(candidate: Candidate): string {
  return candidate.marker === "aicc" ? "AICC course files" : nameOf(candidate.path);
}
