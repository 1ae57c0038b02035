/** The stages in which a kind's handlers prepare an object, and warn of it. */
import { inTurns, stepsOf } from '../../objects/turns.js';
import { readAs } from '../../resource/versions.js';
import type { Attempt, CreateAttempt, DeleteAttempt, UpdateAttempt } from '../attempt.js';
import { handlerContext } from './validation/validation.js';

export function prepareForCreate({ write, object }: CreateAttempt): void {
  write.resource.handlers?.prepareForCreate?.(object, handlerContext(write));
}

export function prepareForUpdate({ write, object, old }: UpdateAttempt): void {
  write.resource.handlers?.prepareForUpdate?.(object, old, handlerContext(write));
}

export function prepareForDelete(attempt: DeleteAttempt): void {
  const { write, entry } = attempt;
  attempt.object = readAs(write.resource, entry);
  write.resource.handlers?.prepareForDelete?.(attempt.object, handlerContext(write));
}

/** Gives others their turn while a kind gets ready to check an object that holds much. */
export function prepareChecks({ write, object, old }: Attempt): void | Promise<void> {
  const steps = write.resource.handlers?.prepareChecks?.(object, old, handlerContext(write));
  return steps && inTurns(stepsOf(steps));
}

export function warn({ write, object, old }: Attempt): void {
  for (const warning of write.resource.handlers?.warn?.(object, old) ?? []) write.warn(warning);
}
