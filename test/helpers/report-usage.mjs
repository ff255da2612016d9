// Loaded into a child with `node --import`: leaves what the process has used in the file that USAGE_REPORT names.
import { existsSync, readFileSync, writeFileSync } from "node:fs";

process.on("exit", () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const usage = { peakBytes: (peakOfThis() ?? maxRSS) * 1024, cpuMilliseconds: (userCPUTime + systemCPUTime) / 1000 };
  writeFileSync(process.env.USAGE_REPORT ?? "usage", JSON.stringify(usage));
});

/** In KiB. What getrusage tells a child on Linux is at least what its parent held when it forked. */
function peakOfThis() {
  if (!existsSync("/proc/self/status")) return undefined;
  const [, peak] = /VmHWM:\s+(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  return peak === undefined ? undefined : Number(peak);
}
