/** The stage that names an object which came with a prefix for its name. */
import type { CreateAttempt } from '../attempt.js';
import { generateName } from './system-fields.js';

export function nameObject(attempt: CreateAttempt): void {
  const { write, object } = attempt;
  attempt.generated = generateName(object, write);
  // Defaults may depend on the name.
  if (attempt.generated) write.resource.handlers?.canonicalize?.(object);
}
