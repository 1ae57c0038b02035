/** Servers with Services. Their ranges are so small that a test can exhaust them. */

import type { JsonObject, JsonValue, Store } from '../../runtime/contract/index.js';
import { isArray, isObject, isStringArray, objectAt } from '../../runtime/objects/guards.js';
import { parseIpRange } from '../../runtime/objects/ip-address.js';
import { platformNaming } from '../../runtime/objects/names/naming.js';
import { createServer } from '../../runtime/server/index.js';
import { kindHandlers, type ServiceRanges } from '../../strategies/index.js';
import { registry } from './built-in-modules.js';

/** Makes ranges of 14 addresses in each given block, and of 6 ports. */
export function smallRanges(...blocks: readonly string[]): ServiceRanges {
  const addresses = (blocks.length === 0 ? ['10.7.0.0/28'] : blocks).flatMap((text) => parseIpRange(text) ?? []);
  return { addresses, nodePorts: { first: 30_000, last: 30_005 } };
}

/** An answer, with its body if the body is a JSON object. */
export interface ServiceReply {
  readonly code: number;
  readonly body: JsonObject;
}

export type SendService = (method: string, path: string, body?: unknown) => Promise<ServiceReply>;

/** Serves a store. Paths are relative to the Services of the namespace `default`. */
export function serveServices(store: Store, ranges: ServiceRanges): SendService {
  const server = createServer({
    modules: registry.filter(({ names }) => names.kind === 'Service' || names.kind === 'Namespace'),
    naming: platformNaming,
    store,
    handlers: kindHandlers(platformNaming, { serviceRanges: ranges }),
    anonymous: { name: 'tester', uid: '', groups: [], extra: {} },
    productVersion: '0.0.0',
    onDefect: (error) => {
      throw error;
    },
  });
  return async (method, path, body) => {
    const [place = '', search = ''] = path.split('?', 2);
    const { code, body: answered } = await server.handle({
      method,
      path: `/api/v1/namespaces/default/services${place}`,
      search,
      headers: { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' },
      readBody: () => Promise.resolve({ ok: true, value: Buffer.from(body === undefined ? '' : JSON.stringify(body)) }),
    });
    if ('stream' in answered) throw new Error('the answer is a stream');
    const read: unknown = JSON.parse(Buffer.concat(answered instanceof Uint8Array ? [answered] : answered).toString());
    return { code, body: isObject(read) ? read : {} };
  };
}

/** Makes a Service with a port and this spec. */
export const serviceNamed = (name: string, spec: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { ports: [{ port: 80 }], ...spec },
});

/** Lists the addresses in an answer. */
export function addressesIn({ body }: ServiceReply): readonly string[] {
  const addresses = objectAt(body, 'spec')?.clusterIPs;
  return isStringArray(addresses) ? addresses : [];
}

/** Lists the node ports in an answer; 0 for a port without one. */
export function nodePortsIn({ body }: ServiceReply): readonly JsonValue[] {
  const ports = objectAt(body, 'spec')?.ports;
  return isArray(ports) ? ports.map((port) => (isObject(port) ? (port.nodePort ?? 0) : 0)) : [];
}

export const messageOf = ({ body }: ServiceReply): string => String(body.message);
