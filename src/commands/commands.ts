import type { Command } from "./command.js";
import { convert } from "./convert.js";
import { demo } from "./demo.js";
import { extract } from "./extract.js";
import { load } from "./load.js";
import { migrate } from "./migrate.js";
import { plan } from "./plan.js";
import { retry } from "./retry.js";
import { sandbox } from "./sandbox.js";
import { status } from "./status.js";
import { verify } from "./verify.js";

/** The commands, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  migrate,
  extract,
  load,
  plan,
  verify,
  status,
  retry,
  convert,
  sandbox,
  demo,
];
