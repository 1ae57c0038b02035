/** Writes down who holds which value, in objects of a kind of their own, beside the writes of the holders. */
import type { AllocationRecords, ApiObject, Entry, Guard, PooledValue } from '../../contract/index.js';
import { itself, ownManager } from '../../request/own-identity.js';
import { encodeForWrite } from '../../resource/encoding.js';
import { keyOf, type ServedResource } from '../../resource/served-resource.js';
import { readAs } from '../../resource/versions.js';
import { recordOwnership } from '../stages/ownership/ownership.js';
import { setSystemFields } from '../stages/system-fields.js';
import type { Write } from '../write.js';

/** The records of one write's values. */
export class ValueRecords {
  readonly #write: Write;
  readonly #records: AllocationRecords;

  constructor(holder: Write, resource: ServedResource, records: AllocationRecords) {
    this.#write = {
      ...holder,
      resource,
      namespace: '',
      name: '',
      subresource: undefined,
      user: itself,
      manager: ownManager,
    };
    this.#records = records;
  }

  /** Whether there is a record of the value, by whomever. */
  has(value: PooledValue): boolean {
    return this.#find(value) !== undefined;
  }

  /** Makes the record of a value; `undefined` where there is one already, or it cannot be stored. */
  async make(value: PooledValue, holder: ApiObject): Promise<Guard | 'none' | undefined> {
    const name = this.#records.nameOf(value);
    if (name === undefined) return 'none';
    const { resource, services } = this.#write;
    await resource.ready();
    const record: ApiObject = {
      apiVersion: resource.apiVersion,
      kind: resource.module.names.kind,
      ...this.#records.recordOf(name, holder),
    };
    setSystemFields({ object: record, write: this.#write });
    recordOwnership(this.#write, record, undefined);
    const next = await encodeForWrite(resource, record);
    if (!next.ok) return undefined;
    const key = keyOf(resource, '', name);
    const commit = await services.store.commit({ key, expected: 0, next: next.value });
    return commit.outcome === 'committed' ? { key, revision: commit.entry.revision } : undefined;
  }

  /** Removes the record of a value that names this holder. One that stays behind is found by the next repair. */
  async remove(value: PooledValue, holder: ApiObject): Promise<void> {
    const entry = this.#find(value);
    if (!entry) return;
    await this.#write.resource.ready();
    if (!this.#records.names(readAs(this.#write.resource, entry), holder)) return;
    await this.#write.services.store.commit({ key: entry.key, expected: entry.revision });
  }

  #find(value: PooledValue): Entry | undefined {
    const name = this.#records.nameOf(value);
    return name === undefined ? undefined : this.#write.services.store.get(keyOf(this.#write.resource, '', name));
  }
}

/** Returns the records of a write's values; `undefined` where its kind keeps none. */
export function recordsOf(write: Write): ValueRecords | undefined {
  const records = write.resource.handlers?.allocation?.records;
  if (!records || !write.services.featureEnabled(records.featureGate)) return undefined;
  const resource = write.services.resource(records.group, records.plural);
  return resource && new ValueRecords(write, resource, records);
}

/** Removes the records of what an object held that holds nothing more, or only what `next` does. */
export async function giveUpValues(write: Write, old: ApiObject, next?: ApiObject): Promise<void> {
  const allocation = write.resource.handlers?.allocation;
  if (!allocation?.records) return;
  const records = recordsOf(write);
  if (!records) return;
  const kept = new Set(next ? allocation.holds(next) : []);
  const given = allocation.holds(old).filter((value) => !kept.has(value));
  await Promise.all(given.map((value) => records.remove(value, old)));
}
