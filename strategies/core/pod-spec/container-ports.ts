/** Ports of containers. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { duplicate, invalidValue, required } from '../../../runtime/objects/field-error.js';
import { stringAt } from '../../../runtime/objects/guards.js';
import { portName, portNumberProblems } from '../../../runtime/objects/network-names.js';
import { checkRequiredChoice, type FieldErrors } from '../../shared/field-checks.js';
import { integerAt, objectsAt } from '../../shared/reading.js';

const protocols = ['SCTP', 'TCP', 'UDP'] as const;

/** The ports of one container, at the path of the list. */
export function* checkPorts(container: JsonObject, path: string): FieldErrors {
  const seen = new Set<string>();
  for (const [i, port] of objectsAt(container, 'ports').entries()) {
    const at = `${path}[${i}]`;
    yield* checkPortName(stringAt(port, 'name'), `${at}.name`, seen);
    const number = integerAt(port, 'containerPort') ?? 0;
    if (number === 0 || number === 0n) yield required(`${at}.containerPort`);
    else yield* checkNumber(number, `${at}.containerPort`);
    yield* checkNumber(integerAt(port, 'hostPort') ?? 0, `${at}.hostPort`);
    yield* checkRequiredChoice(port, 'protocol', at, protocols);
  }
}

function* checkPortName(name: string, path: string, seen: Set<string>): FieldErrors {
  if (name === '') return;
  const problems = portName(name);
  for (const problem of problems) yield invalidValue(path, name, problem);
  if (problems.length > 0) return;
  if (seen.has(name)) yield duplicate(path, name);
  seen.add(name);
}

/** Zero stands for none. */
function* checkNumber(port: number | bigint, path: string): FieldErrors {
  if (port === 0 || port === 0n) return;
  for (const problem of portNumberProblems(port)) yield invalidValue(path, port, problem);
}

/** Ports of the node that several containers want; `path` is that of the list of containers. */
export function* checkHostPortConflicts(containers: readonly JsonObject[], path: string): FieldErrors {
  const taken = new Set<string>();
  for (const [i, container] of containers.entries()) {
    for (const [j, port] of objectsAt(container, 'ports').entries()) {
      const number = integerAt(port, 'hostPort') ?? 0;
      if (number === 0 || number === 0n) continue;
      const key = `${stringAt(port, 'protocol')}/${stringAt(port, 'hostIP')}/${number}`;
      if (taken.has(key)) yield duplicate(`${path}[${i}].ports[${j}].hostPort`, key);
      taken.add(key);
    }
  }
}
