import type { Encryption } from "../../storage/repository/write/encryption.js";
import type { ArchivedStore } from "../../storage/workspace/archived.js";

const PASSPHRASE = "a passphrase";

/**
 * Warns when this night encrypts for somebody else than the last one of this workspace did, and notes whom it is for. To be called when the snapshot
 * is written, and so once for a change.
 */
export function noteRecipients(archived: ArchivedStore, encryption: Encryption | null): readonly string[] {
  if (encryption === null) return [];
  const now = encryption.recipients.length === 0 ? PASSPHRASE : encryption.recipients.join(", ");
  const before = archived.note("recipients");
  archived.putNote("recipients", now);
  if (before === undefined || before === now) return [];
  return [
    `The recipients changed: snapshots before this one are encrypted for ${before}, this one for ${now}. Keep the keys of both: whoever has only the older key can't read this snapshot, ` +
      "and whoever has only the newer one can read neither the older snapshots nor what this one needs of their archives.",
  ];
}
