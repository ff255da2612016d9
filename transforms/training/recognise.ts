import { FindingCollector, type TrainingFinding } from "./findings.js";
import { MANIFEST_LIMITS } from "./manifest-limits.js";
import {
  AICC_ENDINGS,
  type AiccEnding,
  type AiccSet,
  endingOf,
  folderOf,
  MANIFEST_NAMES,
  type Marker,
  nameOf,
  type PackageFiles,
  stemOf,
} from "./package-files.js";
import type { ValidationOptions } from "./profile.js";

export type Candidate =
  | { readonly marker: Exclude<Marker, "aicc">; readonly path: string }
  | { readonly marker: "aicc"; readonly set: AiccSet };

/** Facts from file names only. */
export interface Recognition {
  /** Ends with a slash; empty: no wrapper folder. */
  readonly root: string;
  /** In the order of attempts; empty: refused. */
  readonly candidates: readonly Candidate[];
  /** Files to read for the validation, at most seven. */
  readonly wanted: readonly string[];
  /** Correct paths of manifests whose name differs in letter case. */
  readonly renamed: ReadonlyMap<string, string>;
  readonly findings: readonly TrainingFinding[];
  readonly findingsLeft: number;
}

/**
 * First step: selects the files to read by names and sizes (training modules, 2.1). Also for the
 * names of a refused archive. Linear.
 */
export function recognise(files: PackageFiles, options: ValidationOptions = {}): Recognition {
  const findings = new FindingCollector(options.profile);
  const root = findRoot(files.paths, findMarkers(files.paths));
  const candidates = root.kind === "found" ? candidatesOf(root.marked, options, findings) : [];
  reportRoot(root, files.paths, findings);
  for (const path of files.paths.filter(isServerSide))
    findings.add("W_PKG_SERVER_SIDE_FILE", path, "it does not work in an LMS");
  const wanted = candidates.flatMap((candidate) =>
    candidate.marker === "aicc" ? filesOf(candidate.set) : [candidate.path],
  );
  reportSizes(candidates, files, findings);
  const renamed = new Map(candidates.flatMap(renameOf));
  for (const [path, right] of renamed)
    findings.add(
      "W_PKG_MANIFEST_CASE",
      path,
      `it has to be named ${nameOf(right)}; many systems require exactly that name`,
    );
  return {
    root: root.kind === "found" ? root.marked.folder : "",
    candidates,
    wanted,
    renamed,
    findings: findings.all,
    findingsLeft: findings.omitted,
  };
}

const ORDER: readonly Marker[] = ["cmi5", "scorm", "tincan", "aicc"];
const SCORM_FIRST: readonly Marker[] = ["scorm", "cmi5", "tincan", "aicc"];

