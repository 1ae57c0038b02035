/** Opens the built-in signers of certificate requests, each with its authority from the options. */
import {
  defineRequestSigner,
  type RequestedCertificate,
  readSigningAuthority,
  type SignerId,
  type SigningAuthority,
  type SigningResult,
} from '../../plugins/index.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { readGiven } from '../explain.js';
import { OptionError, type OptionName } from '../option-error.js';
import { type Follow, type Reloaded, reloaded } from '../transport/reloaded.js';
import type { CertificateFiles } from '../transport/tls-option.js';
import type { SigningOption } from './signing-option.js';

/** Signs a request as of a time, in milliseconds since 1970. */
export type RequestSigner = (spec: RequestedCertificate, now: number) => SigningResult;

const ids: readonly SignerId[] = ['apiserverClient', 'apiserverClientAgent', 'agentServing', 'legacyUnknown'];
const yearMs = 365 * 86_400_000;

/** Returns the signers by name. Throws an `OptionError` if a file cannot be used. */
export function openSigners(
  { longestMs = yearMs, authority: files, signers = {} }: SigningOption = {},
  own: () => SigningAuthority,
  naming: Naming,
  follow: Follow,
): ReadonlyMap<string, RequestSigner> {
  const open = (option: OptionName, given: CertificateFiles): (() => SigningAuthority) => {
    const value = openAuthority(option, given);
    follow(value);
    return value.current;
  };
  const common = files ? open('signing.authority', files) : own;
  return new Map(
    ids.map((signer) => {
      const given = signers[signer];
      const authority = given ? open(`signing.signers.${signer}`, given) : common;
      return [naming.signers[signer], defineRequestSigner({ signer, authority, longestMs })];
    }),
  );
}

const openAuthority = (option: OptionName, { certFile, keyFile }: CertificateFiles): Reloaded<SigningAuthority> =>
  reloaded([certFile, keyFile], () => {
    const result = readSigningAuthority(readGiven(option, certFile), readGiven(option, keyFile));
    if (result.ok) return result.authority;
    throw new OptionError((nameOf) => `${nameOf(option)} ${certFile} with ${keyFile}: ${result.problem}`);
  });

/** The shortest lifetime that requests can ask for, in milliseconds. */
const leastMs = 600_000;

/** Throws an `OptionError` if the lifetime is too short. */
export function checkSigning({ longestMs = leastMs }: SigningOption = {}): void {
  if (longestMs >= leastMs && Number.isFinite(longestMs)) return;
  throw new OptionError((nameOf) => `${nameOf('signing.longestMs')} ${longestMs}: must be 600000 milliseconds or more`);
}
