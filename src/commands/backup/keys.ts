import type { RepositoryKeys } from "../../storage/repository/read/repository-keys.js";
import type { Encryption } from "../../storage/repository/write/encryption.js";
import type { CommandCall } from "../command.js";
import { readIdentityKey, readPassphrase } from "../options/settings.js";

/**
 * The key of new archives: `--encrypt-to`, else the passphrase, if `passphrase` allows it; null:
 * plain. With recipients, the passphrase only opens older archives. Throws UsageError for a wrong
 * recipient.
 */
export async function encryptionOf(
  { settings, environment }: CommandCall,
  { passphrase: allowed }: { readonly passphrase: boolean },
): Promise<Encryption | null> {
  const { encryptTo: recipients } = settings;
  const passphrase = allowed ? readPassphrase(environment) : null;
  if (recipients.length === 0 && passphrase === null) return null;
  const { encryptTo, encryptWithPassphrase } = await import("../../storage/repository/write/encryption.js");
  return recipients.length > 0 || passphrase === null ? encryptTo(recipients) : encryptWithPassphrase(passphrase);
}

/** The keys of older archives: `--identity` and the passphrase. */
export async function keysOf({ settings, environment }: CommandCall): Promise<RepositoryKeys> {
  const { readKeys } = await import("../../storage/repository/read/repository-keys.js");
  return readKeys(settings.identity, readPassphrase(environment), readIdentityKey(environment));
}
