/** The stages in which a kind's strategy prepares an object, and warns of it. */
import type { Attempt, CreateAttempt, DeleteAttempt, UpdateAttempt } from '../attempt.js';
import { readAs } from '../versions/versions.js';
import { strategyContext } from './validation.js';

export function prepareForCreate({ write, object }: CreateAttempt): void {
  write.resource.strategy?.prepareForCreate?.(object, strategyContext(write));
}

export function prepareForUpdate({ write, object, old }: UpdateAttempt): void {
  write.resource.strategy?.prepareForUpdate?.(object, old, strategyContext(write));
}

export function prepareForDelete(attempt: DeleteAttempt): void {
  const { write, entry } = attempt;
  attempt.object = readAs(write.resource, entry);
  write.resource.strategy?.prepareForDelete?.(attempt.object, strategyContext(write));
}

export function warn({ write, object, old }: Attempt): void {
  for (const warning of write.resource.strategy?.warnings?.(object, old) ?? []) write.warn(warning);
}
