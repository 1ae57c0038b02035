/** The stages in which a kind's strategy prepares an object, and warns of it. */
import { inTurns, stepsOf } from '../../objects/turns.js';
import type { Attempt, CreateAttempt, DeleteAttempt, UpdateAttempt } from '../attempt.js';
import { readAs } from '../versions/versions.js';
import { strategyContext } from './validation/validation.js';

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

/** Gives others their turn while a kind gets ready to check an object that holds much. */
export function prepareChecks({ write, object, old }: Attempt): void | Promise<void> {
  const steps = write.resource.strategy?.prepareChecks?.(object, old, strategyContext(write));
  return steps && inTurns(stepsOf(steps));
}

export function warn({ write, object, old }: Attempt): void {
  for (const warning of write.resource.strategy?.warnings?.(object, old) ?? []) write.warn(warning);
}
