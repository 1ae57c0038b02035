/** Reads the flags about the tokens of service accounts. */
import type { Result } from '../../runtime/contract/index.js';
import { badRequest } from '../../runtime/objects/status.js';
import { parseDuration } from '../../runtime/objects/time/duration.js';
import type { ServeFlags } from '../commands/serve.js';

/** How tokens of service accounts are made and checked. */
export interface ServiceAccountSettings {
  readonly issuer: string;
  /** Whom tokens for this server are for; never empty. */
  readonly audiences: readonly string[];
  /** Absent for a key that follows from the data. */
  readonly signingKeyFile: string | undefined;
  readonly keyFiles: readonly string[];
  /** In seconds; absent for no limit but that of the API. */
  readonly maxSeconds: number | undefined;
}

/** As the API has it, an issuer that bounds the life of its tokens leaves them an hour at least. */
const leastMaxSeconds = 3600;

/** Checks the flags; the failure's message says which one is wrong and what it takes. */
export function readServiceAccountSettings(flags: ServeFlags): Result<ServiceAccountSettings> {
  const issuer = flags.serviceAccountIssuer;
  if (issuer === '') return wrong('--service-account-issuer is empty; say who signs, as in https://api.example.com');
  const audiences = flags.apiAudiences?.split(',').map((name) => name.trim()) ?? [issuer];
  if (audiences.includes('')) return wrong('--api-audiences has an empty name; say names with commas between');
  const text = flags.serviceAccountMaxTokenExpiration;
  const maxSeconds = text === undefined ? undefined : secondsIn(text);
  if (text !== undefined && (maxSeconds === undefined || maxSeconds < leastMaxSeconds || maxSeconds > 2 ** 32)) {
    return wrong(`--service-account-max-token-expiration ${text} is no duration from 1h up; say one, as in 24h`);
  }
  const { serviceAccountSigningKeyFile: signingKeyFile, serviceAccountKeyFile: keyFiles } = flags;
  return { ok: true, value: { issuer, audiences, signingKeyFile, keyFiles, maxSeconds } };
}

function secondsIn(text: string): number | undefined {
  const nanoseconds = parseDuration(text);
  return nanoseconds === undefined ? undefined : Number(nanoseconds / 1_000_000_000n);
}

const wrong = (message: string): Result<never> => ({ ok: false, failure: badRequest(message) });
