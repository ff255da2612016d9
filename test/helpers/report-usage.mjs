// Loaded into a child with `node --import`: leaves the most memory that the process ever held, in kilobytes.
import { writeFileSync } from "node:fs";

process.on("exit", () => writeFileSync(process.env.MEMORY_REPORT ?? "memory", String(process.resourceUsage().maxRSS)));
