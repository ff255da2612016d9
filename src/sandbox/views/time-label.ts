const UNITS: readonly (readonly [seconds: number, name: string])[] = [
  [604_800, "week"],
  [86_400, "day"],
  [3600, "hour"],
  [60, "minute"],
];

/** `time_required` for people: rounded down to one unit, a range where the two ends read differently (facts, 3.3). */
export function timeLabel(minimum: number, maximum: number): string {
  if (maximum <= 0) return "No estimate";
  const [least, most] = [duration(minimum), duration(maximum)];
  if (minimum <= 0 || least === most) return most;
  const [count, unit] = least.split(" ");
  const [mostCount, mostUnit] = most.split(" ");
  return unit?.replace(/s$/, "") === mostUnit?.replace(/s$/, "")
    ? `${count} - ${mostCount} ${mostUnit}`
    : `${least} - ${most}`;
}

function duration(seconds: number): string {
  const [size, name] = UNITS.find(([unit]) => seconds >= unit) ?? [1, "second"];
  const count = Math.floor(seconds / size);
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}
