import { Secret } from "../../service/secret.js";
import type { ExitCode } from "../../core/errors.js";
import type { Sandbox } from "../../sandbox/index.js";
import type { CommandCall } from "../command.js";
import { defaultSettings } from "../options/table.js";
import { migrateSite } from "./migration.js";
import { withWorkspace } from "./session.js";

/** Two embedded sites and a folder between them. */
export interface Rehearsal {
  readonly source: Sandbox;
  readonly target: Sandbox;
  readonly directory: string;
}

/** Migrates between two embedded sites as `migrate` does, whatever variables and files say of other sites. */
export async function rehearse(call: CommandCall, { source, target, directory }: Rehearsal): Promise<ExitCode> {
  const { json, quiet, verbose, debug, progress } = call.settings;
  const tokens = { source: new Secret(source.token), target: new Secret(target.token) };
  const own: CommandCall = {
    ...call,
    // Texts of the sample reach the limits, and longer ids make them longer.
    settings: { ...defaultSettings(), json, quiet, verbose, debug, progress, fit: "split" },
    credentials: (side) => ({ kind: "token", token: tokens[side], scheme: "api" }),
    environment: {},
  };
  const sites = { source: source.url, target: target.url };
  const plan = { command: "demo", directory, create: true, sites, rehearsal: true } as const;
  return withWorkspace(own, plan, (session) => migrateSite(session, { site: source.url }, target.url));
}
