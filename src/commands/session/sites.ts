import type { Source } from "../../core/contracts.js";
import { UsageError } from "../../core/errors.js";
import type { Key } from "../../core/model/key.js";
import type { PeopleMaps } from "../../core/writing.js";
import type { LookedThrough } from "../../documents/document-source.js";
import { documentsRoot, packageName } from "../../documents/package-name.js";
import { layoutOf } from "../../storage/workspace/layout.js";
import type { Workspace } from "../../storage/workspace/workspace.js";
import type { CommandCall } from "../command.js";
import type { ConnectedTarget } from "../compose.js";
import type { Connected, Site, Talk } from "../compose-stack.js";
import type { SourcePlace } from "../location.js";
import { SIDES, type Side } from "../options/credential-names.js";
import type { Settings } from "../options/table.js";
import type { Output } from "../output/output.js";
import { count } from "../output/words.js";
import type { Session } from "./session.js";

export async function withSource<T>(
  session: Session,
  place: SourcePlace,
  work: (source: Source) => Promise<T>,
): Promise<T> {
  const connected = await ("site" in place
    ? connectSite(session, place.site)
    : connectPackage(session, place.documents));
  session.call.hide(connected.redact);
  try {
    return await work(connected.source);
  } finally {
    await connected.close();
  }
}

async function connectSite(session: Session, root: string): Promise<Connected & { readonly source: Source }> {
  const { call } = session;
  const { imageDetails, format, languages, records, personalData, contentVersion: version } = call.settings;
  if (version !== "latest" && format === "xml-only")
    throw new UsageError(`--content-version ${version} needs JSON. Leave out --format xml-only.`);
  const { connectSource } = await import("../compose.js");
  const options = { imageDetails, format, languages, records, personalData, version };
  return connectSource(siteOf(call, "source", root), talkOf(session, "source"), options);
}

async function connectPackage(session: Session, path: string): Promise<Connected & { readonly source: Source }> {
  const { call, workspace } = session;
  const { connectDocuments } = await import("../compose-tools.js");
  const scratch = layoutOf(workspace.directory).temporary;
  const { publish } = call.settings;
  const isKnown = workspace.source()?.root === documentsRoot(path);
  const connected = await connectDocuments(path, talkOf(session, "source"), {
    scratch,
    publish,
    ...(isKnown ? { stored: workspace.items } : {}),
  });
  try {
    for (const warning of connected.warnings) call.output.warn(`${path}: ${warning}`);
    const looked = await connected.source.look(call.abort);
    refuseStranger(workspace, path, looked.keys);
    reportDocuments(call.output, looked, publish);
  } catch (error) {
    await connected.close();
    throw error;
  }
  return connected;
}

/** A package is recognised by its name: another one with that name would delete its items. */
function refuseStranger({ items, directory, source }: Workspace, path: string, keys: ReadonlySet<Key>): void {
  if (source()?.root !== documentsRoot(path)) return;
  let stored = 0;
  for (const kind of ["category", "wiki", "guide"] as const) {
    for (const { key, state } of items.entries(kind)) {
      if (keys.has(key)) return;
      if (state === "present") stored += 1;
    }
  }
  if (stored === 0) return;
  throw new UsageError(
    `The workspace ${directory} contains other documents named ${packageName(path)}: none of its ${stored} items is in ${path}. ` +
      "Nothing was changed. Use another folder with --workspace.",
  );
}

/** Calls `work` with the connected target. `toOrigin`: it is the origin site of the content. */
export async function withTarget<T>(
  session: Session,
  root: string,
  work: (target: ConnectedTarget) => Promise<T>,
  toOrigin = false,
): Promise<T> {
  const { call, workspace } = session;
  workspace.runs.note({ target: root });
  const { connectTarget } = await import("../compose.js");
  const site = siteOf(call, "target", root);
  const choices = { ...call.settings, toOrigin, ...(await peopleOf(call.settings)) };
  const connected = connectTarget(site, talkOf(session, "target"), choices, () => workspace.source());
  call.hide(connected.redact);
  try {
    return await work(connected);
  } finally {
    await connected.close();
  }
}

/** Loads what reads maps only for a run that has one. */
async function peopleOf(settings: Settings): Promise<{ readonly people?: PeopleMaps }> {
  if (!settings.userMap && !settings.teamMap) return {};
  const { readPeopleMaps } = await import("./people-maps.js");
  return { people: await readPeopleMaps(settings) };
}

export function siteOf(call: CommandCall, side: Side, root: string): Site {
  return { root, credentials: call.credentials(side), variables: `GUIDEFERRY_${side.toUpperCase()}` };
}

export function talkOf({ call, workspace, previous }: Talking, side: Side): Talk {
  const { settings, output, environment } = call;
  const own = side === "source" ? settings.sourceRate : settings.targetRate;
  return {
    concurrency: settings.concurrency,
    rate: own ?? settings.rate,
    mediaRate: settings.mediaRate,
    allowPrivateMedia: settings.allowPrivateMedia,
    environment,
    log: settings.verbose ? (line) => output.request(line) : null,
    observe: call.observe,
    beat: () => workspace?.runs.beat(),
    previous,
    sharing: output,
    watch: (look) => output.watch(look),
    bandwidth: call.bandwidth,
    pause: call.pause,
    fleet: call.fleet,
  };
}

interface Talking extends Pick<Session, "call" | "previous"> {
  readonly workspace: Workspace | null;
}

/**
 * Whose sign-in goes to the one site of a command. A token must not go to a site that it is not of:
 * where both sites' are set nobody but the caller knows which one this is, and UsageError is
 * thrown.
 */
export function sideOf(call: CommandCall): Side {
  const { signInAs } = call.settings;
  if (signInAs !== null) return signInAs;
  const [known] = call.sides ?? [];
  if (known !== undefined) return known;
  const signedIn = SIDES.filter((side) => call.credentials(side).kind !== "none");
  if (signedIn.length < 2) return signedIn[0] ?? "source";
  throw new UsageError(
    "Sign-ins for two sites are set. Say which one belongs to this site: --as source (GUIDEFERRY_SOURCE_…) or --as target " +
      "(GUIDEFERRY_TARGET_…).",
  );
}

const SHOWN = 10;
const NAMED = 5;

/**
 * Says what a person should know of documents before they are taken: who will see their guides, and
 * what is odd about the package.
 */
function reportDocuments(output: Output, { guides, kept, remarks }: LookedThrough, publish: boolean): void {
  if (guides.unsaid > 0 && !publish)
    output.note(
      `Documents do not say whether guides are public, so these are private (${guides.unsaid}). With --publish they become public.`,
    );
  if (guides.private > 0 && publish)
    output.note(`Private at their source, and so here: ${count(guides.private, "guide")}.`);
  if (kept.length > 0) {
    const named = kept.slice(0, NAMED).join(", ") + (kept.length > NAMED ? `, and ${kept.length - NAMED} more` : "");
    output.warn(
      `No document describes these any more, while others name them, so they stay as they were read before: ${named}`,
    );
  }
  for (const remark of remarks.slice(0, SHOWN)) output.warn(remark);
  if (remarks.length > SHOWN) output.warn(`and ${remarks.length - SHOWN} more of this kind.`);
}
