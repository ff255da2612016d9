import { keepNewSpaceSmall } from "../../core/util/lean-memory.js";
import type { Command } from "../command.js";
import { RUN_EXITS } from "../exit-codes.js";
import { readRepository, readSite } from "../location.js";
import {
  LIVE_PAGE,
  ONE_SNAPSHOT,
  READING,
  RETENTION,
  RUN_AT_SITES,
  SELECTION,
  SOURCE_SITE,
  TIME_LIMITS,
  WRITING,
} from "../options/groups.js";

export const backup: Command = {
  name: "backup",
  about: "add a snapshot of a site to a repository of backups",
  arguments: [{ name: "SITE", about: "the site's address, such as https://site.example" }],
  description:
    "Reads what is new or changed at the site and writes it into archives, plain zip files, in the folder --to. Every\n" +
    "snapshot describes the whole site at its time. Writes nothing to the site. Made to run every night: it goes on where\n" +
    "a stopped run ended, keeps a snapshot of which parts failed as incomplete (3), and ends with 8 when much vanished at\n" +
    "once: then earlier snapshots stay until you agree. The folder REPO/workspace holds the texts between two nights;\n" +
    "--workspace names another place for it.",
  examples: [
    "guideferry backup https://site.example --to /backups/site",
    "guideferry backup https://site.example --to /backups/site --metrics /var/lib/node_exporter/guideferry.prom",
    "guideferry backup https://site.example --to ./repo --workspace ./work --encrypt-to age1…",
  ],
  options: [
    ...READING,
    ...RUN_AT_SITES,
    ...LIVE_PAGE,
    ...RETENTION,
    "personalData",
    "refresh",
    "repository",
    "name",
    "partSize",
    "fullEvery",
    "maxDeletions",
    "publicOnly",
    "encryptTo",
    "metrics",
    "identity",
  ],
  signsIn: ["source"],
  exits: RUN_EXITS,
  done: "the snapshot is written, was read again, and has everything that the account may see",
  resumable: true,
  run: async (call) => {
    const site = readSite(call.arguments[0] ?? "", call.settings.insecureHttp);
    const { runBackup } = await import("../backup/backup.js");
    return runBackup(call, site);
  },
};

export const restore: Command = {
  name: "restore",
  about: "bring a snapshot back: into the site that it is of, another site, or a folder",
  arguments: [
    { name: "REPO|ARCHIVE", about: "the folder of the backups, or one full archive: site.full.zip" },
    { name: "SITE|DIR", about: "the address of a site, or a folder that is new or empty" },
  ],
  description:
    "Into the site that the snapshot is of: first a snapshot of it as it is now; then what was edited since goes back by edits,\n" +
    "what was deleted comes back by the site's own restore, with its id, and is made anew only where that is refused. What is\n" +
    "newer stays. What somebody edited since is left and listed (3), unless --include names it or --on-conflict update says so;\n" +
    "--dry-run names and counts the writes. Another site gets it as a migration does, and is read back. A folder becomes a workspace with all\n" +
    "media. Stopped at any moment, the same command goes on; what it needs for that is in --workspace (default: REPO-restore;\n" +
    "encrypted archives have none, since it holds texts in the clear).",
  examples: [
    "guideferry restore /backups/site https://site.example --at 2026-11-17 --dry-run",
    "guideferry restore /backups/site https://site.example --at 2026-11-17 --include guide/12,guide/15",
    "guideferry restore /backups/site https://new.example --fit split",
    "guideferry restore site.example-20261120T030000Z.full.zip ./site",
  ],
  options: [
    ...WRITING,
    ...SELECTION,
    ...RUN_AT_SITES,
    ...LIVE_PAGE,
    ...ONE_SNAPSHOT,
    "workspace",
    "allowDuplicates",
    "assumeLimits",
    "dryRun",
    "strict",
    "encryptTo",
    "snapshotFirst",
  ],
  signsIn: ["target", "source"],
  exits: [...RUN_EXITS, "differences", "losses"],
  resumable: true,
  run: async (call) => {
    const { runRestore } = await import("../backup/restore.js");
    return runRestore(call, call.arguments[0] ?? "", call.arguments[1] ?? "");
  },
};

