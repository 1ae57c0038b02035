/** The addresses of pods, services and nodes, to which their subresource `proxy` passes requests on. */
import type { Endpoints } from '../../generated/core/v1/endpoints/types.js';
import type { Node } from '../../generated/core/v1/nodes/types.js';
import type { Pod } from '../../generated/core/v1/pods/types.js';
import type { Service } from '../../generated/core/v1/services/types.js';
import type { EndpointSlice } from '../../generated/discovery.platform.io/v1/endpointslices/types.js';
import type { ObjectReference } from '../../generated/types/core/v1/types.js';
import type {
  Draft,
  DraftObject,
  Failure,
  ForwardAnswer,
  ForwardTarget,
  ObjectAccess,
  Result,
  VirtualContext,
  VirtualHandler,
} from '../../runtime/contract/index.js';
import { ipNumber } from '../../runtime/objects/ip-address.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { quote } from '../../runtime/objects/printing.js';
import { badRequest, notFound, serviceUnavailable } from '../../runtime/objects/status.js';

/** Defines the handlers of `pods/proxy`, `services/proxy` and `nodes/proxy`. */
export function defineProxies({ rename }: Naming): readonly VirtualHandler[] {
  const slices = { group: rename('discovery.platform.io'), label: rename('platform.io/service-name') };
  return [
    defineProxy('pods', (name, context) => {
      const pod = get(context, 'pods', name.name);
      return pod ? podTarget(pod, name) : refuse(notFound('', 'pods', name.name));
    }),
    defineProxy('services', (name, context) => {
      const service = get(context, 'services', name.name);
      return service ? serviceTarget(service, name, context, slices) : refuse(notFound('', 'services', name.name));
    }),
    defineProxy('nodes', (name, context) => {
      const node = get(context, 'nodes', name.name);
      return node ? nodeTarget(node, name) : refuse(notFound('', 'nodes', name.name));
    }),
  ];
}

type FindTarget = (name: TargetName, context: VirtualContext) => Result<ForwardTarget>;

function defineProxy(resource: string, find: FindTarget): VirtualHandler {
  return {
    group: '',
    resource,
    subresource: 'proxy',
    connect(context): Result<ForwardAnswer> {
      const name = targetName(context.name);
      if (!name) return refuse(badRequest(`invalid ${resource.slice(0, -1)} request ${quote(context.name)}`));
      const target = find(name, context);
      return target.ok ? { ok: true, value: { forward: target.value } } : target;
    },
  };
}

const get = ({ objects, namespace }: VirtualContext, resource: string, name: string) =>
  objects.get({ group: '', resource, namespace, name });

const refuse = (failure: Failure): { readonly ok: false; readonly failure: Failure } => ({ ok: false, failure });

/** The parts of a path segment that names a target. */
interface TargetName {
  /** Empty if it is not given. */
  readonly scheme: '' | 'http' | 'https';
  readonly name: string;
  /** A number or a name; empty if it is not given. */
  readonly port: string;
}

/** Reads `name`, `name:port` or `scheme:name:port`; returns `undefined` for other texts. */
export function targetName(text: string): TargetName | undefined {
  const parts = text.split(':');
  const [scheme, name = '', port = ''] = parts.length < 3 ? ['', ...parts] : parts;
  if (parts.length > 3 || name === '' || (scheme !== '' && scheme !== 'http' && scheme !== 'https')) return undefined;
  return { scheme, name, port };
}

const schemeOf = ({ scheme }: TargetName): ForwardTarget['scheme'] => scheme || 'http';

/** Returns the number of a port; `undefined` if the text is not one. */
function portNumber(text: string): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port > 0 && port < 65_536 ? port : undefined;
}

/** Returns the address of a pod, and the port that is asked for: by default the first one of its containers. */
export function podTarget(pod: DraftObject<Pod>, name: TargetName): Result<ForwardTarget> {
  const [host] = podAddresses(pod);
  if (host === undefined || !ipNumber(host)) return refuse(badRequest('address not allowed'));
  const scheme = schemeOf(name);
  const ports = (pod.spec?.containers ?? []).flatMap((container) => container.ports ?? []);
  const usual = scheme === 'https' ? 443 : 80;
  const port =
    name.port === ''
      ? (ports[0]?.containerPort ?? usual)
      : (portNumber(name.port) ?? ports.find((one) => one.name === name.port)?.containerPort);
  if (port === undefined) return refuse(badRequest(`pod ${quote(name.name)} has no port ${quote(name.port)}`));
  return { ok: true, value: { scheme, host, port } };
}

function podAddresses({ status }: DraftObject<Pod>): readonly string[] {
  const addresses = [status?.podIP, ...(status?.podIPs ?? []).map(({ ip }) => ip)];
  return addresses.filter((address): address is string => typeof address === 'string' && address !== '');
}

