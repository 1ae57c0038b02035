/** The flags of `kindforge serve`. */
import type { Command } from 'commander';
import { addTransportFlags, type TransportFlags } from './transport.js';

/** The flags, as commander hands them over. */
export interface ServeFlags extends TransportFlags {
  readonly schemas?: string;
  readonly allowedHosts?: string;
  readonly allowedOrigins?: string;
  readonly storage: string;
  readonly onDamage: string;
  readonly historyWindow: string;
  readonly historySize: string;
  readonly maxObjectBytes: string;
  readonly naming: string;
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
  command.option('--schemas <dir>', 'folder with your own definitions, native or CustomResourceDefinitions');
  return addTransportFlags(command)
    .option(
      '--allowed-hosts <names>',
      'further names that the server goes by, with commas between, as in kf.example.com',
    )
    .option(
      '--allowed-origins <origins>',
      'origins whose pages may write and open WebSockets, with commas between, as in https://console.example.com',
    )
    .option(
      '--storage <store>',
      'where to store objects: lmdb:<folder>, memory, unstorage:<driver>[?<option>=…], or etcd:<endpoint>[,…][?prefix=…]',
      'lmdb:.kindforge/data',
    )
    .option(
      '--on-damage <what>',
      'if stored data is damaged: refuse to start, serve-rest without it, or discard it',
      'refuse',
    )
    .option(
      '--history-window <duration>',
      'how long to keep changes for watches and for lists at a resourceVersion',
      '5m',
    )
    .option(
      '--history-size <bytes>',
      'memory for earlier versions of objects, such as 64Mi; the oldest are dropped first',
      '64Mi',
    )
    .option(
      '--max-object-bytes <bytes>',
      'largest object to store, such as 1536Ki; writes that would make a larger one are refused',
      '1536Ki',
    )
    .option('--naming <names>', 'names of API groups: platform, or kubernetes for Kubernetes clients', 'platform')
    .option('--token-auth-file <file>', 'CSV file of bearer tokens: token,user,uid,"group,group"')
    .option(
      '--enable-bootstrap-token-auth',
      'accept bootstrap tokens, which are stored as secrets of the system namespace',
    )
    .option(
      '--anonymous-auth <whether>',
      'true or false: accept requests without credentials, as user system:anonymous',
    )
    .option('--allow-everyone', 'make everyone on this machine an administrator, without credentials')
    .option('--credentials-dir <dir>', "folder for the administrator's credentials (default: with the data)")
    .option('--authorization-mode <modes>', 'comma-separated authorizers: RBAC, AlwaysAllow, AlwaysDeny', 'RBAC')
    .option('--service-account-issuer <url>', 'issuer of service account tokens', 'https://platform.local')
    .option(
      '--service-account-signing-key-file <file>',
      'PEM private key that signs these tokens (default: derived from the data, or a new one with --storage memory)',
    )
    .option(
      '--service-account-key-file <file>',
      'further PEM key that verifies such tokens; may be given more than once',
      (file: string, before: readonly string[]) => [...before, file],
      [],
    )
    .option('--service-account-max-token-expiration <duration>', 'longest lifetime of such a token; at least 1h')
    .option('--api-audiences <names>', 'comma-separated audiences of tokens for this server (default: the issuer)')
    .option('--feature-gates <gates>', 'feature gates to set, such as A=true,B=false', '')
    .option(
      '--runtime-config <config>',
      'API versions to enable or disable, such as api/alpha=true,<group>/<version>/<resource>=false',
      '',
    )
    .option('--emulated-version <version>', '1.27: behave as Kubernetes 1.27, without later features')
    .option('--controllers <names>', 'controllers to run: * for all, none, or comma-separated names', '*')
    .option(
      '--service-cluster-ip-range <blocks>',
      'IP range of Services in CIDR notation, or one IPv4 and one IPv6 range, comma-separated',
      '10.0.0.0/16',
    )
    .option('--service-node-port-range <ports>', 'range of node ports of Services', '30000-32767')
    .option('--quiet', 'print nothing but errors');
}
