/** Ports that are named or numbered. */
import type { FieldError } from '../../runtime/contract/index.js';
import { invalidValue } from '../../runtime/objects/field-error.js';
import { portName, portNumberProblems } from '../../runtime/objects/names/network-names.js';

/** Errors of a port that is a number, or the name of a port of a container. An absent one counts as 0. */
export function targetPortErrors(port: number | string = 0, path: string): FieldError[] {
  const problems = typeof port === 'string' ? portName(port) : portNumberProblems(port);
  return problems.map((problem) => invalidValue(path, port, problem));
}
