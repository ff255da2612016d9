import type { Command } from "../command.js";
import { RUN_EXITS } from "../exit-codes.js";
import { readRepository, readSite } from "../location.js";
import {
  CONTENT_TEXTS,
  LIVE_PAGE,
  LIVE_PAGE_TEXTS,
  MONITORING,
  ONE_SNAPSHOT,
  READING,
  RETENTION,
  RUN_AT_SITES,
  SELECTION,
  SOURCE_SITE,
  TIME_LIMITS,
  TRANSFERS,
  WRITING,
} from "../options/groups.js";

export const backup = {
  name: "backup",
  group: "Back up and restore",
  main: true,
  about: "add a snapshot of a site to a repository of backups",
  arguments: [{ name: "SITE", from: "source", about: "the site's address, such as https://site.example" }],
  description:
    "Reads what is new or changed on the site and writes it into archives, plain zip files, in the folder --to. Each\n" +
    "snapshot describes the whole site at its time. Writes nothing to the site. Run it every day, from cron or systemd:\n" +
    "it continues where a stopped run ended. If parts fail, the snapshot is kept and marked incomplete (3). If many items\n" +
    "are missing at once, the run ends with 8, and earlier snapshots stay until you agree. The folder REPO/workspace\n" +
    "holds the texts between two backups; --workspace names another folder.",
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
    "identity",
  ],
  optionTexts: {
    ...LIVE_PAGE_TEXTS,
    notify: { usual: true },
    metrics: { usual: true },
    maxDeletions: {
      about:
        "end with 8 if more of any list than this was deleted since the last backup, or if a list is empty; the snapshot is written and marked",
    },
  },
  signsIn: ["source"],
  exits: RUN_EXITS,
  done: "the snapshot is written, was read again, and has everything that the account may see",
  resumable: true,
  run: async (call) => {
    const site = readSite(call.arguments[0] ?? "", call.settings.insecureHttp);
    const { runBackup } = await import("../backup/backup.js");
    return runBackup(call, site);
  },
} satisfies Command;

export const restore = {
  name: "restore",
  group: "Back up and restore",
  main: true,
  about: "restore a snapshot into a site or a folder",
  arguments: [
    {
      name: "REPO|ARCHIVE",
      from: "repository",
      about: "the repository of backups (its folder, or s3://bucket/prefix), or one full archive: site.full.zip",
    },
    { name: "SITE|DIR", from: "source", onlyDryRun: true, about: "the address of a site, or a new or empty folder" },
  ],
  description:
    "Into the snapshot's own site: first takes a snapshot of the site as it is now. Then it restores deleted items. The\n" +
    "site restores a deleted guide with its id; if the site refuses, the guide is recreated. Newer items stay. Items that\n" +
    "somebody edited since the snapshot stay and are listed (3), unless --include names them or you give --on-conflict\n" +
    "update: then the edits are reverted. --dry-run lists and counts the writes. Into another site: works as a migration\n" +
    "does, and reads everything back. Into a folder: writes a workspace with all media. After a stop, run the same\n" +
    "command again. It needs the folder --workspace (default: REPO-restore; none for encrypted archives, since it holds\n" +
    "unencrypted texts).",
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
  optionTexts: { ...LIVE_PAGE_TEXTS, dryRun: { about: "show what would be restored, and write nothing to the site" } },
  signsIn: ["target", "source"],
  exits: [...RUN_EXITS, "differences", "losses"],
  resumable: true,
  run: async (call) => {
    const { runRestore } = await import("../backup/restore.js");
    return runRestore(call, call.arguments[0] ?? "", call.arguments[1] ?? "");
  },
} satisfies Command;

