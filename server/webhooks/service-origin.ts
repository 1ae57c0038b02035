/** The address at which a Service is reached. */
import type { ApiObject, WebhookCall, WebhookService } from '../../runtime/contract/index.js';
import { getOwn, isArray, isObject, objectAt, stringAt } from '../../runtime/objects/guards.js';

/** An address to connect to, or why there is none. */
export type ServiceOrigin =
  | { readonly ok: true; readonly origin: string }
  | { readonly ok: false; readonly problem: string };

/** The cluster address of a Service, or the name that it stands for. */
export function serviceOrigin(
  { namespace, name, port }: Omit<WebhookService, 'path'>,
  find: WebhookCall['service'],
): ServiceOrigin {
  const service = find(namespace, name);
  if (!service) return no(`service ${JSON.stringify(name)} not found`);
  const spec = objectAt(service, 'spec');
  const [type, address] = [stringAt(spec, 'type'), stringAt(spec, 'clusterIP')];
  if (type === 'ExternalName') return at(stringAt(spec, 'externalName'), port);
  if (address === '' || address === 'None') return no(`cannot route to service with ClusterIP "${address}"`);
  if (!hasPort(service, port)) return no(`no service port ${port} found for service ${JSON.stringify(name)}`);
  return at(address, port);
}

const no = (problem: string): ServiceOrigin => ({ ok: false, problem });

function at(host: string, port: number): ServiceOrigin {
  const origin = `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return URL.canParse(origin) ? { ok: true, origin } : no(`the service has the address ${JSON.stringify(host)}`);
}

function hasPort(service: ApiObject, port: number): boolean {
  const spec = objectAt(service, 'spec');
  const ports = spec && getOwn(spec, 'ports');
  return isArray(ports) && ports.some((each) => isObject(each) && each.port === port);
}
