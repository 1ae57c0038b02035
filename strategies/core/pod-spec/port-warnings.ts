/** Warnings about ports that several definitions have in common. */
import type { ContainerPort, PodSpec } from '../../../generated/types/core/v1/types.js';
import type { Draft } from '../../../runtime/contract/index.js';
import type { Warnings } from '../node-labels.js';
import { visitContainers } from './operating-system.js';

interface PlacedPort extends Draft<ContainerPort> {
  readonly path: string;
}

/** Warns about ports that several definitions have in common. */
export function* portWarnings(spec: Draft<PodSpec>, path: string): Warnings {
  const known = new Map<string, PlacedPort[]>();
  for (const { container, path: of } of visitContainers(spec, path)) {
    for (const [i, port] of (container.ports ?? []).entries()) {
      const at = `${of}.ports[${i}]`;
      const key = `${port.containerPort}/${port.protocol}`;
      const others = known.get(key) ?? [];
      if (port.hostIP && !port.hostPort) yield `${at}: hostIP set without hostPort: ${printedPort(port)}`;
      for (const other of others) {
        const kind = overlapOf(port, other);
        if (kind !== undefined) yield `${at}: ${kind} port definition with ${other.path}`;
      }
      known.set(key, [...others, { ...port, path: at }]);
    }
  }
}

function printedPort({ name = '', hostPort = 0, containerPort = 0, protocol = '', hostIP = '' }: PortDraft): string {
  return `{Name:${name} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
}

type PortDraft = Draft<ContainerPort>;

/** Returns how two definitions of one port clash, or `undefined` if they do not. */
function overlapOf(a: PortDraft, b: PortDraft): string | undefined {
  const [ofA, ofB] = [a.hostPort ?? 0, b.hostPort ?? 0];
  if (ofA === ofB && (a.hostIP ?? '') === (b.hostIP ?? '')) return 'duplicate';
  if (ofA === 0 || ofB === 0) return 'overlapping';
  return ofA === ofB && !a.hostIP !== !b.hostIP ? 'dangerously ambiguous' : undefined;
}
