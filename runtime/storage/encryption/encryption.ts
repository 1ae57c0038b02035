/** Encrypts values just before they become durable, and decrypts them when they are read. */
import type { EncryptionObserver, Failure, Key, Revision } from '../../contract/index.js';
import { registryPath } from '../../objects/names/names.js';
import type { MaybePromise } from '../../objects/turns.js';
import { resourceOf } from '../keys.js';
import { type Decrypted, failed, isEncrypted, type Transformer } from './transformers.js';

/** The transformers of a resource. The first one encrypts, and all of them decrypt. */
export interface EncryptionRule {
  /** As in `secrets`, `deployments.apps`, `*.apps`, `*.` for the core group, or `*.*`. */
  readonly resources: readonly string[];
  readonly transformers: readonly Transformer[];
}

/** The state of one resource. */
interface Resource {
  transformers: readonly Transformer[];
  /** The version of the key that encrypts. */
  version: string;
  /** The generation of the rules with the transformers. */
  generation: number;
  /** The latest revision that was written or read. */
  last: Revision;
  /** Values up to this revision may be encrypted with another key than the present one. */
  staleUpTo: Revision;
}

/**
 * The encryption of one store. Objects in memory are not encrypted: only `encrypt` and `decrypt` use keys. Resources
 * without a rule are stored as they are.
 */
export class Encryption {
  #rules: readonly EncryptionRule[];
  #generation = 1;
  readonly #resources = new Map<string, Resource>();
  readonly #observer: Pick<EncryptionObserver, 'transformed'> | undefined;

  constructor(rules: readonly EncryptionRule[], observer?: Pick<EncryptionObserver, 'transformed'>) {
    this.#rules = rules;
    this.#observer = observer;
  }

  /** Counts the sets of rules. Values that could not be decrypted before may be readable with a later one. */
  get generation(): number {
    return this.#generation;
  }

  /** Uses other rules from now on. */
  replace(rules: readonly EncryptionRule[]): void {
    this.#rules = rules;
    this.#generation++;
  }

  /** Notes that a key service answers again. */
  recovered(): void {
    this.#generation++;
  }

  /** Returns why an object cannot be written now. */
  refusal(key: Key): Failure | undefined {
    const problem = this.#resource(key).transformers[0]?.problem?.();
    return problem ? { reason: 'InternalError', message: problem } : undefined;
  }

  /** Returns the stored bytes of a value; the same array if its resource is not encrypted. */
  encrypt(key: Key, bytes: Uint8Array, revision: Revision = 0): Uint8Array {
    const resource = this.#resource(key);
    if (revision > resource.last) resource.last = revision;
    const [first] = resource.transformers;
    if (!first || first.prefix.length === 0) return bytes;
    const began = performance.now();
    const stored = Buffer.concat([first.prefix, first.encrypt(bytes, contextOf(key))]);
    this.#observer?.transformed('to_storage', first.prefix.toString(), (performance.now() - began) / 1000, '');
    return stored;
  }

  /** Reads the stored bytes of a value. */
  decrypt(key: Key, stored: Uint8Array, revision: Revision = 0): MaybePromise<Decrypted> {
    const resource = this.#resource(key);
    const { transformers } = resource;
    if (revision > resource.last) resource.last = revision;
    if (transformers.length === 0) {
      return isEncrypted(stored) ? failed(withoutKey(stored)) : { ok: true, bytes: stored };
    }
    const began = performance.now();
    const done = (index: number, decrypted: Decrypted): Decrypted => {
      if (decrypted.ok && (index > 0 || decrypted.stale)) resource.staleUpTo = Math.max(resource.staleUpTo, revision);
      const prefix = transformers[index]?.prefix.toString() ?? 'unknown';
      const problem = decrypted.ok ? '' : decrypted.problem;
      this.#observer?.transformed('from_storage', prefix || 'identity', (performance.now() - began) / 1000, problem);
      return decrypted;
    };
    return firstThatReads(transformers, stored, contextOf(key), done);
  }

  /** Reports whether a value would be encrypted in another way if it were written now. */
  isStale({ key, revision }: { readonly key: Key; readonly revision: Revision }): boolean {
    return revision <= this.#resource(key).staleUpTo;
  }