export const drill: Command = {
  name: "drill",
  group: "Back up and restore",
  about: "test whether a backup can be restored",
  arguments: [
    {
      name: "REPO|ARCHIVE",
      from: "repository",
      about: "the repository of backups (its folder, or s3://bucket/prefix), or one full archive: site.full.zip",
    },
  ],
  description:
    "Restores a snapshot into an empty embedded site on this machine, extracts that site, and compares every field and\n" +
    "the bytes of all media. Reports in one line whether this backup can be restored, and what would be lost. Needs no\n" +
    "account and no network. Items that a site would refuse are split up, unless --fit says otherwise.",
  examples: ["guideferry drill /backups/site", "guideferry drill /backups/site --at 2026-11-17 --json"],
  options: [...SELECTION, ...TRANSFERS, ...TIME_LIMITS, ...MONITORING, ...ONE_SNAPSHOT, "fit", "smallImages"],
  signsIn: [],
  exits: ["someFailed", "stopped", "differences", "notFound", "locked"],
  done: "the snapshot can be restored with every chosen item; what the service cannot take is listed",
  long: true,
  run: async (call) => {
    const { runDrill } = await import("../backup/drill.js");
    return runDrill(call, call.arguments[0] ?? "");
  },
};

export const repair: Command = {
  name: "repair",
  group: "Back up and restore",
  about: "repair a damaged repository, from its archives or the site",
  arguments: [
    { name: "REPO", from: "repository", about: "the repository of backups: its folder, or s3://bucket/prefix" },
    { name: "SITE", about: "the address of the site of the backups; without it, no site is contacted", optional: true },
  ],
  description:
    "Gives archives their own names again if their files were renamed or swapped, and checks the repository as verify\n" +
    "does. Damaged or missing contents come from another archive with the same bytes, or are read from the site again.\n" +
    "Media are read by their address, items only if the site still has the same revision. Both are used only if their\n" +
    "sha256 is the recorded one. They are written into an archive of their own, NAME-….repair.zip; no other archive is\n" +
    "changed. Without SITE, no site is contacted. Lists what is lost permanently: for those items, the next backup can\n" +
    "only add the version that the site has then.",
  examples: ["guideferry repair /backups/site https://site.example", "guideferry repair /backups/site"],
  options: [...SOURCE_SITE, ...RUN_AT_SITES, ...LIVE_PAGE, "encryptTo", "identity"],
  optionTexts: LIVE_PAGE_TEXTS,
  signsIn: ["source"],
  exits: [...RUN_EXITS, "differences"],
  done: "everything that the snapshots name is available again",
  long: true,
  run: async (call) => {
    const storage = await readRepository(call.arguments[0] ?? "", call);
    const site = call.arguments[1] === undefined ? undefined : readSite(call.arguments[1], call.settings.insecureHttp);
    const { runRepair } = await import("../backup/repair.js");
    return runRepair(call, storage, site);
  },
};

export const exportSnapshot: Command = {
  name: "export",
  group: "Back up and restore",
  about: "write one snapshot of a repository into a single zip file",
  arguments: [
    { name: "REPO", from: "repository", about: "the repository of backups: its folder, or s3://bucket/prefix" },
  ],
  description:
    "Collects everything of a snapshot from its archives into one full archive, in the current format. Only reads the\n" +
    "repository, and contacts no site. You can store the file elsewhere, unpack it with any unzip, or restore from it. It\n" +
    "is unencrypted, unless you give --encrypt-to, or set GUIDEFERRY_PASSPHRASE and choose a name that ends in .age.",
  examples: [
    "guideferry export /backups/site -o site.zip",
    "guideferry export /backups/site --at 2026-11-20 -o /media/disk",
    "guideferry export /backups/site --identity key.txt --encrypt-to age1… -o site.zip.age",
  ],
  options: [...ONE_SNAPSHOT, ...TRANSFERS, ...MONITORING, "encryptTo", "archiveFile"],
  signsIn: [],
  exits: ["someFailed", "stopped", "differences", "notFound"],
  done: "the file is written and was read again",
  long: true,
  run: async (call) => {
    const storage = await readRepository(call.arguments[0] ?? "", call);
    const { runExport } = await import("../backup/read-repository.js");
    return runExport(call, storage);
  },
};

