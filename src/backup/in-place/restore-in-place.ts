import type { Source, Survey, Target } from "../../core/contracts.js";
import type { Issue } from "../../core/model/issue.js";
import type { Key } from "../../core/model/key.js";
import type { OriginSite } from "../../service/target/origin-site.js";
import type { Control } from "../../sync/control.js";
import { load } from "../../sync/load/load.js";
import { isDone } from "../../sync/load/load-item.js";
import { type Difference, type VerifySummary, verify } from "../../sync/verify/verify.js";
import { beginInPlace, comparisonOf, type InPlaceJob, type InPlaceParts, loadPartsOf } from "./job.js";
import { ComparingLedger } from "./origin-ledger.js";
import { noteShownImages, withKnownMedia } from "./origin-media.js";
import { type HomeDesk, readAnew } from "./restore-context.js";
import type { InPlaceSummary } from "./summary.js";

/** What is told of a restore while it runs. */
export interface InPlaceHooks {
  /**
   * Called before the first write, and not at all without one: keeps the site as it is now, as the
   * account sees it.
   */
  readonly keepPresent: (account: { readonly admin: boolean }) => Promise<void>;
  readonly onDifference: (difference: Difference) => void;
  /** See VerifyParts. */
  readonly onNote?: ((note: Difference) => void) | undefined;
}

/**
 * Puts a site back to how a snapshot of it was. What is as it was then costs no write, what is
 * newer stays, and what was deleted comes back: by the site's own restore, which keeps ids and
 * history, else anew, with references that follow.
 */
export async function restoreInPlace(parts: InPlaceParts & InPlaceHooks): Promise<InPlaceSummary> {
  const survey = await parts.target.survey(parts.control.abort);
  const admin = survey.identity.account?.admin === true;
  const { failure, ...ends } = keptFirst(parts, () => parts.keepPresent({ admin }));
  try {
    return await putBack({ ...parts, ...ends }, survey);
  } catch (error) {
    throw failure() ?? error;
  }
}

async function putBack(parts: InPlaceParts & InPlaceHooks, survey: Survey): Promise<InPlaceSummary> {
  const job = await beginInPlace(parts, survey, false);
  const { touched } = job.run;
  const loaded = touched.size === 0 ? undefined : await loadTouched(job);
  const verified = loaded === undefined ? undefined : await verifyTouched(job, parts);
  const compared = comparisonOf(job);
  return {
    ...compared,
    raced: await keysWith(job, "conflict-skipped"),
    clashes: (await keysWith(job, "merge-clash")).length,
    privateThere: [...compared.privateThere, ...(loaded?.privateThere ?? [])].sort(),
    failed: compared.failed + (loaded?.failed ?? 0),
    writes: parts.homeSite.writes() + parts.target.writes(),
    ...(loaded === undefined ? {} : { loaded }),
    ...(verified === undefined ? {} : { verified }),
  };
}

async function loadTouched(job: InPlaceJob) {
  try {
    return await load(loadPartsOf(job));
  } finally {
    await noteImages(job.desk, job.run.touched);
  }
}

/** Who edited after the comparison is not overwritten: the load left what they did. */
async function keysWith({ desk, run }: InPlaceJob, wanted: Issue["code"]): Promise<readonly Key[]> {
  const keys = new Set<Key>();
  for (const key of run.touched)
    for await (const { code } of desk.ledger.issues(key)) if (code === wanted) keys.add(key);
  return [...keys].sort();
}

async function noteImages({ workspace, ledger, target }: HomeDesk, touched: ReadonlySet<Key>): Promise<void> {
  for (const key of touched) {
    const item = await workspace.items.get(key);
    if (item === undefined) continue;
    const loaded = await ledger.loaded(key);
    const done = new Set(
      target
        .plan(item, loaded)
        .filter((operation) => isDone(operation, loaded))
        .map(({ id }) => id),
    );
    await noteShownImages(ledger, item, (operation) => done.has(operation));
  }
}

async function verifyTouched(job: InPlaceJob, { onDifference, onNote }: InPlaceHooks): Promise<VerifySummary> {
  const { desk, parts } = job;
  await readAnew(desk);
  const { reader, texts } = parts;
  const known: Source = {
    ...reader,
    read: async (key, signal) => {
      const item = await reader.read(key, signal);
      return item === undefined ? undefined : withKnownMedia(desk.ledger, item);
    },
  };
  const { target } = parts;
  const hooks = { onDifference, onNote };
  return verify({ ...loadPartsOf(job, new ComparingLedger(desk.ledger)), target, reader: known, texts, ...hooks });
}

/** The ends of a site that is put back, and how the run is steered. */
interface Ends {
  readonly target: Target;
  readonly homeSite: OriginSite;
  readonly reader: Source;
  readonly control: Control;
}

export interface KeptFirst extends Ends {
  /**
   * Why it could not be kept; undefined: it could, or nothing was to be written yet. Everything
   * else that failed then follows from it.
   */
  readonly failure: () => Error | undefined;
}

/**
 * The same site, which is kept before the first write to it and not at all without one. Whoever
 * writes or reads meanwhile waits, so that the site is not asked twice as fast as it may be. When
 * it can't be kept nothing is written, and the run is stopped.
 */
export function keptFirst({ target, homeSite, reader, control }: Ends, keep: () => Promise<void>): KeptFirst {
  const stopping = new AbortController();
  let keeping: Promise<void> | undefined;
  let failure: Error | undefined;
  const kept = async (): Promise<void> => {
    try {
      await keep();
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
      stopping.abort(failure);
      throw failure;
    }
  };
  const first = (): Promise<void> => {
    keeping ??= kept();
    return keeping;
  };
  return {
    target: {
      ...target,
      apply: async (...call) => {
        await first();
        return target.apply(...call);
      },
      holds: async (...call) => {
        await keeping;
        return target.holds(...call);
      },
    },
    homeSite: {
      ...homeSite,
      undelete: async (...call) => {
        await first();
        return homeSite.undelete(...call);
      },
      revert: async (...call) => {
        await first();
        return homeSite.revert(...call);
      },
    },
    reader: {
      ...reader,
      read: async (...call) => {
        await keeping;
        return reader.read(...call);
      },
    },
    control: { ...control, abort: AbortSignal.any([control.abort, stopping.signal]) },
    failure: () => failure,
  };
}
