import type { JSX } from "hono/jsx/jsx-runtime";
import { Foreign, plainWords } from "../../pages/foreign.js";
import { countWords, numberWords } from "../../pages/numbers.js";
import type { Bucket, Timeline } from "../timeline.js";
import { durationWords } from "./duration-words.js";

type Origin = Timeline["origins"][number];

/** Units of the drawing; it is as wide as there is room. */
const WIDTH = 840;
const HEIGHT = 200;
const LEFT = 52;
const BOTTOM = 24;
const TOP = 26;
const INNER = { width: WIDTH - LEFT - 8, height: HEIGHT - TOP - BOTTOM };

export interface RateChartProps {
  readonly origin: Origin;
  /** Milliseconds of a bucket. */
  readonly length: number;
  /** Buckets of the whole run, so that charts of several sites can be laid over each other. */
  readonly places: number;
}

/** Requests per second to one site over a run: bars, the rate as a line, refusals as marks on top, pauses shaded. */
export function RateChart({ origin, length, places }: RateChartProps): JSX.Element {
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
          <Foreign text={hostOf(origin.origin)} />
        </strong>
        : {words}
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={plainWords(`${hostOf(origin.origin)}: ${words}`)}>
        <path class="chart-held" d={blocks(buckets, x, (bucket) => bucket.held / length > SHADED)} />
        <Grid most={most} y={y} end={places * length} />
        <path class="chart-bars" d={bars(buckets, { x, y, across, seconds })} />
        <path class="chart-rate" d={rateLine(buckets, x, y)} />
        <path class="chart-refusals" d={marks(buckets, x, across)} />
      </svg>
    </figure>
  );
}

/** Share of a bucket that was held up, from which on it is shaded. */
const SHADED = 0.5;

interface Scale {
  readonly x: (place: number) => number;
  readonly y: (value: number) => number;
  readonly across: number;
  readonly seconds: number;
}

function Grid({ most, y, end }: { readonly most: number; readonly y: Scale["y"]; readonly end: number }): JSX.Element {
  return (
    <>
      {[0, most / 2, most].map((value) => (
        <>
          <path class="chart-grid" d={`M${LEFT} ${round(y(value))}H${WIDTH - 8}`} />
          <text class="chart-text" x={LEFT - 6} y={round(y(value) + 4)} text-anchor="end">
            {numberWords(value)}
          </text>
        </>
      ))}
      <text class="chart-text" x={LEFT} y={HEIGHT - 6}>
        0
      </text>
      <text class="chart-text" x={WIDTH - 8} y={HEIGHT - 6} text-anchor="end">
        {durationWords(end)}
      </text>
      <text class="chart-text" x={LEFT} y={15}>
        requests a second
      </text>
    </>
  );
}

function bars(buckets: readonly Bucket[], { x, y, across, seconds }: Scale): string {
  const floor = round(y(0));
  const gap = across > 4 ? 1 : 0;
  return buckets
    .map(({ starts }, place) =>
      starts === 0 ? "" : `M${round(x(place))} ${floor}V${round(y(starts / seconds))}h${round(across - gap)}V${floor}z`,
    )
    .join("");
}

/** Where no rate holds there is no line. */
function rateLine(buckets: readonly Bucket[], x: Scale["x"], y: Scale["y"]): string {
  return buckets
    .map(({ rate }, place) => (rate === null ? "" : `M${round(x(place))} ${round(y(rate))}H${round(x(place + 1))}`))
    .join("");
}

function blocks(buckets: readonly Bucket[], x: Scale["x"], isIn: (bucket: Bucket) => boolean): string {
  return buckets
    .map((bucket, place) =>
      isIn(bucket) ? `M${round(x(place))} ${TOP}H${round(x(place + 1))}v${INNER.height}H${round(x(place))}z` : "",
    )
    .join("");
}

/** A small triangle that points down: it is not told apart by its colour alone. */
function marks(buckets: readonly Bucket[], x: Scale["x"], across: number): string {
  return buckets
    .map(({ refusals }, place) => (refusals === 0 ? "" : `M${round(x(place) + across / 2 - 5)} ${TOP - 2}h10l-5 9z`))
    .join("");
}

function chartWords({ buckets, given }: Origin, length: number): string {
  const starts = sum(buckets, ({ starts }) => starts);
  const refusals = sum(buckets, ({ refusals }) => refusals);
  const highest = Math.max(0, ...buckets.map((bucket) => bucket.starts / (length / 1000)));
  const limit = given === null ? "no limit" : `a limit of ${numberWords(given)} a second`;
  const refused =
    refusals === 0 ? "never refused for being too many" : `refused for being too many ${countWords(refusals, "time")}`;
  return `${countWords(starts, "request")}, at most ${numberWords(Math.round(highest * 10) / 10)} a second with ${limit}; ${refused}`;
}

function sum(buckets: readonly Bucket[], of: (bucket: Bucket) => number): number {
  return buckets.reduce((total, bucket) => total + of(bucket), 0);
}

/** The next round number, whose half is one too. */
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