export const drill: Command = {
  name: "drill",
  about: "try whether a backup can be restored: into an embedded site, and back again to compare",
  arguments: [{ name: "REPO|ARCHIVE", about: "the folder of the backups, or one full archive: site.full.zip" }],
  description:
    "Restores a snapshot into an empty embedded site on this machine, extracts that again, and compares every field and the\n" +
    "bytes of all media. Says in one line whether this backup can be restored, and what would be lost. Needs no account and no\n" +
    "network. What a site would refuse is split up, unless --fit says otherwise.",
  examples: ["guideferry drill /backups/site", "guideferry drill /backups/site --at 2026-11-17 --json"],
  options: [...SELECTION, ...TIME_LIMITS, ...ONE_SNAPSHOT, "fit", "smallImages"],
  signsIn: [],
  exits: ["someFailed", "stopped", "differences", "notFound", "locked"],
  done: "the snapshot can be restored with every item that was chosen; what the service can't take is listed",
  long: true,
  run: async (call) => {
    const { runDrill } = await import("../backup/drill.js");
    return runDrill(call, call.arguments[0] ?? "");
  },
};

export const repair: Command = {
  name: "repair",
  about: "mend a damaged repository of backups: from its other archives, else from the site",
  arguments: [
    { name: "REPO", about: "the folder of the backups" },
    { name: "SITE", about: "the address of the site that it is of; without it no site is asked", optional: true },
  ],
  description:
    "Gives archives whose file names were exchanged or changed their own names again, and checks the repository as verify does.\n" +
    "What is damaged or missing is taken from another archive that holds the same bytes, else fetched from the site again:\n" +
    "media by their address, items while they are at the same revision there. Both are believed only when their sha256 is the\n" +
    "one that was written. What is found goes into an archive of its own, NAME-….repair.zip; no other one is changed.\n" +
    "Without SITE no site is asked. Says what is lost for ever: of that, only what the site has today comes with the next backup.",
  examples: ["guideferry repair /backups/site https://site.example", "guideferry repair /backups/site"],
  options: [...SOURCE_SITE, ...RUN_AT_SITES, ...LIVE_PAGE, "encryptTo", "identity"],
  signsIn: ["source"],
  exits: [...RUN_EXITS, "differences"],
  done: "everything that the snapshots name is there again",
  long: true,
  run: async (call) => {
    const folder = readRepository(call.arguments[0] ?? "");
    const site = call.arguments[1] === undefined ? undefined : readSite(call.arguments[1], call.settings.insecureHttp);
    const { runRepair } = await import("../backup/repair.js");
    return runRepair(call, folder, site);
  },
};

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
  options: [...ONE_SNAPSHOT, "encryptTo", "archiveFile"],
  signsIn: [],
  exits: ["someFailed", "stopped", "differences", "notFound"],
  done: "the file is written and was read again",
  long: true,
  run: async (call) => {
    const folder = readRepository(call.arguments[0] ?? "");
    const { runExport } = await import("../backup/read-repository.js");
    return runExport(call, folder);
  },
};

export const snapshots: Command = {
  name: "snapshots",
  about: "list the snapshots of a repository of backups",
  arguments: [{ name: "REPO", about: "the folder of the backups" }],
  description:
    "Of each snapshot its time (UTC, which is also its name), kind, items, what was new, changed and deleted, the bytes that\n" +
    "it added, and how long it took. Reads the clear indexes only, so encrypted repositories need no key.",
  examples: ["guideferry snapshots /backups/site", "guideferry snapshots /backups/site --json"],
  options: [],
  signsIn: [],
  exits: ["notFound"],
  done: "the list is printed",
  run: async (call) => {
    const folder = readRepository(call.arguments[0] ?? "");
    const { runSnapshots } = await import("../backup/read-repository.js");
    return runSnapshots(call, folder);
  },
};

