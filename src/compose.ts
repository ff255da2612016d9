import { isLoopback } from "./api/address.js";
import { type Ask, createAsk, startClock } from "./api/check/ask.js";
import type { Credentials } from "./api/credentials.js";
import type { OpenMedia } from "./api/media-host.js";
import { WEB_PACKAGES } from "./api/media-words.js";
import type { Redact } from "./api/secret.js";
import type { ReadManual } from "./api/source/read-manual.js";
import { createSource } from "./api/source/source.js";
import type { SourceOptions } from "./api/source/source-settings.js";
import { createStack, DEFAULT_RATE, type Stack, type StackOptions } from "./api/stack.js";
import { createHomeSite, type HomeSite } from "./api/target/home-site.js";
import { createTarget } from "./api/target/target.js";
import type { Texts } from "./api/target/texts.js";
import { createModuleSite } from "./api/training/module-site.js";
import { probeTraining, type TrainingProbe } from "./api/training/probe-training.js";
import type { Transport, WholeResponse } from "./api/transport.js";
import type { SiteIdentity, Source, Survey, Target } from "./contracts.js";
import { FerryError } from "./errors.js";
import type { DocumentSource } from "./pipeline/documents/document-source.js";
import { createTexts } from "./pipeline/texts.js";
import type { ModuleSite } from "./training.js";
import type { ItemReader } from "./workspace/item-store.js";
import type { Run } from "./workspace/run-log.js";

// The composition root: here alone stands which source, target and transport a run is made of.

/** A site and how to sign in there. */
export interface Site {
  /** `https://site.example/api/2.0`. */
  readonly root: string;
  readonly credentials: Credentials;
  /** What the names of its variables begin with, for messages: `GUIDEFERRY_SOURCE`. */
  readonly variables: string;
}

/** How sites are talked to. */
export interface Talk {
  readonly concurrency: number;
  /** Requests a second to the site; null: 10, on loopback without limit. */
  readonly rate: number | null;
  /** The same for other hosts that its media lie on; null: 50, on loopback without limit. */
  readonly mediaRate: number | null;
  /** The variables of the process, for proxies. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Takes a line for each request; null: nobody wants to see them. */
  readonly log: ((line: string) => void) | null;
  /** Called for each request that goes out; may be called often. */
  readonly beat: () => void;
  /** The run before this one, so that the rate holds across both. */
  readonly previous: Run | null;
}

/** Something that talks to a site until it is closed. */
export interface Connected {
  /** Takes the site's secrets out of a text, also those that a login brought. */
  readonly redact: Redact;
  close(): Promise<void>;
}

/** A site to read from. */
export function connectSource(site: Site, talk: Talk, options: SourceOptions): Connected & { readonly source: Source } {
  const stack = stackFor(site, talk);
  const { client, openMedia } = stack;
  const source = createSource({ client, openMedia, name: site.root, options, readManual });
  return { source, redact: stack.redact, close: stack.close };
}

/** Loaded with the first answer: most runs read no XML. */
const readManual: ReadManual = async (answer) => {
  const { readAnswer } = await import("../transforms/omanual/read-answer.js");
  return readAnswer(answer);
};

/** Documents to read from. */
export interface ConnectedDocuments extends Connected {
  readonly source: DocumentSource;
  /** What the archive guard saw and let pass, a line each. */
  readonly warnings: readonly string[];
}

/** How documents are read. */
export interface DocumentOptions {
  /** A folder for what is needed during the run only. */
  readonly scratch: string;
  /** Guides become public ones where documents don't say whether they are. */
  readonly publish: boolean;
  /** What was read from the same documents before; absent: nothing. */
  readonly stored?: ItemReader;
}

/** A package, a folder or a single document to read from; media of it that lie on the web are fetched from public addresses only. */
export async function connectDocuments(
  path: string,
  talk: Talk,
  { scratch, ...options }: DocumentOptions,
): Promise<ConnectedDocuments> {
  const { FORMATS } = await import("../transforms/index.js");
  const { createDocumentSource } = await import("./pipeline/documents/document-source.js");
  const { openDocuments } = await import("./pipeline/documents/open-documents.js");
  const { ItemSpool } = await import("./pipeline/documents/spool.js");
  const { files, warnings, close } = await openDocuments(path);
  const spool = await ItemSpool.open(scratch).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const { openMedia, ...stack } = stackFor(NO_SITE, talk);
  const source = createDocumentSource({ path, files, formats: FORMATS, spool, openWeb: openMedia, ...options });
  const closeAll = async (): Promise<void> => {
    await Promise.all([stack.close(), spool.close(), close()]);
  };
  return { source, warnings, redact: stack.redact, close: closeAll };
}

/**
 * Documents have no site whose media could be trusted: every address is a stranger's. A name that never exists (RFC 6761, 6.4)
 * stands for it; its plain http is that of old documents, whose addresses are from before sites had https.
 */
