/** Finds fields whose protobuf number or type is no longer the one that was promised. */

import { numberFields } from '../../lock/lock.js';
import { type PlannedVersion, planModel } from '../../lock/plan-model.js';
import type { Model } from '../../model/model.js';
import type { ProtobufLock } from '../../model/protobuf-lock.js';
import type { Difference } from '../difference.js';
import { nameOf } from './compare-models.js';

/** The definitions of one side with the numbers that it promises, where it promises any. */
export interface NumberedSide {
  readonly model: Model;
  readonly lock?: ProtobufLock;
}

/** The differences on the wire, each at the first resource that has the message. None where the old side promises nothing. */
export function compareWire(old: NumberedSide, next: NumberedSide): readonly Difference[] {
  if (old.lock === undefined) return [];
  const planned = planModel(next.model).filter(({ resource }) => resource.decoding === 'typed');
  const owners = ownersOf(planned);
  return [...changedTypes(old.lock, planned), ...changedNumbers(old.lock, next.lock)].flatMap((change) => {
    const owner = owners.get(change.message);
    if (owner === undefined) return [];
    const about = { resource: nameOf(owner.resource), version: owner.version.name, keyword: 'protobuf' };
    return [{ ...about, path: `${change.message}.${change.field}`, old: change.was, new: change.becomes }];
  });
}

interface Change {
  readonly message: string;
  readonly field: string;
  readonly was: string;
  readonly becomes: string;
}

function ownersOf(planned: readonly PlannedVersion[]): ReadonlyMap<string, PlannedVersion> {
  const owners = new Map<string, PlannedVersion>();
  for (const version of planned) {
    for (const { id } of version.messages) if (!owners.has(id)) owners.set(id, version);
  }
  return owners;
}

function changedTypes(lock: ProtobufLock, planned: readonly PlannedVersion[]): readonly Change[] {
  const messages = planned.flatMap((version) => version.messages);
  return numberFields(lock, messages).broken.map(({ message, field, was, becomes }) => ({
    message,
    field,
    was,
    becomes,
  }));
}

/** Numbers that were edited in the lock, or given again to another field. */
function changedNumbers(old: ProtobufLock, next: ProtobufLock | undefined): readonly Change[] {
  if (next === undefined) return [];
  return [...old].flatMap(([message, { fields }]) => {
    const now = next.get(message)?.fields ?? new Map();
    const byNumber = new Map([...now].map(([name, [number]]) => [number, name]));
    return [...fields].flatMap(([field, [number]]): Change[] => {
      const is = now.get(field)?.[0] ?? number;
      const other = byNumber.get(number);
      if (is === number && (other === undefined || other === field)) return [];
      const becomes = is === number ? `${number} of ${String(other)}` : String(is);
      return [{ message, field, was: String(number), becomes }];
    });
  });
}
