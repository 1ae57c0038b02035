/** A signer of service account tokens outside of the server: the server never has its private keys. */
import { createPublicKey } from 'node:crypto';
import type { JsonObject } from '../../runtime/contract/index.js';
import { isObject, stringAt } from '../../runtime/objects/guards.js';
import { type CheckingKey, toCheckingKey } from './issuer.js';
import type { FetchedKeys, SignedParts, SignerClient } from './signer-client.js';

export interface ExternalSigner {
  /** Signs claims. Rejects if the signer fails, or if nobody could check its token. */
  readonly sign: (claims: JsonObject) => Promise<string>;
  /** The keys that were fetched last. */
  readonly keys: () => readonly CheckingKey[];
  /** Like `keys`, without keys that the signer excludes from discovery. */
  readonly publicKeys: () => readonly CheckingKey[];
  /** Returns the key with an ID. Fetches all keys if the ID is unknown, at most every ten seconds. */
  readonly find: (id: string) => Promise<CheckingKey | undefined>;
  /** The longest life of a token in seconds. */
  readonly maxSeconds: number;
  readonly close: () => void;
}

export interface ExternalSignerOptions {
  readonly client: SignerClient;
  /** Receives why keys could not be fetched; the previous keys stay. */
  readonly onProblem: (problem: string) => void;
  /** Milliseconds since any fixed time. Default: the system's clock. */
  readonly clock?: () => number;
}

/** The shortest time between two fetches of keys for unknown IDs, milliseconds. */
const pauseMs = 10_000;
const shortestSeconds = 600;

/** A key and whether others may see it. */
interface HeldKey {
  readonly key: CheckingKey;
  readonly isPublic: boolean;
}

/** Opens a signer: asks for its limits and keys, and fetches the keys again as often as it says. Rejects if it fails. */
export async function openExternalSigner({
  client,
  onProblem,
  clock = () => performance.now(),
}: ExternalSignerOptions): Promise<ExternalSigner> {
  let held: ReadonlyMap<string, HeldKey> = new Map();
  let fetchedAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  async function fetchKeys(): Promise<void> {
    fetchedAt = clock();
    const fetched = await client.fetchKeys();
    held = readKeys(fetched);
    clearTimeout(timer);
    if (!closed) timer = setTimeout(() => refetch(), fetched.refreshHintSeconds * 1000).unref();
  }
  const refetch = (): Promise<void> =>
    fetchKeys().catch((error: unknown) => {
      onProblem(`the keys of the signer cannot be fetched: ${String(error)}`);
      clearTimeout(timer);
      if (!closed) timer = setTimeout(refetch, pauseMs).unref();
    });
  const close = (): void => {
    closed = true;
    clearTimeout(timer);
    client.close();
  };
  try {
    const { maxTokenExpirationSeconds: maxSeconds } = await client.metadata();
    if (maxSeconds < shortestSeconds) {
      throw new Error(`its tokens live for ${maxSeconds} seconds at most; ${shortestSeconds} are needed`);
    }
    await fetchKeys();
    const find = async (id: string): Promise<HeldKey | undefined> => {
      if (!held.has(id) && clock() - fetchedAt >= pauseMs) await refetch();
      return held.get(id);
    };
    return {
      keys: () => [...held.values()].map(({ key }) => key),
      publicKeys: () => [...held.values()].flatMap(({ key, isPublic }) => (isPublic ? key : [])),
      find: async (id) => (await find(id))?.key,
      async sign(claims) {
        const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
        const signed = await client.sign(payload);
        const problem = await headerProblem(signed, find);
        if (problem !== undefined) throw new Error(`the signer's token cannot be used: ${problem}`);
        return `${signed.header}.${payload}.${signed.signature}`;
      },
      maxSeconds,
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** The longest ID of a key, characters. */
const maxIdLength = 1024;

/** Reads fetched keys. Throws if one cannot be used, so that the previous keys stay. */
function readKeys({ keys, refreshHintSeconds }: FetchedKeys): ReadonlyMap<string, HeldKey> {
  if (keys.length === 0) throw new Error('the signer has no keys');
  if (refreshHintSeconds <= 0) throw new Error(`refresh_hint_seconds ${refreshHintSeconds} is not a positive number`);
  const held = new Map<string, HeldKey>();
  for (const { keyId, key: der, excludeFromOidcDiscovery } of keys) {
    if (!isKeyId(keyId))
      throw new Error(`${JSON.stringify(keyId.slice(0, 40))} is not a key ID of 1 to 1024 characters`);
    const read = toCheckingKey(createPublicKey({ key: der, format: 'der', type: 'spki' }));
    if (!read.ok) throw new Error(`key ${keyId}: ${read.problem}`);
    held.set(keyId, { key: { ...read.key, id: keyId }, isPublic: !excludeFromOidcDiscovery });
  }
  return held;
}

const isKeyId = (id: string): boolean => id !== '' && id.length <= maxIdLength;

/** Returns why others could not check a token with this header, or `undefined` if they can. */
async function headerProblem(
  { header }: SignedParts,
  find: (id: string) => Promise<HeldKey | undefined>,
): Promise<string | undefined> {
  const read = readHeader(header);
  if (!read) return 'its header is not a JSON object in base64url';
  const unknown = Object.keys(read).find((name) => !['alg', 'kid', 'typ'].includes(name));
  if (unknown !== undefined) return `its header has the unknown field ${JSON.stringify(unknown)}`;
  const [id, algorithm] = [stringAt(read, 'kid'), stringAt(read, 'alg')];
  if (stringAt(read, 'typ') !== 'JWT') return 'its type is not JWT';
  if (!isKeyId(id)) return 'it names no key';
  const held = await find(id);
  if (!held) return `its key ${JSON.stringify(id)} is not known`;
  if (!held.isPublic) return `its key ${JSON.stringify(id)} is excluded from discovery`;
  return held.key.algorithm === algorithm ? undefined : `its algorithm is ${algorithm}, not ${held.key.algorithm}`;
}

function readHeader(text: string): JsonObject | undefined {
  try {
    const read: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return isObject(read) ? read : undefined;
  } catch {
    return undefined;
  }
}
