import { subscribe } from "node:diagnostics_channel";
import { appendFileSync } from "node:fs";

// For a child process, before its program: notes when each request goes out, in milliseconds of the clock that all processes of a
// machine share. What a server sees depends on how busy the machine is; this doesn't.
subscribe("undici:request:create", () => {
  appendFileSync(process.env["NOTE_SENDS"], `${Number(process.hrtime.bigint()) / 1e6}\n`);
});
