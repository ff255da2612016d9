import type { Module, ModuleUnit } from "../../src/core/model/module.js";
import { textIn, type XmlElement } from "../xml/xml-document.js";
import { resolveAddress } from "./addresses.js";
import { childrenNamed, plainAttribute } from "./elements.js";
import { FindingCollector, shown } from "./findings.js";
import { MANIFEST_LIMITS } from "./manifest-limits.js";
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
import { checkTitle, hasRoot, isAbsoluteIri, type RootRule } from "./shared-checks.js";
import { repairUnits, validateAicc } from "./validate-aicc.js";
import { validateCmi5 } from "./validate-cmi5.js";
import { validateScorm } from "./validate-scorm.js";
import { noteXmlChange, startValidation, type Validation, type ValidationResult } from "./validation.js";

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

const ROOT: RootRule = { name: "tincan", namespace: "http://projecttincan.com/tincan.xsd" };

/** Validates a tincan.xml (training modules, 2.6). */
function validateTincan(manifest: ManifestXml, validation: Validation): Module | null {
  if (!hasRoot(manifest, ROOT, validation)) return null;
  const { path, root } = manifest;
  const { findings } = validation;
  const activities = childrenNamed(root, "activities").flatMap((list) => childrenNamed(list, "activity"));
  if (activities.length > MANIFEST_LIMITS.items) {
    findings.add(
      "E_MAN_TOO_MANY_ITEMS",
      path,
      `${activities.length} activities, the limit is ${MANIFEST_LIMITS.items}`,
    );
    return null;
  }
  for (const activity of activities) checkId(activity, path, validation);
  const launched = activities.filter((activity) => launchesOf(activity).length > 0);
  const [main, second] = launched;
  if (second !== undefined)
    findings.add(
      "E_TINCAN_MULTI_LAUNCH",
      placeOf(path, second),
      `${launched.length} activities have a launch, and only one can`,
    );
  if (main === undefined) {
    findings.add("E_TINCAN_NO_LAUNCH", path, "no activity has a launch");
    return null;
  }
  const units = launched.map((activity) => unitOf(activity, path, validation));
  const [first] = units;
  return {
    standard: "xapi-tincan",
    identifier: first?.id ?? "",
    title: first?.title || (first?.id ?? ""),
    language: languageOf(main),
    units,
    external: [...validation.external],
    usesSequencing: false,
  };
}

function checkId(activity: XmlElement, path: string, { findings }: Validation): void {
  const id = plainAttribute(activity, "id");
  if (id !== null && isAbsoluteIri(id)) return;
  const what = id === null ? "an activity has no id" : `the id "${shown(id)}" is not an absolute IRI`;
  findings.add("E_TINCAN_ACTIVITY_ID", placeOf(path, activity), what);
}

/** One for each language; `resource` is the older name. */
function launchesOf(activity: XmlElement): readonly XmlElement[] {
  return ["launch", "resource"]
    .flatMap((name) => childrenNamed(activity, name))
    .filter((launch) => textIn(launch).trim() !== "");
}

function unitOf(activity: XmlElement, path: string, validation: Validation): ModuleUnit {
  const id = plainAttribute(activity, "id") ?? "";
  const owner = `activity "${shown(id)}"`;
  const [name] = childrenNamed(activity, "name");
  const title = checkTitle(
    { text: name === undefined ? null : textIn(name), place: placeOf(path, name ?? activity), owner },
    validation.findings,
  );
  const [launch] = launchesOf(activity).map((element) => openLaunch(element, owner, path, validation));
  return { id, title: title || id, launch: launch ?? null, depth: 0, masteryScore: null };
}

function openLaunch(element: XmlElement, owner: string, path: string, validation: Validation): string | null {
  const written = textIn(element).trim();
  const place = placeOf(path, element);
  const { launch } = resolveAddress(
    {
      written,
      place,
      owner,
      missing: "E_MAN_LAUNCH_MISSING",
      unsafe: "E_MAN_LAUNCH_UNSAFE",
      repair: noteXmlChange(element, null, validation),
    },
    validation,
  );
  // Without a package the content must be on the web.
  if (validation.files === null && launch !== null && !validation.external.has(launch))
    validation.findings.add(
      "E_MAN_LAUNCH_MISSING",
      place,
      `${owner} leads to "${shown(written)}", and the file came without a package`,
    );
  return launch;
}

function languageOf(activity: XmlElement): string | null {
  const [name] = childrenNamed(activity, "name");
  const [launch] = launchesOf(activity);
  return (name && plainAttribute(name, "lang")) ?? (launch && plainAttribute(launch, "lang")) ?? null;
}