export const snapshots: Command = {
  name: "snapshots",
  group: "Examine runs and backups",
  about: "list the snapshots of a repository of backups",
  arguments: [
    { name: "REPO", from: "repository", about: "the repository of backups: its folder, or s3://bucket/prefix" },
  ],
  description:
    "Shows for each snapshot its time (UTC, also its name), kind, number of items, how many items were new, changed and\n" +
    "deleted, the bytes that it added, and its duration. Only reads the indexes, which are never encrypted: encrypted\n" +
    "repositories need no key.",
  examples: ["guideferry snapshots /backups/site", "guideferry snapshots /backups/site --json"],
  options: [],
  signsIn: [],
  exits: ["notFound"],
  done: "the list is printed",
  run: async (call) => {
    const storage = await readRepository(call.arguments[0] ?? "", call);
    const { runSnapshots } = await import("../backup/read-repository.js");
    return runSnapshots(call, storage);
  },
};

export const cat: Command = {
  name: "cat",
  group: "Examine runs and backups",
  about: "print one item or media file of a backup",
  arguments: [
    { name: "REPO", from: "repository", about: "the repository of backups: its folder, or s3://bucket/prefix" },
    { name: "KEY", about: "an item's key (guide/12, wiki/INFO/Page, image/5), or the sha256 of a media file" },
  ],
  description:
    "Prints guides, pages, categories and records as the stored JSON; images, videos and documents as their bytes. --show\n" +
    "chooses another form. Only reads what belongs to the item. The bytes are compared with their sha256. Files over 32\n" +
    "MB are printed while they are read; if their bytes are wrong, the command ends with 6.",
  examples: [
    "guideferry cat /backups/site guide/12 --at 2026-11-20 | jq .body.title",
    "guideferry cat /backups/site guide/12 --show text",
    "guideferry cat /backups/site image/5 > picture.jpg",
  ],
  options: [...ONE_SNAPSHOT, "show"],
  optionTexts: CONTENT_TEXTS,
  signsIn: [],
  exits: ["someFailed", "differences", "notFound"],
  done: "the item is printed",
  contentOnStdout: () => true,
  run: async (call) => {
    const storage = await readRepository(call.arguments[0] ?? "", call);
    const { runCat } = await import("../backup/read-repository.js");
    return runCat(call, storage, call.arguments[1] ?? "");
  },
};

export const diff: Command = {
  name: "diff",
  group: "Examine runs and backups",
  about: "show the differences between two snapshots",
  arguments: [
    { name: "REPO", from: "repository", about: "the repository of backups: its folder, or s3://bucket/prefix" },
    { name: "A", about: "a snapshot: its name, a date or a time" },
    { name: "B", about: "a later snapshot, or latest" },
  ],
  description:
    "Lists the items that are new, changed and deleted, and the changed fields of each item. With --text it also shows\n" +
    "the texts that people read, line by line, as a unified diff; for lists of records, each row that differs.",
  examples: [
    "guideferry diff /backups/site 2026-11-19 2026-11-20",
    "guideferry diff /backups/site 2026-11-01 latest --text",
    "guideferry diff /backups/site 20261101T030000Z 20261120T030000Z --json",
  ],
  options: ["identity", "text"],
  signsIn: [],
  exits: ["someFailed", "differences", "notFound"],
  done: "the differences are printed, even if there are none",
  run: async (call) => {
    const storage = await readRepository(call.arguments[0] ?? "", call);
    const { runDiff } = await import("../backup/read-repository.js");
    return runDiff(call, storage, call.arguments[1] ?? "", call.arguments[2] ?? "");
  },
};

export const history: Command = {
  name: "history",
  group: "Examine runs and backups",
  about: "list the snapshots in which an item changed",
  arguments: [
    { name: "REPO", from: "repository", about: "the repository of backups: its folder, or s3://bucket/prefix" },
    { name: "KEY", about: "an item's key: guide/12, wiki/INFO/Page, category/Looms, image/5" },
  ],
  description:
    "Lists each snapshot in which the item was added, changed, deleted or added again. Shows the snapshot, the item's\n" +
    "revision, the time of the change according to the site, the size, and the fields that changed.",
  examples: [
    "guideferry history /backups/site guide/12",
    "guideferry history /backups/site 'category/Hand Looms' --json",
  ],
  options: ["identity"],
  signsIn: [],
  exits: ["someFailed", "differences", "notFound"],
  done: "the list is printed",
  run: async (call) => {
    const storage = await readRepository(call.arguments[0] ?? "", call);
    const { runHistory } = await import("../backup/read-repository.js");
    return runHistory(call, storage, call.arguments[1] ?? "");
  },
};

