import { benchBackups } from "./backup/main.js";
import { benchVerify } from "./backup/verify.js";
import { benchYear } from "./backup/year.js";
import { benchConversions } from "./convert/main.js";
import { MIGRATION_BENCHES } from "./migration/main.js";
import { benchRate } from "./rate/main.js";
import { benchBrowse } from "./reader/bench-browse.js";
import { benchExport } from "./reader/bench-export.js";
import { benchSearch } from "./reader/bench-search.js";
import { benchBatches } from "./scenarios/batches.js";
import { benchUpdates } from "./scenarios/updates.js";
import { benchStart } from "./start.js";
import { benchTraining } from "./training/main.js";

// npm run bench -- convert [WORD] | start | backup | year | verify | training | rate | requests | load | migrate |
// extract | memory | resume | reader | search | export-html | updates | batches. Without a name of a bench
// all of them run; another word chooses conversions.
const NAMES: readonly string[] = [
  "convert",
  "start",
  "backup",
  "year",
  "verify",
  "training",
  "rate",
  "reader",
  "search",
  "export-html",
  "updates",
  "batches",
  ...Object.keys(MIGRATION_BENCHES),
];
const [first = "", second = ""] = process.argv.slice(2);
const isNamed = NAMES.includes(first);
const runs = (name: string): boolean => first === "" || first === name;
if (runs("convert") || !isNamed) benchConversions(isNamed ? second : first);
if (runs("start")) await benchStart();
if (runs("training")) await benchTraining();
if (runs("rate")) await benchRate();
for (const [name, bench] of Object.entries(MIGRATION_BENCHES)) if (runs(name)) await bench();
if (runs("reader")) await benchBrowse();
if (runs("search")) await benchSearch();
if (runs("export-html")) await benchExport();
if (runs("updates")) await benchUpdates();
if (runs("batches")) await benchBatches();
if (runs("verify")) await benchVerify();
// It is a part of the backups too.
if (first === "year") await benchYear();
if (runs("backup")) await benchBackups();
