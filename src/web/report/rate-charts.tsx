import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import { withCommas } from "../../core/util/printable-text.js";
import { plainWords, UntrustedText } from "../components/untrusted-text.js";
import { countWords, durationWords } from "../components/words.js";
import type { Bucket, Timeline } from "./course.js";

export function RateCharts({ timeline }: { readonly timeline: Timeline | null }): JSX.Element {
  const origins = timeline?.origins.filter(({ buckets }) => buckets.some(({ starts }) => starts > 0)) ?? [];
  if (timeline === null || origins.length === 0) return <p>No requests were sent, or their times were not recorded.</p>;
  const places = Math.max(...origins.map(({ buckets }) => buckets.length));
  const all = origins.flatMap(({ buckets }) => buckets);
  return (
    <>
      <div class="card">
        {origins.map((origin, at) => (
          <RateChart origin={origin} from={timeline.from} length={timeline.length} places={places} number={at + 1} />
        ))}
      </div>
      <ChartLegend
        hasRefusals={all.some(({ refusals }) => refusals > 0)}
        hasPauses={all.some(({ paused }) => paused > 0)}
        hasPausesByHand={all.some(({ byHand }) => byHand > 0)}
      />
    </>
  );
}

type Origin = Timeline["origins"][number];

/** Units of the drawing, which scales to its place. */
const WIDTH = 840;
const HEIGHT = 200;
const LEFT = 52;
const BOTTOM = 24;
const TOP = 26;
const INNER = { width: WIDTH - LEFT - 8, height: HEIGHT - TOP - BOTTOM };

interface RateChartProps {
  readonly origin: Origin;
  /** UNIX milliseconds of the first bucket's beginning. */
  readonly from: number;
  /** Milliseconds of a bucket. */
  readonly length: number;
  /** Buckets of the whole run, equal for all charts of a page. */
  readonly places: number;
  /** Makes the ids of this chart unique on the page. */
  readonly number: number;
}

/**
 * Requests per second to one site: bars, the rate limit as a line, 429s as marks on top. Pauses
 * reach down from the top by their share of the time: filled if the site asked for them, hatched if
 * a person did. Where a bar reaches the line, requests waited for the rate limit.
 */
function RateChart({ origin, from, length, places, number }: RateChartProps): JSX.Element {
  const { buckets, given } = origin;
  const seconds = length / 1000;
  const most = topOf(Math.max(given ?? 0, ...buckets.map(({ starts }) => starts / seconds)));
  const across = INNER.width / Math.max(1, places);
  const x = (place: number): number => LEFT + place * across;
  const y = (value: number): number => TOP + INNER.height * (1 - Math.min(value, most) / most);
  const words = chartWords(origin, length);
  return (
    <figure class="chart">
      <figcaption>
        <strong>
          <UntrustedText text={hostOf(origin.origin)} />
        </strong>
        : {words}
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={plainWords(`${hostOf(origin.origin)}: ${words}`)}>
        <Hatch id={`by-hand-${number}`} />
        <path class="chart-paused" d={pauses(buckets, x, ({ paused }) => paused / length)} />
        <path
          class="chart-by-hand"
          fill={`url(#by-hand-${number})`}
          d={pauses(buckets, x, ({ byHand }) => byHand / length)}
        />
        <Grid most={most} y={y} from={from} span={places * length} />
        <path class="chart-bars" d={bars(buckets, { x, y, across, seconds })} />
        <path class="chart-rate" d={rateLine(buckets, x, y)} />
        <path class="chart-refusals" d={marks(buckets, x, across)} />
      </svg>
    </figure>
  );
}

interface Scale {
  readonly x: (place: number) => number;
  readonly y: (value: number) => number;
  readonly across: number;
  readonly seconds: number;
}

interface GridProps {
  readonly most: number;
  readonly y: Scale["y"];
  /** UNIX milliseconds of the left edge. */
  readonly from: number;
  /** Milliseconds of the whole width. */
  readonly span: number;
}

function Grid({ most, y, from, span }: GridProps): JSX.Element {
  return (
    <>
      {[0, most / 2, most].map((value) => (
        <>
          <path class="chart-grid" d={`M${LEFT} ${round(y(value))}H${WIDTH - 8}`} />
          <text class="chart-text" x={LEFT - 6} y={round(y(value) + 4)} text-anchor="end">
            {withCommas(value)}
          </text>
        </>
      ))}
      {TIMES.map(([share, anchor]) => (
        <text class="chart-text" x={LEFT + share * INNER.width} y={HEIGHT - 6} text-anchor={anchor}>
          {clockWords(from + share * span, span)}
        </text>
      ))}
      <text class="chart-text" x={LEFT} y={19}>
        Requests per second, {durationWords(span)}, times in UTC
      </text>
    </>
  );
}

const TIMES = [
  [0, "start"],
  [0.25, "middle"],
  [0.5, "middle"],
  [0.75, "middle"],
  [1, "end"],
] as const;

function bars(buckets: readonly Bucket[], { x, y, across, seconds }: Scale): string {
  const floor = round(y(0));
  const gap = across > 4 ? 1 : 0;
  return buckets
    .map(({ starts }, place) =>
      starts === 0 ? "" : `M${round(x(place))} ${floor}V${round(y(starts / seconds))}h${round(across - gap)}V${floor}z`,
    )
    .join("");
}

