import type { Family } from "../manifest/namespaces.js";

/** The namespaces of content packaging, by SCORM's families (training modules, 2.2). */
const PACKAGING: Readonly<Record<Family, string>> = {
  "1.2": "http://www.imsproject.org/xsd/imscp_rootv1p1p2",
  "2004": "http://www.imsglobal.org/xsd/imscp_v1p1",
};

export interface RepairedNamespace {
  readonly text: string;
  /** What was wrong, one clause. */
  readonly was: string;
  /** What became of it, one clause. */
  readonly repair: string;
}

/** What stands before the first element: white space, comments, instructions. Each part ends before the next begins. */
const PROLOG = /^\uFEFF?(?:\s+|<!--[^-]*(?:-[^-]+)*-->|<\?[^?]*(?:\?[^>?][^?]*)*\?>)*/;
const START_TAG = /<([^\s<>/="']+)(?:\s+[^\s<>/="']+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*\/?>/y;
const DECLARATION = /(\sxmlns\s*=\s*)(?:"([^"]*)"|'([^']*)')/;

/**
 * Gives `<manifest>` the namespace of SCORM where it has none, and takes the slash off at the end of one that would be SCORM's without it. Many
 * LMSs take both, since they look at local names only. Another namespace is not touched.
 *
 * @returns undefined where there is nothing to repair
 */
export function repairNamespace(text: string): RepairedNamespace | undefined {
  START_TAG.lastIndex = PROLOG.exec(text)?.[0].length ?? 0;
  const tag = START_TAG.exec(text);
  if (tag === null || tag[1] !== "manifest") return undefined;
  const [start] = tag;
  const declared = DECLARATION.exec(start);
  const namespace = declared === null ? null : (declared[2] ?? declared[3] ?? "");
  const wanted = wantedNamespace(namespace, start, text);
  if (wanted === undefined) return undefined;
  const written =
    declared === null
      ? start.replace("<manifest", `<manifest xmlns="${wanted}"`)
      : start.replace(DECLARATION, (_all, before: string) => `${before}"${wanted}"`);
  return {
    text: text.slice(0, tag.index) + written + text.slice(tag.index + start.length),
    was: namespace === null || namespace === "" ? "<manifest> has no namespace" : `its namespace is "${namespace}"`,
    repair: `the namespace became ${wanted}`,
  };
}

function wantedNamespace(namespace: string | null, start: string, text: string): string | undefined {
  if (namespace === null || namespace === "") return PACKAGING[familyIn(start, text)];
  const bare = namespace.replace(/\/+$/, "");
  return bare !== namespace && Object.values(PACKAGING).includes(bare) ? bare : undefined;
}

/** By the namespace of ADL that the first element declares, else by the version that it tells. */
function familyIn(start: string, text: string): Family {
  if (/\/adlcp_v1p3/i.test(start)) return "2004";
  if (/\/adlcp_rootv1p2/i.test(start)) return "1.2";
  const [, version = ""] = /<schemaversion>\s*([^<]{1,60})/i.exec(text) ?? [];
  return /2004|CAM/i.test(version) ? "2004" : "1.2";
}
