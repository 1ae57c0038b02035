/** Loads the connection of a context of a kubeconfig. */

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, resolve, sep } from 'node:path';
import { decodeJwt } from 'jose';
import { type Connection, connectionOf } from '../connection/kubeconfig.js';
import { field, text } from '../connection/kubeconfig-fields.js';
import type { CredentialPlugin, ExecPlugin, OidcPlugin } from '../connection/kubeconfig-plugins.js';
import type { ConnectionOptions } from './dispatcher.js';
import { bearer, type Identity, type IdentitySource } from './identity.js';
import {
  type KubeconfigFiles,
  kubeconfigPaths,
  providerConfig,
  readKubeconfigs,
  writeProviderConfig,
} from './kubeconfig-files.js';
import { type LoadedConnection, loaded } from './loaded.js';
import { withProvider } from './openid.js';

/** Selects a kubeconfig and a context in it. */
export interface KubeconfigOptions extends ConnectionOptions {
  /** The file. Default: the files of `$KUBECONFIG`, or `~/.kube/config`. */
  readonly path?: string;
  /** The context. Default: the current context of the file. */
  readonly context?: string;
}

/**
 * Reads a kubeconfig. Tokens and certificates in files are read again when they change. Plugins run when the first
 * request needs them. Throws if a file cannot be read, or if it refers to an entry that does not exist.
 */
export function loadKubeconfig({ path, context, ...options }: KubeconfigOptions = {}): LoadedConnection {
  const { connection, folder, plugin } = readContext({ path, context });
  return loaded(connection, folder, options, plugin);
}

/** A context of a kubeconfig. */
interface ReadContext {
  readonly connection: Connection;
  /** The folder that its paths are relative to. */
  readonly folder: string;
  /** Provides the credentials that are not in the file. */
  readonly plugin: IdentitySource | undefined;
}

/** Reads a context. Throws if a file cannot be read, or if it refers to an entry that does not exist. */
export function readContext({
  path,
  context,
}: { readonly [Name in 'path' | 'context']: string | undefined }): ReadContext {
  const paths = kubeconfigPaths(path);
  const files = readKubeconfigs(paths);
  const connection = connectionOf(files.config, context);
  const { plugin } = connection;
  return { connection, folder: dirname(paths[0] ?? ''), plugin: plugin && identityOf(plugin, files) };
}

function identityOf(plugin: CredentialPlugin, files: KubeconfigFiles): IdentitySource {
  const file = files.fileOf(plugin.user);
  if (plugin.type === 'exec') return execIdentity(plugin, dirname(file));
  return oidcIdentity(plugin, dirname(file), storeIn(file, plugin));
}

/** Returns a store in the kubeconfig itself, because a refresh token may be valid for one use only. */
const storeIn = (file: string, { user }: OidcPlugin): TokenStore => ({
  read() {
    const config = providerConfig(file, user);
    const [idToken, refreshToken] = [text(field(config, 'id-token')), text(field(config, 'refresh-token'))];
    return { ...(idToken === undefined ? {} : { idToken }), ...(refreshToken === undefined ? {} : { refreshToken }) };
  },
  write({ idToken, refreshToken }) {
    writeProviderConfig(file, user, {
      ...(idToken === undefined ? {} : { 'id-token': idToken }),
      ...(refreshToken === undefined ? {} : { 'refresh-token': refreshToken }),
    });
  },
});

/** Runs the program when credentials are needed: at first, when they expire, and when the server refuses them. */
export const execIdentity = (plugin: ExecPlugin, folder: string): IdentitySource =>
  renewedIdentity(async () => readCredential(await run(plugin, folder), plugin));

