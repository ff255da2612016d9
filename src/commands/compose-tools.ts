import type { ModuleSite } from "../core/training.js";
import type { DocumentSource } from "../documents/document-source.js";
import { type Ask, createAsk, createStartClock } from "../service/check/ask.js";
import { WEB_PACKAGES } from "../service/http/address-guard.js";
import type { OpenMedia } from "../service/http/media-download.js";
import type { Transport, WholeResponse } from "../service/http/transport.js";
import { createModuleSite } from "../service/training/module-site.js";
import { probeTraining, type TrainingProbe } from "../service/training/probe-training.js";
import type { ItemReader } from "../storage/workspace/item-store.js";
import { type Connected, type Site, stackFor, type Talk } from "./compose-stack.js";

// The composition root of what is no site that guides are moved from or to: documents, training
// modules, single calls, checks, the web.

interface ConnectedDocuments extends Connected {
  readonly source: DocumentSource;
  /** What the archive guard saw and let pass, a line each. */
  readonly warnings: readonly string[];
}

export interface DocumentOptions {
  readonly scratch: string;
  /** Guides become public ones where documents don't say whether they are. */
  readonly publish: boolean;
  /** What was read from the same documents before; absent: nothing. */
  readonly stored?: ItemReader;
}

/**
 * A package, a folder or a single document to read from; media of it that lie on the web are
 * fetched from public addresses only.
 */
export async function connectDocuments(
  path: string,
  talk: Talk,
  { scratch, ...options }: DocumentOptions,
): Promise<ConnectedDocuments> {
  const { FORMATS } = await import("../../transforms/index.js");
  const { createDocumentSource } = await import("../documents/document-source.js");
  const { openDocuments } = await import("../documents/document-source.js");
  const { ItemSpool } = await import("../documents/document-index.js");
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
 * Documents have no site whose media could be trusted: every address is a stranger's. A name that
 * never exists (RFC 6761, 6.4) stands for it; its plain http is that of old documents, whose
 * addresses are from before sites had https.
 */
const NO_SITE: Site = {
  root: "http://documents.invalid/api/2.0",
  credentials: { kind: "none" },
  variables: "GUIDEFERRY_SOURCE",
};

interface ConnectedModules extends Connected {
  readonly modules: ModuleSite;
  /** What the site answers about them, without secrets and personal data. Reads only. */
  probe(signal: AbortSignal): Promise<TrainingProbe>;
}

export function connectModules(site: Site, talk: Talk): ConnectedModules {
  const stack = stackFor(site, talk);
  const { client } = stack;
  const modules = createModuleSite({ client, name: site.root, variables: site.variables });
  return { modules, probe: (signal) => probeTraining(client, {}, signal), redact: stack.redact, close: stack.close };
}

/**
 * A site for a single call, as a person makes it: sent once, and whatever comes back is the answer.
 */
export function connectRaw(site: Site, talk: Talk): Connected & { readonly exchange: Transport<WholeResponse> } {
  const { exchange, redact, close } = stackFor(site, talk, { retry: { tries: 1 } });
  return { exchange, redact, close };
}

/** A site to be asked what can be expected of it; whatever makes something new is sent once. */
export function connectCheck(site: Site, talk: Talk): Connected & { readonly ask: Ask } {
  const clock = createStartClock(talk.beat);
  const { exchange, redact, close } = stackFor(site, { ...talk, beat: clock.beat }, { retry: { tries: 1 } });
  return { ask: createAsk({ root: site.root, exchange, startedAt: clock.startedAt }), redact, close };
}

/** The web, without a site: https and public addresses only, and nothing is signed. */
export function connectWeb(talk: Talk): Connected & { readonly open: OpenMedia } {
  const { openMedia, redact, close } = stackFor(NO_WEB_SITE, talk, { mediaWords: WEB_PACKAGES });
  return { open: openMedia, redact, close };
}

const NO_WEB_SITE: Site = {
  root: "https://packages.invalid/api/2.0",
  credentials: { kind: "none" },
  variables: "GUIDEFERRY_TARGET",
};
