/** Reads the flags of `kindforge serve` into settings that make sense together. */
import { statSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import type { Result } from '../../runtime/contract/index.js';
import { type Naming, namingOf } from '../../runtime/objects/naming.js';
import { badRequest } from '../../runtime/objects/status.js';
import type { EmulatedVersion } from '../../runtime/server/index.js';
import type { ServiceRanges } from '../../strategies/index.js';
import type { ServeFlags } from '../commands/serve.js';
import { readProductVersion } from '../product-version.js';
import { type AuthorizationMode, readAuthorizationModes } from './authorization.js';
import { readControllers } from './controllers.js';
import { type EtcdSetting, readEtcdSetting } from './etcd-setting.js';
import { type HistorySetting, readHistorySetting } from './history-setting.js';
import type { CertificateFiles } from './open-certificate.js';
import { readServiceAccountSettings, type ServiceAccountSettings } from './service-account-settings.js';
import { readServiceRanges } from './service-ranges.js';
import { readUnstorageSetting, type UnstorageSetting } from './unstorage-setting.js';

/** Where objects are kept. */
export type StorageSetting =
  | { readonly backend: 'memory' }
  | { readonly backend: 'lmdb'; readonly folder: string }
  | UnstorageSetting
  | EtcdSetting;

/** Whom requests without credentials come from. */
export type AnonymousSetting = 'administrator' | 'anonymous' | 'refused';

/** What to do about stored data that cannot be trusted: not start, serve the rest, or remove it for good. */
export type DamageSetting = 'refuse' | 'serve-rest' | 'discard';

export interface Settings {
  readonly schemas: string | undefined;
  readonly host: string;
  readonly port: number;
  readonly storage: StorageSetting;
  readonly onDamage: DamageSetting;
  readonly history: HistorySetting;
  readonly naming: Naming;
  /** Absent to serve plain HTTP. */
  readonly tls: CertificateFiles | undefined;
  readonly tokenAuthFile: string | undefined;
  readonly bootstrapTokens: boolean;
  readonly anonymous: AnonymousSetting;
  /** Whether the server makes an administrator, because nobody else was given credentials. */
  readonly makesAdministrator: boolean;
  /** Where the administrator's credentials are written; absent to keep them with the data. */
  readonly credentialsDir: string | undefined;
  /** In the order in which they are asked. */
  readonly authorizationModes: readonly AuthorizationMode[];
  readonly serviceAccounts: ServiceAccountSettings;
  /** As written; which gates and resources there are is only known once definitions are loaded. */
  readonly featureGates: string;
  readonly runtimeConfig: string;
  /** Whose expressions rules may use; absent for the latest release. */
  readonly emulatedVersion: EmulatedVersion | undefined;
  /** Names of the controllers to run. */
  readonly controllers: readonly string[];
  /** Where addresses and ports of Services come from. */
  readonly serviceRanges: ServiceRanges;
  readonly productVersion: string;
}

/** Checks the flags; the failure's message says which one is wrong and what it takes. */
export function readSettings(flags: ServeFlags): Result<Settings> {
  const port = Number(flags.httpPort);
  if (!/^\d+$/.test(flags.httpPort) || port > 65535) {
    return wrong(`--http-port ${flags.httpPort || '(nothing)'} is no port; say a number from 0 to 65535`);
  }
  if (!isLoopback(flags.host)) {
    return wrong(`--host ${flags.host} is not a loopback address; the server listens on loopback only`);
  }
  const naming = namingOf(flags.naming);
  if (!naming) return wrong(`--naming ${flags.naming} is unknown; say platform or kubernetes`);
  const storage = readStorage(flags.storage);
  if (!storage.ok) return wrong(`--storage ${flags.storage}: ${storage.failure.message}`);
  const { onDamage } = flags;
  if (!isDamageSetting(onDamage)) {
    return wrong(`--on-damage ${onDamage} is unknown; say refuse, serve-rest or discard`);
  }
  const authorizationModes = readAuthorizationModes(flags.authorizationMode);
  if (!authorizationModes.ok) return authorizationModes;
  const anonymous = readAnonymous(flags, authorizationModes.value);
  if (!anonymous.ok) return anonymous;
  const history = readHistorySetting(flags.historyWindow, flags.historySize);
  if (!history.ok) return history;
  const serviceAccounts = readServiceAccountSettings(flags);
  if (!serviceAccounts.ok) return serviceAccounts;
  const { emulatedVersion } = flags;
  if (emulatedVersion !== undefined && emulatedVersion !== '1.27') {
    return wrong(`--emulated-version ${emulatedVersion} is unknown; say 1.27, or leave it out`);
  }
  const controllers = readControllers(flags.controllers);
  if (!controllers.ok) return wrong(`--controllers: ${controllers.failure.message}`);
  const serviceRanges = readServiceRanges(flags.serviceClusterIpRange, flags.serviceNodePortRange);
  if (!serviceRanges.ok) return serviceRanges;
  const { tlsCertFile, tlsPrivateKeyFile } = flags;
  if ((tlsCertFile === undefined) !== (tlsPrivateKeyFile === undefined)) {
    return wrong('--tls-cert-file and --tls-private-key-file go together');
  }
  const { schemas, tokenAuthFile, credentialsDir, host, featureGates, runtimeConfig } = flags;
  if (credentialsDir === '') return wrong('--credentials-dir names no folder');
  if (schemas !== undefined && !statSync(schemas, { throwIfNoEntry: false })?.isDirectory())
    return wrong(`--schemas ${schemas} is no folder`);
  return {
    ok: true,
    value: {
      schemas,
      host,
      port,
      storage: storage.value,
      onDamage,
      history: history.value,
      naming,
      tls: tlsCertFile && tlsPrivateKeyFile ? { certFile: tlsCertFile, keyFile: tlsPrivateKeyFile } : undefined,
      tokenAuthFile,
      bootstrapTokens: flags.enableBootstrapTokenAuth === true,
      anonymous: anonymous.value,
      makesAdministrator: tokenAuthFile === undefined && anonymous.value !== 'administrator',
      credentialsDir,
      authorizationModes: authorizationModes.value,
      serviceAccounts: serviceAccounts.value,
      featureGates,
      runtimeConfig,
      emulatedVersion,
      controllers: controllers.value,
      serviceRanges: serviceRanges.value,
      productVersion: readProductVersion(),
    },
  };
}

/**
 * Who has no credentials is let in as somebody whom only rules about everyone concern, and not at all where such would be
 * allowed everything, unless a flag says so.
 */
function readAnonymous(
  { allowEveryone, anonymousAuth }: ServeFlags,
  modes: readonly AuthorizationMode[],
): Result<AnonymousSetting> {
  if (allowEveryone === true) {
    if (anonymousAuth !== undefined) return wrong('--allow-everyone and --anonymous-auth do not go together');
    return { ok: true, value: 'administrator' };
  }
  switch (anonymousAuth) {
    case undefined:
      return { ok: true, value: modes.includes('AlwaysAllow') ? 'refused' : 'anonymous' };
    case 'true':
      return { ok: true, value: 'anonymous' };
    case 'false':
      return { ok: true, value: 'refused' };
    default:
      return wrong(`--anonymous-auth ${anonymousAuth} is unknown; say true or false`);
  }
}

const isDamageSetting = (text: string): text is DamageSetting =>
  text === 'refuse' || text === 'serve-rest' || text === 'discard';

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));

/** Reads `--storage`. */
export function readStorage(text: string): Result<StorageSetting> {
  if (text === 'memory') return { ok: true, value: { backend: 'memory' } };
  const [backend, place] = [text.slice(0, text.indexOf(':')), text.slice(text.indexOf(':') + 1)];
  if (backend === 'lmdb' && place !== '') return { ok: true, value: { backend, folder: place } };
  if (backend === 'etcd') return readEtcdSetting(place);
  if (backend === 'unstorage') return readUnstorageSetting(place);
  return wrong(
    'unknown; say memory, lmdb:<folder>, unstorage:<driver>[?<option>=…&…], or etcd:<endpoint>[,<endpoint>…][?<option>=…&…]',
  );
}

const wrong = (message: string): Result<never> => ({ ok: false, failure: badRequest(message) });
