import type { Command } from "./command.js";
import { RUN_EXITS } from "./exit-codes.js";
import { documentsIn, readFolder, readSource, refuseInside, rootOf } from "./location.js";
import { warnOfUnused } from "./verbs/unused-options.js";

export const extract: Command = {
  name: "extract",
  about: "fill or refresh a workspace from a site or from documents",
  arguments: [
    { name: "SOURCE", about: "the site's address, such as https://site.example, or documents: manual.omanual" },
  ],
  description:
    "Reads everything that the site has, with all media, into a workspace folder. Run again it reads what is new or\n" +
    "changed. Writes nothing to the site. Documents are packages (.omanual, .zip), folders and single files (.xml, .oman).",
  examples: [
    "guideferry extract https://site.example",
    "guideferry extract ./manuals --workspace ./copy",
    "guideferry extract https://site.example --workspace ./copy --only category,guide --include 'Looms/**'",
  ],
  signsIn: ["source"],
  exits: RUN_EXITS,
  resumable: true,
  run: async (call) => {
    const source = readSource(call.arguments[0] ?? "", call.settings.insecureHttp);
    const directory = readFolder(call.settings.workspace);
    refuseInside(source, directory);
    warnOfUnused(call, { command: extract.name, place: source });
    const { withWorkspace } = await import("./verbs/session.js");
    const { refresh } = await import("./verbs/source-steps.js");
    const { finish } = await import("./verbs/finish.js");
    const plan = {
      command: extract.name,
      directory,
      create: true,
      sites: { source: rootOf(source) },
      ...documentsIn(source),
    };
    return withWorkspace(call, plan, async (session) => finish(session, { extracted: await refresh(session, source) }));
  },
};
