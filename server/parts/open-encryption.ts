/**
 * Opens the encryption of a store: reads the file, makes a transformer from each key, and follows changes of the file.
 */
import type { EncryptionObserver } from '../../runtime/contract/index.js';
import { didYouMean } from '../../runtime/objects/suggest.js';
import type { HealthCheck } from '../../runtime/server/index.js';
import type { KeyService } from '../../runtime/storage/encryption/kms.js';
import {
  aescbc,
  aesgcm,
  Encryption,
  type EncryptionRule,
  identity,
  secretbox,
  type Transformer,
} from '../../runtime/storage/index.js';
import { fileError, OptionError, withPackages } from '../option-error.js';
import type { Reloaded } from '../transport/reloaded.js';
import { type EncryptionProvider, type KmsProvider, readEncryptionFile } from './encryption-file.js';

/** The encryption of the store. */
export interface EncryptionOption {
  /** The path of an `EncryptionConfiguration` in YAML. It is read again when it changes. */
  readonly configFile: string;
}

/** The open encryption of one store, with its file and its key services. */
export interface OpenedEncryption {
  readonly encryption: Encryption;
  /** The configuration. If a changed file cannot be used, the earlier one stays in use. */
  readonly file: Reloaded<unknown>;
  /** Fails while a key service does not answer correctly. */
  readonly check: HealthCheck;
  /** The resources that the file names. */
  readonly resources: () => readonly string[];
  close(): void;
}

/**
 * Returns a notice for each unknown resource of the core group: a misspelt one would stay unencrypted. Kinds of other
 * groups may come later.
 */
export function unknownResources(
  { resources }: Pick<OpenedEncryption, 'resources'>,
  kinds: readonly { readonly group: string; readonly names: { readonly plural: string } }[],
): readonly string[] {
  const core = kinds.filter(({ group }) => group === '').map(({ names }) => names.plural);
  const unknown = resources().filter((name) => !name.includes('.') && !core.includes(name));
  return unknown.map((name) => {
    const hint = didYouMean(name, core) ?? 'write the plural, and the group behind a dot';
    return `the encryption configuration names ${JSON.stringify(name)}, which the core group does not have; ${hint}`;
  });
}

/**
 * Opens the encryption. Rejects with an `OptionError` that names all mistakes in the file, or a needed key service that
 * does not work.
 */
export async function openEncryption(
  { configFile }: EncryptionOption,
  observer?: EncryptionObserver,
): Promise<OpenedEncryption> {
  const encryption = new Encryption([], observer);
  let current = await loadRules(configFile, new Map(), observer, () => encryption.recovered());
  encryption.replace(current.rules);
  const reload = async (): Promise<void> => {
    try {
      const next = await loadRules(configFile, current.services, observer, () => encryption.recovered());
      const dropped = [...current.services].filter(([name]) => !next.services.has(name));
      current = next;
      encryption.replace(next.rules);
      for (const [, service] of dropped) service.close();
      observer?.reloaded(true);
    } catch (error) {
      observer?.reloaded(false);
      throw error;
    }
  };
  return {
    encryption,
    file: { paths: [configFile], current: () => current, reload },
    // A restart cannot help with a key service, so this does not count for liveness.
    check: {
      name: 'kms-providers',
      problem: () => [...current.services.values()].map(problemOf).find((problem) => problem !== '') ?? '',
      readinessOnly: true,
    },
    resources: () => current.rules.flatMap(({ resources }) => resources),
    close() {
      for (const service of current.services.values()) service.close();
    },
  };
}

const problemOf = (service: KeyService): string => service.health || service.problem();

/** Key services by their whole configuration, in JSON. */
type Services = ReadonlyMap<string, KeyService>;

interface Loaded {
  readonly rules: readonly EncryptionRule[];
  readonly services: Services;
}

/** Makes the rules of the file. Reuses key services that are open. */
async function loadRules(
  file: string,
  open: Services,
  observer: EncryptionObserver | undefined,
  onRecovered: () => void,
): Promise<Loaded> {
  const read = readEncryptionFile(file);
  if (!read.ok) {
    throw fileError('encryption.configFile', read.problems);
  }
  const services = new Map<string, KeyService>();
  const serviceOf = async (provider: KmsProvider): Promise<KeyService> => {
    const id = JSON.stringify(provider);
    const service = open.get(id) ?? (await openService(file, { ...provider, observer, onRecovered }));
    services.set(id, service);
    return service;
  };
  const transformersOf = async (provider: EncryptionProvider): Promise<readonly Transformer[]> => {
    if (provider.aescbc) return provider.aescbc.map(aescbc);
    if (provider.aesgcm) return provider.aesgcm.map(aesgcm);
    if (provider.secretbox) return Promise.all(provider.secretbox.map(secretbox));
    return [provider.kms ? await serviceOf(provider.kms) : identity];
  };
  try {
    const rules: EncryptionRule[] = [];
    for (const { resources, providers } of read.resources) {
      const transformers = (await Promise.all(providers.map(transformersOf))).flat();
      const problem = transformers[0]?.problem?.();
      if (problem) throw new OptionError((nameOf) => `${nameOf('encryption.configFile')} ${file}: ${problem}`);
      rules.push({ resources, transformers });
    }
    return { rules, services };
  } catch (error) {
    for (const [id, service] of services) if (!open.has(id)) service.close();
    throw error;
  }
}

const packages = ['@grpc/grpc-js', 'protobufjs'];

async function openService(file: string, options: ConstructorParameters<typeof KeyService>[0]): Promise<KeyService> {
  const part = { option: 'encryption.configFile', value: file, packages } as const;
  const { KeyService } = await withPackages(part, () => import('../../runtime/storage/encryption/kms.js'));
  const service = new KeyService(options);
  await service.open();
  return service;
}
