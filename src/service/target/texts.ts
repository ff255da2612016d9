import { keysOf, type Reference } from "../../../transforms/references/reference.js";
import type {
  Dangling,
  DanglingPolicy,
  Resolution,
  Rewritten,
  SiteOptions,
} from "../../../transforms/references/rewrite-options.js";
import { longestRewrite, rewriteToFit } from "../../../transforms/references/rewrite-references.js";
import { readerOf } from "../../../transforms/references/text-reader.js";
import type { Context } from "../../core/contracts.js";
import { FerryError } from "../../core/errors.js";
import type { SiteIdentity } from "../../core/model/identity.js";
import { type Issue, REFERENCE_DANGLING, REFERENCE_KEPT } from "../../core/model/issue.js";
import type { Line } from "../../core/model/item.js";
import { isMediaKey, type Key, type Kind, ownId } from "../../core/model/key.js";
import type { JsonObject } from "../../core/util/json.js";
import type { Operation } from "../../core/writing.js";
import { titleAtTarget } from "./identity.js";

interface TextSites {
  readonly source: () => SiteIdentity;
  /** A function, since it is known after the survey only. */
  readonly target: () => SiteIdentity;
  readonly dangling: DanglingPolicy;
  /** Both are one site: references to items that keep their id do not change. Default false. */
  readonly toOrigin?: boolean;
}

/** A line of a step, or a text that may have blocks. */
export type TextKind = "line" | "page";

type TargetLookup = Pick<Context, "idOf" | "moves" | "addressOf" | "isAtSource">;

interface LinkTarget {
  readonly resolution: Resolution;
  /** Its address on the old site, if it does not follow from its key. */
  readonly address: string | undefined;
  /** It has the same id on the target and at the source. */
  readonly isUnmoved: boolean;
}

/** Rewrites texts of the source for the target. Parses each text once, see `readerOf`. */
export class SiteTexts {
  readonly #sites: TextSites;

  constructor(sites: TextSites) {
    this.#sites = sites;
  }

