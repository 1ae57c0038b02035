/** Opens the encryption of a store: reads the file, and makes a transformer of each key. */
import {
  aescbc,
  aesgcm,
  Encryption,
  type EncryptionRule,
  identity,
  secretbox,
  type Transformer,
} from '../../runtime/storage/index.js';
import { OptionError } from '../option-error.js';
import { type EncryptionProvider, readEncryptionFile } from './encryption-file.js';

/** The encryption of what is stored. */
export interface EncryptionOption {
  /** The path of an `EncryptionConfiguration` in YAML. It is read again when it changes. */
  readonly configFile: string;
}

/** Rejects with an `OptionError` that names all mistakes of the file. */
export async function openEncryption({ configFile }: EncryptionOption): Promise<Encryption> {
  return new Encryption(await readRules(configFile));
}

async function readRules(file: string): Promise<readonly EncryptionRule[]> {
  const read = readEncryptionFile(file);
  if (!read.ok) {
    throw new OptionError((nameOf) => `${nameOf('encryption.configFile')} ${read.problems.join('\n  ')}`);
  }
  return Promise.all(
    read.resources.map(async ({ resources, providers }) => ({
      resources,
      transformers: (await Promise.all(providers.map(transformersOf))).flat(),
    })),
  );
}

async function transformersOf(provider: EncryptionProvider): Promise<readonly Transformer[]> {
  if (provider.aescbc) return provider.aescbc.map(aescbc);
  if (provider.aesgcm) return provider.aesgcm.map(aesgcm);
  if (provider.secretbox) return Promise.all(provider.secretbox.map(secretbox));
  return [identity];
}
