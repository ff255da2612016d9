import type { Connected, ConnectedTarget, Site, Talk } from "../../compose.js";
import type { Source } from "../../contracts.js";
import { UsageError } from "../../errors.js";
import type { Key } from "../../model/key.js";
import { documentsRoot, packageName } from "../../pipeline/documents/package-name.js";
import { layoutOf } from "../../workspace/layout.js";
import type { Workspace } from "../../workspace/workspace.js";
import type { CommandCall } from "../command.js";
import type { SourcePlace } from "../location.js";
import type { Side } from "../options/credential-names.js";
import type { Session } from "./session.js";

/** Lets work be done with the source; its connections end with it. */
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
  const { imageDetails, format, languages } = call.settings;
  const { connectSource } = await import("../../compose.js");
  const options = { imageDetails, format, languages };
  return connectSource(siteOf(call, "source", root), talkOf(session, "source"), options);
}

async function connectPackage(session: Session, path: string): Promise<Connected & { readonly source: Source }> {
  const { call, workspace } = session;
  const { connectDocuments } = await import("../../compose.js");
  const scratch = layoutOf(workspace.directory).temporary;
  const connected = await connectDocuments(path, talkOf(session, "source"), {
    scratch,
    publish: call.settings.publish,
  });
  try {
    if (!call.settings.publish) call.output.note(PRIVATE);
    for (const warning of connected.warnings) call.output.warn(`${path}: ${warning}`);
    refuseStranger(workspace, path, await connected.source.keys(call.abort));
  } catch (error) {
    await connected.close();
    throw error;
  }
  return connected;
}

const PRIVATE =
  "Documents do not say whether guides are public, so these are private. With --publish they become public.";

/** A package is known by its name, and two may have one: what the first one brought would be overwritten and given up for gone. */
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
    `The workspace ${directory} holds other documents of the name ${packageName(path)}: none of its ${stored} items is in ${path}. ` +
      "Nothing was changed. Use another folder with --workspace.",
  );
}

/** Lets work be done with the target; its connections end with it. */
export async function withTarget<T>(
  session: Session,
  root: string,
  work: (target: ConnectedTarget) => Promise<T>,
): Promise<T> {
  const { call, workspace } = session;
  const { connectTarget } = await import("../../compose.js");
  const site = siteOf(call, "target", root);
  const connected = connectTarget(site, talkOf(session, "target"), call.settings, () => workspace.source());
  call.hide(connected.redact);
  try {
    return await work(connected);
  } finally {
    await connected.close();
  }
}

function siteOf(call: CommandCall, side: Side, root: string): Site {
  return { root, credentials: call.credentials(side), variables: `GUIDEFERRY_${side.toUpperCase()}` };
}

function talkOf({ call, workspace, previous }: Session, side: Side): Talk {
  const { settings, output, environment } = call;
  const own = side === "source" ? settings.sourceRate : settings.targetRate;
  return {
    concurrency: settings.concurrency,
    rate: own ?? settings.rate,
    mediaRate: settings.mediaRate,
    environment,
    log: settings.verbose ? (line) => output.request(line) : null,
    beat: () => workspace.runs.beat(),
    previous,
  };
}