export const blame: Command = {
  name: "blame",
  group: "Examine runs and backups",
  about: "show the first snapshot that contains each line of an item",
  arguments: [
    { name: "REPO", from: "repository", about: "the repository of backups: its folder, or s3://bucket/prefix" },
    { name: "KEY", about: "an item's key: guide/12, wiki/INFO/Page, category/Looms" },
  ],
  description:
    "Prints the text that people read, line by line. Each line shows the first snapshot that contains it, the item's\n" +
    "revision at that time, and the author, if the item names one. A snapshot holds one revision of an item: revisions\n" +
    "between two snapshots, and their authors, are unknown.",
  examples: [
    "guideferry blame /backups/site guide/12",
    "guideferry blame /backups/site wiki/INFO/Page --at 2026-11-01",
  ],
  options: ONE_SNAPSHOT,
  signsIn: [],
  exits: ["someFailed", "differences", "notFound"],
  done: "the lines are printed",
  run: async (call) => {
    const storage = await readRepository(call.arguments[0] ?? "", call);
    const { runBlame } = await import("../backup/read-repository.js");
    return runBlame(call, storage, call.arguments[1] ?? "");
  },
};

export const browse: Command = {
  name: "browse",
  group: "Examine runs and backups",
  main: true,
  about: "read a backup or a workspace as a website on this machine",
  arguments: [
    {
      name: "PLACE",
      from: "content",
      about:
        "a repository of backups (its folder, or s3://bucket/prefix), a workspace (its folder), or one archive (.zip, .zip.age)",
    },
  ],
  description:
    "Prints an address of this machine. It shows guides, pages, categories, files and search in a browser, for every\n" +
    "snapshot, and the changes between two snapshots. Unpacks nothing to the disk and changes nothing. The network cannot\n" +
    "open the address; other accounts of this machine can open it only if they know it. A workspace may be in use. Runs\n" +
    "until it receives a signal (Ctrl-C).",
  examples: [
    "guideferry browse /backups/site",
    "guideferry browse /backups/site --at 2026-11-20 --port 4080",
    "guideferry browse site-20261120T030000Z.full.zip.age --identity key.txt",
    "guideferry browse ./workspace",
  ],
  options: [...ONE_SNAPSHOT, "port"],
  optionTexts: { port: { about: "the port on this machine" } },
  signsIn: [],
  exits: ["someFailed", "differences", "notFound"],
  done: "never: it runs until it receives a signal",
  run: async (call) => {
    const { runBrowse } = await import("../backup/reader.js");
    return runBrowse(call, call.arguments[0] ?? "");
  },
};