  /** Returns, for each resource, the revision up to which values may be stale. */
  stale(): ReadonlyMap<string, Revision> {
    const names = [...this.#resources.keys()];
    return new Map(names.map((name) => [name, this.#resourceNamed(name).staleUpTo]));
  }

  #resource(key: Key): Resource {
    return this.#resourceNamed(resourceOf(key));
  }

  #resourceNamed(name: string): Resource {
    let resource = this.#resources.get(name);
    if (!resource) {
      resource = { transformers: [], version: '', generation: 0, last: 0, staleUpTo: 0 };
      this.#resources.set(name, resource);
    }
    if (resource.generation !== this.#generation) {
      resource.generation = this.#generation;
      resource.transformers = transformersFor(this.#rules, name);
    }
    const version = resource.transformers[0]?.version ?? 'identity';
    if (version !== resource.version) {
      if (resource.version !== '') resource.staleUpTo = resource.last;
      resource.version = version;
    }
    return resource;
  }
}

/**
 * Tries, in order, all transformers with the prefix of the value, because several keys of a list may have the same
 * name. Calls `done` with the index of the one that has read the value, or with -1.
 */
function firstThatReads(
  transformers: readonly Transformer[],
  stored: Uint8Array,
  context: Uint8Array,
  done: (index: number, decrypted: Decrypted) => Decrypted,
): MaybePromise<Decrypted> {
  const problems: string[] = [];
  const from = (start: number): MaybePromise<Decrypted> => {
    for (let index = start; index < transformers.length; index++) {
      const transformer = transformers[index];
      if (!transformer || !startsWith(stored, transformer.prefix)) continue;
      const decrypted = transformer.decrypt(stored.subarray(transformer.prefix.length), context);
      const take = (found: Decrypted): Decrypted | undefined => {
        if (found.ok) return done(index, found);
        if (transformer.prefix.length > 0) problems.push(`${transformer.name}: ${found.problem}`);
        return undefined;
      };
      if (decrypted instanceof Promise) return decrypted.then((found) => take(found) ?? from(index + 1));
      const taken = take(decrypted);
      if (taken) return taken;
    }
    if (problems.length > 0) return done(-1, failed(problems.join(', ')));
    return done(-1, failed(isEncrypted(stored) ? withoutKey(stored) : UNENCRYPTED));
  };
  return from(0);
}

const UNENCRYPTED =
  'it is not encrypted, and the encryption configuration does not have the provider identity for its resource';

/** Names the missing key of a value. */
export function withoutKey(stored: Uint8Array): string {
  const [, , provider = '', version = '', name = ''] = Buffer.from(stored.subarray(0, 512))
    .toString('latin1')
    .split(':');
  const which =
    provider === 'kms'
      ? `the KMS provider ${JSON.stringify(name)} (${version})`
      : `key ${JSON.stringify(name)} of ${provider}`;
  return `it is encrypted with ${which}, which the encryption configuration does not have for its resource`;
}

const startsWith = (bytes: Uint8Array, prefix: Buffer): boolean =>
  prefix.length <= bytes.length && prefix.equals(bytes.subarray(0, prefix.length));

/** Returns the path of an object. An encrypted value is only valid at this path. */
const contextOf = (key: Key): Uint8Array => Buffer.from(registryPath(key));

/** Finds the transformers of a resource, `<group>/<plural>/`. A plain name takes precedence over a wildcard. */
function transformersFor(rules: readonly EncryptionRule[], name: string): readonly Transformer[] {
  const [group = '', plural = ''] = name.split('/');
  if (plural === '') return [];
  const names = [group === '' ? plural : `${plural}.${inPlatformNames(group)}`, `*.${inPlatformNames(group)}`, '*.*'];
  for (const one of names) {
    const found = rules.filter(({ resources }) => resources.some((resource) => inPlatformNames(resource) === one));
    if (found.length > 0) return found.flatMap(({ transformers }) => transformers);
  }
  return [];
}

/**
 * Returns the platform name: `csinodes.storage.platform.io` for `csinodes.storage.k8s.io`. So a file can use either.
 */
const inPlatformNames = (name: string): string => name.replace(/\.k8s\.io$/, '.platform.io');
