import type { Command } from "./command.js";

export const exportHtml: Command = {
  name: "export-html",
  about: "write a backup, an export or a workspace as a site of plain files, which opens from a disk or any web server",
  arguments: [
    { name: "PLACE", about: "a repository of backups or a workspace (its folder), or one archive (.zip, .zip.age)" },
  ],
  description:
    "Writes what `browse` shows of one snapshot: guides, pages, categories, files and search, with all pictures. Every link is\n" +
    "relative and nothing is loaded from anywhere else. Open index.html, or copy the folder to a web server: whoever can\n" +
    "read it there reads everything that is in it, private guides too. Run again, it writes only what changed, and removes what is gone.\n" +
    "With --times the site has several snapshots, each below at/, and what changed between neighbours, old and new side by side; pages\n" +
    "that are the same at several times are one file with several names, where the disk has such links.",
  examples: [
    "guideferry export-html /backups/site -o ./site",
    "guideferry export-html /backups/site --times all -o ./site",
    "guideferry export-html /backups/site --at 2026-11-20 -o /media/stick/site",
    "guideferry export-html site-20261120T030000Z.full.zip.age --identity key.txt -o ./site",
  ],
  signsIn: [],
  exits: ["someFailed", "stopped", "differences", "locked", "notFound"],
  done: "every page and file is written",
  resumable: true,
  run: async (call) => {
    const { runExportHtml } = await import("./verbs/reader/run-export-html.js");
    return runExportHtml(call, call.arguments[0] ?? "");
  },
};
