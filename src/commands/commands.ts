import { api } from "./api.js";
import { apply } from "./apply.js";
import { backup } from "./backup.js";
import { blame } from "./blame.js";
import { browse } from "./browse.js";
import { cat } from "./cat.js";
import { check } from "./check.js";
import type { Command } from "./command.js";
import { completion } from "./completion.js";
import { convert } from "./convert.js";
import { demo } from "./demo.js";
import { diff } from "./diff.js";
import { drill } from "./drill.js";
import { exportSnapshot } from "./export.js";
import { exportHtml } from "./export-html.js";
import { extract } from "./extract.js";
import { history } from "./history.js";
import { importTraining } from "./import-training.js";
import { init } from "./init.js";
import { links } from "./links.js";
import { load } from "./load.js";
import { map } from "./map.js";
import { migrate } from "./migrate.js";
import { plan } from "./plan.js";
import { prune } from "./prune.js";
import { repair } from "./repair.js";
import { report } from "./report.js";
import { restore } from "./restore.js";
import { retry } from "./retry.js";
import { sandbox } from "./sandbox.js";
import { snapshots } from "./snapshots.js";
import { status } from "./status.js";
import { trainingCheck } from "./training-check.js";
import { trainingNormalise } from "./training-normalise.js";
import { trainingProbe } from "./training-probe.js";
import { undo } from "./undo.js";
import { verify } from "./verify.js";

/** The commands, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  migrate,
  extract,
  load,
  plan,
  apply,
  verify,
  status,
  report,
  map,
  links,
  retry,
  undo,
  backup,
  restore,
  drill,
  repair,
  exportSnapshot,
  snapshots,
  cat,
  diff,
  history,
  blame,
  browse,
  exportHtml,
  prune,
  convert,
  importTraining,
  trainingCheck,
  trainingNormalise,
  trainingProbe,
  check,
  api,
  sandbox,
  demo,
  init,
  completion,
];
