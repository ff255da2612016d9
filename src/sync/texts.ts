import { keysOf } from "../../transforms/references/reference.js";
import { references } from "../../transforms/references/references.js";
import type {
  Dangling,
  DanglingPolicy,
  Resolution,
  RewriteOptions,
} from "../../transforms/references/rewrite-options.js";
import { longestRewrite, rewriteToFit } from "../../transforms/references/rewrite-references.js";
import type { SiteIdentity } from "../core/contracts.js";
import type { Key, Kind } from "../core/model/key.js";
import { ownId } from "../core/model/key.js";
import type { LinkTarget, Texts } from "../service/target/context.js";
import { titleAtTarget } from "../service/target/identity.js";

/**
 * The two sites that texts move between. The target is asked late: it is known after its survey
 * only.
 */
export interface TextSites {
  readonly source: () => SiteIdentity;
  readonly target: () => SiteIdentity;
  readonly dangling: DanglingPolicy;
  /** Both are one site: references to what has its own id stay as they are. Default false. */
  readonly home?: boolean;
}

/** The reference pass as a target needs it. */
export function createTexts(sites: TextSites): Texts {
  return {
    keysIn: (text, where) => [...new Set(references(text, sites.source(), where).flatMap(keysOf))],
    rewrite: (text, where, goals, limit) => {
      const options = rewriteOptions(
        sites,
        where,
        (key) => resolutionOf(key, goals.get(key)),
        (key) => addressOf(goals.get(key)),
      );
      const isUnmoved = (key: Key): boolean => isAtHome(key, goals.get(key));
      const more = sites.home === true ? { ...options, isUnmoved } : options;
      const { dangling, ...rest } = rewriteToFit(text, more, (written) => limit === null || written.length <= limit);
      return { ...rest, dangling: dangling.map(danglingOf) };
    },
  };
}

function isAtHome(key: Key, goal: LinkTarget | undefined): boolean {
  return goal !== undefined && "id" in goal && goal.id === ownId(key);
}

/**
 * The text as it will be sent, at its longest: what has no id yet gets as many digits as it can
 * have.
 */
export function measure(
  sites: TextSites,
  where: "line" | "page",
  { resolve, addressOf }: { resolve(key: Key): Resolution; addressOf(key: Key): string | undefined },
  digits: (kind: Kind) => number,
): (text: string) => string {
  const options = rewriteOptions(sites, where, resolve, addressOf);
  return (text) => longestRewrite(text, options, digits);
}

function rewriteOptions(
  sites: TextSites,
  context: "line" | "page",
  resolve: (key: Key) => Resolution,
  address: (key: Key) => string | undefined,
): RewriteOptions {
  const source = sites.source();
  return {
    source,
    target: sites.target(),
    context,
    resolve,
    dangling: sites.dangling,
    addressOf: address,
  };
}

/** A key that nobody asked about is of another site's making: it does not move. */
function resolutionOf(key: Key, goal: LinkTarget | undefined): Resolution {
  if (goal === undefined) return { never: true };
  if ("id" in goal) return { id: titleAtTarget(key, goal.id) };
  if ("later" in goal) return { later: true };
  return "absent" in goal ? { absent: true } : { never: true };
}

function addressOf(goal: LinkTarget | undefined): string | undefined {
  return goal === undefined || "id" in goal ? undefined : goal.address;
}

const WRITTEN: Readonly<Record<Dangling["written"], string>> = {
  absolute: "became a link to the old site",
  label: "became plain text",
  guide: "lost its step and goes to the guide",
  kept: "stays as it is",
  failed: "has no goal at the target",
};

function danglingOf({ key, reference, written }: Dangling): {
  readonly key: string;
  readonly message: string;
  readonly failed: boolean;
  readonly kept: boolean;
} {
  const [failed, kept] = [written === "failed", written === "kept"];
  const became = written === "absolute" && isFile(key) ? "became a link to the file at the old site" : WRITTEN[written];
  return { key, message: `The reference ${reference} ${became}`, failed, kept };
}

/** Media have no page that a link could lead to, but a file. */
function isFile(key: string): boolean {
  return /^(?:image|video|document)\//.test(key);
}
