import type { Source, Survey, Target } from "../core/contracts.js";
import { FerryError } from "../core/errors.js";
import type { SiteIdentity } from "../core/model/identity.js";
import type { PeopleMaps } from "../core/writing.js";
import { createAsk } from "../service/check/ask.js";
import type { SourceOptions } from "../service/source/session.js";
import { createSource } from "../service/source/source.js";
import { createOriginSite, type OriginSite } from "../service/target/origin-site.js";
import { createTarget } from "../service/target/target.js";
import { SiteTexts } from "../service/target/texts.js";
import { createUndoSite, type UndoSite } from "../service/target/undo-site.js";
import { type Connected, type Site, stackFor, type Talk } from "./compose-stack.js";

// The composition root: here alone stands which source, target and transport a run is made of.

export function connectSource(site: Site, talk: Talk, options: SourceOptions): Connected & { readonly source: Source } {
  const stack = stackFor(site, talk);
  const { client, openMedia } = stack;
  const source = createSource({ client, openMedia, name: site.root, options });
  return { source, redact: stack.redact, close: stack.close };
}

interface TargetChoices {
  /**
   * The site is the one that the content comes from, and its ids are those of the keys. Default
   * false.
   */
  readonly toOrigin?: boolean;
  readonly onConflict: "skip" | "update" | "merge" | "fail";
  readonly onExisting: "adopt" | "update" | "fail";
  /** Default none. */
  readonly match?: "none" | "title";
  readonly dangling: "absolute" | "label" | "fail";
  /** Default false. */
  readonly deleteRemoved?: boolean;
  readonly postComments?: boolean;
  /** Who people of the source are at the target. Default: those of equal names. */
  readonly people?: PeopleMaps;
}

export interface ConnectedTarget extends Connected {
  readonly target: Target;
  /** The same site read as a source: what `verify` compares with. */
  readonly reader: Source;
  readonly texts: SiteTexts;
  /** Ways back that only the site has which the content came from. */
  readonly originSite: OriginSite;
  readonly undoSite: UndoSite;
}

/** A site to write to; `source` is asked who the content comes from when texts are rewritten. */
export function connectTarget(
  site: Site,
  talk: Talk,
  choices: TargetChoices,
  source: () => SiteIdentity | undefined,
): ConnectedTarget {
  const stack = stackFor(site, talk);
  let survey: Survey | undefined;
  const {
    onConflict,
    onExisting,
    match = "none",
    dangling,
    toOrigin = false,
    people,
    postComments = false,
    deleteRemoved = false,
  } = choices;
  const texts = new SiteTexts({
    source: () => known(source(), "source"),
    target: () => known(survey, "target").identity,
    dangling,
    toOrigin,
  });
  const { client, openMedia } = stack;
  const name = site.root;
  const written = {
    onConflict,
    onExisting,
    match,
    toOrigin,
    postComments,
    deleteRemoved,
    output: { dangling },
    ...(people === undefined ? {} : { people }),
  };
  const ask = createAsk({ root: site.root, exchange: stack.exchange, startedAt: Date.now });
  const target = createTarget({ name, client, ask, texts, ...written });
  const remembering: Target = {
    ...target,
    survey: async (signal) => {
      survey = await target.survey(signal);
      return survey;
    },
  };
  const reader = createSource({ client, openMedia, name, options: PLAIN });
  const originSite = createOriginSite(client);
  const undoSite = createUndoSite(client);
  return { target: remembering, reader, texts, originSite, undoSite, redact: stack.redact, close: stack.close };
}

const PLAIN: SourceOptions = { imageDetails: false, format: "json", languages: [] };

function known<T>(value: T | undefined, what: string): T {
  if (value === undefined)
    throw new FerryError(`A text was rewritten before the ${what} was known: a defect of guideferry.`);
  return value;
}
