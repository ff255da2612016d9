import type { SiteIdentity } from "../../core/model/identity.js";
import type { JsonCursor } from "./json-cursor.js";

/** The facts of `GET sites/info` (api-facts 9); all of them may be missing. */
export interface SiteInfo {
  readonly siteId: string | null;
  readonly name: string | null;
  readonly hosts: readonly string[];
  readonly language: string | null;
  readonly languages: readonly string[];
  /** Allowed guide types; null when the site doesn't show them. */
  readonly guideTypes: readonly string[] | null;
}

export function readSiteInfo(info: JsonCursor): SiteInfo {
  const id = info.at("siteid").value;
  return {
    siteId: typeof id === "number" || typeof id === "string" ? String(id) : null,
    name: info.at("title").textOrNull() || info.at("name").textOrNull() || null,
    hosts: [info.at("domain"), info.at("custom_domain")].flatMap(readHost),
    language: info.at("langid").textOrNull() || info.at("language").textOrNull() || null,
    languages: info.at("languages").value === undefined ? info.at("langids").texts() : info.at("languages").texts(),
    guideTypes: readGuideTypes(info.at("guide-types")),
  };
}

/** Only Dozuki has `guide_revisionid` (api-facts 0.3). */
export function readDialect(guide: JsonCursor): SiteIdentity["dialect"] {
  if (guide.at("guide_revisionid").value !== undefined) return "dozuki";
  return guide.at("guideid").value === undefined ? "unknown" : "ifixit";
}

/** Domains are bare (`site.example`) or addresses. */
function readHost(place: JsonCursor): readonly string[] {
  const text = place.textOrNull()?.trim().toLowerCase() ?? "";
  if (text === "") return [];
  const address = text.includes("://") ? text : `https://${text}`;
  return URL.canParse(address) ? [new URL(address).hostname] : [];
}

function readGuideTypes(place: JsonCursor): readonly string[] | null {
  if (place.value === undefined || place.value === null) return null;
  return Array.isArray(place.value) ? place.texts() : place.fields().map(([type]) => type);
}
