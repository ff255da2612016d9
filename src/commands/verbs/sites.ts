import type { ConnectedTarget, Site, Talk } from "../../compose.js";
import type { Source } from "../../contracts.js";
import type { CommandCall } from "../command.js";
import type { Side } from "../options/credential-names.js";
import type { Session } from "./session.js";

/** Lets work be done with the source; its connections end with it. */
export async function withSource<T>(session: Session, root: string, work: (source: Source) => Promise<T>): Promise<T> {
  const { call } = session;
  const { imageDetails, format, languages } = call.settings;
  const { connectSource } = await import("../../compose.js");
  const connected = connectSource(siteOf(call, "source", root), talkOf(session, "source"), {
    imageDetails,
    format,
    languages,
  });
  call.hide(connected.redact);
  try {
    return await work(connected.source);
  } finally {
    await connected.close();
  }
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
