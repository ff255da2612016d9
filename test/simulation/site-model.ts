import type { TaskDefinition } from "../../src/fleet/tasks.js";

/** A site of the simulated fleet, and what a backup of it takes. */
export interface SimulatedSite {
  readonly name: string;
  readonly tenant: string;
  readonly zone: string;
  /** Its own root, and for a few that of another site: two of their runs must not overlap. */
  readonly exclusive: readonly string[];
  /** Seconds of a night in which little has changed. */
  readonly nightly: number;
  /** Seconds of the first copy, at the rate of the site. */
  readonly first: number;
}

export interface SimulatedTenant {
  readonly name: string;
  /** Runs at the same time; null: no limit. */
  readonly limit: number | null;
}

/** How a run ends by itself. */
export interface DrawnEnd {
  /** null: a signal ended it. */
  readonly exitCode: number | null;
  /** The part of its time after which it ends. */
  readonly after: number;
}

/** When each site is due, in its zone. */
export const CRON = "0 2 * * *";
/** The tenant that has a fifth of all sites and a limit of a quarter of all slots. */
export const LARGE_TENANT = "large";
const SITES_OF_A_TENANT = 125;
const FEWEST_TENANTS = 4;

/** Docs/design/fleet.md: an unchanged site of 500 guides takes 7 minutes, its first copy an hour. */
const NIGHTLY_BASE = 60;
const NIGHTLY_GUIDE = 0.72;
const FIRST_GUIDE = 7.2;
/** Guides of a site: the median, the spread of the logarithm, and the largest site. */
const MEDIAN_GUIDES = 300;
const SPREAD = 0.9;
const MOST_GUIDES = 6000;

/** Of all runs: 3 % fail for a while, 0.1 % for good. */
const TEMPORARY = 0.03;
const FINAL = 0.001;
const TEMPORARY_CODES: readonly (number | null)[] = [4, 8, 9, 11, 75, null];
const FINAL_CODES: readonly number[] = [2, 5];

/** The tenants of so many sites: the large one, and others with equal load. */
export function drawTenants(sites: number, slots: number): readonly SimulatedTenant[] {
  const others = Math.max(FEWEST_TENANTS, Math.round((sites * 4) / 5 / SITES_OF_A_TENANT));
  const equal = Array.from({ length: others }, (_none, index) => ({ name: `tenant${index}`, limit: null }));
  return [{ name: LARGE_TENANT, limit: Math.max(1, Math.floor(slots / 4)) }, ...equal];
}

/** The sites in the order of their registration: one tenant after the other, as a user adds them. */
export function drawSites(
  count: number,
  tenants: readonly SimulatedTenant[],
  random: () => number,
): readonly SimulatedSite[] {
  const large = Math.round(count / 5);
  const others = tenants.slice(1);
  // The same sizes for each tenant: equal load is what fairness compares.
  const sizes = Array.from({ length: Math.ceil((count - large) / others.length) }, () => drawGuides(random));
  return Array.from({ length: count }, (_none, index) => {
    const place = index - large;
    const tenant = place < 0 ? LARGE_TENANT : (others[Math.floor(place / sizes.length)]?.name ?? LARGE_TENANT);
    const guides = (place < 0 ? undefined : sizes[place % sizes.length]) ?? drawGuides(random);
    const root = `https://site${index}.example`;
    return {
      name: `site${index}`,
      tenant,
      zone: index % 10 === 9 ? "America/New_York" : "Europe/Berlin",
      exclusive: index % 50 === 49 ? [root, `https://site${index - 1}.example`] : [root],
      nightly: NIGHTLY_BASE + NIGHTLY_GUIDE * guides,
      first: NIGHTLY_BASE + FIRST_GUIDE * guides,
    };
  });
}

function drawGuides(random: () => number): number {
  // Box and Muller; 1 - random() is never 0.
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Math.min(MOST_GUIDES, Math.round(MEDIAN_GUIDES * Math.exp(SPREAD * normal)));
}

export function drawEnd(random: () => number): DrawnEnd {
  const drawn = random();
  if (drawn < FINAL) return { exitCode: pick(FINAL_CODES, random) ?? 2, after: random() };
  if (drawn < FINAL + TEMPORARY) return { exitCode: pick(TEMPORARY_CODES, random) ?? null, after: random() };
  return { exitCode: 0, after: 1 };
}

function pick<Value>(values: readonly Value[], random: () => number): Value | undefined {
  return values[Math.floor(random() * values.length)];
}

/** As `fleet schedule backup` adds it. */
export function taskOf({ name, tenant, zone, exclusive }: SimulatedSite): TaskDefinition {
  const source = `https://${name}.example`;
  return {
    name,
    tenant,
    verb: "backup",
    source,
    target: null,
    words: ["backup", source],
    exclusive,
    credentials: {},
    priority: 0,
    cron: CRON,
    timeZone: zone,
    managed: true,
  };
}