function candidatesOf(
  { manifests, aicc }: MarkedFolder,
  { prefer }: ValidationOptions,
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

function reportRoot(root: Root, paths: readonly string[], findings: FindingCollector): void {
  if (root.kind === "none") findings.add("E_PKG_NO_MANIFEST", null, withoutManifest(paths));
  if (root.kind === "several")
    findings.add("E_PKG_AMBIGUOUS_ROOT", null, `manifests of several packages: in ${root.folders.join(", ")}`);
  if (root.kind === "beside")
    findings.add(
      "E_PKG_NO_MANIFEST",
      root.marked.folder,
      `a manifest is in this folder, and other files are outside of it, such as ${root.outside}: the root of the package is unclear`,
    );
  if (root.kind !== "found") return;
  const { marked, others } = root;
  if (marked.folder !== "" && !isTincanOnly(marked))
    findings.add("W_PKG_NESTED_ROOT", marked.folder, "all files are in this folder");
  for (const { folder } of others)
    findings.add(
      "W_PKG_EXTRA_MANIFEST",
      folder,
      `it contains another package; only ${marked.folder || "the top"} counts`,
    );
}

/** tincan.xml may be in a folder if all else is (packaging note of xAPI; training modules, 2.6). */
function isTincanOnly({ manifests, aicc }: MarkedFolder): boolean {
  return manifests.size === 1 && manifests.has("tincan") && !isAiccSet(aicc);
}

/** Course files are checked when they are read. */
function reportSizes(candidates: readonly Candidate[], files: PackageFiles, findings: FindingCollector): void {
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

type Root =
  | { readonly kind: "found"; readonly marked: MarkedFolder; readonly others: readonly MarkedFolder[] }
  | { readonly kind: "none" }
  /** There are files outside of the manifest's folder. */
  | { readonly kind: "beside"; readonly marked: MarkedFolder; readonly outside: string }
  | { readonly kind: "several"; readonly folders: readonly string[] };

/** The top, else the only outermost manifest folder, unless files outside would be lost. */
function findRoot(paths: readonly string[], marked: readonly MarkedFolder[]): Root {
  const top = marked.find(({ folder }) => folder === "");
  if (top !== undefined) return { kind: "found", marked: top, others: without(marked, top) };
  const outermost = outermostOf(marked);
  const [first] = outermost;
  if (first === undefined) return { kind: "none" };
  if (outermost.length > 1) return { kind: "several", folders: outermost.map(({ folder }) => folder) };
  const outside = paths.find((path) => !path.startsWith(first.folder));
  if (outside !== undefined) return { kind: "beside", marked: first, outside };
  return { kind: "found", marked: first, others: without(marked, first) };
}

function without(marked: readonly MarkedFolder[], one: MarkedFolder): readonly MarkedFolder[] {
  return marked.filter((other) => other !== one);
}

/** Sorted, each folder follows the one that contains it. */
function outermostOf(marked: readonly MarkedFolder[]): readonly MarkedFolder[] {
  const outermost: MarkedFolder[] = [];
  for (const one of marked.toSorted((a, b) => (a.folder < b.folder ? -1 : 1))) {
    const last = outermost.at(-1);
    if (last === undefined || !one.folder.startsWith(last.folder)) outermost.push(one);
  }
  return outermost;
}

interface MarkedFolder {
  readonly folder: string;
  /** The exact spelling wins. */
  readonly manifests: ReadonlyMap<Exclude<Marker, "aicc">, string>;
  readonly aicc: ReadonlyMap<AiccEnding, readonly string[]>;
}

interface Growing {
  readonly manifests: Map<Exclude<Marker, "aicc">, string>;
  readonly aicc: Map<AiccEnding, string[]>;
}

/** In the order of the paths. One pass. */
function findMarkers(paths: readonly string[]): readonly MarkedFolder[] {
  const folders = new Map<string, Growing>();
  for (const path of paths) note(path, folders);
  return [...folders].map(([folder, found]) => ({ folder, ...found })).filter(isMarked);
}

function note(path: string, folders: Map<string, Growing>): void {
  const name = nameOf(path);
  const marker = MANIFEST_NAMES.get(name.toLowerCase());
  const ending = ENDINGS.get(endingOf(path));
  if (marker === undefined && ending === undefined) return;
  const folder = folderOf(path);
  const growing = folders.get(folder) ?? { manifests: new Map(), aicc: new Map() };
  folders.set(folder, growing);
  if (marker !== undefined && (!growing.manifests.has(marker) || MANIFEST_NAMES.has(name)))
    growing.manifests.set(marker, path);
  if (ending === undefined) return;
  const same = growing.aicc.get(ending) ?? [];
  growing.aicc.set(ending, same);
  same.push(path);
}

const ENDINGS: ReadonlyMap<string, AiccEnding> = new Map(AICC_ENDINGS.map((ending) => [ending, ending]));

function isMarked({ manifests, aicc }: MarkedFolder): boolean {
  return manifests.size > 0 || isAiccSet(aicc);
}

/** Two of the four: one may be missing, and a lone `.au` is a sound. */
function isAiccSet(aicc: MarkedFolder["aicc"]): boolean {
  return aicc.size >= 2;
}

interface FoundSet {
  readonly set: AiccSet;
  readonly further: readonly string[];
}

/** Named like the .crs, else like the .au, else the first of each extension. */
function aiccSetOf(found: ReadonlyMap<AiccEnding, readonly string[]>): FoundSet {
  const descriptions = new Set((found.get("au") ?? []).map(stemOf));
  const complete = (found.get("crs") ?? []).map(stemOf).filter((stem) => descriptions.has(stem));
  const [lead] = found.get("crs") ?? found.get("au") ?? found.get("cst") ?? [""];
  const stem = complete[0] ?? stemOf(lead ?? "");
  const pick = (ending: AiccEnding): string | null => {
    const paths = found.get(ending) ?? [];
    return paths.find((path) => stemOf(path) === stem) ?? paths[0] ?? null;
  };
  const set = Object.fromEntries(AICC_ENDINGS.map((ending) => [ending, pick(ending)])) as Record<
    AiccEnding,
    string | null
  >;
  return { set, further: complete.slice(1) };
}

export function filesOf(set: AiccSet): readonly string[] {
  return AICC_ENDINGS.flatMap((ending) => set[ending] ?? []);
}

/** A hint for an archive without a manifest. */
function withoutManifest(paths: readonly string[]): string {
  return GUESSES.find(({ fits }) => fits(paths))?.detail ?? NOTHING_KNOWN;
}

const NOTHING_KNOWN = "no imsmanifest.xml, cmi5.xml, tincan.xml or AICC course files are in it";

const WEB_PAGES: ReadonlySet<string> = new Set([
  "story.html",
  "story_html5.html",
  "index.html",
  "index.htm",
  "presentation.html",
  "index_lms.html",
]);

interface Guess {
  readonly detail: string;
  fits(paths: readonly string[]): boolean;
}

/** The first that fits (training modules, 2.1 rows 5 and 6). */
const GUESSES: readonly Guess[] = [
  {
    detail:
      "it contains only an archive, perhaps a packed package; give that archive itself, because guideferry does not open archives inside of archives",
    fits: (paths) => paths.length === 1 && endingOf(paths[0] ?? "") === "zip",
  },
  {
    detail: "it has a start page and no manifest; perhaps the course was published for the web and not for an LMS",
    fits: (paths) => paths.some((path) => WEB_PAGES.has(nameOf(path).toLowerCase())),
  },
  {
    detail:
      "it contains archives and no manifest; if they are packages, give each of them, because guideferry does not open archives inside of archives",
    fits: (paths) => paths.some((path) => endingOf(path) === "zip"),
  },
];

const SERVER_SIDE_ENDINGS = /^(?:php\d?|phtml|jspx?|aspx?|ashx|cgi|shtml)$/;
const SERVER_SIDE_NAMES: ReadonlySet<string> = new Set([".htaccess", "web.config"]);

/** By its name a web server may run or apply it (training modules, 3.1). */
function isServerSide(path: string): boolean {
  return SERVER_SIDE_ENDINGS.test(endingOf(path)) || SERVER_SIDE_NAMES.has(nameOf(path).toLowerCase());
}
