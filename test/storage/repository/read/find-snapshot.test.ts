import { describe, expect, it } from "vitest";
import type { SnapshotIndex } from "../../../../src/storage/repository/format.js";
import { beforeRestore } from "../../../../src/storage/repository/names.js";
import { findSnapshot, passedOver } from "../../../../src/storage/repository/read/find-snapshot.js";
import { snapshotIndex } from "../../../helpers/snapshot-index.js";

const find = (snapshots: readonly SnapshotIndex[], at?: string): string => findSnapshot(snapshots, at, "repo").snapshot;

describe("a snapshot is found", () => {
  it("by the time of its run, when a clock that was years ahead gave all names behind it", () => {
    const started = (time: string) => ({ started: `${time}.123Z` });
    const snapshots = [
      snapshotIndex("20261118T030000Z", started("2026-11-18T03:00:00")),
      snapshotIndex("20290815T030000Z", started("2029-08-15T03:00:00")),
      snapshotIndex("20290815T030001Z", started("2026-11-19T03:00:00")),
      snapshotIndex("20290815T030002Z", started("2026-11-20T03:00:00")),
    ];
    expect(find(snapshots)).toBe("20290815T030002Z");
    expect(find(snapshots, "2026-11-18")).toBe("20261118T030000Z");
    expect(find(snapshots, "2026-11-19")).toBe("20290815T030001Z");
    expect(find(snapshots, "2026-11-20T03:00")).toBe("20290815T030002Z");
    expect(find(snapshots, "2027-01-01")).toBe("20290815T030002Z");
    expect(find(snapshots, "20290815T030000Z")).toBe("20290815T030000Z");
  });

  it("by its own time when a clock was set back, and no snapshot before it is hidden", () => {
    const snapshots = [
      snapshotIndex("20261118T030000Z"),
      snapshotIndex("20261118T030001Z", { started: "1970-01-01T00:00:09.000Z" }),
    ];
    expect(find(snapshots, "2026-11-18")).toBe("20261118T030000Z");
    expect(find(snapshots, "1970-01-01")).toBe("20261118T030001Z");
  });

  it("by the name that it had before it was written anew", () => {
    const started = "2026-11-18T03:00:00.700Z";
    const snapshots = [snapshotIndex("20261117T030000Z"), snapshotIndex("20261118T030001Z", { started })];
    expect(find(snapshots, "20261118T030000Z")).toBe("20261118T030001Z");
  });

  it("by name alone when a restore took it", () => {
    const madeBy = `guideferry ${beforeRestore("0.1.0")}`;
    const snapshots = [snapshotIndex("20261118T030000Z"), snapshotIndex("20261118T120000Z", { madeBy })];
    for (const at of [undefined, "latest", "2026-11-18", "2026-11-19T00:00Z"]) {
      expect(find(snapshots, at)).toBe("20261118T030000Z");
      expect(passedOver(snapshots, at)?.snapshot).toBe("20261118T120000Z");
    }
    expect(find(snapshots, "20261118T120000Z")).toBe("20261118T120000Z");
    expect(passedOver(snapshots, "20261118T120000Z")).toBeUndefined();
    expect(passedOver(snapshots, "2026-11-18T04:00Z")).toBeUndefined();
    expect(find(snapshots.slice(1))).toBe("20261118T120000Z");
    expect(passedOver(snapshots.slice(1), "latest")).toBeUndefined();
  });

  it("by no date that is in no calendar", () => {
    const snapshots = [snapshotIndex("20200101T030000Z")];
    const wrong = [
      ...["2026-11-31", "2026-02-29", "2026-13-01", "2026-00-10", "2026-11-31T03:00", "2026-02-30 03:00:00Z"],
      ...["2026-11-20T25:00", "20261131T030000Z", "20261320T030000Z", "20261120T036000Z", "2026-11-2", "", "now"],
    ];
    for (const at of wrong)
      expect(() => find(snapshots, at)).toThrow(
        expect.objectContaining({ exitCode: 2, message: expect.stringContaining(`"${at}" is not a time`) }),
      );
    for (const at of ["2028-02-29", "2026-11-30T23:59:59+14:00", "20261130T030000Z"])
      expect(find(snapshots, at)).toBe("20200101T030000Z");
  });
});
