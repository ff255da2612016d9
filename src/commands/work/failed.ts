import type { Key } from "../../model/key.js";
import type { ExtractSummary } from "../../pipeline/extract-summary.js";
import { readSite } from "../location.js";
import { finish, finishPlan } from "./finish.js";
import type { Ended, Session } from "./session.js";
import { withTarget } from "./sites.js";
import { refresh } from "./source-steps.js";
import { loadInto, verifyAt } from "./target-steps.js";

/** Does again what failed: at the source, then at the named target or the last one. undefined: nothing failed. */
export async function takeUpFailures(session: Session, named: string | undefined): Promise<Ended | undefined> {
  const { workspace, call } = session;
  const failures = workspace.failures.list();
  if (failures.length === 0) return undefined;
  const keys: ReadonlySet<Key> = new Set(failures.map(({ key }) => key));
  const atSource = failures.some(({ stage }) => stage === "extract" || stage === "media");
  const extracted = atSource ? await readAgain(session) : undefined;
  const done = extracted === undefined ? {} : { extracted };
  const target = named ?? workspace.targets()[0]?.root;
  if (target === undefined) return finish(session, done);
  return withTarget(session, readSite(target, call.settings.insecureHttp), async (connected) => {
    if (call.settings.dryRun) return finishPlan(session, connected, { ...done, keys });
    const loaded = await loadInto(session, connected, keys);
    return finish(session, { ...done, loaded, verified: await verifyAt(session, connected, keys) });
  });
}

async function readAgain(session: Session): Promise<ExtractSummary | undefined> {
  const source = session.workspace.source();
  if (source === undefined) return undefined;
  return refresh(session, readSite(source.root, session.call.settings.insecureHttp), true);
}