/** Runs the program and returns its output. Rejects if it cannot be started, or fails. */
function run(plugin: ExecPlugin, folder: string): Promise<string> {
  const { args, env, apiVersion, cluster } = plugin;
  const interactive = isInteractive(plugin);
  const spec = { interactive, ...(cluster === undefined ? {} : { cluster: withAuthority(cluster, folder) }) };
  const info = JSON.stringify({ kind: 'ExecCredential', apiVersion, spec });
  const child = spawn(commandOf(plugin, folder), args, {
    env: { ...process.env, ...env, KUBERNETES_EXEC_INFO: info },
    // A program that asks the user has the terminal to itself.
    stdio: [interactive ? 'inherit' : 'ignore', 'pipe', interactive ? 'inherit' : 'pipe'],
  });
  const [printed, said]: [Buffer[], Buffer[]] = [[], []];
  child.stdout?.on('data', (chunk: Buffer) => printed.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => said.push(chunk));
  return new Promise((done, reject) => {
    child.once('error', (error) => reject(problem(plugin, `cannot be started: ${error.message}`, plugin.installHint)));
    child.once('close', (code, signal) => {
      if (code === 0) done(Buffer.concat(printed).toString());
      else reject(problem(plugin, `ended with ${code ?? signal}`, Buffer.concat(said).toString()));
    });
  });
}

/** Gives programs the content of the authority's file (`certificate-authority-data`), not its path. */
function withAuthority(cluster: object, folder: string): object {
  const { 'certificate-authority': path, ...others }: Readonly<Record<string, unknown>> = { ...cluster };
  if (typeof path !== 'string') return cluster;
  return { ...others, 'certificate-authority-data': readFileSync(resolve(folder, path)).toString('base64') };
}

/** Returns whether the program may ask the user something. Throws if it must ask but has no terminal. */
function isInteractive(plugin: ExecPlugin): boolean {
  const { interactiveMode } = plugin;
  if (interactiveMode === 'Never') return false;
  if (interactiveMode === 'Always' && !process.stdin.isTTY) {
    throw problem(plugin, 'needs a terminal (interactiveMode is Always), and there is none');
  }
  // Node leaves `isTTY` out without a terminal.
  return process.stdin.isTTY === true;
}

/** Returns the command. A path is relative to the kubeconfig; a name is found on the `PATH`. */
const commandOf = ({ command }: ExecPlugin, folder: string): string =>
  isAbsolute(command) || !command.includes(sep) ? command : resolve(folder, command);

function readCredential(output: string, plugin: ExecPlugin): Renewable {
  const credential = parse(output, plugin);
  const { apiVersion } = plugin;
  if (field(credential, 'kind') !== 'ExecCredential' || field(credential, 'apiVersion') !== apiVersion) {
    throw problem(plugin, `printed no ExecCredential of ${apiVersion}`);
  }
  const status = field(credential, 'status');
  const token = text(field(status, 'token'));
  const cert = text(field(status, 'clientCertificateData'));
  const key = text(field(status, 'clientKeyData'));
  if ((cert === undefined) !== (key === undefined))
    throw problem(plugin, 'printed a certificate without a key, or a key without a certificate');
  if (token === undefined && cert === undefined) throw problem(plugin, 'printed neither a token nor a certificate');
  const ends = Date.parse(text(field(status, 'expirationTimestamp')) ?? '');
  return {
    identity: {
      headers: token === undefined ? {} : bearer(token),
      ...(cert === undefined || key === undefined ? {} : { certificate: { cert, key } }),
    },
    ...(Number.isNaN(ends) ? {} : { ends }),
  };
}

function parse(output: string, plugin: ExecPlugin): unknown {
  try {
    return JSON.parse(output);
  } catch {
    throw problem(plugin, 'printed no JSON');
  }
}

const problem = ({ command, user }: ExecPlugin, what: string, more = ''): Error =>
  new Error(`${command}, the exec plugin of user ${JSON.stringify(user)}, ${what}${more && `: ${more.trim()}`}`);

interface OidcTokens {
  readonly idToken?: string;
  readonly refreshToken?: string;
}

/** Keeps tokens for later processes. */
interface TokenStore {
  /** Returns the current tokens, which another process may have renewed. */
  read(): OidcTokens;
  write(tokens: OidcTokens): void;
}

