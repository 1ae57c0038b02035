/** Ports that are named or numbered. */
import type { FieldError, JsonValue } from '../../runtime/contract/index.js';
import { invalidValue } from '../../runtime/objects/field-error.js';
import { portName, portNumberProblems } from '../../runtime/objects/network-names.js';

/** Errors of a port that is a number, or the name of a port of a container. */
export function targetPortErrors(port: JsonValue | undefined, path: string): FieldError[] {
  if (typeof port === 'string') return portName(port).map((problem) => invalidValue(path, port, problem));
  const number = typeof port === 'number' || typeof port === 'bigint' ? port : 0;
  return portNumberProblems(number).map((problem) => invalidValue(path, number, problem));
}
