/** Rules for the ports of containers. */
import type { Container, ContainerPort } from '../../../generated/types/core/v1/types.js';
import type { Draft } from '../../../runtime/contract/index.js';
import { duplicate, invalidValue, required } from '../../../runtime/objects/field-error.js';
import { portName, portNumberProblems } from '../../../runtime/objects/names/network-names.js';
import { checkRequiredOneOf, type FieldErrors } from '../../shared/field-checks.js';

const protocols = ['SCTP', 'TCP', 'UDP'] as const;

/** The ports of one container, at the path of the list. */
export function* checkPorts(ports: readonly Draft<ContainerPort>[] = [], path: string): FieldErrors {
  const seen = new Set<string>();
  for (const [i, port] of ports.entries()) {
    const at = `${path}[${i}]`;
    yield* checkPortName(port.name ?? '', `${at}.name`, seen);
    if (!port.containerPort) yield required(`${at}.containerPort`);
    yield* checkNumber(port.containerPort, `${at}.containerPort`);
    yield* checkNumber(port.hostPort, `${at}.hostPort`);
    yield* checkRequiredOneOf(port.protocol, `${at}.protocol`, protocols);
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
function* checkNumber(port = 0, path: string): FieldErrors {
  if (port === 0) return;
  for (const problem of portNumberProblems(port)) yield invalidValue(path, port, problem);
}

/** Ports of the node that several containers want; `path` is that of the list of containers. */
export function* checkHostPortConflicts(containers: readonly Draft<Container>[], path: string): FieldErrors {
  const taken = new Set<string>();
  for (const [i, { ports = [] }] of containers.entries()) {
    for (const [j, { hostPort = 0, protocol = '', hostIP = '' }] of ports.entries()) {
      if (hostPort === 0) continue;
      const key = `${protocol}/${hostIP}/${hostPort}`;
      if (taken.has(key)) yield duplicate(`${path}[${i}].ports[${j}].hostPort`, key);
      taken.add(key);
    }
  }
}
