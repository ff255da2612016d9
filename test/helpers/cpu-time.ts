/**
 * Milliseconds of processor time that this process has used: other work on a busy machine does not
 * count.
 */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
