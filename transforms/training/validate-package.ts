import type { Module } from "../../src/core/model/module.js";
import { FindingCollector, shown } from "./findings.js";
import { type AiccSet, FileIndex, MANIFEST_NAMES, type Marker, nameOf, type PackageFiles } from "./package-files.js";
import type { ValidationOptions } from "./profile.js";
import {
  type ManifestBytes,
  type ManifestXml,
  placeOf,
  type RepairedManifest,
  readManifestXml,
  repairManifest,
  UNCHANGED,
} from "./read-manifest-xml.js";
import { type Candidate, filesOf, type Recognition } from "./recognise.js";
import { repairUnits, validateAicc } from "./validate-aicc.js";
import { validateCmi5 } from "./validate-cmi5.js";
import { validateScorm } from "./validate-scorm.js";
import { validateTincan } from "./validate-tincan.js";
import { startValidation, type Validation, type ValidationResult } from "./validation.js";

const XML_VALIDATORS: Readonly<
  Record<Exclude<Marker, "aicc">, (xml: ManifestXml, validation: Validation) => Module | null>
> = {
  cmi5: validateCmi5,
  scorm: validateScorm,
  tincan: validateTincan,
};

/**
 * Second step: validates the contents that `recognise` requested. `too-large`: over 16 MiB and
 * unread. Never throws for the content; linear.
 */
export function validatePackage(
  files: PackageFiles,
  contents: ReadonlyMap<string, Uint8Array | "too-large">,
  recognition: Recognition,
  options: ValidationOptions = {},
): ValidationResult {
  const findings = new FindingCollector(options.profile);
  findings.addAll(recognition.findings);
  const { root, candidates, renamed } = recognition;
  const validation = startValidation(findings, new FileIndex(files, root), options.fixCase);
  const chosen = choose(candidates, (path) => contents.get(path), validation);
  const repaired = chosen?.repaired ?? UNCHANGED;
  const renames = [...renamed].map(([path, right]) => ({
    code: "W_PKG_MANIFEST_CASE",
    path,
    what: `it is named ${nameOf(right)}`,
  }));
  return {
    module: chosen?.module ?? null,
    findings: findings.all,
    findingsLeft: findings.omitted + recognition.findingsLeft,
    root,
    manifests: chosen?.manifests ?? [],
    lone: null,
    rewritten: repaired.rewritten,
    renamed,
    repairs: [...renames, ...repaired.repairs],
  };
}

interface Chosen {
  readonly module: Module | null;
  readonly manifests: readonly string[];
  readonly repaired: RepairedManifest;
}

/** The first candidate; if its content has another format, the next one (training modules, 2.1). */
function choose(
  candidates: readonly Candidate[],
  bytesOf: (path: string) => ManifestBytes,
  validation: Validation,
): Chosen | undefined {
  const [first, ...others] = candidates;
  if (first === undefined) return undefined;
  const chosen = others.length === 0 ? first : (candidates.find((one) => hasExpectedRoot(one, bytesOf)) ?? first);
  if (others.length > 0) {
    const names = candidates.map(nameOfCandidate);
    validation.findings.add(
      "W_PKG_MULTIPLE_STANDARDS",
      null,
      `${names.join(", ")} are in it; ${nameOfCandidate(chosen)} counts`,
    );
  }
  return chosen.marker === "aicc"
    ? validateSet(chosen.set, bytesOf, validation)
    : validateXml(chosen, bytesOf, validation);
}

function validateSet(set: AiccSet, bytesOf: (path: string) => ManifestBytes, validation: Validation): Chosen {
  const module = validateAicc(set, bytesOf, validation);
  const repaired = repairUnits(set.au, set.au === null ? undefined : bytesOf(set.au), validation);
  return { module, manifests: filesOf(set), repaired };
}

function validateXml(
  { marker, path }: Extract<Candidate, { readonly path: string }>,
  bytesOf: (path: string) => ManifestBytes,
  validation: Validation,
): Chosen {
  const xml = readManifestXml(path, bytesOf(path), validation.findings);
  if (xml === null) return { module: null, manifests: [path], repaired: UNCHANGED };
  return {
    module: XML_VALIDATORS[marker](xml, validation),
    manifests: [path],
    repaired: repairManifest(xml, validation),
  };
}

/** Reports nothing. */
function hasExpectedRoot(candidate: Candidate, bytesOf: (path: string) => ManifestBytes): boolean {
  if (candidate.marker === "aicc") return true;
  const xml = readManifestXml(candidate.path, bytesOf(candidate.path), new FindingCollector());
  if (xml === null) return false;
  return ROOT_NAMES[candidate.marker] === xml.root.name;
}

const ROOT_NAMES = { cmi5: "courseStructure", scorm: "manifest", tincan: "tincan" } as const;

function nameOfCandidate(candidate: Candidate): string {
  return candidate.marker === "aicc" ? "AICC course files" : nameOf(candidate.path);
}

const ROOTS: ReadonlyMap<string, Exclude<Marker, "aicc">> = new Map([
  ["courseStructure", "cmi5"],
  ["manifest", "scorm"],
  ["tincan", "tincan"],
]);

/**
 * A manifest alone: content of cmi5.xml and tincan.xml is on the web (cmi5 14.2; training modules,
 * 2.1); an imsmanifest.xml is validated without its files. Never throws for the content.
 */
export function validateLoneFile(
  name: string,
  bytes: Uint8Array | "too-large",
  options: ValidationOptions = {},
): ValidationResult {
  const findings = new FindingCollector(options.profile);
  const validation = startValidation(findings, null);
  const xml = readManifestXml(name, bytes, findings);
  const marker =
    (xml === null ? undefined : ROOTS.get(xml.root.name)) ?? MANIFEST_NAMES.get(nameOf(name).toLowerCase());
  const module = xml === null || marker === undefined ? null : XML_VALIDATORS[marker](xml, validation);
  if (xml !== null && marker === undefined)
    findings.add(
      "E_MAN_ROOT_ELEMENT",
      placeOf(name, xml.root),
      `its first element is <${shown(xml.root.name)}>, which is not the first element of a standard`,
    );
  return {
    module,
    findings: findings.all,
    findingsLeft: findings.omitted,
    root: "",
    manifests: [name],
    lone: marker === "scorm" ? "manifest-only" : "package",
    renamed: new Map(),
    ...(xml === null ? UNCHANGED : repairManifest(xml, validation)),
  };
}