  keysIn(text: string, where: TextKind): readonly Key[] {
    return [...new Set(this.#found(text, where).flatMap(keysOf))];
  }

  mediaIn(text: string, where: TextKind): readonly Key[] {
    return this.keysIn(text, where).filter((key) => isMediaKey(key));
  }

  /**
   * A text with every reference that can point to the target now.
   *
   * @param limit longest result in characters: a temporary link that is too long becomes its label.
   * null: no limit
   */
  async rewrite(text: string, where: TextKind, context: TargetLookup, limit: number | null): Promise<Rewritten> {
    const found = this.#found(text, where);
    if (found.length === 0) return { text, missing: [], dangling: [] };
    const targets = new Map<Key, LinkTarget>();
    for (const key of found.flatMap(keysOf)) if (!targets.has(key)) targets.set(key, await linkTargetOf(key, context));
    const { toOrigin = false } = this.#sites;
    const options: SiteOptions = {
      ...this.#options(),
      resolve: (key) => targets.get(key)?.resolution ?? { never: true },
      addressOf: (key) => targets.get(key)?.address,
      ...(toOrigin ? { isUnmoved: (key: Key) => targets.get(key)?.isUnmoved === true } : {}),
    };
    return rewriteToFit(text, found, options, (written) => limit === null || written.length <= limit);
  }

  /** The longest result: missing ids get as many digits as they can have. */
  longest(
    text: string,
    where: TextKind,
    targets: Pick<SiteOptions, "resolve" | "addressOf">,
    digits: (kind: Kind) => number,
  ): string {
    const found = this.#found(text, where);
    return found.length === 0 ? text : longestRewrite(text, found, { ...this.#options(), ...targets }, digits);
  }

  #found(text: string, where: TextKind): readonly Reference[] {
    return readerOf(this.#sites.source()).references(text, where);
  }

  #options() {
    const { source, target, dangling } = this.#sites;
    return { source: source(), target: target(), dangling };
  }
}

async function linkTargetOf(key: Key, context: TargetLookup): Promise<LinkTarget> {
  const id = await context.idOf(key);
  if (id !== undefined)
    return { resolution: { id: titleAtTarget(key, id) }, address: undefined, isUnmoved: id === ownId(key) };
  const address = await context.addressOf(key);
  return { resolution: resolutionOf(key, context), address, isUnmoved: false };
}

function resolutionOf(key: Key, context: TargetLookup): Resolution {
  if (context.moves(key)) return { later: true };
  return (context.isAtSource?.(key) ?? true) ? { never: true } : { absent: true };
}

const MAY_COME = /^(?:guide|step|category|wiki|image|video|document)\//;

interface TextWrite {
  readonly site: { readonly texts: SiteTexts };
  readonly operation: Pick<Operation, "label">;
  readonly context: TargetLookup;
  readonly report: (issue: Omit<Issue, "key">) => void;
}

/** Rewrites a text, reports broken links, and collects the missing keys. */
export async function writeText(
  { site, operation, context, report }: TextWrite,
  text: string,
  { where, path, limit = null }: { readonly where: TextKind; readonly path: string; readonly limit?: number | null },
  missing: Set<Key>,
): Promise<string> {
  const done = await site.texts.rewrite(text, where, context, limit);
  for (const key of done.missing) missing.add(key);
  for (const { key, reference, written } of done.dangling) {
    if (written === "kept") {
      const why = key.startsWith("product/")
        ? "a catalogue number is the same on every site"
        : `the source has no ${key}`;
      const message = `The reference ${reference} was not changed: ${why}.`;
      report({ code: REFERENCE_KEPT, level: "note", path, message });
      continue;
    }
    // A later run may load it: then the text is sent again.
    if (MAY_COME.test(key)) missing.add(key as Key);
    const message = `The reference ${reference} ${outcomeOf(key, written)}`;
    if (written === "failed")
      throw new FerryError(`${operation.label}, ${path}: ${message}, and --dangling is fail. The item was not sent.`);
    report({ code: REFERENCE_DANGLING, level: "loss", path, ...unmoved(key, message) });
  }
  return done.text;
}

interface LineWrite extends TextWrite {
  readonly site: TextWrite["site"] & { readonly copies: unknown; lineLength(): number };
}

/** As a body of writing. `within`: prefix of issue paths, if the call has none. */
export async function lineBodies(
  work: LineWrite,
  lines: readonly Line[],
  within: Key | undefined,
  missing: Set<Key>,
): Promise<readonly JsonObject[]> {
  const limit = work.site.lineLength();
  const bodies: JsonObject[] = [];
  for (const [index, { text, bullet, bulletStyle, level }] of lines.entries()) {
    const path = `${within === undefined ? "" : `${within}.`}lines[${index}].text`;
    // Only the origin site knows the ids of its own bullet styles (api-facts 3.4).
    const style = work.site.copies === null || bulletStyle === null ? { bullet } : { bullet_styleid: bulletStyle.id };
    bodies.push({ text: await writeText(work, text, { where: "line", path, limit }, missing), ...style, level });
  }
  return bodies;
}

const OUTCOMES: Readonly<Record<Exclude<Dangling["written"], "kept">, string>> = {
  absolute: "became a link to the old site",
  label: "became plain text",
  guide: "lost its step and points to the guide",
  failed: "has no link target on the target",
};

/** Media have no page, only a file. */
function outcomeOf(key: string, written: keyof typeof OUTCOMES): string {
  return written === "absolute" && isMedium(key) ? "became a link to the file on the old site" : OUTCOMES[written];
}

function unmoved(key: string, message: string): { readonly message: string; readonly remedy: string } {
  if (isMedium(key)) {
    return {
      message: `${message} (${key} is not on the target).`,
      remedy: "The issues of the file itself say why it is missing. Add it by hand if you need it.",
    };
  }
  return {
    message: `${message} (${key} is not part of this load).`,
    remedy: "Add the link target with --include, or choose another --dangling.",
  };
}

function isMedium(key: string): boolean {
  return /^(?:image|video|document)\//.test(key);
}
