import type { ConnectedTarget } from "../compose.js";
import type { Key } from "../../core/model/key.js";
import type { ExtractSummary } from "../../sync/extract-summary.js";
import type { Place, SourcePlace } from "../location.js";
import { type Done, finish, finishPlan } from "./finish.js";
import type { Ended, Session } from "./session.js";
import { withTarget } from "./sites.js";
import { refresh } from "./source-steps.js";
import { loadInto, verifyAt } from "./target-steps.js";

/** Reads the source into the workspace, loads that into the target, and reads it back to compare. */
export async function migrateSite(session: Session, source: SourcePlace, target: string): Promise<Ended> {
  return withBoth(session, source, target, async (connected, read) => {
    if (session.call.settings.dryRun) return finishPlan(session, connected, read);
    return finish(session, { ...read, ...(await loadAndVerify(session, connected)) });
  });
}

/** Loads, and reads back as much as `--verify` says. `keys`: only these (retry). */
export async function loadAndVerify(
  session: Session,
  connected: ConnectedTarget,
  keys?: ReadonlySet<Key>,
): Promise<Pick<Done, "loaded" | "verified" | "unverified">> {
  const { verify } = session.call.settings;
  const written = new Set<Key>();
  const loaded = await loadInto(session, connected, keys, (key) => written.add(key));
  if (verify === "none") return { loaded, unverified: true };
  const what = verify === "changed" ? { keys, changed: written } : { keys };
  return { loaded, verified: await verifyAt(session, connected, what) };
}

/** What an extract brought, if there was one. */
export interface Read {
  readonly extracted?: ExtractSummary;
}

/** Lets work be done with the target after a source as the place was read into the workspace; a workspace is taken as it is. */
export async function withBoth(
  session: Session,
  place: Place,
  target: string,
  work: (connected: ConnectedTarget, read: Read) => Promise<Ended>,
): Promise<Ended> {
  return withTarget(session, target, async (connected) => {
    if ("workspace" in place) return work(connected, {});
    // Asked first, so that a wrong token does not come to light after hours of reading.
    await connected.target.survey(session.call.abort);
    return work(connected, { extracted: await refresh(session, place) });
  });
}
