/** Reads the flags of `kindforge login`, and makes the arguments with which a kubeconfig runs it again. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ProviderSettings } from '../../client/node/openid.js';
import { readTime } from '../../server/text/durations.js';
import { machineAuthorities } from '../../server/webhooks/machine-authorities.js';
import { messageFor } from '../flags/project.js';
import { WrongFlag } from '../objects/failure.js';

export interface LoginFlags {
  readonly server?: string;
  readonly certificateAuthority?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly user: string;
  readonly oidcIssuerUrl?: string;
  readonly oidcClientId?: string;
  readonly oidcClientSecret?: string;
  readonly oidcCaFile?: string;
  readonly oidcScopes?: string;
  readonly oidcAuthParam: readonly string[];
  readonly deviceCode?: boolean;
  /** False with `--no-browser`. */
  readonly browser: boolean;
  readonly listenPort: string;
  readonly redirectHost: string;
  readonly timeout: string;
  readonly execCredential?: boolean;
}

/** How to log in. */
export interface LoginSettings extends ProviderSettings {
  /** Absent for the scopes that fit the provider. */
  readonly scopes?: readonly string[];
  /** Further parameters of the request to log in. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly deviceCode: boolean;
  readonly browser: boolean;
  /** 0 for any free port. */
  readonly listenPort: number;
  readonly redirectHost: string;
  /** How long to wait for people, milliseconds. */
  readonly timeoutMs: number;
}

/** The tokens of a login. */
export interface Tokens {
  readonly idToken: string;
  /** Absent if the provider gives none. */
  readonly refreshToken?: string;
}

/** The people who log in, and their terminal and browser. */
export interface LoginPeople {
  /** Prints a line for people. */
  readonly tell: (line: string) => void;
  readonly openBrowser: (url: string) => void;
  /** Waits, milliseconds. */
  readonly sleep: (ms: number) => Promise<void>;
}

/** The variable with the secret of the client. Other users could see an argument. */
const secretVariable = 'KINDFORGE_OIDC_CLIENT_SECRET';

/**
 * Reads the flags. `published` has the settings that the server publishes. Throws a `WrongFlag` that names the flag and
 * the rule.
 */
export function settingsOf(
  flags: LoginFlags,
  published?: Pick<LoginSettings, 'issuer' | 'clientId'>,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): LoginSettings {
  const issuer = flags.oidcIssuerUrl ?? published?.issuer;
  const clientId = flags.oidcClientId ?? (issuer === published?.issuer ? published?.clientId : undefined);
  if (issuer === undefined || clientId === undefined) {
    throw new WrongFlag(
      `${issuer === undefined ? '--oidc-issuer-url' : '--oidc-client-id'} is not given, and the server does not publish it`,
      'Give --oidc-issuer-url and --oidc-client-id, the same as for kindforge serve or in its --authentication-config',
    );
  }
  if (!URL.canParse(issuer) || new URL(issuer).protocol !== 'https:')
    throw new WrongFlag(`--oidc-issuer-url ${issuer}: must be an HTTPS URL, such as https://accounts.example.com`);
  const { oidcCaFile: caFile, oidcScopes: scopes } = flags;
  const clientSecret = flags.oidcClientSecret ?? (environment[secretVariable] || undefined);
  const ca = caFile === undefined ? machineAuthorities()?.current() : readPem('--oidc-ca-file', caFile);
  return {
    issuer,
    clientId,
    ...(clientSecret === undefined ? {} : { clientSecret }),
    ...(ca === undefined ? {} : { ca }),
    ...(scopes === undefined ? {} : { scopes: scopesOf(scopes) }),
    parameters: Object.fromEntries(flags.oidcAuthParam.map(parameterOf)),
    deviceCode: flags.deviceCode === true,
    browser: flags.browser,
    listenPort: portOf(flags.listenPort),
    redirectHost: flags.redirectHost,
    timeoutMs: timeOf(flags.timeout),
  };
}

/** Reads the file that a flag names. Throws a `WrongFlag` if it cannot be read. */
export function readPem(flag: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new WrongFlag(`${flag} ${path}: ${messageFor(error)}`);
  }
}

function scopesOf(text: string): readonly string[] {
  const names = text.split(/[\s,]+/).filter((name) => name !== '');
  if (names.includes('openid')) return names;
  throw new WrongFlag(`--oidc-scopes ${text}: must have openid, or else the provider issues no ID token`);
}

function parameterOf(text: string): readonly [string, string] {
  const mark = text.indexOf('=');
  if (mark > 0) return [text.slice(0, mark), text.slice(mark + 1)];
  throw new WrongFlag(`--oidc-auth-param ${text}: must be a name with a text, as in login_hint=anna`);
}

function portOf(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new WrongFlag(`--listen-port ${text}: must be a port, or 0 for any`);
}

function timeOf(text: string): number {
  const read = readTime(text);
  if (read.ok && read.value > 0) return read.value;
  throw new WrongFlag(`--timeout ${read.ok ? `${text}: must be longer than nothing` : read.failure.message}`);
}

/** A program that a kubeconfig runs. */
export interface ExecCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
}

/**
 * Returns the program with which a kubeconfig runs this command. Its paths are absolute, because kubectl runs it in any
 * folder.
 */
export function execCommandOf(
  flags: LoginFlags,
  settings: LoginSettings,
  program: readonly [string, ...string[]],
): ExecCommand {
  const { scopes, clientSecret, listenPort, redirectHost } = settings;
  const [command, ...script] = program;
  return {
    command,
    args: [
      ...[...script, 'login', '--exec-credential'],
      ...['--oidc-issuer-url', settings.issuer, '--oidc-client-id', settings.clientId],
      ...(flags.user === 'oidc' ? [] : ['--user', flags.user]),
      ...(flags.oidcCaFile === undefined ? [] : ['--oidc-ca-file', resolve(flags.oidcCaFile)]),
      ...(scopes === undefined ? [] : ['--oidc-scopes', scopes.join(',')]),
      ...flags.oidcAuthParam.flatMap((parameter) => ['--oidc-auth-param', parameter]),
      ...(settings.deviceCode ? ['--device-code'] : []),
      ...(settings.browser ? [] : ['--no-browser']),
      ...(listenPort === 0 ? [] : ['--listen-port', String(listenPort)]),
      ...(redirectHost === '127.0.0.1' ? [] : ['--redirect-host', redirectHost]),
      ...(flags.timeout === '5m' ? [] : ['--timeout', flags.timeout]),
    ],
    env: clientSecret === undefined ? [] : [{ name: secretVariable, value: clientSecret }],
  };
}
