import { EXIT, type ExitCode } from "../../../core/errors.js";
import type { InPlaceParts } from "../../../backup/in-place-job.js";
import type { InPlaceSummary } from "../../../backup/in-place-summary.js";
import { rehearseInPlace } from "../../../backup/rehearse-in-place.js";
import { restoreElsewhere } from "../../../backup/restore-elsewhere.js";
import { type InPlaceHooks, restoreInPlace } from "../../../backup/restore-in-place.js";
import { withScratchFolder } from "../../../core/util/scratch-folder.js";
import { copyNotes } from "../../../storage/workspace/copy-notes.js";
import type { CommandCall } from "../../command.js";
import { describeFailures } from "../../output/describe.js";
import { describeInPlace, deviationsOf } from "../../output/describe-restore.js";
import { createDifferencePrinter, describeVerify } from "../../output/print-verify.js";
import { keepWords } from "../keep-words.js";
import { selectionOf } from "../selection.js";
import { controlOf, type Ended, type Session, withWorkspace } from "../session.js";
import { withTarget } from "../sites.js";
import { describeUnasked, type Unasked } from "../unasked.js";
import { planPresent } from "./plan-present.js";
import { workspaceBeside, workspaceFor } from "./restore-workspace.js";
import { restoredFacts } from "./restored-facts.js";
import { keepPresent } from "./snapshot-first.js";
import type { Archives } from "./with-archives.js";

/** Puts the site that a snapshot is of back to it, or says what that would do. */
export async function restoreHome(given: CommandCall, archives: Archives, root: string): Promise<ExitCode> {
  // A page that is there is the one of the snapshot.
  const call: CommandCall = { ...given, settings: { ...given.settings, onExisting: "update" } };
  if (call.settings.dryRun) return rehearse(call, archives, root, workspaceBeside(call, archives));
  const directory = workspaceFor(call, archives);
  // What is overwritten must lie somewhere first.
  const present = await planPresent(call, archives);
  const keep: InPlaceHooks["keepPresent"] = async ({ admin }) => {
    if (present !== null) await keepPresent(call, present, root, { publicOnly: !admin });
  };
  return withHome(call, archives, root, directory, async (parts, session) => {
    const differences = createDifferencePrinter(call.output);
    const summary = await restoreInPlace({
      ...parts,
      keepPresent: keep,
      onDifference: differences.print,
      onNote: differences.printNote,
    });
    differences.end();
    return finish(session, summary);
  });
}

/** In a copy of what the restores before left, which is thrown away. */
function rehearse(call: CommandCall, archives: Archives, root: string, directory: string): Promise<ExitCode> {
  return withScratchFolder("restore", async (copy) => {
    await copyNotes(directory, copy);
    return withHome(call, archives, root, copy, async (parts, session) =>
      finish(session, await rehearseInPlace(parts)),
    );
  });
}

function withHome(
  call: CommandCall,
  { repository, contents, path }: Archives,
  root: string,
  directory: string,
  work: (parts: InPlaceParts, session: Session) => Promise<Ended>,
): Promise<ExitCode> {
  const { dangling, onConflict, include, fit, smallImages } = call.settings;
  const overwrites = include.length > 0 || onConflict === "update";
  const options = { selection: selectionOf(call.settings), overwrites, dangling, onConflict, fit, smallImages };
  const elsewhere = restoreElsewhere(repository, contents.snapshot);
  const details = { snapshot: contents.snapshot, from: path };
  const plan = { command: "restore", directory, create: true, sites: { target: root }, details, elsewhere } as const;
  return withWorkspace(call, plan, (session) =>
    withTarget(
      session,
      root,
      ({ target, reader, texts, homeSite }) => {
        const { workspace } = session;
        elsewhere.noteIn(workspace.scratch);
        const ends = { target, reader, texts, homeSite };
        return work({ ...ends, contents, workspace, options, control: controlOf(call) }, session);
      },
      true,
    ),
  );
}

async function finish(session: Session, summary: InPlaceSummary): Promise<Ended> {
  const { call, workspace } = session;
  const { output } = call;
  const { verified, target, left, lost, raced, unknown, planned } = summary;
  const failures = workspace.failures.list("load").filter(({ target: at }) => at === target.root);
  const isRehearsal = planned !== undefined;
  output.close();
  for (const deviation of deviationsOf(summary)) output.event("plan", deviation);
  for (const failure of failures) output.event("failure", failure);
  const open = isRehearsal ? [] : describeUnasked(unaskedOf(call, summary));
  const lines = [
    ...describeInPlace(summary),
    ...(verified === undefined ? [] : describeVerify(verified)),
    ...describeFailures(failures, workspace.directory, "the same restore again"),
    ...open,
  ];
  if (!isRehearsal) await keepWords(session, lines);
  for (const line of lines) output.say(line);
  const notDone = isRehearsal ? 0 : left.length + lost.length + raced.length + unknown + open.length;
  const isPart = failures.length + notDone > 0;
  const exitCode = isPart ? EXIT.someFailed : differs(summary) ? EXIT.differences : EXIT.ok;
  const { untouched, items, writes, snapshot, newer } = summary;
  const facts = { snapshot, items, untouched, writes, failures: failures.length, left: left.length, unknown };
  output.event("summary", { exitCode, ...facts, kinds: planned?.kinds, newer, verified, dryRun: isRehearsal });
  return { exitCode, summary: { ...facts, ...restoredFacts(summary, new Set(failures.map(({ key }) => key))) } };
}

/** An edit that somebody made while this ran is told with a line of its own. */
function unaskedOf({ again, given, settings }: CommandCall, { clashes, privateThere }: InPlaceSummary): Unasked {
  const isAsked = given.has("onConflict") && settings.onConflict === "skip";
  const update = `${again ?? "guideferry restore …"} --on-conflict update`;
  return { conflicts: isAsked ? 0 : clashes, privateThere, update, publish: update };
}

function differs({ verified }: InPlaceSummary): boolean {
  return (verified?.differences ?? 0) > 0;
}
