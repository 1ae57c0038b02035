/** Requests that nodes answer: logs, exec, attach, port-forward and proxy. This server reaches none of them. */
import type { Pod } from '../../generated/core/v1/pods/types.js';
import type { Container } from '../../generated/types/core/v1/types.js';
import type {
  Draft,
  DraftObject,
  Failure,
  Result,
  TextAnswer,
  VirtualContext,
  VirtualHandler,
} from '../../runtime/contract/index.js';
import { quote } from '../../runtime/objects/printing.js';
import { badRequest, notFound, serviceUnavailable } from '../../runtime/objects/status.js';

export function defineConnections(): readonly VirtualHandler[] {
  const commands = ['exec', 'attach'].map((subresource) => onPod(subresource, toContainer));
  return [
    ...commands,
    onPod('portforward', toHost),
    onPod('log', readLog),
    onPod('proxy', toAddress),
    { group: '', resource: 'services', subresource: 'proxy', connect: toService },
    { group: '', resource: 'nodes', subresource: 'proxy', connect: toNode },
  ];
}

type Connect = (pod: DraftObject<Pod>, context: VirtualContext) => Result<TextAnswer>;

function onPod(subresource: string, connect: Connect): VirtualHandler {
  return {
    group: '',
    resource: 'pods',
    subresource,
    connect(context) {
      const name = targetOf(context.name, subresource === 'proxy');
      const pod = context.objects.get({ group: '', resource: 'pods', namespace: context.namespace, name });
      return pod ? connect(pod, context) : refuse(notFound('', 'pods', name));
    },
  };
}

const refuse = (failure: Failure): Result<TextAnswer> => ({ ok: false, failure });

/** Returns the name in a path segment. For a proxy the segment is `name`, `name:port` or `scheme:name:port`. */
function targetOf(text: string, isProxied: boolean): string {
  if (!isProxied) return text;
  const [first = '', second = '', ...rest] = text.split(':');
  return rest.length === 0 ? first : second;
}

const toHost: Connect = ({ metadata, spec }) => {
  if (!spec?.nodeName) return refuse(badRequest(`pod ${metadata.name} does not have a host assigned`));
  return refuse(unreachable(spec.nodeName));
};

const unreachable = (node: string): Failure =>
  serviceUnavailable(`node ${quote(node)} cannot be reached: there are no nodes behind this server`);

const toContainer: Connect = (pod, context) => {
  const wrong = containerProblem(pod, context, false);
  return wrong === undefined ? toHost(pod, context) : refuse(badRequest(wrong));
};

/** A pod without a node has no logs yet. */
const readLog: Connect = (pod, context) => {
  const wrong = containerProblem(pod, context, true);
  if (wrong !== undefined) return refuse(badRequest(wrong));
  return pod.spec?.nodeName ? toHost(pod, context) : { ok: true, value: { code: 204, text: '' } };
};

/** Without a container name, commands go to the first container, but logs of a pod with several need one. */
function containerProblem(
  { metadata, spec }: DraftObject<Pod>,
  { query }: VirtualContext,
  isChoice: boolean,
): string | undefined {
  const { name } = metadata;
  const wanted = query('container');
  const main = namesOf(spec?.containers);
  if (wanted !== '') {
    const known = [...main, ...namesOf(spec?.initContainers), ...namesOf(spec?.ephemeralContainers)];
    return known.includes(wanted) ? undefined : `container ${wanted} is not valid for pod ${name}`;
  }
  if (!isChoice || main.length === 1) return undefined;
  return `a container name must be specified for pod ${name}, choose one of: [${main.join(' ')}]`;
}

const namesOf = (containers: readonly Draft<Container>[] | null = []): readonly string[] =>
  (containers ?? []).map(({ name = '' }) => name);

const toAddress: Connect = ({ metadata, status }) => {
  if (!status?.podIP) return refuse(badRequest('address not allowed'));
  return refuse(serviceUnavailable(`pod ${metadata.name} at ${status.podIP} cannot be reached from this server`));
};

function toService({ objects, namespace, name }: VirtualContext): Result<TextAnswer> {
  const service = targetOf(name, true);
  const found = objects.get({ group: '', resource: 'services', namespace, name: service });
  if (!found) return refuse(notFound('', 'services', service));
  return refuse(serviceUnavailable(`no endpoints available for service ${quote(name)}`));
}

function toNode({ objects, name }: VirtualContext): Result<TextAnswer> {
  const node = targetOf(name, true);
  const found = objects.get({ group: '', resource: 'nodes', namespace: '', name: node });
  return refuse(found ? unreachable(node) : notFound('', 'nodes', node));
}
