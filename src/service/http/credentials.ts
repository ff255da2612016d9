import { UsageError } from "../../core/errors.js";
import type { Secret } from "./secret.js";

/** How to sign in at a site. `appId` goes out as `X-App-Id` whichever way it is. */
export type Credentials =
  | { readonly kind: "none"; readonly appId?: Secret | undefined }
  | {
      readonly kind: "token";
      readonly token: Secret;
      /**
       * `api`: a session's token, `Authorization: api …`. `bearer`: an API key that a user made
       * (api-facts 2.2).
       */
      readonly scheme: "api" | "bearer";
      readonly appId?: Secret | undefined;
    }
  | {
      readonly kind: "password";
      readonly email: Secret;
      readonly password: Secret;
      readonly appId?: Secret | undefined;
    };

/** Everything in the credentials that must never be shown. */
export function secretsOf(credentials: Credentials): readonly Secret[] {
  const { appId } = credentials;
  const shared = appId === undefined ? [] : [appId];
  if (credentials.kind === "token") return [credentials.token, ...shared];
  if (credentials.kind === "password") return [credentials.email, credentials.password, ...shared];
  return shared;
}

/** The header that an app id goes out in; none without one. */
export function appIdHeader(credentials: Credentials, variables: string): Readonly<Record<string, string>> {
  const { appId } = credentials;
  return appId === undefined ? {} : { "x-app-id": headerSafe(appId, `${variables}_APP_ID`) };
}

/** @throws UsageError for a value that can't stand in a header, without showing it */
export function headerSafe(secret: Secret, variable: string): string {
  const value = secret.reveal();
  if (/^[\x21-\x7e]+$/.test(value)) return value;
  throw new UsageError(
    `The value of ${variable} is empty or holds spaces, line ends or other characters that no token has. Set it again, without quotes.`,
  );
}
