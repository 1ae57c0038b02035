/**
 * Finds the address of the service behind an APIService, or the reason, in the reference's words, why there is none.
 */
import type { ApiObject, JsonObject } from '../../runtime/contract/index.js';
import { objectAt, objectsAt, stringAt } from '../../runtime/objects/guards.js';
import { serviceOrigin } from '../webhooks/line.js';

/** The result of a check: the condition `Available`, without its time. */
export interface Finding {
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

export const passed: Finding = { status: 'True', reason: 'Passed', message: 'all checks passed' };

export const local: Finding = {
  status: 'True',
  reason: 'Local',
  message: 'Local APIServices are always available',
};

export const unavailable = (reason: string, message: string): Finding => ({ status: 'False', reason, message });

export const failedDiscovery = (message: string): Finding => unavailable('FailedDiscoveryCheck', message);

/** The service of an APIService. */
export interface ServiceReference {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** The settings for finding the addresses of services. */
export interface AddressSources {
  /** Returns an object of the core group. */
  readonly find: (resource: 'services' | 'endpoints', namespace: string, name: string) => ApiObject | undefined;
  /** Returns the address to use for a Service, if the options set one. */
  readonly given: (namespace: string, name: string) => URL | undefined;
  /** Whether requests go to an endpoint of a Service, and not to its cluster address. */
  readonly toEndpoints: boolean;
}

/** An address as in `https://10.0.0.7:443`, or why there is none. */
export type FoundOrigin = { readonly origin: string } | { readonly finding: Finding };

/** Returns the address of a service. */
export function findOrigin(at: ServiceReference, { find, given, toEndpoints }: AddressSources): FoundOrigin {
  const address = given(at.namespace, at.name);
  if (address) return { origin: address.origin };
  const shown = `service/${at.name} in "${at.namespace}"`;
  const service = find('services', at.namespace, at.name);
  if (!service) return { finding: unavailable('ServiceNotFound', `${shown} is not present`) };
  const spec = objectAt(service, 'spec');
  if ((stringAt(spec, 'type') || 'ClusterIP') === 'ClusterIP') {
    const port = objectsAt(spec, 'ports').find((one) => one.port === at.port);
    if (!port) return { finding: unavailable('ServicePortError', `${shown} is not listening on port ${at.port}`) };
    const endpoints = find('endpoints', at.namespace, at.name);
    if (!endpoints) return { finding: unavailable('EndpointsNotFound', `cannot find endpoints for ${shown}`) };
    const portName = stringAt(port, 'name');
    const active = activeEndpoints(endpoints, portName);
    if (active.length === 0) {
      const message = `endpoints for ${shown} have no addresses with port name "${portName}"`;
      return { finding: unavailable('MissingEndpoints', message) };
    }
    if (toEndpoints) return { origin: active[Math.floor(Math.random() * active.length)] ?? '' };
  }
  const found = serviceOrigin(at, () => service);
  return found.ok ? { origin: found.origin } : { finding: failedDiscovery(found.problem) };
}

/** Returns the addresses of ready endpoints at a port. */
function activeEndpoints(endpoints: JsonObject, portName: string): readonly string[] {
  return objectsAt(endpoints, 'subsets').flatMap((subset) => {
    const port = objectsAt(subset, 'ports').find((one) => stringAt(one, 'name') === portName);
    if (!port) return [];
    return objectsAt(subset, 'addresses').map((one) => {
      const ip = stringAt(one, 'ip');
      return `https://${ip.includes(':') ? `[${ip}]` : ip}:${port.port}`;
    });
  });
}
