/** Reads connection data in the kubeconfig format: which server, whom to trust, and who the client is. */

/** How to reach a server, as a context of a kubeconfig says. Certificates and keys are PEM, or paths of PEM files. */
export interface Connection extends HeaderCredentials {
  readonly baseUrl: string;
  /** Namespace of the context, for callers that want a default. */
  readonly namespace?: string;
  readonly tls: TlsSettings;
}

/** The credentials of a user that are sent with each request. */
export interface HeaderCredentials {
  readonly token?: string;
  /** Path of a file that holds the token. */
  readonly tokenFile?: string;
  readonly username?: string;
  readonly password?: string;
}

/** All credentials of a user. */
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

/** PEM given in place (base64 in the file, decoded here), or the path of a file that holds it. */
export type PemSource = { readonly pem: string } | { readonly path: string };

/** The connection of a context, or of the current one. Throws with the name of what is missing. */
export function connectionOf(config: unknown, context?: string): Connection {
  const name = context ?? text(field(config, 'current-context'));
  if (name === undefined) throw new Error('the kubeconfig has no current-context; say which context to use');
  const chosen = named(config, 'contexts', name, 'context');
  const cluster = named(config, 'clusters', text(field(chosen, 'cluster')) ?? '', 'cluster');
  const userName = text(field(chosen, 'user'));
  const user = userName === undefined ? {} : named(config, 'users', userName, 'user');
  refusePlugins(user, userName);
  const server = text(field(cluster, 'server'));
  if (server === undefined) throw new Error(`the cluster of context ${name} has no server`);
  return {
    ...withoutUserInfo(server),
    tls: {
      insecure: field(cluster, 'insecure-skip-tls-verify') === true,
      ...defined('serverName', text(field(cluster, 'tls-server-name'))),
      ...defined('ca', pem(cluster, 'certificate-authority')),
      ...certificateOf(user),
    },
    ...defined('namespace', text(field(chosen, 'namespace'))),
    ...headerCredentialsOf(user),
  };
}

/** The users of a kubeconfig by their names, and the user of its current context. Throws where one cannot be used. */
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

/** A name and a password that stand in the address (RFC 3986 section 3.2.1), which a fetch refuses there. */
function withoutUserInfo(server: string): Pick<Connection, 'baseUrl' | 'username' | 'password'> {
  const [, before = '', userInfo, after = ''] = /^(https?:\/\/)([^/?#]*)@([^@]*)$/.exec(server) ?? [];
  if (userInfo === undefined) return { baseUrl: server };
  const [username = '', password = ''] = userInfo.split(/:(.*)/s, 2).map(decodeURIComponent);
  return { baseUrl: `${before}${after}`, username, password };
}

/** Credentials that a program or a provider has to be asked for are not guessed around. */
function refusePlugins(user: unknown, name = ''): void {
  const plugin = ['exec', 'auth-provider'].find((key) => field(user, key) !== undefined);
  if (plugin === undefined) return;
  throw new Error(`user ${JSON.stringify(name)} of the kubeconfig has ${plugin}, which is not supported; use a token`);
}

/** The headers that say who the client is. */
export function credentialHeaders({ token, username, password }: HeaderCredentials): Record<string, string> {
  if (token !== undefined) return { authorization: `Bearer ${token}` };
  if (username === undefined) return {};
  return { authorization: `Basic ${btoa(`${username}:${password ?? ''}`)}` };
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** An entry of one of the lists of named things. */
function named(config: unknown, list: string, name: string, key: string): unknown {
  const entries = field(config, list);
  const found = Array.isArray(entries) ? entries.find((entry) => field(entry, 'name') === name) : undefined;
  if (found === undefined) throw new Error(`the kubeconfig has no ${key} named ${JSON.stringify(name)}`);
  return field(found, key) ?? {};
}

function pem(from: unknown, name: string): PemSource | undefined {
  const data = text(field(from, `${name}-data`));
  if (data !== undefined) return { pem: atob(data) };
  const path = text(field(from, name));
  return path === undefined ? undefined : { path };
}

function defined<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  const entry: { [P in K]?: V } = {};
  if (value !== undefined) entry[key] = value;
  return entry;
}
