const HOUR = 3_600_000;

/** A time of day in UTC for an axis over so many milliseconds: `08:58:37`, over more than an hour `08:58`, over more than a day `21 Nov 08:58`. `time`: UNIX milliseconds. */
export function clockWords(time: number, length: number): string {
  const iso = new Date(time).toISOString();
  if (length <= HOUR) return iso.slice(11, 19);
  const clock = iso.slice(11, 16);
  return length <= 24 * HOUR ? clock : `${Number(iso.slice(8, 10))} ${MONTHS[Number(iso.slice(5, 7)) - 1]} ${clock}`;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
