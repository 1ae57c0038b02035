/** Opens the issuers of an `AuthenticationConfiguration`, and follows changes of its file. */
import { defineJwt, type JwtAuthenticator, mapClaims, oidcAlgorithms } from '../../plugins/index.js';
import type { Authentication, Authenticator, Credentials } from '../../runtime/contract/index.js';
import type { authenticationObserverOf } from '../../runtime/server/index.js';
import { fileError } from '../option-error.js';
import type { OnProblem } from '../options.js';
import type { Follow, Reloaded } from '../transport/reloaded.js';
import { openTextGetter } from '../webhooks/get-text.js';
import { machineAuthorities } from '../webhooks/machine-authorities.js';
import type { OutgoingCalls } from '../webhooks/outgoing-calls.js';
import {
  type AuthenticationConfiguration,
  type AuthenticationFileOptions,
  type ConfiguredJwt,
  readAuthenticationFile,
} from './authentication-file.js';

const option = 'authentication.configFile';

/** The parts of a server that the issuers of a file use. */
export interface ConfiguredAuthenticationParts extends Omit<AuthenticationFileOptions, 'isAnonymousGiven'> {
  readonly calls: OutgoingCalls;
  readonly follow: Follow;
  readonly onProblem: OnProblem;
  readonly observer: ReturnType<typeof authenticationObserverOf>;
}

/** If a changed file cannot be used, the earlier issuers stay in use. */
export interface ConfiguredAuthentication {
  readonly authenticator: Authenticator;
  /** The only paths that need no credentials; empty for all. They stay the same when the file changes. */
  readonly anonymousPaths: readonly string[];
  readonly file: Reloaded<unknown>;
  /** The issuers in use, in the order of the file. */
  readonly issuers: () => readonly ConfiguredJwt[];
}

/**
 * Throws an `OptionError` that names all mistakes in the file. Contacts an issuer only when its first token arrives.
 */
export function openConfiguredAuthentication(
  configFile: string,
  parts: ConfiguredAuthenticationParts,
): ConfiguredAuthentication {
  const options = { ...parts, isAnonymousGiven: false };
  const first = readAuthenticationFile(configFile, options);
  if (!first.ok) throw fileError(option, first.problems);
  const authorities = machineAuthorities();
  if (authorities) parts.follow(authorities);
  const open = (one: ConfiguredJwt): OpenIssuer => openIssuer(one, parts, authorities?.current);
  let text = first.text;
  let current: Issuers = new Map(first.configuration.jwt.map((one) => [one.id, open(one)]));
  let issuers = first.configuration.jwt;
  let attempts = 0;
  parts.observer.read(text);

  /** Opens the new configuration, and uses it once its issuers have answered. */
  const replace = async (next: AuthenticationConfiguration, content: string, attempt: number): Promise<void> => {
    const opened: Issuers = new Map(next.jwt.map((one) => [one.id, current.get(one.id) ?? open(one)]));
    const added = [...opened].filter(([id]) => !current.has(id)).map(([, issuer]) => issuer);
    try {
      for (const { prepare } of added) await prepare();
    } catch (error) {
      for (const { close } of added) close();
      const again = (): void => {
        // A later change has its own attempts.
        if (attempt === attempts) replaced(next, content, attempt).catch((failure) => parts.onProblem(textOf(failure)));
      };
      setTimeout(again, againMs).unref();
      throw error;
    }
    if (attempt !== attempts) return;
    const dropped = [...current].filter(([id]) => !opened.has(id));
    current = opened;
    issuers = next.jwt;
    text = content;
    for (const [, { close }] of dropped) close();
    parts.observer.read(text);
    parts.observer.reloaded(true);
  };
  const replaced = (...change: Parameters<typeof replace>): Promise<void> =>
    replace(...change).catch((error: unknown) => {
      parts.observer.reloaded(false);
      throw new Error(`${configFile}: ${textOf(error)}; trying again every ${againMs / 1000} seconds`);
    });
  return {
    authenticator: { name: 'jwt', authenticate: (credentials) => firstOf(current.values(), credentials) },
    anonymousPaths: first.configuration.anonymous?.paths ?? [],
    issuers: () => issuers,
    file: {
      paths: [configFile],
      current: () => current,
      reload() {
        attempts++;
        const next = readAuthenticationFile(configFile, options);
        if (next.ok && next.text === text) return undefined;
        const problems = next.ok
          ? anonymousProblems(configFile, first.configuration, next.configuration)
          : next.problems;
        if (next.ok && problems.length === 0) return replaced(next.configuration, next.text, attempts);
        parts.observer.reloaded(false);
        throw fileError(option, problems);
      },
    },
  };
}

/** The time until the next attempt to reach issuers. */
const againMs = 60_000;

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Refuses a change of `anonymous`. It needs a restart, as in the reference. */
const anonymousProblems = (
  file: string,
  { anonymous: before }: AuthenticationConfiguration,
  { anonymous: now }: AuthenticationConfiguration,
): readonly string[] =>
  JSON.stringify(before) === JSON.stringify(now)
    ? []
    : [`${file}: anonymous: Forbidden: changed from initial configuration file`];

interface OpenIssuer extends JwtAuthenticator {
  close(): void;
}

/** The issuers by the text of their elements, so that unchanged issuers keep their keys. */
type Issuers = ReadonlyMap<string, OpenIssuer>;

function openIssuer(
  { issuerUrl, discoveryUrl, certificateAuthority, audiences, groupsClaim, rules }: ConfiguredJwt,
  { calls, observer }: ConfiguredAuthenticationParts,
  authorities: (() => string) | undefined,
): OpenIssuer {
  const ca = certificateAuthority === undefined ? authorities : () => certificateAuthority;
  const { get, close } = openTextGetter(calls, ca);
  const onFetch = observer.fetched(issuerUrl);
  const options = { issuerUrl, discoveryUrl, audiences, groupsClaim, algorithms: oidcAlgorithms, onFetch };
  const jwt = defineJwt(options, (claims) => mapClaims(claims, rules), get);
  const observe = async (answer: Authentication | Promise<Authentication>): Promise<Authentication> => {
    const start = performance.now();
    const found = await answer;
    observer.authenticated(issuerUrl, found !== undefined && 'user' in found, (performance.now() - start) / 1000);
    // As in the reference, the author of a token review learns which rule refuses a token.
    return found && 'refused' in found ? { ...found, publicReason: found.refused } : found;
  };
  return {
    ...jwt,
    close,
    authenticate(credentials, context) {
      const answer = jwt.authenticate(credentials, context);
      return answer && observe(answer);
    },
  };
}

/** Asks each issuer. At most one has issued a token. */
function firstOf(issuers: Iterable<OpenIssuer>, credentials: Credentials): ReturnType<Authenticator['authenticate']> {
  for (const issuer of issuers) {
    const answer = issuer.authenticate(credentials);
    if (answer) return answer;
  }
  return undefined;
}