const NO_SITE: Site = {
  root: "http://documents.invalid/api/2.0",
  credentials: { kind: "none" },
  variables: "GUIDEFERRY_SOURCE",
};

/** What decides how things are written. */
export interface TargetChoices {
  /** The site is the one that the content comes from, and its ids are those of the keys. Default false. */
  readonly home?: boolean;
  readonly onConflict: "skip" | "update" | "fail";
  readonly onExisting: "adopt" | "update" | "fail";
  readonly dangling: "absolute" | "label" | "fail";
}

/** A site to write to, and to read back from. */
export interface ConnectedTarget extends Connected {
  readonly target: Target;
  /** The same site read as a source: what `verify` compares with. */
  readonly reader: Source;
  readonly texts: Texts;
  /** Ways back that only the site has which the content came from. */
  readonly homeSite: HomeSite;
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
  const { onConflict, onExisting, dangling, home = false } = choices;
  const texts = createTexts({
    source: () => known(source(), "source"),
    target: () => known(survey, "target").identity,
    dangling,
    home,
  });
  const { client, openMedia } = stack;
  const name = site.root;
  const target = createTarget({ name, client, texts, onConflict, onExisting, home, output: { dangling } });
  const remembering: Target = {
    ...target,
    survey: async (signal) => {
      survey = await target.survey(signal);
      return survey;
    },
  };
  const reader = createSource({ client, openMedia, name, options: PLAIN, readManual });
  const homeSite = createHomeSite(client);
  return { target: remembering, reader, texts, homeSite, redact: stack.redact, close: stack.close };
}

/** Reading back needs nothing beside the plain answers. */
const PLAIN: SourceOptions = { imageDetails: false, format: "json", languages: [] };

/** Requests a second that a site gets; null: no limit. */
export function rateAt(root: string, asked: number | null): number | null {
  return asked ?? (isLoopback(new URL(root).hostname) ? null : DEFAULT_RATE);
}

/** A site's external training modules. */
export interface ConnectedModules extends Connected {
  readonly modules: ModuleSite;
  /** What the site answers about them, without secrets and personal data. Reads only. */
  probe(signal: AbortSignal): Promise<TrainingProbe>;
}

/** The external training modules of a site. */
export function connectModules(site: Site, talk: Talk): ConnectedModules {
  const stack = stackFor(site, talk);
  const { client } = stack;
  const modules = createModuleSite({ client, name: site.root, variables: site.variables });
  return { modules, probe: (signal) => probeTraining(client, {}, signal), redact: stack.redact, close: stack.close };
}

/** A site for a single call, as a person makes it: sent once, and whatever comes back is the answer. */
export function connectRaw(site: Site, talk: Talk): Connected & { readonly exchange: Transport<WholeResponse> } {
  const { exchange, redact, close } = stackFor(site, talk, { retry: { tries: 1 } });
  return { exchange, redact, close };
}

/** A site to be asked what can be expected of it; whatever makes something new is sent once. */
export function connectCheck(site: Site, talk: Talk): Connected & { readonly ask: Ask } {
  const clock = startClock(talk.beat);
  const { exchange, redact, close } = stackFor(site, { ...talk, beat: clock.beat }, { retry: { tries: 1 } });
  return { ask: createAsk({ root: site.root, exchange, startedAt: clock.startedAt }), redact, close };
}

/** The web, without a site: https and public addresses only, and nothing is signed. */
export function connectWeb(talk: Talk): Connected & { readonly open: OpenMedia } {
  const { openMedia, redact, close } = stackFor(NO_WEB_SITE, talk, { mediaWords: WEB_PACKAGES });
  return { open: openMedia, redact, close };
}

/** As NO_SITE; that it has https keeps everything else away. */
const NO_WEB_SITE: Site = {
  root: "https://packages.invalid/api/2.0",
  credentials: { kind: "none" },
  variables: "GUIDEFERRY_TARGET",
};

function stackFor(site: Site, talk: Talk, more: Pick<StackOptions, "mediaWords" | "retry"> = {}): Stack {
  const { concurrency, rate, mediaRate, environment, log, beat, previous } = talk;
  return createStack({
    ...site,
    ...more,
    concurrency,
    environment,
    rate: rate ?? undefined,
    mediaRate: mediaRate ?? undefined,
    log: log ?? undefined,
    lastActivity: lastActivity(site, rate, previous),
    onStart: beat,
  });
}

/** Milliseconds that the run log's sign of life may be late: it is written every 2 s, and its seconds are cut off. */
const GRAIN = 3000;

function lastActivity(site: Site, rate: number | null, run: Run | null): number | undefined {
  return run === null || rateAt(site.root, rate) === null ? undefined : run.active * 1000 + GRAIN;
}

function known<T>(value: T | undefined, what: string): T {
  if (value === undefined)
    throw new FerryError(`A text was rewritten before the ${what} was known: a defect of guideferry.`);
  return value;
}