/** The names that find slices of endpoints. */
interface SliceNames {
  readonly group: string;
  /** The label with the name of the service. */
  readonly label: string;
}

/** Returns a random ready address of a service. Its port can be given by name or number. */
export function serviceTarget(
  service: DraftObject<Service>,
  name: TargetName,
  { objects, namespace, name: asked }: Pick<VirtualContext, 'objects' | 'namespace' | 'name'>,
  slices: SliceNames,
): Result<ForwardTarget> {
  const number = /^\d+$/.test(name.port) ? Number(name.port) : undefined;
  const named = number === undefined ? undefined : (service.spec?.ports ?? []).find(({ port }) => port === number);
  if (number !== undefined && !named) {
    return refuse(serviceUnavailable(`no service port ${number} found for service ${quote(name.name)}`));
  }
  const port = named ? (named.name ?? '') : name.port;
  const ready = readyEndpoints(objects, namespace, name.name, slices);
  const usable = ready.filter((one) => one.portName === port && isOfPod(one, objects, namespace));
  const chosen = usable[Math.floor(Math.random() * usable.length)];
  if (!chosen) return refuse(serviceUnavailable(`no endpoints available for service ${quote(asked)}`));
  return { ok: true, value: { scheme: schemeOf(name), host: chosen.host, port: chosen.port } };
}

/** A ready address of a service with one of its ports. */
interface ReadyEndpoint {
  readonly host: string;
  readonly port: number;
  readonly portName: string;
  readonly targetRef: Draft<ObjectReference> | null | undefined;
}

/** Returns the ready addresses by the Endpoints of a service, or by its slices if it has no Endpoints. */
function readyEndpoints(
  objects: ObjectAccess,
  namespace: string,
  name: string,
  { group, label }: SliceNames,
): readonly ReadyEndpoint[] {
  const endpoints: DraftObject<Endpoints> | undefined = objects.get({
    group: '',
    resource: 'endpoints',
    namespace,
    name,
  });
  if (endpoints?.subsets?.length) {
    return endpoints.subsets.flatMap(({ addresses, ports }) =>
      (addresses ?? []).flatMap(({ ip = '', targetRef }) =>
        (ports ?? []).map((one) => ({ host: ip, port: one.port ?? 0, portName: one.name ?? '', targetRef })),
      ),
    );
  }
  const all: readonly DraftObject<EndpointSlice>[] = objects.list({ group, resource: 'endpointslices', namespace });
  const own = all.filter(({ metadata }) => metadata.labels?.[label] === name);
  return own.flatMap(({ endpoints: listed, ports }) =>
    (listed ?? [])
      .filter(({ conditions }) => conditions?.ready !== false)
      .flatMap(({ addresses, targetRef }) =>
        (ports ?? []).map((one) => ({
          host: addresses?.[0] ?? '',
          port: one.port ?? 0,
          portName: one.name ?? '',
          targetRef,
        })),
      ),
  );
}

/**
 * Returns whether an endpoint is a pod of the namespace with that address, as in the reference. Users who may write
 * endpoints must not choose where the server connects to.
 */
function isOfPod({ host, targetRef }: ReadyEndpoint, objects: ObjectAccess, namespace: string): boolean {
  if (!targetRef?.name || targetRef.namespace !== namespace) return false;
  const pod = objects.get({ group: '', resource: 'pods', namespace, name: targetRef.name });
  return pod !== undefined && podAddresses(pod).includes(host);
}

/** The port on which the agent of a node listens, unless the node says otherwise. */
const agentPort = 10_250;

/** Types of addresses in the order in which they are tried: types without a look-up of names first. */
const addressTypes = ['InternalIP', 'ExternalIP', 'Hostname', 'InternalDNS', 'ExternalDNS'];

/** Returns the address of a node. The port of its agent speaks TLS; for other ports, the request names the scheme. */
export function nodeTarget({ status }: DraftObject<Node>, name: TargetName): Result<ForwardTarget> {
  const known = status?.daemonEndpoints?.kubeletEndpoint?.Port ?? 0;
  const agent = known > 0 ? known : agentPort;
  const addresses = status?.addresses ?? [];
  const host = addressTypes.flatMap((type) => addresses.find((one) => one.type === type)?.address ?? [])[0];
  if (!host) {
    return refuse(serviceUnavailable(`node ${quote(name.name)} cannot be reached: it has no address`));
  }
  const port = name.port === '' ? agent : portNumber(name.port);
  if (port === undefined) return refuse(badRequest(`invalid port ${quote(name.port)} of node ${quote(name.name)}`));
  return { ok: true, value: { scheme: port === agent ? 'https' : schemeOf(name), host, port } };
}
