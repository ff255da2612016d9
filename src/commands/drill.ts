import type { Command } from "./command.js";

export const drill: Command = {
  name: "drill",
  about: "try whether a backup can be restored: into an embedded site, and back again to compare",
  arguments: [{ name: "REPO|ARCHIVE", about: "the folder of the backups, or one full archive: site.full.zip" }],
  description:
    "Restores a snapshot into an empty embedded site on this machine, extracts that again, and compares every field and the\n" +
    "bytes of all media. Says in one line whether this backup can be restored, and what would be lost. Needs no account and no\n" +
    "network. What a site would refuse is split up, unless --fit says otherwise.",
  examples: ["guideferry drill /backups/site", "guideferry drill /backups/site --at 2026-11-17 --json"],
  signsIn: [],
  exits: ["someFailed", "stopped", "differences", "notFound", "locked"],
  done: "the snapshot can be restored with every item that was chosen; what the service can't take is listed",
  run: async (call) => {
    const { readArchives } = await import("./verbs/backup/with-archives.js");
    const archives = readArchives(call.arguments[0] ?? "");
    const { startSandbox } = await import("../sandbox/index.js");
    const { runDrill } = await import("./verbs/backup/run-drill.js");
    return runDrill(call, archives, startSandbox);
  },
};