export const cat: Command = {
  name: "cat",
  about: "write one item or medium of a repository of backups to stdout",
  arguments: [
    { name: "REPO", about: "the folder of the backups" },
    { name: "KEY", about: "an item's key (guide/12, wiki/INFO/Page, image/5), or the sha256 of a medium" },
  ],
  description:
    "Guides, pages, categories and records come as the JSON that is stored of them, images, videos and documents as their\n" +
    "bytes; --show chooses something else. Only what belongs to the one item is read. The bytes are compared with their\n" +
    "sha256; what is longer than 32 MB is written while it is read, and ends with 6 when they were wrong.",
  examples: [
    "guideferry cat /backups/site guide/12 --at 2026-11-20 | jq .body.title",
    "guideferry cat /backups/site guide/12 --show text",
    "guideferry cat /backups/site image/5 > picture.jpg",
  ],
  options: [...ONE_SNAPSHOT, "show"],
  signsIn: [],
  exits: ["someFailed", "differences", "notFound"],
  done: "it is written",
  contentOnStdout: () => true,
  run: async (call) => {
    const folder = readRepository(call.arguments[0] ?? "");
    const { runCat } = await import("../backup/read-repository.js");
    return runCat(call, folder, call.arguments[1] ?? "");
  },
};

export const diff: Command = {
  name: "diff",
  about: "tell what differs between two snapshots of a repository of backups",
  arguments: [
    { name: "REPO", about: "the folder of the backups" },
    { name: "A", about: "a snapshot: its name, a date, a time" },
    { name: "B", about: "a later one, or latest" },
  ],
  description:
    "Item by item: what is new, changed and deleted, and of what changed the fields. --text shows the texts that people read,\n" +
    "line by line, as a unified diff; of lists of records each row that differs.",
  examples: [
    "guideferry diff /backups/site 2026-11-19 2026-11-20",
    "guideferry diff /backups/site 2026-11-01 latest --text",
    "guideferry diff /backups/site 20261101T030000Z 20261120T030000Z --json",
  ],
  options: ["identity", "text"],
  signsIn: [],
  exits: ["someFailed", "differences", "notFound"],
  done: "what differs was told, also when that is nothing",
  run: async (call) => {
    const folder = readRepository(call.arguments[0] ?? "");
    const { runDiff } = await import("../backup/read-repository.js");
    return runDiff(call, folder, call.arguments[1] ?? "", call.arguments[2] ?? "");
  },
};

export const history: Command = {
  name: "history",
  about: "list the nights in which an item changed, from a repository of backups",
  arguments: [
    { name: "REPO", about: "the folder of the backups" },
    { name: "KEY", about: "an item's key: guide/12, wiki/INFO/Page, category/Looms, image/5" },
  ],
  description:
    "Of each night in which the item came, changed, went or came back: the snapshot, the item's revision, when the site says\n" +
    "that it was changed, its size, and which fields differ from the version before.",
  examples: [
    "guideferry history /backups/site guide/12",
    "guideferry history /backups/site 'category/Hand Looms' --json",
  ],
  options: ["identity"],
  signsIn: [],
  exits: ["someFailed", "differences", "notFound"],
  done: "the list is printed",
  run: async (call) => {
    const folder = readRepository(call.arguments[0] ?? "");
    const { runHistory } = await import("../backup/read-repository.js");
    return runHistory(call, folder, call.arguments[1] ?? "");
  },
};

export const blame: Command = {
  name: "blame",
  about: "show each line of an item with the night that it came in, from a repository of backups",
  arguments: [
    { name: "REPO", about: "the folder of the backups" },
    { name: "KEY", about: "an item's key: guide/12, wiki/INFO/Page, category/Looms" },
  ],
  description:
    "The text that people read, line by line, each with the snapshot that had it so first, the revision at that time, and the\n" +
    "author, where the item tells one. A snapshot sees one revision a night: who made those between two nights it can't tell.",
  examples: [
    "guideferry blame /backups/site guide/12",
    "guideferry blame /backups/site wiki/INFO/Page --at 2026-11-01",
  ],
  options: ONE_SNAPSHOT,
  signsIn: [],
  exits: ["someFailed", "differences", "notFound"],
  done: "the lines are printed",
  run: async (call) => {
    const folder = readRepository(call.arguments[0] ?? "");
    const { runBlame } = await import("../backup/read-repository.js");
    return runBlame(call, folder, call.arguments[1] ?? "");
  },
};

