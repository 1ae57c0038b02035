/** The flags of `kindforge serve`. */
import type { Command } from 'commander';

/** The flags, as commander hands them over. */
export interface ServeFlags {
  readonly schemas?: string;
  readonly host: string;
  readonly httpPort: string;
  readonly storage: string;
  readonly onDamage: string;
  readonly historyWindow: string;
  readonly historySize: string;
  readonly naming: string;
  readonly tlsCertFile?: string;
  readonly tlsPrivateKeyFile?: string;
  readonly tokenAuthFile?: string;
  readonly enableBootstrapTokenAuth?: boolean;
  readonly anonymousAuth?: string;
  readonly allowEveryone?: boolean;
  readonly credentialsDir?: string;
  readonly authorizationMode: string;
  readonly serviceAccountIssuer: string;
  readonly serviceAccountSigningKeyFile?: string;
  readonly serviceAccountKeyFile: readonly string[];
  readonly serviceAccountMaxTokenExpiration?: string;
  readonly apiAudiences?: string;
  readonly featureGates: string;
  readonly runtimeConfig: string;
  readonly emulatedVersion?: string;
  readonly controllers: string;
  readonly serviceClusterIpRange: string;
  readonly serviceNodePortRange: string;
  readonly quiet?: boolean;
}

/** Adds the flags to the command. */
export function addServeFlags(command: Command): Command {
  return command
    .option('--schemas <dir>', 'folder of further definitions, native or CustomResourceDefinitions')
    .option('--host <address>', 'loopback address to listen on', '127.0.0.1')
    .option('--http-port <port>', 'port to listen on; 0 takes a free one', '8080')
    .option(
      '--storage <store>',
      'where objects are kept: lmdb:<folder>, memory, unstorage:<driver>[?<option>=…], or etcd:<endpoint>[,…][?prefix=…]',
      'lmdb:.kindforge/data',
    )
    .option('--on-damage <what>', 'stored data that is damaged: refuse to start, serve-rest, or discard it', 'refuse')
    .option('--history-window <duration>', 'how long changes are kept for watches and exact lists', '5m')
    .option('--history-size <bytes>', 'memory for earlier versions of objects, as in 64Mi; the oldest go first', '64Mi')
    .option('--naming <names>', 'platform, or kubernetes for Kubernetes clients', 'platform')
    .option('--tls-cert-file <file>', 'certificate in PEM, its chain behind it; serves HTTPS, HTTP/2 included')
    .option('--tls-private-key-file <file>', 'the key to the certificate, in PEM')
    .option('--token-auth-file <file>', 'CSV of bearer tokens: token,user,uid,"group,group"')
    .option('--enable-bootstrap-token-auth', 'recognize bootstrap tokens, which are secrets of the system')
    .option(
      '--anonymous-auth <whether>',
      'true or false: whether requests without credentials are let in, as system:anonymous',
    )
    .option('--allow-everyone', 'let everyone on this machine in as an administrator, without credentials')
    .option(
      '--credentials-dir <dir>',
      "where the administrator's credentials are written; with the data where not given",
    )
    .option(
      '--authorization-mode <modes>',
      'who may do what: RBAC, AlwaysAllow, AlwaysDeny, or several with commas between',
      'RBAC',
    )
    .option('--service-account-issuer <url>', 'who signs the tokens of service accounts', 'https://platform.local')
    .option(
      '--service-account-signing-key-file <file>',
      'private key in PEM that signs these tokens; without one it follows from the data, or is made up for --storage memory',
    )
    .option(
      '--service-account-key-file <file>',
      'key in PEM that such tokens are checked with, besides the one that signs; may be given more than once',
      (file: string, before: readonly string[]) => [...before, file],
      [],
    )
    .option('--service-account-max-token-expiration <duration>', 'longest life of such a token, from 1h up')
    .option(
      '--api-audiences <names>',
      'whom tokens for this server are for, with commas between; the issuer if not given',
    )
    .option('--feature-gates <gates>', 'gates to switch, as in A=true,B=false', '')
    .option(
      '--runtime-config <config>',
      'versions to switch, as in api/alpha=true,<group>/<version>/<resource>=false',
      '',
    )
    .option('--emulated-version <version>', '1.27: rules of definitions may use what Kubernetes 1.27 has, no more')
    .option('--controllers <names>', '* for all, none, or names with commas between', '*')
    .option(
      '--service-cluster-ip-range <blocks>',
      'where addresses of Services come from: a block, or one of IPv4 and one of IPv6 with a comma between',
      '10.0.0.0/16',
    )
    .option('--service-node-port-range <ports>', 'where ports of Services on nodes come from', '30000-32767')
    .option('--quiet', 'print nothing but errors');
}
