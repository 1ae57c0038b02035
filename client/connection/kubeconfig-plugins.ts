/** Reads how a user of a kubeconfig gets credentials: from a program, or from an OpenID provider. */
import { decoded, defined, field, text } from './kubeconfig-fields.js';

/** A source of credentials outside the kubeconfig. */
export type CredentialPlugin = ExecPlugin | OidcPlugin;

/** A program that prints credentials. */
export interface ExecPlugin {
  readonly type: 'exec';
  /** Name of the kubeconfig's user. */
  readonly user: string;
  /** The version of ExecCredential that the program writes. */
  readonly apiVersion: string;
  /** A path, or a name on the `PATH`. */
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Explains to people how to get the program. */
  readonly installHint?: string;
  /** Whether the program asks the user something at the terminal. */
  readonly interactiveMode: 'Never' | 'IfAvailable' | 'Always';
  /**
   * The cluster's part of the kubeconfig, if the program wants it. `certificate-authority` is a path, in place of the
   * file's content.
   */
  readonly cluster?: object;
}

/** An OpenID provider. A refresh token renews its tokens. */
export interface OidcPlugin {
  readonly type: 'oidc';
  /** Name of the kubeconfig's user. */
  readonly user: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly idToken?: string;
  readonly refreshToken?: string;
  /** PEM of the certificate authority of the provider. */
  readonly ca?: string;
  /** Path of a file with this PEM. */
  readonly caFile?: string;
}

const execVersions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];
const modes = ['Never', 'IfAvailable', 'Always'] as const;

/** Returns the plugin of a user. Throws an Error if the plugin is not known, or if a field is missing. */
export function pluginOf(user: unknown, cluster: unknown, name = ''): CredentialPlugin | undefined {
  const exec = field(user, 'exec');
  if (exec !== undefined) return execOf(exec, cluster, name);
  const provider = field(user, 'auth-provider');
  if (provider === undefined) return undefined;
  if (field(provider, 'name') === 'oidc') return oidcOf(field(provider, 'config'), name);
  throw problem(name, `has the auth-provider ${JSON.stringify(field(provider, 'name'))}; only oidc is supported`);
}

function execOf(exec: unknown, cluster: unknown, user: string): ExecPlugin {
  const command = text(field(exec, 'command'));
  if (command === undefined) throw problem(user, 'has exec without a command');
  const apiVersion = text(field(exec, 'apiVersion')) ?? '';
  if (!execVersions.includes(apiVersion)) {
    throw problem(
      user,
      `has exec with the apiVersion ${JSON.stringify(apiVersion)}; known are ${execVersions.join(', ')}`,
    );
  }
  const args = field(exec, 'args');
  const env = field(exec, 'env');
  const pairs = (Array.isArray(env) ? env : []).map((one): [string, string] => [
    String(field(one, 'name')),
    String(field(one, 'value')),
  ]);
  return {
    type: 'exec',
    user,
    apiVersion,
    command,
    args: Array.isArray(args) ? args.map(String) : [],
    env: Object.fromEntries(pairs),
    ...defined('installHint', text(field(exec, 'installHint'))),
    interactiveMode: modes.find((mode) => mode === field(exec, 'interactiveMode')) ?? 'IfAvailable',
    ...(field(exec, 'provideClusterInfo') === true ? { cluster: clusterInfo(cluster) } : {}),
  };
}

/** The name of the extension in which a kubeconfig keeps cluster data for plugins. */
const execExtension = 'client.authentication.k8s.io/exec';

function clusterInfo(cluster: unknown): object {
  const extensions = field(cluster, 'extensions');
  const own = Array.isArray(extensions) ? extensions.find((one) => field(one, 'name') === execExtension) : undefined;
  const authority = ['certificate-authority-data', 'certificate-authority'].find((name) => field(cluster, name));
  const passed = [
    'server',
    'tls-server-name',
    'insecure-skip-tls-verify',
    ...(authority === undefined ? [] : [authority]),
    'proxy-url',
  ];
  const known = passed.map((name): [string, unknown] => [name, field(cluster, name)]);
  return {
    ...Object.fromEntries(known.filter(([, value]) => value !== undefined)),
    ...defined('config', field(own, 'extension')),
  };
}

function oidcOf(config: unknown, user: string): OidcPlugin {
  const issuer = text(field(config, 'idp-issuer-url'));
  const clientId = text(field(config, 'client-id'));
  if (issuer === undefined) throw problem(user, 'has the auth-provider oidc without idp-issuer-url');
  if (clientId === undefined) throw problem(user, 'has the auth-provider oidc without client-id');
  return {
    type: 'oidc',
    user,
    issuer,
    clientId,
    ...defined('clientSecret', text(field(config, 'client-secret'))),
    ...defined('idToken', text(field(config, 'id-token'))),
    ...defined('refreshToken', text(field(config, 'refresh-token'))),
    ...defined('ca', decoded(config, 'idp-certificate-authority-data')),
    ...defined('caFile', text(field(config, 'idp-certificate-authority'))),
  };
}

const problem = (user: string, what: string): Error =>
  new Error(`user ${JSON.stringify(user)} of the kubeconfig ${what}`);
