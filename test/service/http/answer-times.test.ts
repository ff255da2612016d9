import { describe, expect, it } from "vitest";
import { type AnswerTimes, createAnswerTimes } from "../../../src/service/http/request-statistics.js";

const ROOT = "https://site.example/api/2.0";

describe("the time of answers", () => {
  it("says nothing before eight answers of a kind, then how many times the usual one takes", () => {
    const times = createAnswerTimes();
    const first = Array.from({ length: 8 }, (_, id) => note(times, `guides/${id}`, 100 + id));
    expect(first.slice(0, 7)).toEqual(Array(7).fill(null));
    expect(first[7]).toBe(1);
    expect(note(times, "guides/99", 1040)).toBe(10);
  });

  it("takes nothing for slow that is a quarter of a second above the usual, whatever it is times that", () => {
    const times = createAnswerTimes();
    for (let id = 0; id < 8; id += 1) note(times, `guides/${id}`, 5);
    expect(note(times, "guides/9", 255)).toBe(1);
    expect(note(times, "guides/9", 256)).toBeGreaterThan(50);
  });

  it("is compared with that of the same kind only", () => {
    const times = createAnswerTimes();
    for (let id = 0; id < 8; id += 1) note(times, `guides/${id}/flags`, 10);
    for (let id = 0; id < 7; id += 1) expect(note(times, `guides/${id}`, 900)).toBeNull();
    expect(note(times, "guides/7", 900)).toBe(1);
    expect(note(times, "guides/7", 900, "PATCH")).toBeNull();
  });

  it("is judged by the best of the run, and a site that is slower for good is taken as it is in the end", () => {
    const times = createAnswerTimes();
    for (let id = 0; id < 8; id += 1) note(times, `guides/${id}`, 500);
    for (let id = 0; id < 8; id += 1) note(times, `guides/${id}`, 200);
    for (let id = 0; id < 80; id += 1) note(times, `guides/${id}`, 500);
    expect(note(times, "guides/1", 500)).toBeGreaterThan(2.4);
    for (let id = 0; id < 8000; id += 1) note(times, `guides/${id}`, 500);
    expect(note(times, "guides/1", 500)).toBe(1);
  });

  it("has a median of the last answers, whatever their kind", () => {
    const times = createAnswerTimes();
    expect(times.median()).toBeNull();
    for (let id = 0; id < 50; id += 1) note(times, `guides/${id}`, 900);
    for (let id = 0; id < 32; id += 1) note(times, `wikis/CATEGORY/T${id}`, id % 2 === 0 ? 10 : 30);
    expect(times.median()).toBe(30);
  });

  it("does not fill the memory with hosts that have a folder for each file", () => {
    const times = createAnswerTimes();
    for (let id = 0; id < 64; id += 1) note(times, `../../${id}/file`, 10);
    for (let id = 0; id < 8; id += 1) note(times, `../../other-${id}/file`, 20);
    expect(note(times, "../../new/file", 2000)).toBe(100);
  });
});

function note(times: AnswerTimes, path: string, milliseconds: number, method: "GET" | "PATCH" = "GET"): number | null {
  return times.note({ method, url: new URL(`${ROOT}/${path}`) }, milliseconds);
}
