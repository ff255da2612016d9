import type { Command } from "./command.js";
import { readRepository } from "./verbs/backup/places.js";

export const exportSnapshot: Command = {
  name: "export",
  about: "write one snapshot of a repository into a single zip file that needs no other",
  arguments: [{ name: "REPO", about: "the folder of the backups" }],
  description:
    "Collects everything that a snapshot has from its archives into one full archive, as it would be written today. Reads\n" +
    "the repository only, and asks no site. The file can be kept elsewhere, unpacked by any unzip, or restored from. It is in the\n" +
    "clear unless --encrypt-to is given, or GUIDEFERRY_PASSPHRASE and a name that ends with .age.",
  examples: [
    "guideferry export /backups/site -o site.zip",
    "guideferry export /backups/site --at 2026-11-20 -o /media/disk",
    "guideferry export /backups/site --identity key.txt --encrypt-to age1… -o site.zip.age",
  ],
  signsIn: [],
  exits: ["someFailed", "stopped", "differences", "notFound"],
  done: "the file is written and was read again",
  run: async (call) => {
    const folder = readRepository(call.arguments[0] ?? "");
    const { runExport } = await import("./verbs/backup/run-export.js");
    return runExport(call, folder);
  },
};