/** No line without a rate. */
function rateLine(buckets: readonly Bucket[], x: Scale["x"], y: Scale["y"]): string {
  return buckets
    .map(({ rate }, place) => (rate === null ? "" : `M${round(x(place))} ${round(y(rate))}H${round(x(place + 1))}`))
    .join("");
}

/** Shows a pause of seconds in a chart of hours. */
const LEAST = { width: 3, share: 0.08 };

function pauses(buckets: readonly Bucket[], x: Scale["x"], shareOf: (bucket: Bucket) => number): string {
  return buckets
    .map((bucket, place) => {
      const share = shareOf(bucket);
      if (share <= 0) return "";
      const width = Math.max(LEAST.width, x(place + 1) - x(place));
      return `M${round(x(place))} ${TOP}h${round(width)}v${round(INNER.height * Math.min(1, Math.max(LEAST.share, share)))}h${-round(width)}z`;
    })
    .join("");
}

/** Triangles that point down, recognisable without colour. */
function marks(buckets: readonly Bucket[], x: Scale["x"], across: number): string {
  return buckets
    .map(({ refusals }, place) => (refusals === 0 ? "" : `M${round(x(place) + across / 2 - 5)} ${TOP - 2}h10l-5 9z`))
    .join("");
}

function chartWords({ buckets, given }: Origin, length: number): string {
  const starts = sum(buckets, ({ starts }) => starts);
  const refusals = sum(buckets, ({ refusals }) => refusals);
  const highest = Math.max(0, ...buckets.map((bucket) => bucket.starts / (length / 1000)));
  const limit = given === null ? "no limit" : `limit ${withCommas(given)} per second`;
  const refused = refusals === 0 ? "never rate-limited" : `rate-limited ${countWords(refusals, "time")}`;
  const [paused, byHand] = [sum(buckets, (bucket) => bucket.paused), sum(buckets, (bucket) => bucket.byHand)];
  return [
    countWords(starts, "request"),
    `at most ${withCommas(Math.round(highest * 10) / 10)} per second (${limit})`,
    refused,
    ...(paused > 0 ? [`paused by the site for ${durationWords(paused)}`] : []),
    ...(byHand > 0 ? [`paused manually for ${durationWords(byHand)}`] : []),
  ].join(", ");
}

function sum(buckets: readonly Bucket[], of: (bucket: Bucket) => number): number {
  return buckets.reduce((total, bucket) => total + of(bucket), 0);
}

/** The next round number with a round half. */
function topOf(value: number): number {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 3, 4, 5, 6, 8, 10].find((step) => step * power >= value) ?? 10) * power;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : origin;
}

interface ChartLegendProps {
  readonly hasRefusals: boolean;
  readonly hasPauses: boolean;
  readonly hasPausesByHand: boolean;
}

/** Explains only what occurs. */
function ChartLegend({ hasRefusals, hasPauses, hasPausesByHand }: ChartLegendProps): JSX.Element {
  return (
    <ul class="legend muted">
      <Sign words="Requests per second">
        <path class="chart-bars" d="M2 14V6h5v8zM8 14V2h5v12zM14 14V9h5v5z" />
      </Sign>
      <Sign words="Rate limit in force (requests waited where a bar reaches this line)">
        <path class="chart-rate" d="M1 8H20" />
      </Sign>
      {hasRefusals && (
        <Sign words="Rate-limited by the site (429, or 503 with Retry-After)">
          <path class="chart-refusals" d="M5 3h10l-5 9z" />
        </Sign>
      )}
      {hasPauses && (
        <Sign words="Paused by the site (the height is the share of the time)">
          <path class="chart-paused" d="M2 1h17v14h-17z" />
        </Sign>
      )}
      {hasPausesByHand && (
        <Sign words="Paused manually in the live view (the height is the share of the time)">
          <Hatch id="by-hand-legend" />
          <path class="chart-by-hand" fill="url(#by-hand-legend)" d="M2 1h17v14h-17z" />
        </Sign>
      )}
    </ul>
  );
}

function Sign({ words, children }: { readonly words: string; readonly children?: Child }): JSX.Element {
  return (
    <li>
      <svg class="legend-sign" viewBox="0 0 21 16" aria-hidden="true">
        {children}
      </svg>
      {words}
    </li>
  );
}

/** Slanted lines, recognisable without colour. `id`: unique on the page. */
function Hatch({ id }: { readonly id: string }): JSX.Element {
  return (
    <defs>
      <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <path class="chart-hatch" d="M0 3H6" />
      </pattern>
    </defs>
  );
}

const HOUR = 3_600_000;

/**
 * A time of day in UTC: `08:58:37`, for spans over an hour `08:58`, over a day `21 Nov 08:58`.
 * `time`: UNIX milliseconds.
 */
export function clockWords(time: number, length: number): string {
  const iso = new Date(time).toISOString();
  if (length <= HOUR) return iso.slice(11, 19);
  const clock = iso.slice(11, 16);
  return length <= 24 * HOUR ? clock : `${Number(iso.slice(8, 10))} ${MONTHS[Number(iso.slice(5, 7)) - 1]} ${clock}`;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