export const browse: Command = {
  name: "browse",
  about: "read a backup, an export or a workspace as a site, on this machine",
  arguments: [
    { name: "PLACE", about: "a repository of backups or a workspace (its folder), or one archive (.zip, .zip.age)" },
  ],
  description:
    "Prints an address of this machine that shows guides, pages, categories, files and search in a browser, for every snapshot,\n" +
    "and what changed between two. Nothing is unpacked to the disk and nothing is changed; nobody else in the network can\n" +
    "see it, and no other account of this machine that does not know the address. A workspace may be in use. It runs until it gets a signal (Ctrl-C).",
  examples: [
    "guideferry browse /backups/site",
    "guideferry browse /backups/site --at 2026-11-20 --port 4080",
    "guideferry browse site-20261120T030000Z.full.zip.age --identity key.txt",
    "guideferry browse ./workspace",
  ],
  options: [...ONE_SNAPSHOT, "port"],
  signsIn: [],
  exits: ["someFailed", "differences", "notFound"],
  done: "never: it runs until it gets a signal",
  run: async (call) => {
    keepNewSpaceSmall();
    const { runBrowse } = await import("../backup/reader.js");
    return runBrowse(call, call.arguments[0] ?? "");
  },
};

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
    "With --snapshots the site has several snapshots, each below at/, and what changed between neighbours, old and new side by side; pages\n" +
    "that are the same at several times are one file with several names, where the disk has such links.",
  examples: [
    "guideferry export-html /backups/site -o ./site",
    "guideferry export-html /backups/site --snapshots all -o ./site",
    "guideferry export-html /backups/site --at 2026-11-20 -o /media/stick/site",
    "guideferry export-html site-20261120T030000Z.full.zip.age --identity key.txt -o ./site",
  ],
  options: [...ONE_SNAPSHOT, "siteFolder", "snapshots"],
  signsIn: [],
  exits: ["someFailed", "stopped", "differences", "locked", "notFound"],
  done: "every page and file is written",
  resumable: true,
  run: async (call) => {
    const { runExportHtml } = await import("../backup/reader.js");
    return runExportHtml(call, call.arguments[0] ?? "");
  },
};

export const prune: Command = {
  name: "prune",
  about: "remove old snapshots from a repository of backups",
  arguments: [{ name: "REPO", about: "the folder of the backups" }],
  description:
    "Keeps the last snapshot of each period that a --keep option names, as many periods as it says, and always the youngest\n" +
    "one that is complete; removes the others. A snapshot whose archives one that stays needs is held back, and told.\n" +
    "All that stays is read and hashed before, and nothing is removed while a snapshot that stays can't be restored.\n" +
    "--dry-run says how much that is. Killed anywhere, it is ended by the next run.\n" +
    "--compact first writes what is kept of old chains anew, so that the rest of them can go; a chain that would take more than\n" +
    "it frees, and whatever the youngest snapshot needs, stays as it is.\n" +
    "--drop removes one snapshot that is named, with the same safety; where others need its archives, or it is the youngest or the\n" +
    "last complete one, nothing is removed and the run ends with 8.",
  examples: [
    "guideferry prune /backups/site --keep-daily 14 --keep-weekly 8 --keep-monthly 24 --dry-run",
    "guideferry prune /backups/site --keep-last 30 --keep-yearly 10",
    "guideferry prune /backups/site --keep-daily 14 --keep-monthly 12 --compact",
    "guideferry prune /backups/site --drop 20261103T030000Z --dry-run",
  ],
  options: [...RETENTION, "dryRun", "encryptTo", "identity", "drop", "compact"],
  signsIn: [],
  exits: ["someFailed", "stopped", "differences", "safetyLimit", "notFound", "locked"],
  done: "what was to go is gone",
  resumable: true,
  run: async (call) => {
    const folder = readRepository(call.arguments[0] ?? "");
    const { runPrune } = await import("../backup/prune.js");
    return runPrune(call, folder);
  },
};
