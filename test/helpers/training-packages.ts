import { MANIFEST_LIMITS } from "../../transforms/training/manifest-limits.js";
import type { PackageFiles } from "../../transforms/training/package-files.js";
import type { ValidationOptions } from "../../transforms/training/profile.js";
import { recognise } from "../../transforms/training/recognise.js";
import { validatePackage } from "../../transforms/training/validate-package.js";
import type { ValidationResult } from "../../transforms/training/validation.js";

/**
 * A package: contents by path, as they are once an archive has passed the guard. A number stands
 * for zeros, of which nobody reads many.
 */
export type Package = Readonly<Record<string, string | Uint8Array | number>>;

export function filesOf(made: Package): PackageFiles {
  return { paths: Object.keys(made).toSorted(), size: (path) => sizeOf(made[path] ?? "") };
}

function sizeOf(content: string | Uint8Array | number): number {
  return typeof content === "number" ? content : Buffer.from(content).length;
}

/** Both steps, with what a caller does between them. */
export function judge(made: Package, options: ValidationOptions = {}): ValidationResult {
  const files = filesOf(made);
  const recognition = recognise(files, options);
  const contents = new Map(recognition.wanted.map((path) => [path, contentOf(made[path] ?? "")] as const));
  return validatePackage(files, contents, recognition, options);
}

function contentOf(content: string | Uint8Array | number): Uint8Array | "too-large" {
  if (sizeOf(content) > MANIFEST_LIMITS.bytes) return "too-large";
  return typeof content === "number" ? new Uint8Array(content) : Buffer.from(content);
}

/** The different codes of a judgement, sorted. */
export function codesOf({ findings }: ValidationResult): readonly string[] {
  return [...new Set(findings.map(({ code }) => code))].toSorted();
}

const PACKAGING = {
  "1.2":
    'xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2" xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2"',
  "2004":
    'xmlns="http://www.imsglobal.org/xsd/imscp_v1p1" xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_v1p3" xmlns:imsss="http://www.imsglobal.org/xsd/imsss"',
} as const;

/** Parts of an imsmanifest.xml; what is not given is that of a good package with one page. */
export interface ScormParts {
  readonly family?: keyof typeof PACKAGING;
  /** Before the root. */
  readonly declaration?: string;
  /** Attributes of the root; none of those below. */
  readonly attributes?: string;
  readonly identifier?: string;
  readonly namespaces?: string;
  readonly metadata?: string;
  readonly organizations?: string;
  readonly resources?: string;
  /** Behind the resources. */
  readonly behind?: string;
}

export const GOOD_ORGANIZATION =
  '<organizations default="O1"><organization identifier="O1"><title>Fire safety</title><item identifier="I1" identifierref="R1"><title>Start</title></item></organization></organizations>';

export function scormManifest(parts: ScormParts = {}): string {
  const { family = "1.2", declaration = '<?xml version="1.0" encoding="UTF-8"?>\n', attributes = "" } = parts;
  const { identifier = ' identifier="M1"', namespaces = PACKAGING[family], behind = "" } = parts;
  const version = family === "1.2" ? "1.2" : "2004 4th Edition";
  const metadata = `<metadata><schema>ADL SCORM</schema><schemaversion>${version}</schemaversion></metadata>`;
  return `${declaration}<manifest${identifier} version="1" ${namespaces} ${attributes}>${parts.metadata ?? metadata}${
    parts.organizations ?? GOOD_ORGANIZATION
  }${parts.resources ?? `<resources>${sco({ family })}</resources>`}${behind}</manifest>`;
}

/** A resource that is a SCO with one file. */
export function sco({
  id = "R1",
  href = "index.html",
  family = "1.2",
  inside = `<file href="${href}"/>`,
  attributes = "",
}: {
  readonly id?: string;
  readonly href?: string;
  readonly family?: keyof typeof PACKAGING;
  readonly inside?: string;
  readonly attributes?: string;
} = {}): string {
  const mark = family === "1.2" ? 'adlcp:scormtype="sco"' : 'adlcp:scormType="sco"';
  return `<resource identifier="${id}" type="webcontent" ${mark} href="${href}" ${attributes}>${inside}</resource>`;
}

export function resources(...all: readonly string[]): string {
  return `<resources>${all.join("")}</resources>`;
}

/** An organization with these items. */
export function organization(items: string, title = "<title>Fire safety</title>"): string {
  return `<organizations default="O1"><organization identifier="O1">${title}${items}</organization></organizations>`;
}

export function item(
  id: string,
  resource: string,
  { title = `<title>Item ${id}</title>`, attributes = "", inside = "" } = {},
): string {
  const ref = resource === "" ? "" : ` identifierref="${resource}"`;
  return `<item identifier="${id}"${ref} ${attributes}>${title}${inside}</item>`;
}

export function scormPackage(parts: ScormParts = {}, more: Package = {}): Package {
  return { "imsmanifest.xml": scormManifest(parts), "index.html": "<p>", ...more };
}

function texts(name: string, text = name): string {
  return `<${name}><langstring lang="en">${text}</langstring></${name}>`;
}

export const TITLED = texts("title") + texts("description");

/** A unit of cmi5. */
export function au({
  id = "https://example.com/au/1",
  attributes = "",
  inside = `${TITLED}<url>index.html</url>`,
}: {
  readonly id?: string;
  readonly attributes?: string;
  readonly inside?: string;
} = {}): string {
  return `<au id="${id}" ${attributes}>${inside}</au>`;
}

export function cmi5Structure({
  namespace = "https://w3id.org/xapi/profiles/cmi5/v1/CourseStructure.xsd",
  course = `<course id="https://example.com/course">${TITLED}</course>`,
  inside = au(),
}: {
  readonly namespace?: string;
  readonly course?: string;
  readonly inside?: string;
} = {}): string {
  return `<?xml version="1.0" encoding="utf-8"?>\n<courseStructure xmlns="${namespace}">${course}${inside}</courseStructure>`;
}

export function activity({
  id = "https://example.com/activity",
  name = "<name>Golf</name>",
  launch = "<launch>index.html</launch>",
} = {}): string {
  return `<activity id="${id}" type="http://adlnet.gov/expapi/activities/course">${name}${launch}</activity>`;
}

export function tincan(activities = activity(), namespace = "http://projecttincan.com/tincan.xsd"): string {
  return `<?xml version="1.0" encoding="utf-8"?>\n<tincan xmlns="${namespace}"><activities>${activities}</activities></tincan>`;
}

/** The four course files; what is null is left out. */
export function aiccPackage(
  {
    crs = "[Course]\r\nCourse_ID=C1\r\nCourse_Title=Ladders\r\n[Course_Description]\r\n\r\nText = free\r\n",
    au: units = '"System_ID","File_Name","Web_Launch","Mastery_Score"\r\n"A1","index.html","a=1","80"\r\n',
    des = '"System_ID","Title"\r\n"A1","Unit, one"\r\n',
    cst = '"Block","Member"\r\n"ROOT","A1"\r\n',
  }: {
    readonly crs?: string | Uint8Array | null;
    readonly au?: string | null;
    readonly des?: string | null;
    readonly cst?: string | null;
  } = {},
  more: Package = { "index.html": "<p>" },
): Package {
  const files = { "course.crs": crs, "course.au": units, "course.des": des, "course.cst": cst };
  return { ...Object.fromEntries(Object.entries(files).filter(([, content]) => content !== null)), ...more } as Package;
}
