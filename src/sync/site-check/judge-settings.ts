import type { SiteFacts } from "../../service/check/site-facts.js";
import { NOT_AVAILABLE } from "../../service/not-available.js";
import { isObject } from "../../service/wire/place.js";
import { readSiteInfo } from "../../service/wire/site.js";
import { failed, ok, unknown, type Verdict, warning } from "./check-line.js";
import { noAnswer, placeOf, said } from "./told.js";

const SWITCHED_OFF: ReadonlySet<number | null> = new Set(NOT_AVAILABLE);
const REFUSED: ReadonlySet<number | null> = new Set([401, 403]);

/** Which families of the API are there. */
export function judgeFamilies({ families }: SiteFacts): Verdict {
  if (families.length === 0) return unknown("not asked, since an earlier question failed");
  const off = families.filter(({ told }) => SWITCHED_OFF.has(told.status)).map(({ family }) => family);
  const odd = families.filter(({ told }) => isOdd(told.status));
  const there = `${families.length - off.length - odd.length} of ${families.length} families that have a list are there`;
  if (odd[0] !== undefined)
    return warning(
      `${there}; ${odd.map(({ family }) => family).join(", ")}: ${said(odd[0].told)}`,
      "Run it again later.",
    );
  return off.length === 0
    ? ok(there)
    : warning(`${there}; not ${off.join(", ")}`, "What belongs to these is neither read nor written.");
}

/** What says nothing about the family: the site has a problem of its own. */
function isOdd(status: number | null): boolean {
  return status === null || status === 429 || (status >= 500 && !SWITCHED_OFF.has(status));
}

/** Which reads this account is refused. */
export function judgeReads({ families, reads }: SiteFacts): Verdict {
  const { guides } = reads;
  if (families.length === 0 && guides?.status != null && guides.status !== 200) {
    return failed(
      `not even the list of guides: ${said(guides)}`,
      // What else is wrong stands above.
      `Nothing else was asked.${REFUSED.has(guides.status) ? " Use an account that may see the site." : ""}`,
    );
  }
  if (families.length === 0) return unknown("not asked, since an earlier question failed");
  const all = [...families.map(({ told }) => told), ...Object.values(reads).filter((told) => told !== null)];
  const named = (codes: ReadonlySet<number | null>): string =>
    [
      ...new Set(
        all
          .filter(({ status }) => codes.has(status))
          .map(({ path, status }) => `${path.replace(/\?.*/, "")} ${status}`),
      ),
    ].join(", ");
  const [refused, absent] = [named(REFUSED), named(SWITCHED_OFF)];
  const good = `${all.filter(({ status }) => status === 200).length} of ${all.length} reads are answered`;
  const missing = absent === "" ? "" : `; not there: ${absent}`;
  if (refused === "") return ok(`${good}${missing}`);
  return warning(
    `${good}; refused: ${refused}${missing}`,
    "What is refused is not read. Use an account that may see it.",
  );
}

export function judgeGuideTypes({ reads: { info }, root }: SiteFacts): Verdict {
  const none = noAnswer(info);
  if (none !== undefined || info === null) return none ?? unknown("not asked");
  const { guideTypes } = readSiteInfo(placeOf(info, root));
  if (guideTypes === null) return unknown("sites/info has no guide-types");
  if (guideTypes.length === 0)
    return warning("sites/info names no guide type", "Guides need one: allow some in the site's settings.");
  return ok(guideTypes.join(", "));
}

export function judgeFlags({ reads: { flags }, root }: SiteFacts): Verdict {
  const none = noAnswer(flags);
  if (none !== undefined || flags === null) return none ?? unknown("not asked");
  const names = placeOf(flags, root)
    .at("guide")
    .fields()
    .map(([name]) => name);
  return names.length === 0
    ? warning("this account may set no flag of a guide", "Flags of guides are lost on the way to this site.")
    : ok(names.join(", "));
}

/** The shape of the answer is not public (api-facts 5.1): what is called extensions, and numbers that are called most or least. */
export function judgeUploads({ reads: { constraints } }: SiteFacts): Verdict {
  const none = noAnswer(constraints);
  if (none !== undefined || constraints === null) return none ?? unknown("not asked");
  const found: Found = { extensions: undefined, limits: [] };
  collect(constraints.json, "", found);
  const limits = found.limits.length === 0 ? "no limits are named" : found.limits.join(", ");
  if (found.extensions === undefined) return unknown(`the answer names no extensions; ${limits}`);
  if (found.extensions.length === 0) {
    return failed(
      "no extension is allowed, so that every upload will be refused",
      "Let an admin of the site save its list of allowed file types (security settings).",
    );
  }
  return ok(`${found.extensions.join(", ")}; ${limits}`);
}

interface Found {
  extensions: string[] | undefined;
  readonly limits: string[];
}

function collect(value: unknown, name: string, found: Found): void {
  if (Array.isArray(value)) {
    if (/extension|type/i.test(name))
      found.extensions = [...(found.extensions ?? []), ...value.filter((one) => typeof one === "string")];
    return;
  }
  if (typeof value === "number" && /max|min|size|limit|width|height/i.test(name)) found.limits.push(`${name} ${value}`);
  if (!isObject(value)) return;
  const isGroup = /extension|type/i.test(name);
  for (const [field, inner] of Object.entries(value)) {
    const below = name === "" ? field : `${name}.${field}`;
    collect(inner, isGroup ? name : below, found);
  }
}

/** Seconds between two clocks that do no harm yet. */
const HARMLESS = 30;

/** Tokens end by the site's clock, and `modifiedSince` goes by it. */
export function judgeClock({ reads }: SiteFacts): Verdict {
  const skews = Object.values(reads).flatMap((told) => (told?.skew == null ? [] : [told.skew]));
  const middle = skews.toSorted((one, other) => one - other)[Math.floor(skews.length / 2)];
  if (middle === undefined) return unknown("no answer has a Date header that can be read");
  const seconds = Math.round(Math.abs(middle) / 1000);
  const what =
    seconds === 0
      ? "the clocks agree to the second"
      : `the site's clock is ${seconds < 300 ? `${seconds} s` : `${Math.round(seconds / 60)} minutes`} ${middle > 0 ? "ahead of" : "behind"} this machine's`;
  if (seconds <= HARMLESS) return ok(what);
  return warning(
    what,
    "Set the clock that is wrong: sign-ins end early, and nightly runs may pass over what was changed meanwhile.",
  );
}
