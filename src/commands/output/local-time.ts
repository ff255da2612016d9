/** A time as a log has it, by the clock on the wall: `2026-11-21T09:08:58+01:00` (RFC 3339). */
export function localTime(date: Date): string {
  const east = -date.getTimezoneOffset();
  const offset =
    east === 0 ? "Z" : `${east < 0 ? "-" : "+"}${two(Math.floor(Math.abs(east) / 60))}:${two(Math.abs(east) % 60)}`;
  // toISOString tells UTC, so the clock on the wall is put where UTC stands.
  return new Date(date.getTime() + east * 60_000).toISOString().slice(0, 19) + offset;
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}