/** In milliseconds: a token that expires within this time may have expired when it arrives. */
const leewayMs = 10_000;

/**
 * Returns the ID token while it is valid, else the token in the store if it is valid. Otherwise gets a new one and
 * stores it.
 */
function oidcIdentity(plugin: OidcPlugin, folder: string, store: TokenStore): IdentitySource {
  let tokens: OidcTokens = plugin;
  return renewedIdentity(async (refused) => {
    for (const known of [tokens, { ...tokens, ...store.read() }]) {
      tokens = known;
      const renewable = toRenewable(known.idToken);
      if (renewable && !isSame(renewable.identity, refused)) return renewable;
    }
    const renewed = await refresh(plugin, folder, tokens.refreshToken);
    tokens = { ...tokens, ...renewed };
    store.write(tokens);
    return toRenewable(tokens.idToken) ?? fail(plugin, 'gave an ID token that has expired');
  });
}

const isSame = (identity: Identity, refused: Identity | undefined): boolean =>
  identity.headers.authorization === refused?.headers.authorization;

/** Returns the token with its expiry, or `undefined` if it has expired or is missing. */
function toRenewable(idToken: string | undefined): Renewable | undefined {
  if (idToken === undefined) return undefined;
  const ends = endOf(idToken) - leewayMs;
  return ends > Date.now() ? { identity: { headers: bearer(idToken) }, ends } : undefined;
}

function endOf(idToken: string): number {
  try {
    return (decodeJwt(idToken).exp ?? 0) * 1000;
  } catch {
    return 0;
  }
}

async function refresh(plugin: OidcPlugin, folder: string, refreshToken: string | undefined): Promise<OidcTokens> {
  if (refreshToken === undefined) return fail(plugin, 'must be asked for a new ID token, but refresh-token is not set');
  const settings = { ...plugin, ...authorityOf(plugin, folder) };
  try {
    return await withProvider(settings, async ({ oauth, server, client, proof, options }) => {
      const answer = await oauth.refreshTokenGrantRequest(server, client, proof, refreshToken, options);
      const { id_token, refresh_token } = await oauth.processRefreshTokenResponse(server, client, answer);
      if (id_token === undefined) return fail(plugin, 'gave no ID token for the refresh token');
      return { idToken: id_token, ...(refresh_token === undefined ? {} : { refreshToken: refresh_token }) };
    });
  } catch (error) {
    return fail(plugin, `gives no new ID token: ${reasonOf(error)}`, error);
  }
}

function authorityOf({ ca, caFile }: OidcPlugin, folder: string): { readonly ca?: string } {
  if (ca !== undefined) return { ca };
  return caFile === undefined ? {} : { ca: readFileSync(resolve(folder, caFile), 'utf8') };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('error_description' in error && error.error_description) return String(error.error_description);
  if ('error' in error && typeof error.error === 'string') return error.error;
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

function fail({ issuer, user }: OidcPlugin, what: string, cause?: unknown): never {
  throw new Error(`${issuer}, the provider of user ${JSON.stringify(user)}, ${what}`, { cause });
}

/** Credentials and their expiry: milliseconds since 1970, `Infinity` for never. */
interface Renewable {
  readonly identity: Identity;
  readonly ends?: number;
}

/**
 * Keeps credentials until they expire or are refused. All callers who wait for `renew` get its error. Later callers try
 * again.
 */
export function renewedIdentity(renew: (refused?: Identity) => Promise<Renewable>): IdentitySource {
  let known: Renewable | undefined;
  let renewing: Promise<Renewable> | undefined;
  return async (refused) => {
    const counts = known !== undefined && known.identity !== refused && (known.ends ?? Infinity) > Date.now();
    if (counts && known) return known.identity;
    renewing ??= renew(refused).finally(() => {
      renewing = undefined;
    });
    known = await renewing;
    return known.identity;
  };
}
