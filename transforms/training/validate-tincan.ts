import type { Module, ModuleUnit } from "../../src/core/model/module.js";
import type { XmlElement } from "../xml/xml-document.js";
import { textIn } from "../xml/xml-document.js";
import { resolveAddress } from "./addresses.js";
import { childrenNamed, plainAttribute } from "./elements.js";
import { shown } from "./findings.js";
import { MANIFEST_LIMITS } from "./manifest-limits.js";
import { type ManifestXml, placeOf } from "./read-manifest-xml.js";
import { checkTitle, hasRoot, isAbsoluteIri, type RootRule } from "./shared-checks.js";
import type { Validation } from "./validation.js";
import { noteXmlChange } from "./validation.js";

const ROOT: RootRule = { name: "tincan", namespace: "http://projecttincan.com/tincan.xsd" };

/** Validates a tincan.xml (training modules, 2.6). */
export function validateTincan(manifest: ManifestXml, validation: Validation): Module | null {
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
