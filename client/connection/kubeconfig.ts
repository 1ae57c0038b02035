/**
 * Reads connection data in the kubeconfig format: the server, the certificates to trust, and the client's credentials.
 */
import { headerBytes } from './header-bytes.js';
import { decoded, defined, field, named, text } from './kubeconfig-fields.js';
import { type CredentialPlugin, pluginOf } from './kubeconfig-plugins.js';

/** How to reach a server, from a context of a kubeconfig. Certificates and keys are PEM, or paths of PEM files. */
export interface Connection extends HeaderCredentials {
  readonly baseUrl: string;
  /** Namespace of the context, for callers that want a default. */
  readonly namespace?: string;
  readonly tls: TlsSettings;
  /** A source of credentials outside the kubeconfig. */
  readonly plugin?: CredentialPlugin;
  /** The URL of the proxy in front of the server. */
  readonly proxyUrl?: string;
  /** The user that requests are made as. */
  readonly impersonate?: {
    readonly user: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  };
}

/** The credentials of a user that are sent with each request. */
export interface HeaderCredentials {
  readonly token?: string;
  /** Path of a file that holds the token. */
  readonly tokenFile?: string;
  readonly username?: string;
  readonly password?: string;
}

export interface UserCredentials extends HeaderCredentials {
  readonly certificate?: PemSource;
  readonly key?: PemSource;
}

export interface TlsSettings {
  readonly insecure: boolean;
  readonly serverName?: string;
  readonly ca?: PemSource;
  readonly certificate?: PemSource;
  readonly key?: PemSource;
}

/** Inline PEM (base64 in the file, decoded here), or the path of a PEM file. */
export type PemSource = { readonly pem: string } | { readonly path: string };

/** Returns the connection of a context, or of the current one. Throws an Error that names what is missing. */
export function connectionOf(config: unknown, context?: string): Connection {
  const name = context ?? text(field(config, 'current-context'));
  if (name === undefined) throw new Error('the kubeconfig has no current-context; say which context to use');
  const chosen = named(config, 'contexts', name, 'context');
  const cluster = named(config, 'clusters', text(field(chosen, 'cluster')) ?? '', 'cluster');
  const userName = text(field(chosen, 'user'));
  const user = userName === undefined ? {} : named(config, 'users', userName, 'user');
  const server = text(field(cluster, 'server'));
  if (server === undefined) throw new Error(`the cluster of context ${name} has no server`);
  const tls: TlsSettings = {
    insecure: field(cluster, 'insecure-skip-tls-verify') === true,
    ...defined('serverName', text(field(cluster, 'tls-server-name'))),
    ...defined('ca', pem(cluster, 'certificate-authority')),
    ...certificateOf(user),
  };
  return {
    ...withoutUserInfo(withScheme(server, tls)),
    tls,
    ...defined('namespace', text(field(chosen, 'namespace'))),
    ...defined('plugin', pluginOf(user, cluster, userName)),
    ...defined('proxyUrl', text(field(cluster, 'proxy-url'))),
    ...defined('impersonate', impersonationOf(user)),
    ...headerCredentialsOf(user),
  };
}

/**
 * Returns the users of a kubeconfig by name, and the user of its current context. Throws an Error if a user is not
 * valid.
 */
export function usersOf(config: unknown): {
  readonly users: ReadonlyMap<string, UserCredentials>;
  readonly current: string | undefined;
} {
  const entries = field(config, 'users');
  const users = new Map<string, UserCredentials>();
  for (const entry of Array.isArray(entries) ? entries : []) {
    const name = text(field(entry, 'name'));
    if (name === undefined) throw new Error('a user of the kubeconfig has no name');
    const user = field(entry, 'user');
    refusePlugins(user, name);
    users.set(name, { ...certificateOf(user), ...headerCredentialsOf(user) });
  }
  const context = text(field(config, 'current-context'));
  const chosen = context === undefined ? undefined : named(config, 'contexts', context, 'context');
  return { users, current: text(field(chosen, 'user')) };
}

const certificateOf = (user: unknown): Pick<UserCredentials, 'certificate' | 'key'> => ({
  ...defined('certificate', pem(user, 'client-certificate')),
  ...defined('key', pem(user, 'client-key')),
});

const headerCredentialsOf = (user: unknown): HeaderCredentials => ({
  ...defined('token', text(field(user, 'token'))),
  ...defined('tokenFile', text(field(user, 'tokenFile'))),
  ...defined('username', text(field(user, 'username'))),
  ...defined('password', text(field(user, 'password'))),
});

/**
 * Adds the scheme if the address has none, as clients in Go do: HTTPS if the cluster or user has TLS settings, else
 * HTTP.
 */
function withScheme(server: string, { insecure, ca, certificate }: TlsSettings): string {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(server)) return server;
  return `${insecure || ca || certificate ? 'https' : 'http'}://${server}`;
}

/** Moves a name and password out of the address (RFC 3986 section 3.2.1), since a fetch refuses them there. */
function withoutUserInfo(server: string): Pick<Connection, 'baseUrl' | 'username' | 'password'> {
  const [, before = '', userInfo, after = ''] = /^(https?:\/\/)([^/?#]*)@([^@]*)$/.exec(server) ?? [];
  if (userInfo === undefined) return { baseUrl: server };
  const [username = '', password = ''] = userInfo.split(/:(.*)/s, 2).map(decodeURIComponent);
  return { baseUrl: `${before}${after}`, username, password };
}

/** Throws for a user with a plugin if the caller cannot run plugins, instead of connecting without credentials. */
function refusePlugins(user: unknown, name = ''): void {
  const plugin = ['exec', 'auth-provider'].find((key) => field(user, key) !== undefined);
  if (plugin === undefined) return;
  throw new Error(`user ${JSON.stringify(name)} of the kubeconfig has ${plugin}, which is not supported; use a token`);
}

/** Returns the same connection. Throws if its credentials come from a plugin. */
export function withoutPlugin(connection: Connection): Connection {
  if (connection.plugin === undefined) return connection;
  const { type, user } = connection.plugin;
  const field = type === 'exec' ? 'exec' : 'auth-provider';
  throw new Error(`user ${JSON.stringify(user)} of the kubeconfig has ${field}, which is not supported; use a token`);
}

/** Returns the user that a kubeconfig user impersonates. */
function impersonationOf(user: unknown): Connection['impersonate'] {
  const name = text(field(user, 'as'));
  if (name === undefined) return undefined;
  const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
  const extra = field(user, 'as-user-extra');
  const extras = typeof extra === 'object' && extra !== null ? Object.entries(extra) : [];
  return {
    user: name,
    ...defined('uid', text(field(user, 'as-uid'))),
    groups: texts(field(user, 'as-groups')),
    extra: Object.fromEntries(extras.map(([key, values]): [string, string[]] => [key, texts(values)])),
  };
}

/** Returns the headers with the credentials. */
export function credentialHeaders({ token, username, password }: HeaderCredentials): Record<string, string> {
  if (token !== undefined) return { authorization: `Bearer ${token}` };
  if (username === undefined) return {};
  return { authorization: `Basic ${btoa(headerBytes(`${username}:${password ?? ''}`))}` };
}

function pem(from: unknown, name: string): PemSource | undefined {
  const pem = decoded(from, `${name}-data`);
  if (pem !== undefined) return { pem };
  const path = text(field(from, name));
  return path === undefined ? undefined : { path };
}
