import { FindingCollector } from "./finding-collector.js";
import type { JudgeOptions } from "./judge-options.js";
import { MANIFEST_LIMITS } from "./manifest-limits.js";
import type { PackageFiles } from "./package-files.js";
import { aiccSetOf, filesOf } from "./recognise/aicc-set.js";
import { findMarkers, isAiccSet, type MarkedFolder } from "./recognise/find-markers.js";
import { findRoot, type Root } from "./recognise/find-root.js";
import { type AiccSet, MANIFEST_NAMES, type Marker, nameOf } from "./recognise/markers.js";
import { withoutManifest } from "./recognise/no-manifest.js";
import { isServerSide } from "./recognise/server-side.js";
import type { TrainingFinding } from "./training-finding.js";

/** A manifest that may say what the package is. */
export type Candidate =
  | { readonly marker: Exclude<Marker, "aicc">; readonly path: string }
  | { readonly marker: "aicc"; readonly set: AiccSet };

/** What the names of a package tell. */
export interface Recognition {
  /** The wrapper folder, with a slash at its end; empty: none. */
  readonly root: string;
  /** In the order in which they are tried; none: it is refused. */
  readonly candidates: readonly Candidate[];
  /** The files whose contents are needed to judge the package: at most seven. */
  readonly wanted: readonly string[];
  /** Manifests whose name has other letter case than the standard, and their right paths. */
  readonly renamed: ReadonlyMap<string, string>;
  readonly findings: readonly TrainingFinding[];
  readonly findingsLeft: number;
}

/**
 * The first step: looks at names and sizes, says which files to read, and finds what names alone give away (training modules, 2.1).
 * It takes the names of a refused archive too. Linear in the number of files.
 */
export function recognise(files: PackageFiles, options: JudgeOptions = {}): Recognition {
  const findings = new FindingCollector(options.profile);
  const root = findRoot(files.paths, findMarkers(files.paths));
  const candidates = root.kind === "found" ? candidatesOf(root.marked, options, findings) : [];
  tellRoot(root, files.paths, findings);
  for (const path of files.paths.filter(isServerSide))
    findings.add("W_PKG_SERVER_SIDE_FILE", path, "it does not run in an LMS");
  const wanted = candidates.flatMap((candidate) =>
    candidate.marker === "aicc" ? filesOf(candidate.set) : [candidate.path],
  );
  tellSizes(candidates, files, findings);
  const renamed = new Map(candidates.flatMap(renameOf));
  for (const [path, right] of renamed)
    findings.add(
      "W_PKG_MANIFEST_CASE",
      path,
      `it has to be named ${nameOf(right)}; many systems look for exactly that`,
    );
  return {
    root: root.kind === "found" ? root.marked.folder : "",
    candidates,
    wanted,
    renamed,
    findings: findings.all,
    findingsLeft: findings.left,
  };
}

const ORDER: readonly Marker[] = ["cmi5", "scorm", "tincan", "aicc"];
const SCORM_FIRST: readonly Marker[] = ["scorm", "cmi5", "tincan", "aicc"];

function candidatesOf(
  { manifests, aicc }: MarkedFolder,
  { prefer }: JudgeOptions,
  findings: FindingCollector,
): readonly Candidate[] {
  return (prefer === "scorm" ? SCORM_FIRST : ORDER).flatMap((marker): readonly Candidate[] => {
    if (marker !== "aicc") {
      const path = manifests.get(marker);
      return path === undefined ? [] : [{ marker, path }];
    }
    if (!isAiccSet(aicc)) return [];
    const { set, further } = aiccSetOf(aicc);
    if (further.length > 0)
      findings.add(
        "E_PKG_AMBIGUOUS_ROOT",
        null,
        `several sets of AICC course files: ${[set.crs, ...further].join(", ")}`,
      );
    return [{ marker, set }];
  });
}

function tellRoot(root: Root, paths: readonly string[], findings: FindingCollector): void {
  if (root.kind === "none") findings.add("E_PKG_NO_MANIFEST", null, withoutManifest(paths));
  if (root.kind === "several")
    findings.add("E_PKG_AMBIGUOUS_ROOT", null, `manifests of several packages: in ${root.folders.join(", ")}`);
  if (root.kind === "beside")
    findings.add(
      "E_PKG_NO_MANIFEST",
      root.marked.folder,
      `a manifest lies in this folder, and other files lie outside of it, such as ${root.outside}: where the package begins is not clear`,
    );
  if (root.kind !== "found") return;
  const { marked, others } = root;
  if (marked.folder !== "" && !isTincanOnly(marked))
    findings.add("W_PKG_NESTED_ROOT", marked.folder, "everything lies in this folder");
  for (const { folder } of others)
    findings.add(
      "W_PKG_EXTRA_MANIFEST",
      folder,
      `a package of its own lies in it; only ${marked.folder || "the top"} counts`,
    );
}

/** The packaging note of xAPI lets tincan.xml lie in a folder where nothing lies outside of it (training modules, 2.6). */
function isTincanOnly({ manifests, aicc }: MarkedFolder): boolean {
  return manifests.size === 1 && manifests.has("tincan") && !isAiccSet(aicc);
}

/** Of manifests in XML; what is wrong with course files is told when they are read. */
function tellSizes(candidates: readonly Candidate[], files: PackageFiles, findings: FindingCollector): void {
  for (const candidate of candidates) {
    if (candidate.marker === "aicc") continue;
    const bytes = files.size(candidate.path);
    if (bytes > MANIFEST_LIMITS.bytes)
      findings.add("E_XML_TOO_LARGE", candidate.path, `it has ${bytes} bytes, the limit is ${MANIFEST_LIMITS.bytes}`);
  }
}

function renameOf(candidate: Candidate): readonly (readonly [string, string])[] {
  if (candidate.marker === "aicc") return [];
  const name = nameOf(candidate.path);
  if (MANIFEST_NAMES.has(name)) return [];
  return [[candidate.path, `${candidate.path.slice(0, -name.length)}${name.toLowerCase()}`]];
}