export const exportHtml: Command = {
  name: "export-html",
  group: "Examine runs and backups",
  about: "write a backup or a workspace as plain HTML files",
  arguments: [
    {
      name: "PLACE",
      from: "content",
      about:
        "a repository of backups (its folder, or s3://bucket/prefix), a workspace (its folder), or one archive (.zip, .zip.age)",
    },
  ],
  description:
    "Writes what `browse` shows of one snapshot: guides, pages, categories, files and search, with all images. Every link\n" +
    "is relative, and nothing is loaded from elsewhere. Open index.html, or copy the folder to a web server. Everybody\n" +
    "who can read the folder there can read all its content, also private guides. The next run writes only what changed,\n" +
    "and deletes what no longer exists. With --snapshots, the folder holds several snapshots, each below at/, and the\n" +
    "changes between neighbours, old and new side by side. A page that is equal in several snapshots is stored once, with\n" +
    "hard links, if the file system has them.",
  examples: [
    "guideferry export-html /backups/site -o ./site",
    "guideferry export-html /backups/site --snapshots all -o ./site",
    "guideferry export-html /backups/site --at 2026-11-20 -o /media/stick/site",
    "guideferry export-html site-20261120T030000Z.full.zip.age --identity key.txt -o ./site",
  ],
  options: [...ONE_SNAPSHOT, ...MONITORING, "siteFolder", "snapshots"],
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
  group: "Back up and restore",
  about: "delete old snapshots from a repository of backups",
  arguments: [
    {
      name: "REPO",
      from: "repository",
      onlyDryRun: true,
      about: "the repository of backups: its folder, or s3://bucket/prefix",
    },
  ],
  description:
    "Keeps the last snapshot of each period that a --keep option names, for as many periods as the option says. Always\n" +
    "keeps the latest complete snapshot. Deletes the others. A snapshot with archives that a kept snapshot needs is kept\n" +
    "too, and reported. Everything that stays is read and hashed first; nothing is deleted while a kept snapshot cannot\n" +
    "be restored. --dry-run shows how much would be deleted. If a run is killed, the next run completes it.\n\n" +
    "--compact first rewrites the kept parts of old chains, so that the rest of the chains can be deleted. A chain stays\n" +
    "as it is if it would need more space than it frees, or if the latest snapshot needs it.\n\n" +
    "--drop deletes one named snapshot, with the same checks. If others need its archives, or if it is the latest or the\n" +
    "last complete one, nothing is deleted and the run ends with 8.",
  examples: [
    "guideferry prune /backups/site --keep-daily 14 --keep-weekly 8 --keep-monthly 24 --dry-run",
    "guideferry prune /backups/site --keep-last 30 --keep-yearly 10",
    "guideferry prune /backups/site --keep-daily 14 --keep-monthly 12 --compact",
    "guideferry prune /backups/site --drop 20261103T030000Z --dry-run",
  ],
  options: [...RETENTION, ...TRANSFERS, ...MONITORING, "dryRun", "encryptTo", "identity", "drop", "compact"],
  optionTexts: { dryRun: { about: "show what would be deleted, and delete nothing" } },
  signsIn: [],
  exits: ["someFailed", "stopped", "differences", "safetyLimit", "notFound", "locked"],
  done: "everything that was due is deleted",
  resumable: true,
  run: async (call) => {
    const storage = await readRepository(call.arguments[0] ?? "", call);
    const { runPrune } = await import("../backup/prune.js");
    return runPrune(call, storage);
  },
};

export const copy: Command = {
  name: "copy",
  group: "Back up and restore",
  about: "copy a repository of backups to another place",
  arguments: [
    { name: "REPO", from: "repository", about: "the repository of backups: its folder, or s3://bucket/prefix" },
    { name: "COPY", about: "the place of the copy: a new folder or an earlier copy, or s3://bucket/prefix" },
  ],
  description:
    "Copies the snapshots that the copy lacks, oldest first. Compares every archive with its recorded sha256 while it is\n" +
    "copied, and reads it again there. Encrypted repositories need no key. The copy is a repository: every command reads\n" +
    "it. Snapshots that were pruned in REPO stay in the copy. A copy of another site, or with snapshots of its own, is\n" +
    "refused. Changes nothing in REPO. If a run is killed, the next run continues with the same snapshot.",
  examples: [
    "guideferry copy /backups/site /media/disk/site",
    "guideferry copy /backups/site s3://backups/site",
    "guideferry copy s3://backups/site /media/disk/site --dry-run",
  ],
  options: [...TRANSFERS, ...MONITORING, "dryRun"],
  optionTexts: { dryRun: { about: "show what would be copied, and copy nothing" } },
  signsIn: [],
  exits: ["someFailed", "stopped", "differences", "notFound", "locked"],
  done: "the copy has every snapshot of the repository",
  resumable: true,
  run: async (call) => {
    const storage = await readRepository(call.arguments[0] ?? "", call);
    const { runCopy } = await import("../backup/copy.js");
    return runCopy(call, storage, call.arguments[1] ?? "");
  },
};
