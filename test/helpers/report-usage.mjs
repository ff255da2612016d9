// Loaded into a child with `node --import`: leaves what the process has used in the file that USAGE_REPORT names.
import { writeFileSync } from "node:fs";

process.on("exit", () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const usage = { peakBytes: maxRSS * 1024, cpuMilliseconds: (userCPUTime + systemCPUTime) / 1000 };
  writeFileSync(process.env.USAGE_REPORT ?? "usage", JSON.stringify(usage));
});
