import type { ProgressEvent, Stage } from "../../sync/control.js";

/** The stages of commands that go through several, in their order; those that take a moment are left out. */
const STAGES: Readonly<Record<string, readonly Stage[]>> = {
  migrate: ["extract", "load", "publish", "verify"],
  retry: ["extract", "load", "publish", "verify"],
  demo: ["extract", "load", "publish", "verify"],
  apply: ["extract", "load", "publish"],
  load: ["load", "publish"],
  restore: ["load", "publish", "verify"],
};

/** Adds to the progress of a command's stage what comes after it: as many items as it worked on and will. `without`: this stage is left out of the run. */
export function stagesAhead(command: string, without?: Stage): (event: ProgressEvent) => ProgressEvent {
  const stages = (STAGES[command] ?? []).filter((stage) => stage !== without);
  return (event) => {
    const { stage, done, total, skipped = 0 } = event;
    const at = stages.indexOf(stage);
    if (at < 0 || total === null) return event;
    const items = done - skipped + (event.toDo ?? total - done);
    return { ...event, follows: Object.fromEntries(stages.slice(at + 1).map((later) => [later, items])) };
  };
}
