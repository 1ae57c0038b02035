/** Reads the flags of `kindforge serve` into the options of a server. */
import { join } from 'node:path';
import type { AuthenticationOptions, ServiceAccountOptions, StartOptions } from '../../server/options.js';
import type { DamageOption } from '../../server/parts/open-storage.js';
import { type AuthorizationMode, readAuthorizationModes } from '../../server/text/authorization-modes.js';
import { readHistorySize, readHistoryWindow, readTime, readTokenLife } from '../../server/text/durations.js';
import { readAddresses, readCount, readPorts } from '../../server/text/limits.js';
import { readObjectSize } from '../../server/text/object-size.js';
import { type NamedStorage, readStorage } from '../../server/text/storage.js';
import { type LogOptions, logLevels } from '../log/log.js';
import { readAudit } from './audit-options.js';
import { FlagError } from './flag-error.js';
import { readAdmission } from './read-admission.js';
import { readAuthorization } from './read-authorization.js';
import { readIdentity } from './read-identity.js';
import { readLimits } from './read-limits.js';
import { readServiceAddresses } from './read-service-addresses.js';
import { readSigning } from './read-signing.js';
import { makesCertificate, readTransport, type Transport } from './read-transport.js';
import type { ServeFlags } from './serve-flags.js';
import { takeValue } from './take-value.js';

/** Options of a server that listens. */
export type ServeOptions = StartOptions & Transport;

/** Throws a `FlagError` that says which flag is wrong and what it takes. */
export function readServeOptions(flags: ServeFlags): ServeOptions {
  const naming = readNaming(flags.naming);
  const storage = takeValue(`--storage ${flags.storage}:`, readStorage(flags.storage));
  const onDamage = readOnDamage(flags.onDamage);
  const modes = takeValue('--authorization-mode:', readAuthorizationModes(flags.authorizationMode));
  const authentication = readAuthentication(flags, modes);
  const { emulatedVersion, credentialsDir } = flags;
  const history = {
    historyWindowMs: takeValue('--history-window', readHistoryWindow(flags.historyWindow)),
    historyMaxBytes: takeValue('--history-size', readHistorySize(flags.historySize)),
  };
  const serviceAccounts = readServiceAccounts(flags);
  if (emulatedVersion !== undefined && emulatedVersion !== '1.27') {
    throw new FlagError(`--emulated-version ${emulatedVersion} is not supported; use 1.27, or leave the flag out`);
  }
  const serviceRanges = {
    addresses: takeValue('--service-cluster-ip-range', readAddresses(flags.serviceClusterIpRange)),
    nodePorts: takeValue('--service-node-port-range', readPorts(flags.serviceNodePortRange)),
  };
  const tolerations = {
    notReady: takeValue('--default-not-ready-toleration-seconds', readCount(flags.defaultNotReadyTolerationSeconds, 0)),
    unreachable: takeValue(
      '--default-unreachable-toleration-seconds',
      readCount(flags.defaultUnreachableTolerationSeconds, 0),
    ),
  };
  const transport = readTransport(flags);
  if (credentialsDir === '') throw new FlagError('--credentials-dir is empty; give a folder');
  const { schemas, featureGates, runtimeConfig } = flags;
  return {
    schemas,
    ...transport,
    advertiseAddress: flags.advertiseAddress,
    allowedOrigins: readNames(flags.allowedOrigins),
    corsAllowedOrigins: flags.corsAllowedOrigins.flatMap((some) => some.split(',').map((one) => one.trim())),
    allowedHosts: readNames(flags.allowedHosts),
    storage,
    onDamage,
    history,
    maxObjectBytes: takeValue('--max-object-bytes', readObjectSize(flags.maxObjectBytes)),
    naming,
    authentication: { ...authentication, ...readIdentity(flags), serviceAccounts, clientCaFile: flags.clientCaFile },
    authorization: readAuthorization(flags, modes),
    admission: { ...readAdmission(flags), serviceAddresses: readServiceAddresses(flags.serviceResolver) },
    audit: readAudit(flags),
    limits: readLimits(flags),
    profiling: flags.profiling,
    tracing: flags.tracingConfigFile === undefined ? undefined : { configFile: flags.tracingConfigFile },
    credentials:
      authentication.administrator || makesCertificate(transport)
        ? { folder: credentialsDir ?? folderOf(storage) }
        : undefined,
    featureGates,
    runtimeConfig,
    emulatedVersion,
    controllers: readControllers(flags.controllers),
    simulatedNodes: takeValue('--simulate-nodes', readCount(flags.simulateNodes, 0)),
    signing: readSigning(flags),
    leaderElection: flags.leaderElect,
    serviceRanges,
    tolerations,
    showHiddenMetricsFor: flags.showHiddenMetricsForVersion,
    shutdownDelayMs: takeValue('--shutdown-delay-duration', readTime(flags.shutdownDelayDuration)),
    livezGraceMs: takeValue('--livez-grace-period', readTime(flags.livezGracePeriod)),
  };
}

