import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { startPostgres } from "../../helpers/postgres-server.js";
import { type Senders, startSenders } from "../../helpers/shared-rate.js";

const PROCESSES = 8;
const RATES = (process.env["RATES"] ?? "1,10,50,200").split(",").map(Number);
/** Seconds of each measurement. */
const SECONDS = Number(process.env["SECONDS"] ?? "20");

describe("the rate that eight processes share", () => {
  it.each(RATES)("is used to 97 percent at least, and never exceeded, at %d a second", async (rate) => {
    const { senders } = await started(rate);
    const from = senders.now();
    await sleep(SECONDS * 1000);
    const until = senders.now();
    const inTime = senders.arrivals().filter((time) => time >= from && time < until).length;
    const used = inTime / (rate * ((until - from) / 1000));
    const { over, sent } = await senders.end();
    console.log(`R = ${rate}: ${(100 * used).toFixed(1)} % used, ${sent} sent, ${over} windows over`);
    expect(over).toBe(0);
    // One more or less lies in the time of the measurement.
    expect(used + 1 / (rate * SECONDS)).toBeGreaterThanOrEqual(0.97);
  });

  it.each(RATES)("is not exceeded under SIGKILL, SIGSTOP and crashes of Postgres, at %d a second", async (rate) => {
    const { senders, postgres } = await started(rate);
    const children = senders.children.map(({ process: child }) => child);
    const disturb = async (): Promise<void> => {
      children[0]?.kill("SIGKILL");
      for (const [index, pause] of [100, 1000, 2500, 5000].entries()) {
        children[index + 1]?.kill("SIGSTOP");
        await sleep(pause);
        children[index + 1]?.kill("SIGCONT");
      }
      children[5]?.kill("SIGSTOP");
      children[6]?.kill("SIGKILL");
      await postgres.restart("immediate");
      await sleep(1000);
      children[5]?.kill("SIGCONT");
      await sleep(4000);
      await postgres.restart("fast");
    };
    await disturb();
    const before = senders.arrivals().length;
    while (senders.arrivals().length < before + 3 * rate) await sleep(50);
    const { over, sent } = await senders.end();
    console.log(`R = ${rate}, disturbed: ${sent} sent, ${over} windows over`);
    expect(over).toBe(0);
  });
});

/** Past its first window, with all processes running. */
async function started(rate: number): Promise<{ readonly senders: Senders; readonly postgres: Postgres }> {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.remove());
  const senders = await startSenders(postgres, rate, PROCESSES);
  while (senders.arrivals().length === 0) await sleep(20);
  await sleep(3000);
  return { senders, postgres };
}

type Postgres = Awaited<ReturnType<typeof startPostgres>>;
