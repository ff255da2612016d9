import { benchExtract } from "./extract.js";
import { benchLoad } from "./load.js";
import { benchMemory } from "./memory.js";
import { benchMigrate } from "./migrate.js";
import { benchRequests } from "./requests.js";
import { benchResume } from "./resume.js";

/** What a migration costs, by the name that `npm run bench --` takes. */
export const MIGRATION_BENCHES: Readonly<Record<string, () => Promise<void>>> = {
  requests: benchRequests,
  load: benchLoad,
  migrate: benchMigrate,
  extract: benchExtract,
  memory: benchMemory,
  resume: benchResume,
};