/** Reads how the server logs. Throws a `FlagError` that says what a flag takes. */
export function readLogOptions({ logFormat: format, logLevel }: ServeFlags): LogOptions {
  if (format !== 'text' && format !== 'json') {
    throw new FlagError(`--log-format ${format} is unknown; use text or json`);
  }
  const level = logLevels.find((one) => one === logLevel);
  if (!level) throw new FlagError(`--log-level ${logLevel} is unknown; use ${logLevels.join(', ')}`);
  return { format, level };
}

/** The flags by which others learn that the server is ready. */
export interface Output {
  /** Whether standard output gets a line of JSON. */
  readonly json: boolean;
  readonly readyFile: string | undefined;
}

/** Throws a `FlagError` that says what a flag takes. */
export function readOutput({ output, readyFile }: ServeFlags): Output {
  if (output !== 'text' && output !== 'json') throw new FlagError(`--output ${output} is unknown; use text or json`);
  if (readyFile === '') throw new FlagError('--ready-file is empty; give a file');
  return { json: output === 'json', readyFile };
}

/** Names with commas between. */
const readNames = (text: string | undefined): readonly string[] | undefined =>
  text?.split(',').flatMap((name) => name.trim() || []);

/** Reads `--naming`, for all commands that have it. */
export function readNaming(text: string): 'platform' | 'kubernetes' {
  if (text === 'platform' || text === 'kubernetes') return text;
  throw new FlagError(`--naming ${text} is unknown; use platform or kubernetes`);
}

function readOnDamage(text: string): DamageOption {
  if (text === 'refuse' || text === 'serve-rest' || text === 'discard') return text;
  throw new FlagError(`--on-damage ${text} is unknown; use refuse, serve-rest or discard`);
}

/** Without a file of tokens, and where not everybody is one, there is an administrator. */
function readAuthentication(flags: ServeFlags, modes: readonly AuthorizationMode[]): AuthenticationOptions {
  const anonymous = readAnonymous(flags, modes);
  const { tokenAuthFile: tokenFile, enableBootstrapTokenAuth: bootstrapTokens } = flags;
  const administrator = tokenFile === undefined && anonymous !== 'administrator';
  return { anonymous, tokenFile, bootstrapTokens, administrator };
}

/**
 * Requests without credentials come from `system:anonymous`, which only rules about everyone concern. They are refused
 * where such a user would be allowed everything, unless a flag says otherwise.
 */
function readAnonymous(
  { allowEveryone, anonymousAuth }: ServeFlags,
  modes: readonly AuthorizationMode[],
): 'refused' | 'anonymous' | 'administrator' {
  if (allowEveryone === true) {
    if (anonymousAuth === undefined) return 'administrator';
    throw new FlagError('--allow-everyone and --anonymous-auth cannot be used together; leave one out');
  }
  if (anonymousAuth === undefined) return modes.includes('AlwaysAllow') ? 'refused' : 'anonymous';
  if (anonymousAuth === 'true') return 'anonymous';
  if (anonymousAuth === 'false') return 'refused';
  throw new FlagError(`--anonymous-auth ${anonymousAuth} is unknown; use true or false`);
}

function readServiceAccounts(flags: ServeFlags): ServiceAccountOptions {
  const issuer = flags.serviceAccountIssuer.length === 0 ? ['https://platform.local'] : flags.serviceAccountIssuer;
  if (issuer.includes('')) {
    throw new FlagError('--service-account-issuer is empty; give a URL, such as https://api.example.com');
  }
  const audiences = flags.apiAudiences?.split(',').map((name) => name.trim()) ?? issuer;
  if (audiences.includes('')) throw new FlagError('--api-audiences has an empty name; give names separated by commas');
  const life = flags.serviceAccountMaxTokenExpiration;
  const maxSeconds =
    life === undefined ? undefined : takeValue('--service-account-max-token-expiration', readTokenLife(life));
  const { serviceAccountSigningKeyFile: signingKeyFile, serviceAccountKeyFile: keyFiles } = flags;
  const { serviceAccountJwksUri: jwksUri } = flags;
  const lookup = readBoolean('--service-account-lookup', flags.serviceAccountLookup);
  return {
    issuer,
    audiences,
    signingKeyFile,
    keyFiles,
    maxSeconds,
    lookup,
    ...(jwksUri === undefined ? {} : { jwksUri }),
  };
}

function readBoolean(flag: string, text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new FlagError(`${flag} ${text} is unknown; use true or false`);
}

/** `*` for all, `none` or nothing for none, or names with commas between. */
/** Reads `--controllers`, for all commands that have it. */
export function readControllers(text: string): readonly string[] {
  return text === '' || text === 'none' ? [] : text.split(',').map((name) => name.trim());
}

/** Credentials are kept with data that has a folder. */
const folderOf = (storage: NamedStorage): string | undefined =>
  typeof storage === 'object' && 'lmdb' in storage ? join(storage.lmdb, 'credentials') : undefined;
